/** Issues that are shared by a link. */
import { featureTable } from '#wire/app-tables.ts'
import { sharedRoutes } from './routes.ts'
import { loadSharedIssue } from './shared.server.ts'

export const sharedTable = featureTable({
  routes: sharedRoutes,
  loaders: { 'shared-issue': loadSharedIssue },
  actions: [],
  handlers: [],
})
