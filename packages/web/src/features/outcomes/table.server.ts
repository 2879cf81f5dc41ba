/** Table of the outcomes pages. */
import { featureTable } from '#wire/app-tables.ts'
import { outcomesFeature } from './feature.ts'
import { handleOutcomesCsv, loadOutcomes } from './outcomes.server.ts'

export const outcomesTable = featureTable({
  routes: outcomesFeature.routes,
  loaders: {
    outcomes: loadOutcomes,
  },
  actions: [],
  handlers: [{ path: '/:org/outcomes/csv', access: 'outcome.read', handle: handleOutcomesCsv }],
})
