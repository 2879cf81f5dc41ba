/** Table of the overview, of an organisation or of one project. */
import { featureTable } from '#wire/app-tables.ts'
import { overviewFeature } from './feature.ts'
import { loadOverview, loadProjectOverview } from './overview.server.ts'

export const overviewTable = featureTable({
  routes: overviewFeature.routes,
  loaders: { overview: loadOverview, 'project-overview': loadProjectOverview },
  actions: [],
  handlers: [],
})
