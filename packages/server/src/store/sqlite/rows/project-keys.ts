/** Tag keys that a project keeps. Bounds `tag_keys` as well: a key gets an id only where a project keeps it. */
import { assert } from '#base/errors.ts'
import type { ProjectId } from '#base/ids.ts'
import { DERIVED_KEYS } from '#issues/tag-caps.ts'
import { max } from '#limits/limits.ts'
import type { Connection } from '../connection.ts'
import type { Kept, Memory } from '../memory.ts'

/** Stands for every key that is not kept, in groups and in projects. Ids of keys begin at 1. */
export const OTHER_KEYS = 0

interface KeptKeys {
  readonly ids: Set<number>
  /** Keys of the app's own, not derived by Errata. */
  own: number
}

export function rememberProjectKeys(memory: Memory): Kept<ProjectId, KeptKeys> {
  return memory.keep({ most: max('projectsRememberedMax'), staysTrue: true })
}

export class ProjectKeys {
  readonly #db: Connection
  readonly #kept: Kept<ProjectId, KeptKeys>
  /** Keys of the batch at hand. */
  readonly #fresh: { readonly project: ProjectId; readonly id: number }[] = []

  constructor(db: Connection, kept: Kept<ProjectId, KeptKeys>) {
    this.#db = db
    this.#kept = kept
  }

  /** Reads at once what those projects keep that are not remembered. */
  load(projects: Iterable<ProjectId>): void {
    const missing = [...new Set(projects)].filter((project) => this.#kept.get(project) === undefined)
    if (missing.length === 0) return
    // The primary keys; OTHER_KEYS has no name.
    const sql = `SELECT f.project_id AS project, k.id, k.key FROM project_facet_keys f JOIN tag_keys k ON k.id = f.key_id
      WHERE f.project_id IN (SELECT value FROM json_each(?))`
    const rows = Map.groupBy(this.#db.all<KeyRow>(sql, [JSON.stringify(missing)]), ({ project }) => project)
    for (const project of missing) {
      const keys = rows.get(project) ?? []
      const own = keys.filter(({ key }) => !DERIVED_KEYS.has(key)).length
      this.#kept.set(project, { ids: new Set(keys.map(({ id }) => id)), own })
    }
  }

  has(project: ProjectId, keyId: number): boolean {
    return this.#keptOf(project).ids.has(keyId)
  }

  /** How many of the app's own keys it keeps. */
  own(project: ProjectId): number {
    return this.#keptOf(project).own
  }

  add(project: ProjectId, { id, key }: { readonly id: number; readonly key: string }): void {
    const kept = this.#keptOf(project)
    this.#fresh.push({ project, id })
    kept.ids.add(id)
    if (!DERIVED_KEYS.has(key)) kept.own++
  }

  /** Writes the keys of the batch at hand. */
  write(): void {
    this.#db.runEach(
      'INSERT INTO project_facet_keys (project_id, key_id) VALUES (?, ?)',
      this.#fresh.map(({ project, id }) => [project, id]),
    )
  }

  #keptOf(project: ProjectId): KeptKeys {
    const kept = this.#kept.get(project)
    assert(kept !== undefined, 'projects are loaded before they are asked for')
    return kept
  }
}

interface KeyRow {
  readonly project: ProjectId
  readonly id: number
  readonly key: string
}
