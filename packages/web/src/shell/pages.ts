/** Every page of the app, shared by server and browser: a line a feature. Views load when they are needed. */
import { accountRoutes } from '#features/account/routes.ts'
import { alertsRoutes } from '#features/alerts/routes.ts'
import { authRoutes } from '#features/auth/routes.ts'
import { digestRoutes } from '#features/digest/routes.ts'
import { eventRoutes } from '#features/event/routes.ts'
import { inboxRoutes } from '#features/inbox/routes.ts'
import { issuesRoutes } from '#features/issues/routes.ts'
import { orgSettingsRoutes } from '#features/org-settings/routes.ts'
import { outcomesRoutes } from '#features/outcomes/routes.ts'
import { overviewRoutes } from '#features/overview/routes.ts'
import { peopleRoutes } from '#features/people/routes.ts'
import { performanceRoutes } from '#features/performance/routes.ts'
import { projectSettingsRoutes } from '#features/project-settings/routes.ts'
import { projectsRoutes } from '#features/projects/routes.ts'
import { releasesRoutes } from '#features/releases/routes.ts'
import { sharedRoutes } from '#features/shared/routes.ts'
import { skewRoutes } from '#features/skew/routes.ts'
import { systemRoutes } from '#features/system/routes.ts'
import { tracesRoutes } from '#features/traces/routes.ts'
import type { PageRoute } from '#wire/route.ts'
import { shellRoutes } from './routes.ts'

export const pages: readonly PageRoute[] = [
  authRoutes,
  overviewRoutes,
  issuesRoutes,
  eventRoutes,
  sharedRoutes,
  digestRoutes,
  tracesRoutes,
  performanceRoutes,
  skewRoutes,
  peopleRoutes,
  releasesRoutes,
  outcomesRoutes,
  alertsRoutes,
  projectsRoutes,
  projectSettingsRoutes,
  orgSettingsRoutes,
  inboxRoutes,
  accountRoutes,
  systemRoutes,
  shellRoutes,
].flat()
