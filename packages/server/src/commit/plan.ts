/** What a batch writes into each store. Pure: it decides, and changes nothing. */
import { assert } from '#base/errors.ts'
import type { KeyId, Seq } from '#base/ids.ts'
import type { ControlBatch, ControlEvent } from '#ports/ingest.ts'
import type { BlockEvent, EventIds, PayloadSegments } from '#ports/telemetry.ts'
import type { EventRow, PayloadBlock, ProcessedBatch, ProcessedEvent } from '#process/batch.ts'
import type { CountedOutcome } from '#process/outcome.ts'

export interface CommitPlan {
  readonly blocks: Parameters<PayloadSegments['append']>[0]
  readonly rows: readonly EventRow[]
  readonly control: ControlBatch
  readonly ids: Parameters<EventIds['add']>[0]
  readonly duplicates: number
}

/** Outcomes are counted per minute of receipt: /system shows the last hour so. */
const MINUTE_MS = 60_000

export function planCommit(batch: ProcessedBatch, ids: Pick<EventIds, 'isDuplicate'>): CommitPlan {
  const { stored, duplicates } = splitDuplicates(batch.events, ids)
  const outcomes = [
    ...batch.outcomes,
    ...countEvents(stored, { outcome: 'accepted', reason: null }),
    ...countEvents(duplicates, { outcome: 'invalid', reason: 'duplicate' }),
  ]
  return {
    blocks: listBlocks(batch.blocks, stored),
    rows: stored.map(({ row }) => row),
    control: {
      firstSeq: batch.range.firstSeq,
      lastSeq: batch.range.lastSeq,
      events: stored.map(({ row, facts, digests }): ControlEvent => ({ row, facts, digests })),
      outcomes,
      keysUsed: keysUsed(outcomes),
      quarantined: batch.quarantined.map(({ seq, projectId, receivedMs, reason, body }) => ({
        seq,
        projectId,
        receivedMs,
        reason,
        bytes: body.length,
      })),
    },
    ids: stored.map(({ row }) => ({
      projectId: row.projectId,
      eventId: row.eventId,
      file: { day: row.day, retentionDays: row.retentionDays },
      seq: row.seq,
    })),
    duplicates: duplicates.length,
  }
}

/** The first occurrence is stored, in the batch as well as in all that went before. */
function splitDuplicates(
  events: readonly ProcessedEvent[],
  ids: Pick<EventIds, 'isDuplicate'>,
): { readonly stored: readonly ProcessedEvent[]; readonly duplicates: readonly ProcessedEvent[] } {
  const seen = new Set<string>()
  const stored: ProcessedEvent[] = []
  const duplicates: ProcessedEvent[] = []
  let lastSeq: Seq | null = null
  for (const event of events) {
    const { projectId, eventId, day, seq } = event.row
    assert(lastSeq === null || seq >= lastSeq, 'events of a batch come in seq order')
    lastSeq = seq
    const key = `${projectId}:${eventId}`
    const isDuplicate = seen.has(key) || ids.isDuplicate(projectId, eventId, day)
    seen.add(key)
    ;(isDuplicate ? duplicates : stored).push(event)
  }
  return { stored, duplicates }
}

/** Every block with the stored events it holds. */
function listBlocks(
  blocks: readonly PayloadBlock[],
  stored: readonly ProcessedEvent[],
): CommitPlan['blocks'] {
  const lists = blocks.map((block) => ({ block, events: [] as BlockEvent[] }))
  for (const { row, block, offset, bytes, rowBytes } of stored) {
    const list = lists[block]
    assert(list !== undefined, 'an event names a block of its batch')
    const { day, retentionDays } = list.block
    assert(day === row.day && retentionDays === row.retentionDays, 'a block holds events of its own file')
    const { projectId, eventId, seq } = row
    list.events.push({ projectId, eventId, seq, offset, bytes, rowBytes })
  }
  return lists
}

function countEvents(
  events: readonly ProcessedEvent[],
  as: Pick<CountedOutcome, 'outcome' | 'reason'>,
): readonly CountedOutcome[] {
  const counted = new Map<string, CountedOutcome>()
  for (const { row, keyId } of events) {
    const key = `${row.projectId}:${keyId}:${Math.floor(row.receivedMs / MINUTE_MS)}`
    const before = counted.get(key)
    counted.set(key, {
      ...as,
      category: 'error',
      quantity: (before?.quantity ?? 0) + 1,
      projectId: row.projectId,
      keyId,
      atMs: Math.max(before?.atMs ?? 0, row.receivedMs),
    })
  }
  return [...counted.values()]
}

/** Keys that sent anything at all, refused or not. */
function keysUsed(outcomes: readonly CountedOutcome[]): ControlBatch['keysUsed'] {
  const newest = new Map<KeyId, number>()
  for (const { keyId, atMs } of outcomes) {
    if (keyId !== null) newest.set(keyId, Math.max(atMs, newest.get(keyId) ?? 0))
  }
  return [...newest].map(([keyId, atMs]) => ({ keyId, atMs }))
}
