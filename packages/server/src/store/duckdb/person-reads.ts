/** Counting rows for deletions: those that are hidden, and those of a person. */
import { type GroupHash, groupHash, type ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import type { HiddenRules } from '#ports/hidden.ts'
import type { AffectedGroup } from '#ports/retention.ts'
import { listText } from '#ports/row-lines.ts'
import type { FileName } from '#ports/telemetry.ts'
import type { ColumnFiles } from './column-files.ts'
import { PEOPLE } from './columns.ts'
import { fromVisible, Parameters } from './conditions.ts'
import type { RunQuery } from './query-slots.ts'

export interface UpkeepContext {
  readonly files: ColumnFiles
  readonly query: RunQuery
  readonly rules: HiddenRules
}

/** As `TelemetryUpkeep.countRows`. */
export async function countRows(
  { files, query, rules }: UpkeepContext,
  file: FileName,
): Promise<{ readonly rows: number; readonly hidden: number }> {
  return files.read(file, { rows: 0, hidden: 0 }, async ({ alias }) => {
    const parameters = new Parameters()
    const visible = fromVisible(alias, rules, { file, parameters })
    const [row = []] = await query(
      `SELECT (SELECT count(*)::DOUBLE FROM ${alias}.events), (SELECT count(*)::DOUBLE ${visible})`,
      parameters.values,
    )
    const [rows, shown] = row.map(Number)
    return { rows: rows ?? 0, hidden: (rows ?? 0) - (shown ?? 0) }
  })
}

/** What a person's events are in one file: names per group, with how often they go and how often they stay. */
export async function personInFile(
  { files, query, rules }: UpkeepContext,
  file: FileName,
  of: { readonly project: ProjectId; readonly person: string },
): Promise<
  readonly {
    readonly hash: GroupHash
    readonly user: string | null
    readonly gone: number
    readonly kept: number
  }[]
> {
  if (rules.isPastPeriod(of.project, file)) return []
  return files.read(file, [], async ({ alias }) => {
    const parameters = new Parameters()
    const visible = `${fromVisible(alias, rules, { file, parameters })} AND e.project_id = ${parameters.add(of.project)}::BIGINT`
    const isTheirs = `contains(${PEOPLE}, ${parameters.add(listText([of.person]))})`
    const found = await query(
      `WITH seen AS (SELECT e.group_hash AS hash, e."user" AS name, ${isTheirs} AS gone ${visible}) ` +
        'SELECT hash, name, (count(*) FILTER (WHERE gone))::DOUBLE, (count(*) FILTER (WHERE NOT gone))::DOUBLE ' +
        'FROM seen WHERE name IS NULL OR name IN (SELECT name FROM seen WHERE gone) ' +
        `GROUP BY hash, name LIMIT ${max('personGroupsMax')}`,
      parameters.values,
    )
    return found.map(([hash, name, gone, kept]) => ({
      hash: groupHash(String(hash)),
      user: name === null ? null : String(name),
      gone: Number(gone),
      kept: Number(kept),
    }))
  })
}

/** Sums what the files say; a name goes from a group when none of its events there stays. */
export class PersonSum {
  #events = 0
  readonly #groups = new Map<GroupHash, Map<string | null, { gone: number; kept: number }>>()

  add(rows: Awaited<ReturnType<typeof personInFile>>): void {
    for (const { hash, user, gone, kept } of rows) {
      this.#events += gone
      const names = this.#groups.get(hash) ?? new Map<string | null, { gone: number; kept: number }>()
      const name = names.get(user) ?? { gone: 0, kept: 0 }
      name.gone += gone
      name.kept += kept
      names.set(user, name)
      this.#groups.set(hash, names)
    }
  }

  answer(): { readonly events: number; readonly groups: readonly AffectedGroup[] } {
    const groups: AffectedGroup[] = []
    for (const [hash, names] of this.#groups) {
      if (![...names.values()].some(({ gone }) => gone > 0)) continue
      const users = [...names].flatMap(([user, { gone, kept }]) =>
        user !== null && gone > 0 && kept === 0 ? [user] : [],
      )
      groups.push({ hash, users })
    }
    return { events: this.#events, groups }
  }
}
