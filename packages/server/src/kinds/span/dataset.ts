/** How fragments of traces are asked for: see `model/dataset.ts`. */
import { datasetOf } from '#model/dataset.ts'
import { REQUEST_KINDS } from '#model/event.ts'
import { REQUEST_ENDS } from '#model/span.ts'
import { SPANS } from './fields.ts'

export const SPAN_DATASET = datasetOf(SPANS, {
  name: 'spans',
  words: ['name'],
  fields: {
    traceId: { name: 'trace' },
    name: { aliases: ['transaction', 'span.description'] },
    op: { aliases: ['span.op'] },
    durationMs: { name: 'duration', aliases: ['span.duration', 'transaction.duration'], unit: 'ms' },
    requestKind: { name: 'kind', aliases: ['request_kind'], values: REQUEST_KINDS },
    method: { name: 'http.method', aliases: ['method'] },
    httpStatus: { name: 'http.status_code' },
    end: { values: REQUEST_ENDS },
    lcp: { unit: 'ms' },
    inp: { unit: 'ms' },
    fcp: { unit: 'ms' },
    ttfb: { unit: 'ms' },
    queriesMs: { name: 'queries', unit: 'ms' },
    callsMs: { name: 'calls', unit: 'ms' },
    service: { aliases: ['service.name'] },
    sdk: { name: 'sdk.name' },
  },
})
