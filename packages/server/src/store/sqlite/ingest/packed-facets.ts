/**
 * Facets of groups that have one event: a list in one row, of values by number and, where a key has too many, of texts.
 * Most issues of a flood stay so for ever. A group gets rows of `facets` with its second batch.
 */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection, SqlParams } from '../connection.ts'
import type { Kept, Memory } from '../memory.ts'
import { facetsOf } from '../rows/facets-of.ts'
import { valueMatch } from './facet-words.ts'

/** A facet that a group keeps. */
export interface KeptFacet {
  readonly keyId: number
  readonly value: string
}

/** A new group with its facets, until its row is there. */
interface Added {
  readonly groupId: number
  readonly project: ProjectId
  readonly facets: readonly KeptFacet[]
}

/** Whether all that is to be known of a new group's facets is their keys and values. */
export function mayPack({ eventCount, firstMs, facets }: GroupDelta): boolean {
  if (eventCount !== 1) return false
  const isPlain = facets.every(
    (one) => one.count === 1 && one.firstMs === firstMs && one.lastMs === firstMs && isPackable(one.value),
  )
  return isPlain && new Set(facets.map(({ key }) => key)).size === facets.length
}

/** True for values that SQLite reads from a list as it would keep them in a row. */
function isPackable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000')
}

/** By project and key: values to their numbers. */
export function rememberNumbers(memory: Memory): Kept<ProjectId, NumbersOfKeys> {
  return memory.keep({
    most: max('facetValuesRememberedMax'),
    weightOf: (keys) => [...keys.values()].reduce((sum, { size }) => sum + 1 + size, 0),
  })
}

type NumbersOfKeys = Map<number, Map<string, number>>

export class PackedFacets {
  readonly #db: Connection
  readonly #numbers: Kept<ProjectId, NumbersOfKeys>
  readonly #rows: BulkInsert
  readonly #added: Added[] = []

  constructor(db: Connection, numbers: Kept<ProjectId, NumbersOfKeys>) {
    this.#db = db
    this.#numbers = numbers
    this.#rows = new BulkInsert(db, { insert: 'INSERT INTO packed_facets (group_id, facets)', columns: 2 })
  }

  add(groupId: number, project: ProjectId, facets: readonly KeptFacet[]): void {
    this.#added.push({ groupId, project, facets })
  }

  /** Writes what was added, when the rows of the groups are there. */
  write(): void {
    const added = this.#added
    this.#loadNumbers(added)
    this.#numberNew(added)
    for (const { groupId, project, facets } of added) {
      const ofKeys = this.#numbers.get(project)
      const listed = facets.map(({ keyId, value }) => ofKeys?.get(keyId)?.get(value) ?? `${keyId}:${value}`)
      this.#rows.add(groupId, JSON.stringify(listed))
    }
    this.#rows.flush()
  }

  /** Removes lists of groups that have rows now. */
  remove(groups: readonly number[]): void {
    if (groups.length === 0) return
    const sql = 'DELETE FROM packed_facets WHERE group_id IN (SELECT value FROM json_each(?))'
    this.#db.run(sql, [JSON.stringify(groups)])
  }

  /** Loads the numbers of keys that are not remembered. */
  #loadNumbers(added: readonly Added[]): void {
    const missing: { readonly project: ProjectId; readonly keyId: number; numbers: Map<string, number> }[] =
      []
    for (const { project, facets } of added) {
      const known = this.#numbers.get(project)
      const ofKeys: NumbersOfKeys = known ?? new Map()
      if (known === undefined) this.#numbers.set(project, ofKeys)
      for (const { keyId } of facets) {
        if (ofKeys.has(keyId)) continue
        const numbers = new Map<string, number>()
        ofKeys.set(keyId, numbers)
        missing.push({ project, keyId, numbers })
      }
    }
    // The unique index.
    const found = this.#db.allEach<{ id: number; value: string }>(
      'SELECT id, value FROM facet_values WHERE project_id = ? AND key_id = ?',
      missing.map(({ project, keyId }) => [project, keyId]),
    )
    for (const [at, { numbers }] of missing.entries()) {
      for (const { id, value } of found[at] ?? []) numbers.set(value, id)
    }
  }

  /** Values that have no number yet, while their key may have one more. */
  #numberNew(added: readonly Added[]): void {
    const fresh: {
      readonly row: SqlParams
      readonly value: string
      readonly numbers: Map<string, number>
    }[] = []
    for (const { project, facets } of added) {
      const ofKeys = this.#numbers.get(project)
      for (const { keyId, value } of facets) {
        const numbers = ofKeys?.get(keyId)
        if (numbers === undefined || numbers.has(value)) continue
        if (numbers.size >= max('facetValuesNumberedMax')) continue
        // Until it has one: it is asked for once.
        numbers.set(value, 0)
        fresh.push({ row: [project, keyId, value], value, numbers })
      }
    }
    const made = this.#db.runEach(
      'INSERT INTO facet_values (project_id, key_id, value) VALUES (?, ?, ?)',
      fresh.map(({ row }) => row),
    )
    for (const [at, { value, numbers }] of fresh.entries()) {
      const id = made[at]?.lastId
      if (id !== undefined) numbers.set(value, id)
    }
  }
}

/** Gives a group rows of `facets`, where it has none yet. */
export function unpackFacets(db: Connection, groupId: number): void {
  if (db.get('SELECT 1 FROM packed_facets WHERE group_id = ?', [groupId]) === undefined) return
  const sql = `INSERT INTO facets (group_id, key_id, value, count, first_ms, last_ms)
    SELECT f.group_id, f.key_id, f.value, f.count, 0, 0 FROM ${facetsOf('g.id = :group')} f`
  db.run(sql, { group: groupId })
  db.run('DELETE FROM packed_facets WHERE group_id = ?', [groupId])
}

/** Drops the numbers of values that nothing of their project says any more. */
export function forgetNumbers(
  db: Connection,
  values: readonly { readonly projectId: ProjectId; readonly keyId: number; readonly value: string }[],
): void {
  const isNumbered = 'SELECT 1 FROM facet_values WHERE project_id = ? AND key_id = ? AND value = ?'
  const isSuggested = 'SELECT 1 FROM project_facets WHERE project_id = ? AND key_id = ? AND value = ?'
  // What is not suggested is said rarely.
  const drop = `DELETE FROM facet_values WHERE project_id = :project AND key_id = :key AND value = :value
    AND NOT EXISTS (SELECT 1 FROM facet_words w CROSS JOIN packed_facets p ON p.group_id = w.rowid
      CROSS JOIN groups g ON g.id = w.rowid WHERE w.facet_words MATCH :match AND g.project_id = :project)`
  for (const { projectId, keyId, value } of values) {
    const place = [projectId, keyId, value]
    if (db.get(isNumbered, place) === undefined || db.get(isSuggested, place) !== undefined) continue
    db.run(drop, { project: projectId, key: keyId, value, match: valueMatch(keyId, value) })
  }
}
