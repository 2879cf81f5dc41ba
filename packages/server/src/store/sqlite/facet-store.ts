/**
 * Tags counted per group, and per project for suggestions. Bounded: `facetKeysMax` keys a group, `facetValuesMax`
 * values a key; what is beyond is counted as other, and remembered as lacking, so that a filter knows when facets
 * cannot answer alone.
 */

import type { ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import type { FacetDelta, GroupDelta } from './batch-groups.ts'
import type { Connection } from './connection.ts'

/** Key id to [events that carry the key, values kept, events counted as other]. */
export type FacetKeys = ReadonlyMap<number, readonly [number, number, number]>

type Values = ReadonlyMap<string, FacetDelta>

const FIND_KEY = 'SELECT id FROM tag_keys WHERE key = ?'

/** Lives for one batch: key ids are remembered no longer than the transaction that may undo them. */
export class FacetStore {
  readonly #db: Connection
  readonly #ids = new Map<string, number>()
  /** Project to key id to value. */
  readonly #projects = new Map<ProjectId, Map<number, Map<string, FacetDelta>>>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** Adds a batch's tags of one group; `keys` is what the group had. `full`: a key had to be left out. */
  add(group: { readonly groupId: number; readonly keys: FacetKeys; readonly delta: GroupDelta }): {
    readonly keys: FacetKeys
    readonly full: boolean
  } {
    const keys = new Map(group.keys)
    let full = false
    for (const [key, values] of group.delta.facets) {
      const id = this.#keyId(key, keys)
      if (id === null) {
        full = true
        continue
      }
      keys.set(id, this.#addValues({ groupId: group.groupId, keyId: id, values, before: keys.get(id) }))
      this.#noteForProject(group.delta.projectId, id, values)
    }
    return { keys, full }
  }

  /** Writes what the projects saw; once, after the last group. */
  finish(): void {
    for (const [projectId, keys] of this.#projects) {
      for (const [keyId, values] of keys) writeProjectFacets(this.#db, { projectId, keyId, values })
    }
  }

  /** `null` when the group may not keep one more key. */
  #keyId(key: string, keys: FacetKeys): number | null {
    const known = this.#ids.get(key) ?? this.#db.get<{ id: number }>(FIND_KEY, [key])?.id
    if (known === undefined || !keys.has(known)) {
      if (keys.size >= max('facetKeysMax')) return null
    }
    const id = known ?? this.#db.run('INSERT INTO tag_keys (key) VALUES (?)', [key]).lastId
    this.#ids.set(key, id)
    return id
  }

  #addValues(facet: {
    readonly groupId: number
    readonly keyId: number
    readonly values: Values
    readonly before: readonly [number, number, number] | undefined
  }): readonly [number, number, number] {
    const { groupId, keyId } = facet
    let [total, kept, other] = facet.before ?? [0, 0, 0]
    const lackedBefore = other > 0
    for (const [value, { count, firstMs, lastMs }] of facet.values) {
      total += count
      if (kept > 0 && this.#addToKept([count, firstMs, lastMs, groupId, keyId, value])) continue
      if (kept >= max('facetValuesMax')) {
        other += count
        continue
      }
      const sql =
        'INSERT INTO facets (count, first_ms, last_ms, group_id, key_id, value) VALUES (?, ?, ?, ?, ?, ?)'
      this.#db.run(sql, [count, firstMs, lastMs, groupId, keyId, value])
      kept++
    }
    if (other > 0 && !lackedBefore) {
      this.#db.run('INSERT OR IGNORE INTO facets_lacking (key_id, group_id) VALUES (?, ?)', [keyId, groupId])
    }
    return [total, kept, other]
  }

  #addToKept(params: readonly (number | string)[]): boolean {
    const sql = `UPDATE facets SET count = count + ?, first_ms = min(first_ms, ?), last_ms = max(last_ms, ?)
      WHERE group_id = ? AND key_id = ? AND value = ?`
    return this.#db.run(sql, params).changes > 0
  }

  #noteForProject(projectId: ProjectId, keyId: number, values: Values): void {
    let keys = this.#projects.get(projectId)
    if (keys === undefined) {
      keys = new Map()
      this.#projects.set(projectId, keys)
    }
    let sums = keys.get(keyId)
    if (sums === undefined) {
      sums = new Map()
      keys.set(keyId, sums)
    }
    for (const [value, { count, firstMs, lastMs }] of values) {
      const sum = sums.get(value)
      if (sum === undefined) {
        sums.set(value, { count, firstMs, lastMs })
      } else {
        sum.count += count
        sum.lastMs = Math.max(sum.lastMs, lastMs)
      }
    }
  }
}

/** The values seen last are kept: a new release must be suggested, however many there were before. */
function writeProjectFacets(
  db: Connection,
  facet: { readonly projectId: ProjectId; readonly keyId: number; readonly values: Values },
): void {
  const { projectId, keyId } = facet
  if (!keepsKey(db, projectId, keyId)) return
  const update = `UPDATE project_facets SET count = count + ?, last_ms = max(last_ms, ?)
    WHERE project_id = ? AND key_id = ? AND value = ?`
  const insert =
    'INSERT INTO project_facets (count, last_ms, project_id, key_id, value) VALUES (?, ?, ?, ?, ?)'
  let isNew = false
  for (const [value, { count, lastMs }] of facet.values) {
    const params = [count, lastMs, projectId, keyId, value]
    if (db.run(update, params).changes > 0) continue
    db.run(insert, params)
    isNew = true
  }
  if (!isNew) return
  const trim = `DELETE FROM project_facets WHERE project_id = :project AND key_id = :key AND value IN (
    SELECT value FROM project_facets WHERE project_id = :project AND key_id = :key
    ORDER BY last_ms DESC, count DESC LIMIT -1 OFFSET :keep)`
  db.run(trim, { project: projectId, key: keyId, keep: max('facetValuesPerProjectMax') })
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
