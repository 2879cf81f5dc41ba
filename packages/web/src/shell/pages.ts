/** Every page of the app, shared by server and browser. */
import type { PageRoute } from '#wire/route.ts'
import * as features from './features.ts'
import { shellRoutes } from './routes.ts'

export const pages: readonly PageRoute[] = [
  ...Object.values(features).flatMap<PageRoute>(({ routes }) => routes),
  ...shellRoutes,
]
