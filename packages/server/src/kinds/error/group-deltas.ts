/** Sums a batch up per group before any row is touched: a thousand events become as many rows as there are groups. */

import { assert } from '#base/errors.ts'
import { digest } from '#base/ids.ts'
import { hourSinceEpoch } from '#issues/payload-sampling.ts'
import { REQUEST_KINDS } from '#model/event.ts'
import type { Arrival, BuildDelta, DigestDelta, FacetDelta, GroupDelta, ReleaseSeen } from '#ports/ingest.ts'
import { eventIdAt } from '../row-columns.ts'
import { sightingsOf } from './sightings.ts'
import { type EventColumns, FLAGS, textAt, verifiedOf } from './sum.ts'

/**
 * Deltas of the events at the given places, which are in ascending order; those in `bare` keep no payload. In the
 * order in which the groups first occur.
 */
export function groupDeltas(
  columns: EventColumns,
  places: readonly number[],
  bare: ReadonlySet<number> = new Set(),
): readonly GroupDelta[] {
  const members = new Map<number, number[]>()
  for (const place of places) {
    const group = columns.group[place] ?? 0
    const list = members.get(group)
    if (list === undefined) members.set(group, [place])
    else list.push(place)
  }
  const facets = new FacetCounts(columns)
  const addresses = new Map(columns.aliases.map(({ place, address }) => [place, BigInt(address)]))
  const hasPayload = (place: number) => (columns.bytes[place] ?? 0) > 0 && !bare.has(place)
  return [...members].map(([group, list]) => deltaOf(columns, { group, list, facets, addresses, hasPayload }))
}

interface Members {
  readonly group: number
  readonly list: readonly number[]
  readonly facets: FacetCounts
  /** By place. */
  readonly addresses: ReadonlyMap<number, bigint>
  readonly hasPayload: (place: number) => boolean
}

function deltaOf(columns: EventColumns, { group, list, facets, addresses, hasPayload }: Members): GroupDelta {
  const of = columns.groups[group]
  assert(of !== undefined, 'every event names a group of its batch')
  const sums = new DeltaSums(columns)
  for (const place of list) {
    sums.add(place)
    if (hasPayload(place)) sums.addPayload(place)
    facets.add(place, sums.atMs)
  }
  const { newest } = sums
  const { projectId, hash, facts, formerHashes } = of
  // Spelled out, and the rare field last: an object that is spread into another grows field by field.
  const delta: GroupDelta = {
    projectId,
    hash,
    facts,
    newest: {
      atMs: sums.lastMs,
      eventId: eventIdAt(columns, newest),
      release: textAt(columns, columns.release[newest]),
      traceId: textAt(columns, columns.trace[newest]),
    },
    eventCount: list.length,
    mirrorCount: sums.mirrorCount,
    payloadCount: sums.payloadCount,
    newestPayload:
      sums.payloadCount === 0
        ? null
        : { atMs: sums.payloadMs, eventId: eventIdAt(columns, sums.newestPayload) },
    window: { hour: sums.hour, events: sums.hourEvents },
    firstMs: sums.firstMs,
    lastMs: sums.lastMs,
    firstReceivedMs: sums.firstReceivedMs,
    firstRelease: releaseAt(columns, sums.firstRelease, sums.firstReleaseMs),
    lastRelease: releaseAt(columns, sums.lastRelease, sums.lastReleaseMs),
    hours: sums.hours,
    kinds: sums.kinds.named(columns),
    routes: sums.routes.named(columns),
    files: sums.files.flatMap(({ place, ...contents }) => {
      const file = columns.files[place]
      return file === undefined ? [] : [{ ...file, ...contents }]
    }),
    users: sums.users ?? NO_USERS,
    aliases: aliasesOf(columns, { list, addresses }),
    facets: facets.take(),
    digests: digestDeltas(columns, list, hasPayload),
    builds: buildDeltas(columns, sums.builds),
    sightings: sightingsOf(columns, list),
    arrivals: () => list.map((place) => arrivalOf(columns, place)),
  }
  return formerHashes === undefined ? delta : { ...delta, formerHashes }
}

const NO_USERS: ReadonlySet<bigint> = new Set()

function aliasesOf(
  { user }: EventColumns,
  { list, addresses }: Pick<Members, 'list' | 'addresses'>,
): GroupDelta['aliases'] {
  if (addresses.size === 0) return []
  return list.flatMap((place) => {
    const address = addresses.get(place)
    return address === undefined ? [] : [{ person: user[place] ?? 0n, address }]
  })
}

