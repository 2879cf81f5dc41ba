/** How long requests take, and how they end. */
import { featureTable } from '#wire/app-tables.ts'
import { performanceFeature } from './feature.ts'
import { answerRouteSuggestions, loadPerformance, loadPerformanceRoute } from './performance.server.ts'
import { loadVitals } from './vitals.server.ts'

export const performanceTable = featureTable({
  routes: performanceFeature.routes,
  loaders: {
    performance: loadPerformance,
    'performance.vitals': loadVitals,
    'performance.route': loadPerformanceRoute,
  },
  actions: [],
  handlers: [{ path: '/:org/performance/suggestions', access: 'trace.read', handle: answerRouteSuggestions }],
})
