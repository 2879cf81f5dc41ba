/** An event among those of its groups: the files around it are read, the others are counted by what is known of them. */
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import type { EventFilter, EventLike, Neighbours } from '#ports/telemetry.ts'
import { visibleGroups } from './conditions.ts'
import { compareKeys } from './cursor.ts'
import { countedMatches, type GroupFile, groupFiles, isWholeGroups } from './group-files.ts'
import {
  allKeys,
  aroundPlace,
  countKeys,
  type FileAround,
  type KeyWithId,
  type RowKey,
  type ScanPart,
  splitIntoScans,
} from './group-scan.ts'
import type { ReadContext } from './read-context.ts'

/** Same as `TelemetryStore.neighbours`. */
export async function readNeighbours(
  context: ReadContext,
  filter: EventFilter,
  of: EventLike,
): Promise<Neighbours> {
  const groups = visibleGroups(context.scope, filter.groups, context.rules)
  const files = await groupFiles(context, filter, groups)
  const isCounted = isWholeGroups(filter) && files.every(({ events }) => events !== null)
  const asked = isCounted ? filesAround(files, of) : new Set(files)
  let found = await readAround(context, { filter, files: [...asked] }, of)
  const rest = files.filter((file) => !asked.has(file))
  // What was counted is not what is there, as after a loss that was repaired: then nothing is taken for granted.
  if (!agrees([...asked], found) && rest.length > 0) {
    found = [...found, ...(await readAround(context, { filter, files: rest }, of))]
    return neighboursOf(of, found, [])
  }
  return neighboursOf(of, found, rest)
}

/** Same as `TelemetryStore.count`. */
export async function countEvents(context: ReadContext, filter: EventFilter): Promise<number> {
  const groups = visibleGroups(context.scope, filter.groups, context.rules)
  const files = await groupFiles(context, filter, groups)
  const counted = countedMatches(filter, files)
  if (counted !== null) return counted
  const isCounted = ({ events }: GroupFile) => isWholeGroups(filter) && events !== null
  let total = 0
  for (const file of files) if (isCounted(file)) total += file.events ?? 0
  for (const part of splitIntoScans(files.filter((file) => !isCounted(file)))) {
    total += await countKeys(context, { filter, files: part })
  }
  return total
}

async function readAround(
  context: ReadContext,
  { filter, files }: { readonly filter: EventFilter; readonly files: readonly GroupFile[] },
  of: EventLike,
): Promise<readonly FileAround[]> {
  const found: FileAround[] = []
  for (const part of splitIntoScans(files)) {
    // Sorting and counting here costs a third of doing so in SQL, as long as it is few rows.
    const rows = part.reduce((sum, { events }) => sum + (events ?? Number.POSITIVE_INFINITY), 0)
    const isFew = rows <= max('neighbourRowsMax')
    found.push(
      ...(isFew
        ? await aroundInRows(context, { filter, files: part }, of)
        : await aroundPlace(context, { filter, files: part }, of)),
    )
  }
  return found
}

async function aroundInRows(
  context: ReadContext,
  part: ScanPart,
  of: EventLike,
): Promise<readonly FileAround[]> {
  const byFile = Map.groupBy(await allKeys(context, part), ({ file }) => fileStem(file))
  return [...byFile.values()].flatMap((keys) => {
    const [first] = keys
    return first === undefined ? [] : [aroundOf(first.file, keys.toSorted(compareKeys), of)]
  })
}

/** `keys`: oldest first. */
function aroundOf(file: FileName, keys: readonly RowKey[], of: EventLike): FileAround {
  const before = keys.filter((key) => compareKeys(key, of) < 0)
  const next = keys.find((key) => compareKeys(key, of) > 0)
  return {
    file,
    ...{ total: keys.length, before: before.length },
    ...{
      first: keys.at(0) ?? null,
      previous: before.at(-1) ?? null,
      next: next ?? null,
      latest: keys.at(-1) ?? null,
    },
  }
}

/** The files that can hold the first and latest row, and the ones next to this: of a thousand files a handful. */
function filesAround(files: readonly GroupFile[], { timestampMs }: EventLike): ReadonlySet<GroupFile> {
  const atMs = Math.floor(timestampMs)
  const before = files.filter(({ lastMs }) => lastMs < atMs)
  const after = files.filter(({ firstMs }) => firstMs > atMs)
  const around = files.filter(({ firstMs, lastMs }) => firstMs <= atMs && lastMs >= atMs)
  const firstMs = lowestOf(files.map((file) => file.firstMs))
  const lastMs = highestOf(files.map((file) => file.lastMs))
  const previousMs = highestOf(before.map((file) => file.lastMs))
  const nextMs = lowestOf(after.map((file) => file.firstMs))
  return new Set([
    ...around,
    ...files.filter((file) => file.firstMs === firstMs || file.lastMs === lastMs),
    ...before.filter((file) => file.lastMs === previousMs),
    ...after.filter((file) => file.firstMs === nextMs),
  ])
}

function lowestOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
}

function highestOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
}

/** False when a file holds fewer rows than were counted. More are of batches committed since. */
function agrees(files: readonly GroupFile[], found: readonly FileAround[]): boolean {
  const totals = new Map(found.map(({ file, total }) => [fileStem(file), total]))
  return files.every(({ file, events }) => events === null || (totals.get(fileStem(file)) ?? 0) >= events)
}

function neighboursOf(of: EventLike, found: readonly FileAround[], rest: readonly GroupFile[]): Neighbours {
  const ends = new Ends()
  let [total, before] = [0, 0]
  for (const file of found) {
    total += file.total
    before += file.before
    ends.take(file)
  }
  for (const { events, lastMs } of rest) {
    total += events ?? 0
    if (lastMs < Math.floor(of.timestampMs)) before += events ?? 0
  }
  return {
    first: ends.first?.eventId ?? of.eventId,
    previous: ends.previous?.eventId ?? null,
    next: ends.next?.eventId ?? null,
    latest: ends.latest?.eventId ?? of.eventId,
    position: before + 1,
    total,
  }
}

/** The ends of all files together. */
class Ends {
  first: KeyWithId | null = null
  previous: KeyWithId | null = null
  next: KeyWithId | null = null
  latest: KeyWithId | null = null

  take(file: FileAround): void {
    this.first = pick(this.first, file.first, -1)
    this.previous = pick(this.previous, file.previous, 1)
    this.next = pick(this.next, file.next, -1)
    this.latest = pick(this.latest, file.latest, 1)
  }
}

/** The greater (`direction` 1) or lesser (-1) of two, where there are two. */
function pick(a: KeyWithId | null, b: KeyWithId | null, direction: 1 | -1): KeyWithId | null {
  if (a === null || b === null) return a ?? b
  return compareKeys(a, b) * direction >= 0 ? a : b
}
