/** Affected people by a part of a name: newest days first, until the time is over. */
import { foldAccents } from '#base/fold-letters.ts'
import { ERROR } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import { type FileName, fileStem } from '#model/file-name.ts'
import type { NamedTogether } from '#ports/people.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { FoundPeople, FoundPerson, PeopleSearch } from '../people-types.ts'
import { inTime } from '../search/in-time.ts'
import { type PeopleParts, peopleFiles } from './people-parts.ts'

/** The most lasting first. */
const KINDS = ['id:', 'email:', 'username:', 'ip:'] as const
/** Most names of one person; further ones are not listed. */
const NAMES_MAX = 8

export async function peopleFound(
  parts: PeopleParts,
  scope: ReadScope,
  { text, limit = max('peopleFoundMax'), forMs = max('peopleFoundMs') }: PeopleSearch,
): Promise<FoundPeople> {
  const wanted = foldAccents(text.trim().slice(0, max('findCharsMax')))
  const budgetMs = Math.min(forMs, max('peopleFoundMs'))
  const untilMs = parts.clock.elapsed() + budgetMs
  const found = new Map<string, FoundPerson>()
  let isComplete = true
  let fromDay: FoundPeople['fromDay'] = null
  for (const day of byDay(await peopleFiles(parts))) {
    const leftMs = untilMs - parts.clock.elapsed()
    const rows = leftMs <= 0 ? null : await namedIn(parts, scope, { files: day, wanted, forMs: leftMs })
    if (rows === null) {
      isComplete = false
      break
    }
    for (const together of rows) addFoundPerson(found, together, wanted)
    fromDay = day[0]?.day ?? fromDay
    // Who was seen last is all that is asked for without a text.
    if (wanted === '' && found.size >= limit) break
  }
  const people = [...found.values()].sort((one, other) => comparePeople(one, other, wanted))
  return { people: people.slice(0, Math.min(limit, max('peopleFoundMax'))), isComplete, fromDay }
}

/** `null`: that took too long. */
function namedIn(
  { telemetry }: PeopleParts,
  scope: ReadScope,
  of: { readonly files: readonly FileName[]; readonly wanted: string; readonly forMs: number },
): Promise<readonly NamedTogether[] | null> {
  const { files, wanted, forMs } = of
  const asked = { files, limit: max('peopleNamesPerFile'), ...(wanted === '' ? {} : { text: wanted }) }
  return inTime(telemetry.people(scope, asked, forMs))
}

function byDay(files: readonly FileName[]): readonly (readonly FileName[])[] {
  const named = new Map(files.map((file) => [fileStem(file), file]))
  return [...Map.groupBy(named.values(), ({ day }) => day).values()]
}

function addFoundPerson(
  found: Map<string, FoundPerson>,
  { kind, names, rows, lastMs, projectId }: NamedTogether,
  wanted: string,
): void {
  const key = KINDS.map((kind) => names.find((name) => name.startsWith(kind))).find(
    (name) => name !== undefined,
  )
  if (key === undefined) return
  const before = found.get(key)
  // Those that were asked for before others: an address changes with every network.
  const all = [...new Set([...(before?.names ?? []), ...names])].sort(
    (one, other) => Number(says(other, wanted)) - Number(says(one, wanted)),
  )
  found.set(key, {
    ...{ key, names: all.slice(0, NAMES_MAX), rows: rows + (before?.rows ?? 0) },
    errors: (kind === ERROR ? rows : 0) + (before?.errors ?? 0),
    lastMs: Math.max(lastMs, before?.lastMs ?? 0),
    projects: [...new Set([...(before?.projects ?? []), projectId])],
  })
}

function says(name: string, wanted: string): boolean {
  return wanted !== '' && bareName(name).includes(wanted)
}

function bareName(name: string): string {
  return foldAccents(name.slice(name.indexOf(':') + 1))
}

/** Whole names before beginnings before the rest; then who was seen last. */
function comparePeople(one: FoundPerson, other: FoundPerson, wanted: string): number {
  return rank(one, wanted) - rank(other, wanted) || other.lastMs - one.lastMs
}

function rank({ names }: FoundPerson, wanted: string): number {
  if (wanted === '') return 0
  const all = names.map(bareName)
  if (all.includes(wanted)) return 0
  return all.some((name) => name.startsWith(wanted)) ? 1 : 2
}
