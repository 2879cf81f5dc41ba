/** A stored event: its row, and what the process beat knows of it besides. */
import { day, dayOf, digest, type ProjectId, seq } from '#base/ids.ts'
import type { FoundDigest } from '#kinds/error/digests.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { EventOwn } from '#kinds/error/sum.ts'
import type { FileName } from '#model/file-name.ts'
import type { StoredFacts } from '#ports/ingest.ts'
import { aHash, anEventId, GROUP_A, randomEventId, SHOP } from './ids.ts'
import { NOW } from './times.ts'

export const FIRST_DAY = day(20_000)

export function anEventRow(changed: Partial<EventRow> = {}): EventRow {
  return {
    seq: seq(1),
    projectId: SHOP,
    groupHash: GROUP_A,
    eventId: randomEventId(),
    timestampMs: 1_728_000_000_000.5,
    receivedMs: 1_728_000_001_000,
    day: FIRST_DAY,
    retentionDays: 90,
    level: 'error',
    platform: 'javascript',
    title: 'TypeError: total is not a function',
    culprit: 'OrderTotals in app/orders/[id]/totals.tsx',
    environment: 'production',
    release: 'shop@1.2.3',
    dist: null,
    transaction: 'GET /orders/[id]',
    browser: 'Chrome 140',
    os: 'Windows 11',
    runtime: 'node v24.21.0',
    device: null,
    serverName: 'web-1',
    url: 'https://shop.example.com/orders/7',
    user: 'id:42',
    people: ['id:42', 'email:ada@example.com'],
    handled: false,
    traceId: '0123456789abcdef0123456789abcdef',
    spanId: null,
    requestKind: 'document',
    route: '/orders/[id]',
    sdk: 'sentry.javascript.nextjs/10.2.0',
    isMirror: false,
    missedMaps: null,
    category: 'server',
    skew: null,
    skewSubject: null,
    details: [],
    mapFrames: null,
    tags: [
      ['environment', 'production'],
      ['release', 'shop@1.2.3'],
    ],
    ...changed,
  }
}

/** A row of that file. */
export function placeInFile({ day, retentionDays }: FileName): Pick<EventRow, 'day' | 'retentionDays'> {
  return { day, retentionDays }
}

export interface EventShape extends Partial<Omit<EventRow, 'tags'>> {
  readonly projectId: ProjectId
  /** Becomes hash and, without a title, title of the group. */
  readonly group?: string
  readonly name?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly facts?: Partial<StoredFacts>
  readonly digests?: readonly string[]
  readonly stale?: EventOwn['stale']
  /** When it happened, where that is not when it was received. */
  readonly happenedMs?: number
  /** True for an event that was made of an exception on a span. */
  readonly isOfSpan?: boolean
}

let counter = 0

/** An event as the process beat leaves it. */
export interface ShapedEvent extends EventOwn {
  readonly row: EventRow
}

/** `receivedMs` follows `timestampMs`, facts and digests follow the row. */
export function anEvent(shape: EventShape): ShapedEvent {
  const { group = 'boom', name = `unnamed ${++counter}`, tags = {}, ...rest } = shape
  const { facts, digests = [], stale = null, isOfSpan = false, happenedMs, ...change } = rest
  const timestampMs = change.timestampMs ?? NOW
  const receivedMs = change.receivedMs ?? timestampMs
  const row = anEventRow({
    ...UNCOUNTED,
    title: `Error: ${group}`,
    groupHash: aHash(group),
    eventId: anEventId(name),
    day: dayOf(receivedMs),
    ...change,
    timestampMs,
    receivedMs,
    tags: Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)),
  })
  return {
    row,
    facts: factsOf(row, group, facts),
    digests: digests.map(foundDigest),
    stale,
    happenedMs: happenedMs ?? receivedMs,
    isOfSpan,
  }
}

/** Issues count these of a row: a test says which it counts. */
const UNCOUNTED = {
  environment: null,
  release: null,
  route: null,
  traceId: null,
  user: null,
  people: [],
  missedMaps: null,
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
    category: row.category ?? 'other',
    ...change,
  }
}

function foundDigest(number: string): FoundDigest {
  return { digest: digest(number), verified: null }
}
