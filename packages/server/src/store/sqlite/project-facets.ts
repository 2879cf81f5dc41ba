/** Values seen over a project, for suggestions and menus: those seen last are kept. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import type { FacetDelta } from '#ports/ingest.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { Connection } from './connection.ts'

interface Sum {
  count: number
  lastMs: number
}

interface ProjectKey {
  readonly projectId: ProjectId
  readonly keyId: number
  /** Of the batch at hand. */
  readonly sums: Map<string, Sum>
  /** Values with a row; `null` until they are asked for, `none` where the project may keep no more keys. */
  known: Set<string> | 'none' | null
}

/** Lives as long as its connection; `discard` after a transaction that was undone. */
export class ProjectFacets {
  readonly #db: Connection
  readonly #keys = new Map<string, ProjectKey>()
  readonly #touched = new Set<ProjectKey>()
  readonly #rows: BulkInsert

  constructor(db: Connection) {
    this.#db = db
    this.#rows = new BulkInsert(db, {
      insert: 'INSERT INTO project_facets (project_id, key_id, value, count, last_ms)',
      columns: 5,
      after: `ON CONFLICT (project_id, key_id, value) DO UPDATE SET count = count + excluded.count,
        last_ms = max(last_ms, excluded.last_ms)`,
    })
  }

  add(seen: { readonly projectId: ProjectId; readonly keyId: number; readonly facet: FacetDelta }): void {
    const { projectId, keyId, facet } = seen
    const name = `${projectId}:${keyId}`
    let key = this.#keys.get(name)
    if (key === undefined) {
      key = { projectId, keyId, sums: new Map(), known: null }
      this.#keys.set(name, key)
    }
    this.#touched.add(key)
    const sum = key.sums.get(facet.value)
    if (sum === undefined) {
      key.sums.set(facet.value, { count: facet.count, lastMs: facet.lastMs })
    } else {
      sum.count += facet.count
      sum.lastMs = Math.max(sum.lastMs, facet.lastMs)
    }
  }

  finish(): void {
    const grown: ProjectKey[] = []
    for (const key of this.#touched) if (this.#write(key)) grown.push(key)
    this.#rows.flush()
    for (const key of grown) this.#trim(key)
    this.#touched.clear()
    if (this.#keys.size > max('facetKeysPerProjectMax')) this.#keys.clear()
  }

  discard(): void {
    this.#keys.clear()
    this.#touched.clear()
  }

  /** Answers whether there are more values now than may be kept. */
  #write(key: ProjectKey): boolean {
    const known = this.#known(key)
    const fresh: [string, Sum][] = []
    for (const [value, sum] of key.sums) {
      if (known === 'none') continue
      if (known.has(value)) this.#rows.add(key.projectId, key.keyId, value, sum.count, sum.lastMs)
      else fresh.push([value, sum])
    }
    key.sums.clear()
    if (known === 'none') return false
    const most = max('facetValuesPerProjectMax')
    // Once there is a choice of so many, most of a batch's new values would be gone again with the next.
    const room = Math.max(most - known.size, max('facetValuesNewPerBatchMax'))
    if (fresh.length > room) fresh.sort(([, a], [, b]) => b.lastMs - a.lastMs || b.count - a.count)
    for (const [value, sum] of fresh.slice(0, room)) {
      this.#rows.add(key.projectId, key.keyId, value, sum.count, sum.lastMs)
      known.add(value)
    }
    return known.size > most
  }

  #known(key: ProjectKey): Set<string> | 'none' {
    const { projectId, keyId } = key
    key.known ??= keepsKey(this.#db, projectId, keyId) ? this.#values(key) : 'none'
    return key.known
  }

  #values({ projectId, keyId }: ProjectKey): Set<string> {
    // The primary key.
    const sql = 'SELECT value FROM project_facets WHERE project_id = ? AND key_id = ?'
    return new Set(this.#db.all<{ value: string }>(sql, [projectId, keyId]).map(({ value }) => value))
  }

  /** The values seen last are kept: a new release must be suggested, however many there were before. */
  #trim(key: ProjectKey): void {
    const { projectId, keyId } = key
    const sql = `DELETE FROM project_facets WHERE project_id = :project AND key_id = :key AND value IN (
      SELECT value FROM project_facets WHERE project_id = :project AND key_id = :key
      ORDER BY last_ms DESC, count DESC LIMIT -1 OFFSET :keep)
      RETURNING value`
    const keep = max('facetValuesPerProjectMax')
    const gone = this.#db.all<{ value: string }>(sql, { project: projectId, key: keyId, keep })
    if (key.known !== 'none') for (const { value } of gone) key.known?.delete(value)
  }
}

function keepsKey(db: Connection, projectId: ProjectId, keyId: number): boolean {
  const known = 'SELECT 1 FROM project_facet_keys WHERE project_id = ? AND key_id = ?'
  if (db.get(known, [projectId, keyId]) !== undefined) return true
  const count = 'SELECT count(*) AS count FROM project_facet_keys WHERE project_id = ?'
  const { count: kept } = db.get<{ count: number }>(count, [projectId]) ?? { count: 0 }
  if (kept >= max('facetKeysPerProjectMax')) return false
  db.run('INSERT INTO project_facet_keys (project_id, key_id) VALUES (?, ?)', [projectId, keyId])
  return true
}
