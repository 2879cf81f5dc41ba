/** Batches, events and filters with defaults, for the contract suites. */
import { createHash } from 'node:crypto'
import {
  dayOf,
  digest,
  type EventId,
  type GroupHash,
  groupHash,
  keyId,
  type ProjectId,
  readEventId,
  seq,
} from '#base/ids.ts'
import type { FoundDigest } from '#kinds/error/digests.ts'
import { CATEGORY, ERROR, type EventRow } from '#kinds/error/fields.ts'
import { groupDeltas } from '#kinds/error/group-deltas.ts'
import { type EventOwn, eventSum } from '#kinds/error/sum.ts'
import { rowColumns } from '#kinds/row-columns.ts'
import type { PackedRow } from '#model/batch.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import type { ControlBatch, StoredFacts } from '#ports/ingest.ts'
import type { ArchivedUntil, IssueFilter } from '#ports/issues.ts'
import type { Actor } from '#ports/scope.ts'

/** A Monday, 12:00 UTC: a whole hour. */
export const NOW = Date.UTC(2026, 10, 16, 12)
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export function anActor(atMs = NOW, change: Partial<Actor> = {}): Actor {
  return { userId: null, tokenId: null, label: 'tester', address: '192.0.2.1', atMs, ...change }
}

/** Any text as the hash of a group. */
export function aHash(name: string): GroupHash {
  return groupHash(createHash('md5').update(name).digest('hex'))
}

export function anEventId(name: string): EventId {
  const id = readEventId(createHash('md5').update(`event ${name}`).digest('hex'))
  if (id === null) throw new Error('not an event id')
  return id
}

export interface EventShape extends Partial<Omit<EventRow, 'tags'>> {
  readonly projectId: ProjectId
  /** Becomes hash and, without a title, title of the group. */
  readonly group?: string
  readonly name?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly facts?: Partial<StoredFacts>
  readonly digests?: readonly string[]
}

let counter = 0

/** What the process beat knows of an event. */
export interface ShapedEvent extends EventOwn {
  readonly row: EventRow
}

/** `receivedMs` follows `timestampMs`, facts and digests follow the row. */
export function anEvent(shape: EventShape): ShapedEvent {
  const { group = 'boom', name = `unnamed ${++counter}`, tags = {}, facts, digests = [], ...change } = shape
  const timestampMs = change.timestampMs ?? NOW
  const receivedMs = change.receivedMs ?? timestampMs
  const row: EventRow = {
    ...ROW,
    title: `Error: ${group}`,
    seq: seq(0),
    groupHash: aHash(group),
    eventId: anEventId(name),
    day: dayOf(receivedMs),
    ...change,
    timestampMs,
    receivedMs,
    tags: Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)),
  }
  return { row, facts: factsOf(row, group, facts), digests: digests.map(found) }
}

const ROW = {
  retentionDays: 90,
  level: 'error',
  platform: 'node',
  culprit: 'GET /cart',
  environment: null,
  release: null,
  dist: null,
  transaction: null,
  browser: null,
  os: null,
  runtime: null,
  device: null,
  serverName: null,
  url: null,
  user: null,
  people: [],
  handled: false,
  traceId: null,
  spanId: null,
  requestKind: 'document',
  route: null,
  sdk: null,
  isMirror: false,
} as const

function factsOf(row: EventRow, group: string, change: Partial<StoredFacts> = {}): StoredFacts {
  return {
    title: row.title,
    type: 'Error',
    value: group,
    filename: 'app/cart.ts',
    function: 'total',
    culprit: row.culprit,
    level: row.level,
    platform: row.platform,
    logger: null,
    handled: row.handled,
    ...change,
  }
}

function found(number: string): FoundDigest {
  return { digest: digest(number), verified: null }
}

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
  return { type: 'groups', kind: ERROR, category: CATEGORY, groups }
}

export function anOutcome(change: Partial<CountedOutcome> = {}): CountedOutcome {
  return {
    outcome: 'accepted',
    reason: null,
    category: 'error',
    quantity: 1,
    projectId: null,
    keyId: null,
    atMs: NOW,
    ...change,
  }
}

/** Everything of the last 30 days. */
export function aFilter(change: Partial<IssueFilter> = {}): IssueFilter {
  return {
    projects: null,
    status: null,
    substatus: null,
    startMs: NOW - 30 * DAY,
    endMs: NOW + HOUR,
    text: [],
    levels: [],
    tags: [],
    assignee: null,
    groups: null,
    issueIds: null,
    ...change,
  }
}

/** For ever, unless the change says until when. */
export function archivedUntil(change: Partial<ArchivedUntil> = {}): ArchivedUntil {
  return { eventsMore: null, usersMore: null, atMs: null, ...change }
}
