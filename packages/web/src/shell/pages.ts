/** Every page of the app, shared by server and browser. Views load when they are needed. */
import { accountRoutes } from '#features/account/routes.ts'
import { authRoutes } from '#features/auth/routes.ts'
import { digestRoutes } from '#features/digest/routes.ts'
import { eventRoutes } from '#features/event/routes.ts'
import { issueListRoute } from '#features/issues/routes.ts'
import { orgSettingsRoutes } from '#features/org-settings/routes.ts'
import { outcomesRoute } from '#features/outcomes/routes.ts'
import { projectSettingsRoutes } from '#features/project-settings/routes.ts'
import { projectRoutes } from '#features/projects/routes.ts'
import { systemRoutes } from '#features/system/routes.ts'
import { type PageRoute, pageRoute } from '#wire/route.ts'

const notFoundRoute = pageRoute({
  id: 'not-found',
  path: '*',
  access: 'anyone',
  file: 'features/auth/home-view.tsx',
  view: async () => (await import('#features/auth/home-view.tsx')).HomeView,
})

export const pages: readonly PageRoute[] = [
  ...authRoutes,
  issueListRoute,
  ...eventRoutes,
  ...digestRoutes,
  outcomesRoute,
  ...projectRoutes,
  ...projectSettingsRoutes,
  ...orgSettingsRoutes,
  ...accountRoutes,
  ...systemRoutes,
  notFoundRoute,
]
