/** Tag keys that a project keeps. Bounds `tag_keys` as well: a key gets an id only where a project keeps it. */
import type { ProjectId } from '#base/ids.ts'
import { DERIVED_KEYS } from '#issues/tag-caps.ts'
import { max } from '#limits/limits.ts'
import type { Connection } from '../connection.ts'
import { forgetOldest } from './forget-oldest.ts'

/** Stands for every key that is not kept, in groups and in projects. Ids of keys begin at 1. */
export const OTHER_KEYS = 0

interface KeptKeys {
  readonly ids: Set<number>
  /** Keys of the app's own, not derived by Errata. */
  own: number
}

/** Lives as long as its connection; `discard` after a transaction that was undone. */
export class ProjectKeys {
  readonly #db: Connection
  readonly #kept = new Map<ProjectId, KeptKeys>()
  /** Keys of the batch at hand. */
  readonly #fresh: { readonly project: ProjectId; readonly id: number; readonly key: string }[] = []

  constructor(db: Connection) {
    this.#db = db
  }

  discard(): void {
    this.#kept.clear()
    this.#fresh.length = 0
  }

  /** Reads at once what those projects keep that are not remembered. */
  load(projects: Iterable<ProjectId>): void {
    const missing = [...new Set(projects)].filter((project) => !this.#kept.has(project))
    if (missing.length === 0) return
    // The primary keys; OTHER_KEYS has no name.
    const sql = `SELECT f.project_id AS project, k.id, k.key FROM project_facet_keys f JOIN tag_keys k ON k.id = f.key_id
      WHERE f.project_id IN (SELECT value FROM json_each(?))`
    const rows = Map.groupBy(this.#db.all<KeyRow>(sql, [JSON.stringify(missing)]), ({ project }) => project)
    for (const project of missing) this.#keep(project, rows.get(project) ?? [])
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
    this.#fresh.push({ project, id, key })
    kept.ids.add(id)
    if (!DERIVED_KEYS.has(key)) kept.own++
  }

  /** Writes the keys of the batch at hand. */
  finish(): void {
    this.#db.runEach(
      'INSERT INTO project_facet_keys (project_id, key_id) VALUES (?, ?)',
      this.#fresh.splice(0).map(({ project, id }) => [project, id]),
    )
  }

  #keptOf(project: ProjectId): KeptKeys {
    this.load([project])
    return this.#kept.get(project) ?? { ids: new Set(), own: 0 }
  }

  #keep(project: ProjectId, written: readonly KeyRow[]): void {
    const rows = [...written, ...this.#fresh.filter((one) => one.project === project)]
    const own = rows.filter(({ key }) => !DERIVED_KEYS.has(key)).length
    forgetOldest(this.#kept, max('projectsRememberedMax'))
    this.#kept.set(project, { ids: new Set(rows.map(({ id }) => id)), own })
  }
}

interface KeyRow {
  readonly project: ProjectId
  readonly id: number
  readonly key: string
}
