/** Values seen over a project, for suggestions and menus: those seen last are kept, the others counted together. */
import type { ProjectId } from '#base/ids.ts'
import { chooseSuggestions, type SeenValue } from '#issues/suggested-values.ts'
import { max } from '#limits/limits.ts'
import type { FacetDelta } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import type { Kept, Memory } from '../memory.ts'
import { OTHER_KEYS, type ProjectKeys } from '../rows/project-keys.ts'

interface Sum extends SeenValue {
  readonly value: string
  count: number
  lastMs: number
}

/** Values with a row; `none` where the project may keep no more keys. */
type KnownValues = Set<string> | 'none'

interface TouchedKey {
  readonly projectId: ProjectId
  readonly keyId: number
  readonly sums: Sum[]
  /** Sums by value, where there are more than a few. */
  byValue: Map<string, Sum> | null
  /** Events whose value is not kept. */
  other: number
  /** `null` until they are asked for. */
  known: KnownValues | null
}

/** Values of a project's keys that have a row. */
type KnownProject = Map<number, KnownValues>

/** By age: reading a thousand values anew for each tag of each project is what many projects would cost. */
export function rememberProjectValues(memory: Memory): Kept<ProjectId, KnownProject> {
  return memory.keep({
    ...{ most: max('projectValuesRememberedMax'), staysTrue: true },
    weightOf: (keys) => [...keys.values()].reduce((sum, known) => sum + sizeOfKnown(known), 0),
  })
}

export class ProjectFacets {
  readonly #db: Connection
  readonly #known: Kept<ProjectId, KnownProject>
  readonly #touched = new Map<ProjectId, Map<number, TouchedKey>>()
  readonly #rows: BulkInsert
  readonly #others: BulkInsert
  readonly #projectKeys: ProjectKeys
  /** Tags whose key is not kept. */
  readonly #otherKeys = new Map<ProjectId, number>()

  constructor(db: Connection, known: Kept<ProjectId, KnownProject>, projectKeys: ProjectKeys) {
    this.#db = db
    this.#known = known
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
    let keys = this.#touched.get(projectId)
    if (keys === undefined) {
      keys = new Map()
      this.#touched.set(projectId, keys)
    }
    let key = keys.get(keyId)
    if (key === undefined) {
      const known = this.#known.get(projectId)?.get(keyId) ?? null
      key = { projectId, keyId, sums: [], byValue: null, other: 0, known }
      keys.set(keyId, key)
    }
    const sum = findValueSum(key, facet.value)
    if (sum === undefined) {
      const { value, count, lastMs } = facet
      addSum(key, { value, count, lastMs })
    } else {
      sum.count += facet.count
      sum.lastMs = Math.max(sum.lastMs, facet.lastMs)
    }
  }

  write(): void {
    const touched = [...this.#touched.values()].flatMap((keys) => [...keys.values()])
    this.#load(touched)
    const grown = touched.filter((key) => this.#write(key))
    this.#rows.flush()
    this.#trim(grown)
    this.#writeOthers(touched)
    this.#remember()
  }

  #remember(): void {
    for (const [projectId, keys] of this.#touched) {
      const project: KnownProject = this.#known.get(projectId) ?? new Map()
      for (const { keyId, known } of keys.values()) if (known !== null) project.set(keyId, known)
      this.#known.set(projectId, project)
    }
  }

  #writeOthers(touched: readonly TouchedKey[]): void {
    for (const { projectId, keyId, other } of touched)
      if (other > 0) this.#others.add(projectId, keyId, other)
    for (const [project, count] of this.#otherKeys) this.#others.add(project, OTHER_KEYS, count)
    this.#others.flush()
  }

  /** Answers whether there are more values now than may be kept. */
  #write(key: TouchedKey): boolean {
    const known = key.known ?? 'none'
    const fresh: Sum[] = []
    for (const sum of key.sums) {
      if (known === 'none') {
        this.addOther(key.projectId, sum.count)
        continue
      }
      if (known.has(sum.value)) this.#add(key, sum)
      else fresh.push(sum)
    }
    if (known === 'none') return false
    if (fresh.length === 0) return known.size > max('facetValuesPerProjectMax')
    const { chosen, other } = chooseSuggestions(fresh, known.size)
    for (const sum of chosen) {
      this.#add(key, sum)
      known.add(sum.value)
    }
    key.other += other
    return known.size > max('facetValuesPerProjectMax')
  }

  #add({ projectId, keyId }: TouchedKey, { value, count, lastMs }: Sum): void {
    this.#rows.add(projectId, keyId, value, count, lastMs)
  }

  /** Values of the keys at hand that are not known. */
  #load(touched: readonly TouchedKey[]): void {
    const asked: TouchedKey[] = []
    for (const key of touched) {
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
  #trim(keys: readonly TouchedKey[]): void {
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

/** Number of sums that are searched as a list: in a batch of many projects most keys have one value each. */
const LISTED_MAX = 16

function findValueSum({ sums, byValue }: TouchedKey, value: string): Sum | undefined {
  return byValue === null ? sums.find((sum) => sum.value === value) : byValue.get(value)
}

function addSum(key: TouchedKey, sum: Sum): void {
  key.sums.push(sum)
  if (key.byValue !== null) key.byValue.set(sum.value, sum)
  else if (key.sums.length > LISTED_MAX) key.byValue = new Map(key.sums.map((one) => [one.value, one]))
}

function sizeOfKnown(known: KnownValues): number {
  return 1 + (known === 'none' ? 0 : known.size)
}
