/** Counting rows for deletions: those that are hidden, and those of a person. */
import { type GroupHash, groupHash, type ProjectId, type Seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isGrouped, namesPeople } from '#model/fields.ts'
import type { FileName } from '#model/file-name.ts'
import type { HiddenRules } from '#model/hidden.ts'
import type { AffectedGroup, LostCounts, PersonEvents } from '#ports/care.ts'
import type { ColumnFiles } from './column-files.ts'
import { type FileRows, fromVisible, Parameters } from './conditions.ts'
import type { RunQuery } from './query-slots.ts'
import { escapeElement, listText, splitListText } from './row-lines.ts'
import { PEOPLE, ROWS } from './table-sql.ts'

export interface UpkeepContext {
  readonly files: ColumnFiles
  readonly query: RunQuery
  readonly rules: HiddenRules
}

/** Same as `TelemetryUpkeep.countRows`. */
export async function countRowsOfFile(
  { files, query, rules }: UpkeepContext,
  file: FileName,
): Promise<{ readonly rows: number; readonly hidden: number }> {
  return files.read(file, { rows: 0, hidden: 0 }, async (rowsOf) => {
    const parameters = new Parameters()
    const visible = fromVisible(rowsOf, rules, { file, parameters })
    const [row = []] = await query(
      `SELECT (SELECT count(*)::DOUBLE FROM ${rowsOf.alias}.${ROWS}), (SELECT count(*)::DOUBLE ${visible})`,
      parameters.values,
    )
    const [rows, shown] = row.map(Number)
    return { rows: rows ?? 0, hidden: (rows ?? 0) - (shown ?? 0) }
  })
}

/** A person's events in one file: names per group, with how often they go and how often they stay. */
interface PersonInFile {
  readonly names: readonly {
    /** `null` in a kind without groups: how many go is all that is counted of them. */
    readonly hash: GroupHash | null
    readonly user: string | null
    readonly gone: number
    readonly kept: number
  }[]
  /** Everything that the person's events say of who it is. */
  readonly people: readonly string[]
}

/** A person's events of one project. */
export interface Theirs {
  readonly project: ProjectId
  readonly person: string
  /** Events beyond it are as if they were another's. */
  readonly upToSeq: Seq | undefined
}

export async function personInFile(
  { files, query, rules }: UpkeepContext,
  file: FileName,
  of: Theirs,
): Promise<PersonInFile> {
  if (rules.isPastPeriod(of.project, file)) return { names: [], people: [] }
  return files.read(file, { names: [], people: [] }, async (rows) => {
    if (!namesPeople(rows.table)) return { names: [], people: [] }
    const [hash, user] = isGrouped(rows.table) ? ['e.group_hash', 'e."user"'] : ['NULL', 'NULL']
    const parameters = new Parameters()
    const { visible, isTheirs } = eventsOfProject(rows, { rules, file, parameters, ...of })
    const found = await query(
      `WITH seen AS (SELECT ${hash} AS hash, ${user} AS name, ${isTheirs} AS gone ${visible}) ` +
        'SELECT hash, name, (count(*) FILTER (WHERE gone))::DOUBLE, (count(*) FILTER (WHERE NOT gone))::DOUBLE ' +
        'FROM seen WHERE name IS NULL OR name IN (SELECT name FROM seen WHERE gone) ' +
        `GROUP BY hash, name LIMIT ${max('personGroupsMax')}`,
      parameters.values,
    )
    const names = found.map(([group, name, gone, kept]) => ({
      hash: group === null ? null : groupHash(String(group)),
      user: name === null ? null : String(name),
      gone: Number(gone),
      kept: Number(kept),
    }))
    if (names.every(({ gone }) => gone === 0)) return { names, people: [] }
    const lists = await query(
      `SELECT DISTINCT e.people ${visible} AND ${isTheirs} LIMIT ${max('personGroupsMax')}`,
      parameters.values,
    )
    return { names, people: lists.flatMap(([list]) => splitListText(String(list))) }
  })
}

/** Returns those of `people` that an event names which is not the person's. */
export async function namedByOthers(
  { files, query, rules }: UpkeepContext,
  file: FileName,
  of: Theirs & { readonly people: readonly string[] },
): Promise<readonly string[]> {
  if (rules.isPastPeriod(of.project, file)) return []
  return files.read(file, [], async (rows) => {
    if (!namesPeople(rows.table)) return []
    const parameters = new Parameters()
    const { visible, isTheirs } = eventsOfProject(rows, { rules, file, parameters, ...of })
    const byElement = new Map(of.people.map((name) => [escapeElement(name), name]))
    const elements = parameters.add([...byElement.keys()])
    const found = await query(
      `SELECT DISTINCT element FROM (SELECT unnest(string_split(e.people, chr(29))) AS element ${visible} ` +
        `AND NOT ${isTheirs}) WHERE element IN (SELECT unnest(${elements}::VARCHAR[]))`,
      parameters.values,
    )
    return found.flatMap(([element]) => byElement.get(String(element)) ?? [])
  })
}

/** `FROM … WHERE …` over the project's visible rows, and what is true of those that name the person. */
export function eventsOfProject(
  rows: FileRows,
  of: Theirs & {
    readonly rules: HiddenRules
    readonly file: FileName
    readonly parameters: Parameters
  },
): { readonly visible: string; readonly isTheirs: string } {
  const { rules, file, parameters, project, person, upToSeq } = of
  const all = fromVisible(rows, rules, { file, parameters })
  const visible = `${all} AND e.project_id = ${parameters.add(project)}::BIGINT`
  const names = `contains(${PEOPLE}, ${parameters.add(listText([person]))})`
  const isTheirs =
    upToSeq === undefined ? names : `(${names} AND e.seq <= ${parameters.add(upToSeq)}::BIGINT)`
  return { visible, isTheirs }
}

/** Sums what the files say; a name goes from a group when none of its events there stays. */
export class PersonSum {
  #events = 0
  readonly #groups = new Map<GroupHash, Map<string | null, { gone: number; kept: number }>>()
  /** Everybody whom the person's events name but the person. */
  readonly #people = new Set<string>()
  readonly #person: string

  constructor(person: string) {
    this.#person = person
  }

  add({ names, people }: PersonInFile): void {
    for (const name of people) {
      if (name !== this.#person && this.#people.size < max('personGroupsMax')) this.#people.add(name)
    }
    for (const { hash, user, gone, kept } of names) {
      this.#events += gone
      if (hash === null) continue
      const known = this.#groups.get(hash) ?? new Map<string | null, { gone: number; kept: number }>()
      const name = known.get(user) ?? { gone: 0, kept: 0 }
      name.gone += gone
      name.kept += kept
      known.set(user, name)
      this.#groups.set(hash, known)
    }
  }

  people(): readonly string[] {
    return [...this.#people]
  }

  /** Other events name these: they stay. */
  keep(people: readonly string[]): void {
    for (const name of people) this.#people.delete(name)
  }

  answer(lostIn: (hash: GroupHash) => LostCounts): PersonEvents {
    const groups: AffectedGroup[] = []
    for (const [hash, names] of this.#groups) {
      if (![...names.values()].some(({ gone }) => gone > 0)) continue
      const users = [...names].flatMap(([user, { gone, kept }]) =>
        user !== null && gone > 0 && kept === 0 ? [user] : [],
      )
      groups.push({ hash, users, lost: lostIn(hash) })
    }
    const people = this.#events === 0 ? [] : [this.#person, ...this.#people]
    return { events: this.#events, groups, people }
  }
}
