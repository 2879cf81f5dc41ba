/** Counts a person's events in their groups, which lose them when the events are deleted. */
import { HOUR_MS } from '#base/durations.ts'
import { type GroupHash, groupHash } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isGrouped, namesPeople } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { LostCounts } from '#ports/care.ts'
import { Parameters } from './conditions.ts'
import { eventsOfProject, type Theirs, type UpkeepContext } from './person-reads.ts'
import { decodeTag, GS, splitListText } from './row-lines.ts'
import { columnsOf } from './table-columns.ts'
import { impliedText } from './table-sql.ts'

/** Losses in one file: a row per group and hour, and one per group and tag. */
interface LostInFile {
  readonly hours: readonly {
    readonly hash: GroupHash
    readonly hour: number
    readonly events: number
    readonly mirrors: number
  }[]
  readonly tags: readonly (LostCounts['tags'][number] & { readonly hash: GroupHash })[]
}

const NOTHING: LostInFile = { hours: [], tags: [] }

export async function lostInFile(
  { files, query, rules }: UpkeepContext,
  file: FileName,
  of: Theirs,
): Promise<LostInFile> {
  if (rules.isPastPeriod(of.project, file)) return NOTHING
  return files.read(file, NOTHING, async (rows) => {
    if (!namesPeople(rows.table) || !isGrouped(rows.table)) return NOTHING
    const columns = columnsOf(rows.table)
    const has = (name: string) => columns.values.some((column) => column.name === name)
    const ask = (select: (from: string) => string) => {
      const parameters = new Parameters()
      const { visible, isTheirs } = eventsOfProject(rows, { rules, file, parameters, ...of })
      return query(select(`${visible} AND ${isTheirs}`), parameters.values)
    }
    const mirrors = has('is_mirror') ? 'count(*) FILTER (WHERE e.is_mirror)' : '0'
    const hours = await ask(
      (from) =>
        `SELECT e.group_hash, floor(e.timestamp_ms / ${HOUR_MS})::DOUBLE AS hour, count(*)::DOUBLE, ` +
        `(${mirrors})::DOUBLE ${from} GROUP BY 1, 2 LIMIT ${max('personGroupsMax')}`,
    )
    if (hours.length === 0) return NOTHING
    const pairs = columns.lists.find(({ holds }) => holds === 'pairs')
    const listed =
      pairs === undefined
        ? []
        : await ask(
            (from) =>
              `SELECT hash, pair, count(*)::DOUBLE FROM (SELECT e.group_hash AS hash, ` +
              `unnest(string_split(e."${pairs.name}", chr(29))) AS pair ${from}) ` +
              `WHERE pair <> '' GROUP BY 1, 2 ORDER BY 3 DESC LIMIT ${max('personGroupsMax')}`,
          )
    const implied = await Promise.all(
      [...columns.tags].map(async ([key, tag]) => {
        const found = await ask(
          (from) =>
            `SELECT e.group_hash, ${impliedText(tag)} AS said, count(*)::DOUBLE ${from} ` +
            `AND (e.implied & ${tag.bit}) <> 0 GROUP BY 1, 2 ORDER BY 3 DESC LIMIT ${max('personGroupsMax')}`,
        )
        return found.map(([hash, value, count]) => lostTag(hash, [key, String(value)], count))
      }),
    )
    return {
      hours: hours.map(([hash, hour, events, mirrored]) => ({
        ...{ hash: groupHash(String(hash)), hour: Number(hour) },
        ...{ events: Number(events), mirrors: Number(mirrored) },
      })),
      tags: [
        ...listed.map(([hash, pair, count]) =>
          lostTag(hash, decodeTag(splitListText(`${GS}${String(pair)}${GS}`)[0] ?? ''), count),
        ),
        ...implied.flat(),
      ],
    }
  })
}

function lostTag(hash: unknown, [key, value]: readonly [string, string], count: unknown) {
  return { hash: groupHash(String(hash)), key, value, count: Number(count) }
}

interface Lost extends Omit<LostCounts, 'hours' | 'tags'> {
  events: number
  mirrors: number
  readonly hours: Map<number, number>
  /** By key and value. */
  readonly tags: Map<string, { readonly key: string; readonly value: string; count: number }>
}

/** Sums what the files say. */
export class LostSum {
  readonly #groups = new Map<GroupHash, Lost>()

  add({ hours, tags }: LostInFile): void {
    for (const { hash, hour, events, mirrors } of hours) {
      const lost = this.#lostOf(hash)
      lost.events += events
      lost.mirrors += mirrors
      lost.hours.set(hour, (lost.hours.get(hour) ?? 0) + events)
    }
    for (const { hash, key, value, count } of tags) {
      const { tags: known } = this.#lostOf(hash)
      const name = JSON.stringify([key, value])
      const tag = known.get(name)
      if (tag === undefined) known.set(name, { key, value, count })
      else tag.count += count
    }
  }

  of(hash: GroupHash): LostCounts {
    const lost = this.#lostOf(hash)
    return { ...lost, tags: [...lost.tags.values()] }
  }

  #lostOf(hash: GroupHash): Lost {
    const known = this.#groups.get(hash)
    if (known !== undefined) return known
    const made: Lost = { events: 0, mirrors: 0, hours: new Map(), tags: new Map() }
    this.#groups.set(hash, made)
    return made
  }
}
