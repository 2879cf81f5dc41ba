/** Issues that are shared by a link. */
import { featureTable } from '#wire/app-tables.ts'
import { sharedFeature } from './feature.ts'
import { loadSharedIssue } from './shared.server.ts'

export const sharedTable = featureTable({
  routes: sharedFeature.routes,
  loaders: { 'shared-issue': loadSharedIssue },
  actions: [],
  handlers: [],
})
