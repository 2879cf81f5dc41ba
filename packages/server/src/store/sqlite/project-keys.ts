/**
 * Tag keys that a project keeps: at most `facetKeysPerProjectMax`, and those that Errata derives itself whatever the
 * number, so that made-up keys cannot push `release` or `environment` out. Bounds `tag_keys` as well: a key gets an id
 * only where a project keeps it.
 */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import { IMPLIED_TAGS } from '#ports/row-lines.ts'
import type { Connection } from './connection.ts'

/** Stands for every key that is not kept, in groups and in projects. Ids of keys begin at 1. */
export const OTHER_KEYS = 0

const DERIVED: ReadonlySet<string> = new Set(IMPLIED_TAGS.map(([key]) => key))

export function isDerivedKey(key: string): boolean {
  return DERIVED.has(key)
}

/** Lives as long as its connection; `discard` after a transaction that was undone. */
export class ProjectKeys {
  readonly #db: Connection
  readonly #kept = new Map<ProjectId, Set<number>>()

  constructor(db: Connection) {
    this.#db = db
  }

  discard(): void {
    this.#kept.clear()
  }

  has(project: ProjectId, keyId: number): boolean {
    return this.#keptOf(project).has(keyId)
  }

  hasRoom(project: ProjectId): boolean {
    return this.#keptOf(project).size < max('facetKeysPerProjectMax')
  }

  add(project: ProjectId, keyId: number): void {
    this.#db.run('INSERT INTO project_facet_keys (project_id, key_id) VALUES (?, ?)', [project, keyId])
    this.#keptOf(project).add(keyId)
  }

  #keptOf(project: ProjectId): Set<number> {
    const known = this.#kept.get(project)
    if (known !== undefined) return known
    // The primary key.
    const sql = 'SELECT key_id AS id FROM project_facet_keys WHERE project_id = ? AND key_id <> ?'
    const rows = this.#db.all<{ readonly id: number }>(sql, [project, OTHER_KEYS])
    const kept = new Set(rows.map(({ id }) => id))
    if (this.#kept.size >= max('projectsRememberedMax')) this.#kept.clear()
    this.#kept.set(project, kept)
    return kept
  }
}
