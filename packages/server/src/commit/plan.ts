/** What a batch writes into each store. It asks and decides, and changes nothing. */
import { assert } from '#base/errors.ts'
import { type KeyId, keyId, type ProjectId, type Seq, seq } from '#base/ids.ts'
import type { CappedGroup } from '#kinds/error/capped-groups.ts'
import type { ColumnBatch } from '#kinds/error/event-columns.ts'
import { type EventColumns, eventIdAt, FLAGS } from '#kinds/error/event-columns.ts'
import { gatherIssues } from '#kinds/error/gathered-issues.ts'
import { groupDeltas } from '#kinds/error/group-deltas.ts'
import { askWindows, capPayloads } from '#kinds/error/payload-caps.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { ControlBatch, ControlCommit } from '#ports/ingest.ts'
import type { WrittenRow } from '#ports/row-lines.ts'
import type { BlockEvent, EventIds, PayloadSegments } from '#ports/telemetry.ts'

export interface CommitPlan {
  readonly blocks: Parameters<PayloadSegments['append']>[0]
  readonly rows: readonly WrittenRow[]
  readonly control: ControlBatch
  readonly ids: Parameters<EventIds['add']>[0]
  readonly storedEvents: number
  readonly duplicates: number
  readonly capped: readonly CappedGroup[]
}

export interface PlanParts {
  readonly eventIds: Pick<EventIds, 'isDuplicate'>
  readonly control: Pick<ControlCommit, 'payloadWindows'>
  /** Issues that may begin in an hour, per project; default `newIssuesPerHourMax` of the limits. */
  readonly newIssuesMax?: number
}

/** Outcomes are counted per minute of receipt: /system shows the last hour so. */
const MINUTE_MS = 60_000

export async function planCommit(
  arrived: ColumnBatch,
  { eventIds, control, newIssuesMax = max('newIssuesPerHourMax') }: PlanParts,
): Promise<CommitPlan> {
  const events = eventsOf(arrived.columns)
  const { stored, duplicates } = splitDuplicates(events, eventIds)
  const places = stored.map(({ place }) => place)
  const before = await askWindows(control, arrived.columns, places)
  const batch = gatherIssues(arrived, places, { windows: before, newIssuesMax })
  const windows = batch === arrived ? before : await askWindows(control, batch.columns, places)
  const { bare, capped } = capPayloads(batch.columns, places, windows)
  const outcomes = [
    ...batch.outcomes,
    ...countEvents(stored, { outcome: 'accepted', reason: null }),
    ...countEvents(duplicates, { outcome: 'invalid', reason: 'duplicate' }),
  ]
  return {
    blocks: listBlocks(batch, stored, bare),
    rows: listRows(batch, stored),
    control: {
      firstSeq: batch.range.firstSeq,
      lastSeq: batch.range.lastSeq,
      groups: groupDeltas(batch.columns, places, bare),
      outcomes,
      keysUsed: keysUsed(outcomes),
      quarantined: batch.quarantined.map(({ seq: at, projectId, receivedMs, reason, body }) => ({
        seq: at,
        projectId,
        receivedMs,
        reason,
        bytes: body.length,
      })),
    },
    ids: stored,
    storedEvents: stored.length,
    duplicates: duplicates.length,
    capped,
  }
}

/** What names one event of the batch. */
interface PlannedEvent {
  /** In the batch's columns. */
  readonly place: number
  readonly seq: Seq
  readonly projectId: ProjectId
  readonly eventId: BlockEvent['eventId']
  readonly file: FileName
  readonly keyId: KeyId
  readonly receivedMs: number
}

function eventsOf(columns: EventColumns): readonly PlannedEvent[] {
  return Array.from({ length: columns.count }, (_, place): PlannedEvent => {
    const group = columns.groups[columns.group[place] ?? 0]
    const file = columns.files[columns.file[place] ?? 0]
    assert(group !== undefined && file !== undefined, 'every event names a group and a file of its batch')
    return {
      place,
      seq: seq(columns.seq[place] ?? 0),
      projectId: group.projectId,
      eventId: eventIdAt(columns, place),
      file,
      keyId: keyId(columns.keyId[place] ?? 0),
      receivedMs: columns.receivedMs[place] ?? 0,
    }
  })
}

