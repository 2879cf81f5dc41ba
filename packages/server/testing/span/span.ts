/** The sketch of a kind, for the test that a kind is one folder and one line in the list: three fields, no event ids. */

import { dayOf } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { type ItemAnswer, type ItemInput, onlyOutcome } from '#kinds/item.ts'
import { KEEP_ALL, type Kind, NO_SUMS, storedKind } from '#kinds/kind.ts'
import { parseJson } from '#kinds/lenient-json.ts'
import { number, orNull, type RowOf, rowTable, text } from '#model/fields.ts'

const CATEGORY = 'span'

export const SPANS = rowTable(
  'span',
  { traceId: text(), op: orNull(text()), durationMs: number() },
  { hasEventId: false, neighbours: ['traceId'] },
)

export type SpanRow = RowOf<typeof SPANS>

export const span: Kind = {
  itemTypes: ['span'],
  read: readSpans,
  stored: storedKind<SpanRow, null, null>({
    table: SPANS,
    category: CATEGORY,
    sum: NO_SUMS,
    keep: KEEP_ALL,
  }),
}

/** An item holds many. */
function readSpans({ payload, envelope }: ItemInput): ItemAnswer {
  const read = parseJson(Buffer.from(payload).toString('utf8'))
  if (!isObject(read) || !Array.isArray(read.items)) {
    return onlyOutcome({
      ...{ outcome: 'invalid', reason: 'not_an_object', category: CATEGORY },
      ...{ quantity: 1, example: 'spans without a list' },
    })
  }
  const rows = read.items.filter(isObject).map((item) => {
    const startMs = Number(item.start_timestamp) * 1_000
    const endMs = Number(item.end_timestamp) * 1_000
    const row: SpanRow = {
      ...{ seq: envelope.seq, projectId: envelope.projectId, receivedMs: envelope.receivedMs },
      ...{ day: dayOf(envelope.receivedMs), retentionDays: envelope.retentionDays, timestampMs: endMs },
      ...{ traceId: String(item.trace_id), op: typeof item.op === 'string' ? item.op : null },
      durationMs: endMs - startMs,
    }
    const kept = Buffer.from(JSON.stringify(item.attributes ?? {}))
    return { kind: SPANS.kind, row, keyId: envelope.keyId, payload: kept, own: null }
  })
  return { rows, outcomes: [] }
}
