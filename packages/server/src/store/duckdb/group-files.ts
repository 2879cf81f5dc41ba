/** Which files a read of groups has to look into, told by what is known of them before any is opened. */

import type { FileName } from '#model/file-name.ts'
import { fileStem } from '#model/file-name.ts'
import type { AnyEventFilter, EventFilter, FileContents, NamedFile } from '#ports/telemetry.ts'
import { groupsWithin, isNothingDeleted, type VisibleGroups } from './conditions.ts'
import type { ReadContext } from './read-context.ts'

/** A file that may hold rows of the groups. */
export interface GroupFile {
  readonly file: FileName
  /** The groups of projects that still show the file, never empty; `null`: whatever the scope may read. */
  readonly groups: VisibleGroups | null
  /** Bounds of the rows' times: whole milliseconds, rounded down. */
  readonly firstMs: number
  readonly lastMs: number
  /** How many rows of the groups can be seen, where that is known. */
  readonly events: number | null
}

/** The named files that are there and may hold visible rows of the time range, each once, in the order they were named. */
export async function groupFiles(
  context: ReadContext,
  filter: Omit<EventFilter, 'groups'>,
  groups: VisibleGroups | null,
): Promise<GroupFile[]> {
  if (groups?.hashes.length === 0) return []
  const isExact = groups !== null && isNothingDeleted(groups)
  const unique = [...new Map(filter.files.map((file) => [fileStem(file), file])).values()]
  const kept: GroupFile[] = []
  for (const named of unique) {
    if (named.kind !== context.table.kind || !context.files.has(named)) continue
    const within = groups === null ? null : groupsWithin(groups, context.rules, named)
    if (within?.hashes.length === 0) continue
    const contents = named.holds ?? (await spanOfFile(context, named))
    if (contents === null || !isInRange(contents, filter)) continue
    const { firstMs, lastMs } = contents
    const isCounted = isExact && within?.hashes.length === groups.hashes.length
    const events = isCounted && named.holds ? named.holds.events : null
    kept.push({ file: named, groups: within, firstMs, lastMs, events })
  }
  return kept
}

/** Bounds of everything in the file, as wide as the groups' may be; `null` for one without rows. */
async function spanOfFile(
  { files }: ReadContext,
  file: NamedFile,
): Promise<Pick<FileContents, 'firstMs' | 'lastMs'> | null> {
  const { leastMs, greatestMs } = await files.facts(file)
  if (leastMs === null || greatestMs === null) return null
  return { firstMs: Math.floor(leastMs), lastMs: Math.floor(greatestMs) }
}

function isInRange(
  { firstMs, lastMs }: Pick<FileContents, 'firstMs' | 'lastMs'>,
  { startMs, endMs }: Omit<EventFilter, 'groups'>,
): boolean {
  if (startMs !== undefined && lastMs < Math.floor(startMs)) return false
  return endMs === undefined || firstMs < endMs
}

/** True when the filter asks for all rows of its groups. */
export function isWholeGroups({ startMs, endMs, text = '', ...filter }: AnyEventFilter): boolean {
  const { textNot = [], named = [], tags = [], people = [], details = [], either = [] } = filter
  const conditions = [textNot, named, filter.ofGroups ?? [], tags, people, details, either]
  const hasNoRange = startMs === undefined && endMs === undefined
  return hasNoRange && text === '' && conditions.every(({ length }) => length === 0)
}

/**
 * How many rows of the files meet the filter, as counted with the commits; `null` where some event of those that were
 * counted is not in the files any more, or cannot be seen.
 */
export function countedMatches(filter: AnyEventFilter, files: readonly GroupFile[]): number | null {
  const { counted, startMs, endMs } = filter
  if (counted === undefined || counted === null || startMs !== undefined || endMs !== undefined) return null
  const events = files.reduce((sum, file) => sum + (file.events ?? Number.NaN), 0)
  return events === counted.events ? counted.matching : null
}
