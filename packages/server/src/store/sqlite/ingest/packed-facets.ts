/**
 * Facets of groups that have one event: a list in one row, of values by number and, where a key has too many, of texts.
 * Most issues of a flood stay so for ever. A group gets rows of `facets` with its second batch.
 */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import { facetsOf } from '../rows/facets-of.ts'
import { valueMatch } from './facet-words.ts'

/** A facet that a group keeps. */
export interface KeptFacet {
  readonly keyId: number
  readonly value: string
}

/** Whether all that is to be known of a new group's facets is their keys and values. */
export function mayPack({ eventCount, firstMs, facets }: GroupDelta): boolean {
  if (eventCount !== 1) return false
  const isPlain = facets.every(
    (one) => one.count === 1 && one.firstMs === firstMs && one.lastMs === firstMs && isListed(one.value),
  )
  return isPlain && new Set(facets.map(({ key }) => key)).size === facets.length
}

/** What SQLite reads from a list as it would keep it in a row. */
function isListed(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000')
}

/** Lives as long as its connection; `discard` after a transaction that was undone, and after writes of others. */
export class PackedFacets {
  readonly #db: Connection
  /** Project and key to the numbers of values. */
  readonly #numbers = new Map<string, Map<string, number>>()
  /** Numbers of all of them. */
  #count = 0
  readonly #rows: BulkInsert

  constructor(db: Connection) {
    this.#db = db
    this.#rows = new BulkInsert(db, { insert: 'INSERT INTO packed_facets (group_id, facets)', columns: 2 })
  }

  add(groupId: number, project: ProjectId, facets: readonly KeptFacet[]): void {
    const listed = facets.map((one) => this.#numberOf(project, one) ?? `${one.keyId}:${one.value}`)
    this.#rows.add(groupId, JSON.stringify(listed))
  }

  /** Writes what was added, when the rows of the groups are there. */
  finish(): void {
    this.#rows.flush()
  }

  discard(): void {
    this.#rows.discard()
    this.#forget()
  }

  #forget(): void {
    this.#numbers.clear()
    this.#count = 0
  }

  /** `null` when the key has as many values by number as it may. */
  #numberOf(project: ProjectId, { keyId, value }: KeptFacet): number | null {
    const name = `${project}:${keyId}`
    let numbers = this.#numbers.get(name)
    if (numbers === undefined) {
      // The unique index.
      const sql = 'SELECT id, value FROM facet_values WHERE project_id = ? AND key_id = ?'
      const rows = this.#db.all<{ id: number; value: string }>(sql, [project, keyId])
      numbers = new Map(rows.map((row) => [row.value, row.id]))
      if (this.#count >= max('facetValuesRememberedMax') || this.#numbers.size >= max('tagKeysRememberedMax'))
        this.#forget()
      this.#numbers.set(name, numbers)
      this.#count += numbers.size
    }
    const known = numbers.get(value)
    if (known !== undefined) return known
    if (numbers.size >= max('facetValuesNumberedMax')) return null
    const sql = 'INSERT INTO facet_values (project_id, key_id, value) VALUES (?, ?, ?)'
    const { lastId } = this.#db.run(sql, [project, keyId, value])
    numbers.set(value, lastId)
    this.#count++
    return lastId
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
