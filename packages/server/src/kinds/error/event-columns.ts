/**
 * The events of a batch in columns: what the commit must know of each, as numbers. Texts occur once a batch and are
 * named by their place; most events share most of theirs. The commit thread sums columns up per group without
 * touching a string per event, which cost it 19 µs an event.
 */
import type { EventId, GroupHash, ProjectId } from '#base/ids.ts'
import type { EventRow, GroupFacts, ProcessedBatch, ProcessedEvent } from '#model/batch.ts'
import type { FileName } from '#model/file-name.ts'
import { hashUser } from '#model/user-hash.ts'
import type { StoredFacts } from '#ports/ingest.ts'
import { UNCOUNTED_TAG_KEYS } from '#ports/issues.ts'

/** Columns of numbers, one entry an event unless said otherwise. Places of texts: 0 is none. */
export const NUMBER_COLUMNS = {
  seq: Float64Array,
  timestampMs: Float64Array,
  receivedMs: Float64Array,
  /** Hash of the person; meaningless without HAS_USER. */
  user: BigUint64Array,
  keyId: Uint32Array,
  /** Places in `groups`, `files` and the batch's blocks. */
  group: Uint32Array,
  file: Uint32Array,
  block: Uint32Array,
  offset: Uint32Array,
  bytes: Uint32Array,
  rowBytes: Uint32Array,
  release: Uint32Array,
  environment: Uint32Array,
  kind: Uint32Array,
  route: Uint32Array,
  trace: Uint32Array,
  flags: Uint32Array,
  /** Where the event's tags, digests and line end in the lists below and in the lines. */
  tagsEnd: Uint32Array,
  digestsEnd: Uint32Array,
  lineEnd: Uint32Array,
} as const

/** Lists of places: tags name pairs, pairs are two texts in turn, digests a text and a `verified` in turn. */
export const LISTS = ['tags', 'pairs', 'digests'] as const

type NumberColumns = {
  readonly [Name in keyof typeof NUMBER_COLUMNS]: InstanceType<(typeof NUMBER_COLUMNS)[Name]>
}
type Lists = { readonly [Name in (typeof LISTS)[number]]: Uint32Array }

export interface ColumnGroup {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  /** JSON of `StoredFacts`, of the newest event. */
  readonly facts: string
}

export interface EventColumns extends NumberColumns, Lists {
  readonly count: number
  /** 32 characters an event. */
  readonly eventIds: string
  readonly texts: readonly string[]
  readonly groups: readonly ColumnGroup[]
  readonly files: readonly FileName[]
}

/** A batch as the commit takes it. */
export interface ColumnBatch extends Omit<ProcessedBatch, 'events'> {
  readonly columns: EventColumns
  /** Lines of the rows as UTF-8, one after the other; `columns.lineEnd` says where each ends. */
  readonly lines: Uint8Array
}

export const FLAGS = { isMirror: 1, hasUser: 2, isJsonLine: 4 } as const
/** As `verified` is written. */
const UNVERIFIABLE = 2
const EVENT_ID_CHARS = 32

export function eventIdAt({ eventIds }: EventColumns, index: number): EventId {
  const start = index * EVENT_ID_CHARS
  return eventIds.slice(start, start + EVENT_ID_CHARS) as EventId // written by columnsOf
}

export function textAt({ texts }: EventColumns, place: number | undefined): string | null {
  return place === undefined || place === 0 ? null : (texts[place] ?? null)
}

export function verifiedOf(written: number | undefined): boolean | null {
  return written === UNVERIFIABLE ? null : written === 1
}

/** Where each line ends is the caller's to know: `lineEnd` and FLAGS.isJsonLine. */
export function columnsOf(
  events: readonly ProcessedEvent[],
  lines: { readonly ends: Uint32Array; readonly isJson: (index: number) => boolean },
): EventColumns {
  const columns = emptyColumns(events.length)
  const writer = new ColumnWriter()
  events.forEach((event, index) => {
    const { row } = event
    columns.seq[index] = row.seq
    columns.timestampMs[index] = row.timestampMs
    columns.receivedMs[index] = row.receivedMs
    columns.keyId[index] = event.keyId
    columns.group[index] = writer.group(event)
    columns.file[index] = writer.file(row)
    columns.block[index] = event.block
    columns.offset[index] = event.offset
    columns.bytes[index] = event.bytes
    columns.rowBytes[index] = event.rowBytes
    columns.release[index] = writer.text(row.release)
    columns.kind[index] = writer.text(row.requestKind)
    columns.route[index] = writer.text(row.route)
    if (event.digests.length > 0) {
      columns.environment[index] = writer.text(row.environment)
      columns.trace[index] = writer.text(row.traceId)
    }
    let flags = row.isMirror ? FLAGS.isMirror : 0
    if (row.user !== null) {
      flags |= FLAGS.hasUser
      columns.user[index] = writer.user(row.user)
    }
    if (lines.isJson(index)) flags |= FLAGS.isJsonLine
    columns.flags[index] = flags
    columns.tagsEnd[index] = writer.tags(row.tags)
    columns.digestsEnd[index] = writer.digests(event.digests)
  })
  columns.lineEnd.set(lines.ends)
  return {
    ...columns,
    ...writer.finish(),
    count: events.length,
    eventIds: events.map(({ row }) => row.eventId).join(''),
  }
}

