/** Traces: their search, and one of them as a waterfall. */
import { featureTable } from '#wire/app-tables.ts'
import { tracesFeature } from './feature.ts'
import { answerSpan, loadTrace } from './trace.server.ts'
import { answerSuggestions, loadTraces } from './traces.server.ts'

export const tracesTable = featureTable({
  routes: tracesFeature.routes,
  loaders: { traces: loadTraces, trace: loadTrace },
  actions: [],
  handlers: [
    { path: '/:org/traces/suggestions', access: 'trace.read', handle: answerSuggestions },
    { path: '/:org/traces/:trace/span', access: 'trace.read', handle: answerSpan },
  ],
})
