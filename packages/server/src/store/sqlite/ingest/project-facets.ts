/** Values seen over a project, for suggestions and menus: those seen last are kept, the others counted together. */
import type { ProjectId } from '#base/ids.ts'
import { chooseSuggestions, type SeenValue } from '#issues/suggested-values.ts'
import { max } from '#limits/limits.ts'
import type { FacetDelta } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import { OTHER_KEYS, type ProjectKeys } from '../rows/project-keys.ts'

interface Sum extends SeenValue {
  readonly value: string
  count: number
  lastMs: number
}

interface ProjectKey {
  readonly projectId: ProjectId
  readonly keyId: number
  /** Sums of this batch. */
  readonly sums: Map<string, Sum>
  /** Events of the batch at hand whose value is not kept. */
  other: number
  /** Values with a row; `null` until they are asked for, `none` where the project may keep no more keys. */
  known: Set<string> | 'none' | null
  /** Values that it was counted with. */
  counted: number
}

/** Lives as long as its connection; `discard` after a transaction that was undone. */
export class ProjectFacets {
  readonly #db: Connection
  /** Least recently used first. */
  readonly #keys = new Map<string, ProjectKey>()
  /** Values of all of them. */
  #values = 0
  readonly #touched = new Set<ProjectKey>()
  readonly #rows: BulkInsert
  readonly #others: BulkInsert
  readonly #projectKeys: ProjectKeys
  /** Tags of the batch at hand whose key is not kept. */
  readonly #otherKeys = new Map<ProjectId, number>()

  constructor(db: Connection, projectKeys: ProjectKeys) {
    this.#db = db
    this.#projectKeys = projectKeys
    this.#rows = new BulkInsert(db, {
      insert: 'INSERT INTO project_facets (project_id, key_id, value, count, last_ms)',
      columns: 5,
      after: `ON CONFLICT (project_id, key_id, value) DO UPDATE SET count = count + excluded.count,
        last_ms = max(last_ms, excluded.last_ms)`,
    })
    this.#others = new BulkInsert(db, {
      insert: 'INSERT INTO project_facet_keys (project_id, key_id, other_count)',
      columns: 3,
      after:
        'ON CONFLICT (project_id, key_id) DO UPDATE SET other_count = other_count + excluded.other_count',
    })
  }

  /** Tags whose key the project does not keep. */
  addOther(project: ProjectId, count: number): void {
    this.#otherKeys.set(project, (this.#otherKeys.get(project) ?? 0) + count)
  }

  add(seen: { readonly projectId: ProjectId; readonly keyId: number; readonly facet: FacetDelta }): void {
    const { projectId, keyId, facet } = seen
    const name = `${projectId}:${keyId}`
    let key = this.#keys.get(name)
    if (key === undefined) {
      key = { projectId, keyId, sums: new Map(), other: 0, known: null, counted: 0 }
      this.#keys.set(name, key)
    }
    this.#touched.add(key)
    const sum = key.sums.get(facet.value)
    if (sum === undefined) {
      const { value, count, lastMs } = facet
      key.sums.set(value, { value, count, lastMs })
    } else {
      sum.count += facet.count
      sum.lastMs = Math.max(sum.lastMs, facet.lastMs)
    }
  }

  finish(): void {
    this.#load()
    const grown: ProjectKey[] = []
    for (const key of this.#touched) if (this.#write(key)) grown.push(key)
    this.#rows.flush()
    this.#trim(grown)
    this.#writeOthers()
    this.#forgetOldest()
    this.#touched.clear()
  }

  discard(): void {
    this.#keys.clear()
    this.#values = 0
    this.#touched.clear()
    this.#otherKeys.clear()
    for (const rows of [this.#rows, this.#others]) rows.discard()
  }

  /** By age: reading a thousand values anew for each tag of each project is what many projects would cost. */
  #forgetOldest(): void {
    for (const key of this.#touched) {
      const name = `${key.projectId}:${key.keyId}`
      const size = 1 + (key.known instanceof Set ? key.known.size : 0)
      this.#values += size - key.counted
      key.counted = size
      this.#keys.delete(name)
      this.#keys.set(name, key)
    }
    for (const [name, { counted }] of this.#keys) {
      if (this.#values <= max('projectValuesRememberedMax')) return
      this.#keys.delete(name)
      this.#values -= counted
    }
  }

  #writeOthers(): void {
    for (const key of this.#touched) {
      if (key.other > 0) this.#others.add(key.projectId, key.keyId, key.other)
      key.other = 0
    }
    for (const [project, count] of this.#otherKeys) this.#others.add(project, OTHER_KEYS, count)
    this.#otherKeys.clear()
    this.#others.flush()
  }

  /** Answers whether there are more values now than may be kept. */
  #write(key: ProjectKey): boolean {
    const known = key.known ?? 'none'
    const fresh: Sum[] = []
    for (const sum of key.sums.values()) {
      if (known === 'none') {
        this.addOther(key.projectId, sum.count)
        continue
      }
      if (known.has(sum.value)) this.#add(key, sum)
      else fresh.push(sum)
    }
    key.sums.clear()
    if (known === 'none') return false
    const { chosen, other } = chooseSuggestions(fresh, known.size)
    for (const sum of chosen) {
      this.#add(key, sum)
      known.add(sum.value)
    }
    key.other += other
    return known.size > max('facetValuesPerProjectMax')
  }

  #add({ projectId, keyId }: ProjectKey, { value, count, lastMs }: Sum): void {
    this.#rows.add(projectId, keyId, value, count, lastMs)
  }

  /** Values of the keys at hand that are not known. */
  #load(): void {
    const asked: ProjectKey[] = []
    for (const key of this.#touched) {
      if (key.known !== null) continue
      if (this.#projectKeys.has(key.projectId, key.keyId)) asked.push(key)
      else key.known = 'none'
    }
    // The primary key.
    const sql = 'SELECT value FROM project_facets WHERE project_id = ? AND key_id = ?'
    const found = this.#db.allEach<{ value: string }>(
      sql,
      asked.map(({ projectId, keyId }) => [projectId, keyId]),
    )
    for (const [at, key] of asked.entries()) key.known = new Set(found[at]?.map(({ value }) => value))
  }

  /** Trims keys in the order of `bySuggestion`. */
  #trim(keys: readonly ProjectKey[]): void {
    const sql = `DELETE FROM project_facets WHERE project_id = :project AND key_id = :key AND value IN (
      SELECT value FROM project_facets WHERE project_id = :project AND key_id = :key
      ORDER BY last_ms DESC, count DESC LIMIT -1 OFFSET :keep)
      RETURNING value, count`
    const keep = max('facetValuesPerProjectMax')
    const gone = this.#db.allEach<{ value: string; count: number }>(
      sql,
      keys.map(({ projectId, keyId }) => ({ project: projectId, key: keyId, keep })),
    )
    for (const [at, key] of keys.entries())
      for (const { value, count } of gone[at] ?? []) {
        key.other += count
        if (key.known !== 'none') key.known?.delete(value)
      }
  }
}
