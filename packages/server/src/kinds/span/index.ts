/** Spans: what an app did, and how long it took. */
import { OTLP_TRACES } from '@errata/protocol'
import { type Kind, storedKind } from '../kind.ts'
import { SPAN_DATASET } from './dataset.ts'
import { SPAN_CATEGORY, SPANS } from './fields.ts'
import { fragmentKeep } from './keep.ts'
import { readSpans } from './read.ts'
import { fragmentSum } from './sum.ts'

export const span: Kind = {
  itemTypes: ['span', 'transaction', OTLP_TRACES],
  read: readSpans,
  stored: storedKind({
    ...{ table: SPANS, category: SPAN_CATEGORY, sum: fragmentSum, keep: fragmentKeep },
    dataset: SPAN_DATASET,
  }),
}
