/** Table of the overview, of an organisation or of one project. */
import { featureTable } from '#wire/app-tables.ts'
import { loadOverview, loadProjectOverview } from './overview.server.ts'
import { overviewRoutes } from './routes.ts'

export const overviewTable = featureTable({
  routes: overviewRoutes,
  loaders: { overview: loadOverview, 'project-overview': loadProjectOverview },
  actions: [],
  handlers: [],
})
