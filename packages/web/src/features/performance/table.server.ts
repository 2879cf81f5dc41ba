/** How long requests take, and how they end. */
import { paths } from '#parts/paths.ts'
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
  named: [
    {
      kind: 'page',
      of: 'organisation',
      names: ['Web vitals'],
      also: 'lcp inp cls fcp ttfb page speed',
      access: 'trace.read',
      path: (org) => paths.vitals(org),
    },
  ],
})