/** The numbers of one group's events; texts by their places. */
class DeltaSums {
  /** Time of the event added last. */
  atMs = 0
  newest = 0
  mirrorCount = 0
  payloadCount = 0
  newestPayload = 0
  payloadMs = Number.NEGATIVE_INFINITY
  /** The newest of receipt, and the events in it. */
  hour = 0
  hourEvents = 0
  firstMs = Number.POSITIVE_INFINITY
  lastMs = Number.NEGATIVE_INFINITY
  firstReceivedMs = Number.POSITIVE_INFINITY
  firstRelease = 0
  firstReleaseMs = Number.POSITIVE_INFINITY
  lastRelease = 0
  lastReleaseMs = Number.NEGATIVE_INFINITY
  readonly hours = new Map<number, number>()
  readonly kinds = new PlaceCounts()
  readonly routes = new PlaceCounts()
  /** Few of a batch: a day each, and a period. */
  readonly files: { readonly place: number; events: number; firstMs: number; lastMs: number }[] = []
  users: Set<bigint> | null = null
  /** Places of release and environment, as one number. */
  readonly builds = new PlaceCounts()
  readonly #columns: EventColumns

  constructor(columns: EventColumns) {
    this.#columns = columns
  }

  add(place: number): void {
    const columns = this.#columns
    const atMs = Math.floor(columns.timestampMs[place] ?? 0)
    this.atMs = atMs
    if (atMs >= this.lastMs) this.newest = place
    this.firstMs = Math.min(this.firstMs, atMs)
    this.lastMs = Math.max(this.lastMs, atMs)
    const receivedMs = columns.receivedMs[place] ?? 0
    this.firstReceivedMs = Math.min(this.firstReceivedMs, receivedMs)
    const hour = hourSinceEpoch(receivedMs)
    this.hourEvents = hour > this.hour ? 1 : this.hourEvents + 1
    this.hour = Math.max(this.hour, hour)
    const flags = columns.flags[place] ?? 0
    if ((flags & FLAGS.isMirror) !== 0) this.mirrorCount++
    if ((flags & FLAGS.hasUser) !== 0) {
      this.users ??= new Set()
      this.users.add(columns.user[place] ?? 0n)
    }
    const release = columns.release[place] ?? 0
    this.#addRelease(release, atMs)
    const environment = columns.environment[place] ?? 0
    if (release !== 0 && environment !== 0) this.builds.add(release * columns.texts.length + environment)
    countKey(this.hours, hourSinceEpoch(atMs))
    this.kinds.add(columns.kind[place] ?? 0)
    const route = columns.route[place] ?? 0
    if (route !== 0) this.routes.add(route)
    this.#addFile(columns.file[place] ?? 0, atMs)
  }

  #addFile(place: number, atMs: number): void {
    const file = this.files.find((one) => one.place === place)
    if (file === undefined) {
      this.files.push({ place, events: 1, firstMs: atMs, lastMs: atMs })
      return
    }
    file.events++
    file.firstMs = Math.min(file.firstMs, atMs)
    file.lastMs = Math.max(file.lastMs, atMs)
  }

  /** Counts the payload of the event added last. */
  addPayload(place: number): void {
    this.payloadCount++
    if (this.atMs < this.payloadMs) return
    this.newestPayload = place
    this.payloadMs = this.atMs
  }

  #addRelease(release: number, atMs: number): void {
    if (release === 0) return
    if (atMs < this.firstReleaseMs) {
      this.firstRelease = release
      this.firstReleaseMs = atMs
    }
    if (atMs >= this.lastReleaseMs) {
      this.lastRelease = release
      this.lastReleaseMs = atMs
    }
  }
}

/** Counts the (key, value) pairs of one group after the other in the same arrays. */
class FacetCounts {
  readonly #columns: EventColumns
  readonly #counts: Uint32Array
  readonly #first: Float64Array
  readonly #last: Float64Array
  /** Pairs with a count. */
  #touched: number[] = []

  constructor(columns: EventColumns) {
    const pairs = columns.pairs.length / 2
    this.#columns = columns
    this.#counts = new Uint32Array(pairs)
    this.#first = new Float64Array(pairs)
    this.#last = new Float64Array(pairs)
  }