/** The first occurrence is stored, in the batch as well as in all that went before. */
function splitDuplicates(
  events: readonly PlannedEvent[],
  ids: Pick<EventIds, 'isDuplicate'>,
): { readonly stored: readonly PlannedEvent[]; readonly duplicates: readonly PlannedEvent[] } {
  const seen = new Map<ProjectId, Set<string>>()
  const stored: PlannedEvent[] = []
  const duplicates: PlannedEvent[] = []
  let lastSeq: Seq | null = null
  for (const event of events) {
    const { projectId, eventId, file, seq } = event
    assert(lastSeq === null || seq >= lastSeq, 'events of a batch come in seq order')
    lastSeq = seq
    const seenOfProject = seen.get(projectId) ?? new Set()
    seen.set(projectId, seenOfProject)
    const isDuplicate = seenOfProject.has(eventId) || ids.isDuplicate(projectId, eventId, file.day)
    seenOfProject.add(eventId)
    ;(isDuplicate ? duplicates : stored).push(event)
  }
  return { stored, duplicates }
}

/**
 * Every block with the stored events it holds. A payload that is not kept stays in its block, out of reach, until
 * compaction writes the block anew: packing it again here would cost the one commit more than the bytes are worth.
 */
function listBlocks(
  { blocks, columns }: ColumnBatch,
  stored: readonly PlannedEvent[],
  bare: ReadonlySet<number>,
): CommitPlan['blocks'] {
  const lists = blocks.map((block) => ({ block, events: [] as BlockEvent[] }))
  for (const { place, projectId, eventId, seq, file } of stored) {
    const list = lists[columns.block[place] ?? 0]
    assert(list !== undefined, 'an event names a block of its batch')
    const { day, retentionDays } = list.block
    assert(day === file.day && retentionDays === file.retentionDays, 'a block holds events of its own file')
    const offset = columns.offset[place] ?? 0
    const bytes = columns.bytes[place] ?? 0
    const rowBytes = columns.rowBytes[place] ?? 0
    const kept = bare.has(place) ? { offset: offset + bytes, bytes: 0 } : { offset, bytes }
    list.events.push({ projectId, eventId, seq, ...kept, rowBytes })
  }
  return lists
}

function listRows({ columns, lines }: ColumnBatch, stored: readonly PlannedEvent[]): CommitPlan['rows'] {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  return stored.map(({ place, seq, file }): WrittenRow => {
    const start = place === 0 ? 0 : (columns.lineEnd[place - 1] ?? 0)
    return {
      seq,
      file,
      timestampMs: columns.timestampMs[place] ?? 0,
      line: text.toString('utf8', start, columns.lineEnd[place]),
      isJson: ((columns.flags[place] ?? 0) & FLAGS.isJsonLine) !== 0,
    }
  })
}

function countEvents(
  events: readonly PlannedEvent[],
  as: Pick<CountedOutcome, 'outcome' | 'reason'>,
): readonly CountedOutcome[] {
  const counted = new Map<string, { quantity: number; atMs: number; readonly of: PlannedEvent }>()
  for (const event of events) {
    const { projectId, keyId, receivedMs } = event
    const key = `${projectId}:${keyId}:${Math.floor(receivedMs / MINUTE_MS)}`
    const before = counted.get(key)
    if (before === undefined) {
      counted.set(key, { quantity: 1, atMs: receivedMs, of: event })
    } else {
      before.quantity++
      before.atMs = Math.max(before.atMs, receivedMs)
    }
  }
  return [...counted.values()].map(({ quantity, atMs, of: { projectId, keyId } }) => ({
    ...as,
    ...{ category: 'error', quantity, projectId, keyId, atMs },
  }))
}

/** Keys that sent anything at all, refused or not. */
function keysUsed(outcomes: readonly CountedOutcome[]): ControlBatch['keysUsed'] {
  const newest = new Map<KeyId, number>()
  for (const { keyId, atMs } of outcomes) {
    if (keyId !== null) newest.set(keyId, Math.max(atMs, newest.get(keyId) ?? 0))
  }
  return [...newest].map(([keyId, atMs]) => ({ keyId, atMs }))
}
