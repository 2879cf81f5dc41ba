import { answerChoices } from '#parts/choices.server.ts'
import { featureTable } from '#wire/app-tables.ts'
import { notFound } from '#wire/loader.ts'
import { paletteHandler } from './palette.server.ts'
import { shellRoutes } from './routes.ts'
import { sentryLinks } from './sentry-links.server.ts'
import { waitsHandler } from './waits.server.ts'

export const shellTable = featureTable({
  routes: shellRoutes,
  loaders: { 'not-found': async () => notFound() },
  actions: [],
  handlers: [
    paletteHandler(null),
    { path: '/:org/choices', access: 'issue.read', handle: answerChoices },
    waitsHandler,
    ...sentryLinks,
  ],
})