function emptyColumns(count: number): NumberColumns {
  const made = Object.entries(NUMBER_COLUMNS).map(([name, Column]) => [name, new Column(count)])
  return Object.fromEntries(made) as NumberColumns // every column of the table above
}

class ColumnWriter {
  readonly #texts: string[] = ['']
  readonly #places = new Map<string, number>()
  readonly #groups = new Map<string, number>()
  readonly #newest: { facts: GroupFacts; timestampMs: number }[] = []
  readonly #files: FileName[] = []
  readonly #users = new Map<string, bigint>()
  readonly #pairsByKey = new Map<string, Map<string, number>>()
  readonly #pairs: number[] = []
  readonly #tags: number[] = []
  readonly #digests: number[] = []

  text(value: string | null): number {
    if (value === null) return 0
    const known = this.#places.get(value)
    if (known !== undefined) return known
    const place = this.#texts.push(value) - 1
    this.#places.set(value, place)
    return place
  }

  group({ row, facts }: ProcessedEvent): number {
    const key = `${row.projectId} ${row.groupHash}`
    const place = this.#groups.get(key)
    if (place === undefined) {
      this.#groups.set(key, this.#newest.length)
      return this.#newest.push({ facts, timestampMs: row.timestampMs }) - 1
    }
    const newest = this.#newest[place]
    if (newest !== undefined && row.timestampMs >= newest.timestampMs) {
      newest.facts = facts
      newest.timestampMs = row.timestampMs
    }
    return place
  }

  file({ day, retentionDays }: EventRow): number {
    const known = this.#files.findIndex((file) => file.day === day && file.retentionDays === retentionDays)
    return known >= 0 ? known : this.#files.push({ day, retentionDays }) - 1
  }

  user(name: string): bigint {
    const known = this.#users.get(name)
    if (known !== undefined) return known
    const hashed = hashUser(name)
    this.#users.set(name, hashed)
    return hashed
  }

  /** A key that an event carries twice counts once, with its first value: totals per key are counts of events. */
  tags(tags: EventRow['tags']): number {
    let keyBefore: string | null = null
    for (const [key, value] of tags) {
      if (key === keyBefore || UNCOUNTED_TAG_KEYS.has(key)) continue // sorted by key
      keyBefore = key
      this.#tags.push(this.#pair(key, value))
    }
    return this.#tags.length
  }

  digests(digests: ProcessedEvent['digests']): number {
    for (const { digest, verified } of digests) {
      this.#digests.push(this.text(digest), verified === null ? UNVERIFIABLE : verified ? 1 : 0)
    }
    return this.#digests.length
  }

  finish(): Lists & Pick<EventColumns, 'texts' | 'groups' | 'files'> {
    return {
      texts: this.#texts,
      groups: this.#newest.map(({ facts }) => columnGroup(facts)),
      files: this.#files,
      tags: Uint32Array.from(this.#tags),
      pairs: Uint32Array.from(this.#pairs),
      digests: Uint32Array.from(this.#digests),
    }
  }

  #pair(key: string, value: string): number {
    let values = this.#pairsByKey.get(key)
    if (values === undefined) {
      values = new Map()
      this.#pairsByKey.set(key, values)
    }
    const known = values.get(value)
    if (known !== undefined) return known
    const place = this.#pairs.length / 2
    this.#pairs.push(this.text(key), this.text(value))
    values.set(value, place)
    return place
  }
}

function columnGroup({ projectId, hash, ...facts }: GroupFacts): ColumnGroup {
  return { projectId, hash, facts: JSON.stringify(facts satisfies StoredFacts) }
}
