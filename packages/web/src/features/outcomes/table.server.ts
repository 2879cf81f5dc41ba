/** Table of the outcomes pages. */
import { featureTable } from '#wire/app-tables.ts'
import { handleOutcomesCsv, loadOutcomes } from './outcomes.server.ts'
import { outcomesRoutes } from './routes.ts'

export const outcomesTable = featureTable({
  routes: outcomesRoutes,
  loaders: {
    outcomes: loadOutcomes,
  },
  actions: [],
  handlers: [{ path: '/:org/outcomes/csv', access: 'outcome.read', handle: handleOutcomesCsv }],
})
