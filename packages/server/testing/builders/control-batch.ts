import { keyId, seq } from '#base/ids.ts'
import { ERROR, ERROR_CATEGORY, type EventRow } from '#kinds/error/fields.ts'
import { groupDeltas } from '#kinds/error/group-deltas.ts'
import { type EventOwn, eventSum } from '#kinds/error/sum.ts'
import { rowColumns } from '#kinds/row-columns.ts'
import { SPAN, SPAN_CATEGORY } from '#kinds/span/fields.ts'
import type { PackedRow } from '#model/batch.ts'
import type { SessionDelta } from '#ports/health.ts'
import type { ControlBatch, GroupDelta } from '#ports/ingest.ts'
import type { RequestsPart } from '#ports/requests.ts'
import type { ShapedEvent } from './stored-event.ts'

/** Events get the batch's seqs in order; those at the places in `bare` keep no payload. */
export function aBatch(
  firstSeq: number,
  events: readonly ShapedEvent[],
  change: Partial<ControlBatch> = {},
  bare: ReadonlySet<number> = new Set(),
): ControlBatch {
  return {
    firstSeq: seq(firstSeq),
    lastSeq: seq(firstSeq + Math.max(0, events.length - 1)),
    parts: [partOf(firstSeq, events, bare)],
    outcomes: [],
    keysUsed: [],
    quarantined: [],
    ...change,
  }
}

function partOf(
  firstSeq: number,
  events: readonly ShapedEvent[],
  bare: ReadonlySet<number>,
): ControlBatch['parts'][number] {
  const rows = events.map(({ row, ...own }, index): PackedRow<EventRow, EventOwn> => {
    const place = { keyId: keyId(1), block: 0, offset: 0, bytes: 1, rowBytes: 0 }
    return { own, ...place, row: { ...row, seq: seq(firstSeq + index) } }
  })
  const none = new Uint32Array(events.length)
  const columns = rowColumns(ERROR, rows, { ends: none, forms: none })
  const sums = eventSum.unpack(eventSum.pack(rows))
  const groups = groupDeltas({ ...columns, ...sums }, [...events.keys()], bare)
  return { type: 'groups', kind: ERROR, category: ERROR_CATEGORY, groups, failures: [], stale: [] }
}

/** The batch's parts, each group changed. */
export function withGroups(
  { parts }: ControlBatch,
  change: (group: GroupDelta) => GroupDelta,
): ControlBatch['parts'] {
  return parts.map((part) => (part.type === 'groups' ? { ...part, groups: part.groups.map(change) } : part))
}

/** A batch of one seq that brings figures of requests alone. */
export function aRequestsBatch(
  firstSeq: number,
  {
    segments = [],
    vitals = [],
    costs = [],
    stale = [],
    actionNames = [],
    hints = [],
  }: Partial<Pick<RequestsPart, 'segments' | 'vitals' | 'costs' | 'stale' | 'actionNames' | 'hints'>>,
): ControlBatch {
  const part = {
    type: 'requests',
    kind: SPAN,
    category: SPAN_CATEGORY,
    segments,
    vitals,
    costs,
    stale,
    actionNames,
    hints,
  } as const
  return aBatch(firstSeq, [], { parts: [part] })
}

/** A batch of one seq that brings sessions alone, each counted as accepted. */
export function aSessionBatch(firstSeq: number, sessions: readonly SessionDelta[]): ControlBatch {
  const outcomes = sessions.map(({ projectId, keyId: key, receivedMs }) => ({
    ...{ outcome: 'accepted' as const, reason: null, category: 'session', quantity: 1 },
    ...{ projectId, keyId: key, atMs: receivedMs },
  }))
  return aBatch(firstSeq, [], { outcomes, parts: [{ type: 'sessions', category: 'session', sessions }] })
}