  add(place: number, atMs: number): void {
    const { tags, tagsEnd } = this.#columns
    const end = tagsEnd[place] ?? 0
    for (let at = place === 0 ? 0 : (tagsEnd[place - 1] ?? 0); at < end; at++) {
      const pair = tags[at] ?? 0
      const before = this.#counts[pair] ?? 0
      this.#counts[pair] = before + 1
      if (before === 0) {
        this.#touched.push(pair)
        this.#first[pair] = atMs
        this.#last[pair] = atMs
      } else {
        if (atMs < (this.#first[pair] ?? 0)) this.#first[pair] = atMs
        if (atMs > (this.#last[pair] ?? 0)) this.#last[pair] = atMs
      }
    }
  }

  /** The counts of the group, and begins the next. */
  take(): readonly FacetDelta[] {
    const { pairs, texts } = this.#columns
    const deltas = this.#touched.map((pair): FacetDelta => {
      const delta = {
        key: texts[pairs[2 * pair] ?? 0] ?? '',
        value: texts[pairs[2 * pair + 1] ?? 0] ?? '',
        count: this.#counts[pair] ?? 0,
        firstMs: this.#first[pair] ?? 0,
        lastMs: this.#last[pair] ?? 0,
      }
      this.#counts[pair] = 0
      return delta
    })
    this.#touched = []
    return deltas
  }
}

function digestDeltas(
  columns: EventColumns,
  list: readonly number[],
  hasPayload: (place: number) => boolean,
): readonly DigestDelta[] {
  const { digests, digestsEnd } = columns
  if (digests.length === 0) return []
  const sums = new Map<string, DigestDelta>()
  for (const place of list) {
    const end = digestsEnd[place] ?? 0
    for (let at = place === 0 ? 0 : (digestsEnd[place - 1] ?? 0); at < end; at += 2) {
      const key = `${digests[at]}:${columns.release[place]}`
      const seen = digestDelta(columns, {
        place,
        hasPayload: hasPayload(place),
        text: digests[at] ?? 0,
        verified: verifiedOf(digests[at + 1]),
      })
      const before = sums.get(key)
      sums.set(key, before === undefined ? seen : joinDigestDeltas(before, seen))
    }
  }
  return [...sums.values()]
}

function digestDelta(
  columns: EventColumns,
  {
    place,
    hasPayload,
    text,
    verified,
  }: Pick<DigestDelta, 'hasPayload' | 'verified'> & { readonly place: number; readonly text: number },
): DigestDelta {
  const atMs = Math.floor(columns.timestampMs[place] ?? 0)
  const kind = textAt(columns, columns.kind[place])
  const requestKind = REQUEST_KINDS.find((known) => known === kind)
  assert(requestKind !== undefined, 'every event has a request kind')
  return {
    digest: digest(textAt(columns, text) ?? ''),
    release: textAt(columns, columns.release[place]),
    environment: textAt(columns, columns.environment[place]),
    route: textAt(columns, columns.route[place]),
    requestKind,
    eventId: eventIdAt(columns, place),
    traceId: textAt(columns, columns.trace[place]),
    count: 1,
    mirrorCount: ((columns.flags[place] ?? 0) & FLAGS.isMirror) === 0 ? 0 : 1,
    verified,
    hasPayload,
    firstMs: atMs,
    lastMs: atMs,
  }
}

function joinDigestDeltas(before: DigestDelta, seen: DigestDelta): DigestDelta {
  return {
    ...(isShownBefore(seen, before) ? seen : before),
    count: before.count + seen.count,
    mirrorCount: before.mirrorCount + seen.mirrorCount,
    verified: seen.verified === null ? before.verified : before.verified === true || seen.verified,
    firstMs: Math.min(before.firstMs, seen.firstMs),
    lastMs: Math.max(before.lastMs, seen.lastMs),
  }
}

/** Whoever looks a digest up wants to read an exception. */
function isShownBefore(one: DigestDelta, other: DigestDelta): boolean {
  return one.hasPayload === other.hasPayload ? one.lastMs >= other.lastMs : one.hasPayload
}

function arrivalOf(columns: EventColumns, place: number): Arrival {
  const receivedMs = columns.receivedMs[place] ?? 0
  const flags = columns.flags[place] ?? 0
  return {
    receivedMs,
    happenedMs: columns.happened[place] ?? receivedMs,
    isMirror: (flags & FLAGS.isMirror) !== 0,
    eventId: eventIdAt(columns, place),
    release: textAt(columns, columns.release[place]),
    traceId: textAt(columns, columns.trace[place]),
  }
}

function buildDeltas(columns: EventColumns, counts: PlaceCounts): readonly BuildDelta[] {
  const { texts } = columns
  return counts.entries().map(([build, events]) => ({
    release: texts[Math.floor(build / texts.length)] ?? '',
    environment: texts[build % texts.length] ?? '',
    count: events,
  }))
}

function releaseAt(columns: EventColumns, place: number, atMs: number): ReleaseSeen | null {
  const release = textAt(columns, place)
  return release === null ? null : { release, atMs }
}

/** Events by a number: without a map while there is only one, as in most groups of a batch. */
class PlaceCounts {
  #only = 0
  #count = 0
  #more: Map<number, number> | null = null

  add(place: number): void {
    if (this.#more !== null) countKey(this.#more, place)
    else if (this.#count === 0 || place === this.#only) {
      this.#only = place
      this.#count++
    } else {
      this.#more = new Map([
        [this.#only, this.#count],
        [place, 1],
      ])
    }
  }

  /** Returns places and their events in the order in which they first came. */
  entries(): readonly (readonly [place: number, events: number])[] {
    if (this.#more !== null) return [...this.#more]
    return this.#count === 0 ? [] : [[this.#only, this.#count]]
  }

  /** Counts by the text at each place. */
  named({ texts }: EventColumns): ReadonlyMap<string, number> {
    return this.#count === 0
      ? NO_COUNTS
      : new Map(this.entries().map(([place, events]) => [texts[place] ?? '', events]))
  }
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map()

function countKey(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
