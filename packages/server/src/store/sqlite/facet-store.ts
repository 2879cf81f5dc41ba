/**
 * Tags counted per group, and per project for suggestions. Bounded: `facetKeysMax` keys a group, `facetValuesMax`
 * values a key; what is beyond is counted as other, and remembered as lacking, so that a filter knows when facets
 * cannot answer alone. Keys beyond the group's or the project's bound are counted under OTHER_KEYS.
 */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import type { FacetDelta, GroupDelta } from '#ports/ingest.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { Connection } from './connection.ts'
import { ProjectFacets } from './project-facets.ts'
import { DERIVED_KEYS, OTHER_KEYS, ProjectKeys } from './project-keys.ts'

/** Key id to [events that carry the key, values kept, events counted as other]; of OTHER_KEYS tags, not events. */
export type FacetKeys = ReadonlyMap<number, readonly [number, number, number]>

/** What a group keeps: key id to values, and how many values in all. */
interface KeptValues {
  readonly byKey: Map<number, Set<string>>
  count: number
}

const FIND_KEY = 'SELECT id FROM tag_keys WHERE key = ?'
const FIND_KEYS = 'SELECT id FROM tag_keys WHERE key IN (SELECT value FROM json_each(?))'
// The primary key.
const FIND_VALUES = 'SELECT key_id AS keyId, value FROM facets WHERE group_id = ?'

/**
 * Lives as long as its connection and remembers key ids and the kept values of hot groups, so that a value beyond the
 * bound costs no statement. `discard` after a transaction that was undone.
 */
export class FacetStore {
  readonly #db: Connection
  readonly #ids = new Map<string, number>()
  /** Of keys that Errata derives, as far as they have one; `null` until they are asked for. */
  #derivedIds: Set<number> | null = null
  /** Group id to its kept values, in the order of last use. */
  readonly #kept = new Map<number, KeptValues>()
  #keptCount = 0
  readonly #projects: ProjectFacets
  readonly #projectKeys: ProjectKeys
  readonly #facets: BulkInsert
  readonly #fresh: BulkInsert
  readonly #lacking: BulkInsert

  constructor(db: Connection) {
    this.#db = db
    this.#projectKeys = new ProjectKeys(db)
    this.#projects = new ProjectFacets(db, this.#projectKeys)
    const facets = {
      insert: 'INSERT INTO facets (group_id, key_id, value, count, first_ms, last_ms)',
      columns: 6,
    }
    // A new group has none yet: not looking for them saves a third.
    this.#fresh = new BulkInsert(db, facets)
    this.#facets = new BulkInsert(db, {
      ...facets,
      after: `ON CONFLICT (group_id, key_id, value) DO UPDATE SET count = count + excluded.count,
        first_ms = min(first_ms, excluded.first_ms), last_ms = max(last_ms, excluded.last_ms)`,
    })
    this.#lacking = new BulkInsert(db, {
      insert: 'INSERT OR IGNORE INTO facets_lacking (key_id, group_id)',
      columns: 2,
    })
  }

  /** Adds a batch's tags of one group; `keys` is what a known group had. `full`: a key had to be left out. */
  add(group: { readonly groupId: number; readonly keys: FacetKeys | null; readonly delta: GroupDelta }): {
    readonly keys: FacetKeys
    readonly full: boolean
  } {
    const { groupId, delta } = group
    const keys = new Map<number, [number, number, number]>()
    for (const [id, [total, count, other]] of group.keys ?? []) keys.set(id, [total, count, other])
    const kept = group.keys === null ? { byKey: new Map(), count: 0 } : this.#keptOf(groupId, group.keys)
    const keptBefore = kept.count
    const rows = group.keys === null ? this.#fresh : this.#facets
    let full = false
    for (const facet of delta.facets) {
      const known = this.#idOf(facet.key)
      const keyId = this.#keptId(facet.key, known, { keys, project: delta.projectId })
      if (keyId === null) {
        full = true
        const [tags] = keys.get(OTHER_KEYS) ?? [0]
        keys.set(OTHER_KEYS, [tags + facet.count, 0, tags + facet.count])
        this.#addBeyond(delta.projectId, known, facet)
        continue
      }
      const sums = keys.get(keyId) ?? [0, 0, 0]
      keys.set(keyId, sums)
      sums[0] += facet.count
      if (this.#keeps(kept, keyId, facet.value, sums)) {
        rows.add(groupId, keyId, facet.value, facet.count, facet.firstMs, facet.lastMs)
      } else {
        if (sums[2] === 0) this.#lacking.add(keyId, groupId)
        sums[2] += facet.count
      }
      this.#projects.add({ projectId: delta.projectId, keyId, facet })
    }
    if (group.keys !== null) this.#keptCount += kept.count - keptBefore
    return { keys, full }
  }

  /** Writes everything; once, after the last group, whose row must be there. */
  finish(): void {
    this.#fresh.flush()
    this.#facets.flush()
    this.#lacking.flush()
    this.#projects.finish()
    this.#forgetOldest()
  }

  /** After a transaction that was undone nothing remembered is believed. */
  discard(): void {
    this.#ids.clear()
    this.#derivedIds = null
    this.#kept.clear()
    this.#keptCount = 0
    this.#projectKeys.discard()
    this.#projects.discard()
  }

  #idOf(key: string): number | null {
    const id = this.#ids.get(key)
    if (id !== undefined) return id
    const found = this.#db.get<{ id: number }>(FIND_KEY, [key])?.id
    return found === undefined ? null : this.#remember(key, found)
  }

  /** `null` when the group or its project may not keep one more key. */
  #keptId(
    key: string,
    known: number | null,
    { keys, project }: { readonly keys: FacetKeys; readonly project: ProjectId },
  ): number | null {
    if (known !== null && keys.has(known)) return known
    const isInProject = known !== null && this.#projectKeys.has(project, known)
    if (!DERIVED_KEYS.has(key)) {
      const isRoomInProject = isInProject || this.#projectKeys.hasRoom(project)
      if (!isRoomInProject || this.#ownKeys(keys) >= max('facetKeysMax')) return null
    }
    const id = known ?? this.#insertKey(key)
    if (!isInProject) this.#projectKeys.add(project, { id, key })
    return id
  }

  /** Keys of the app's own among those a group keeps. */
  #ownKeys(keys: FacetKeys): number {
    this.#derivedIds ??= new Set(
      this.#db.all<{ id: number }>(FIND_KEYS, [JSON.stringify([...DERIVED_KEYS])]).map(({ id }) => id),
    )
    let own = keys.size - (keys.has(OTHER_KEYS) ? 1 : 0)
    for (const id of this.#derivedIds) if (keys.has(id)) own--
    return own
  }

  /** A tag that its group has no room for; the project may keep its key nevertheless. */
  #addBeyond(projectId: ProjectId, keyId: number | null, facet: FacetDelta): void {
    if (keyId !== null && this.#projectKeys.has(projectId, keyId)) {
      this.#projects.add({ projectId, keyId, facet })
    } else if (!this.#projectKeys.hasRoom(projectId)) {
      this.#projects.addOther(projectId, facet.count)
    }
  }

  #insertKey(key: string): number {
    const id = this.#db.run('INSERT INTO tag_keys (key) VALUES (?)', [key]).lastId
    if (DERIVED_KEYS.has(key)) this.#derivedIds?.add(id)
    return this.#remember(key, id)
  }

  #remember(key: string, id: number): number {
    if (this.#ids.size >= max('tagKeysRememberedMax')) this.#ids.clear()
    this.#ids.set(key, id)
    return id
  }

  #keeps(kept: KeptValues, keyId: number, value: string, sums: [number, number, number]): boolean {
    const values = kept.byKey.get(keyId) ?? new Set()
    if (values.has(value)) return true
    if (sums[1] >= max('facetValuesMax')) return false
    kept.byKey.set(keyId, values.add(value))
    kept.count++
    sums[1]++
    return true
  }

  #keptOf(groupId: number, keys: FacetKeys): KeptValues {
    let kept = this.#kept.get(groupId)
    let counted = 0
    for (const [, count] of keys.values()) counted += count
    // Deleting a person's data takes values away: then the rows tell what is left.
    if (kept === undefined || kept.count !== counted) {
      this.#keptCount -= kept?.count ?? 0
      const rows = this.#db.all<{ keyId: number; value: string }>(FIND_VALUES, [groupId])
      kept = { byKey: new Map(), count: rows.length }
      for (const { keyId, value } of rows) {
        const values = kept.byKey.get(keyId)
        if (values === undefined) kept.byKey.set(keyId, new Set([value]))
        else values.add(value)
      }
      this.#keptCount += rows.length
    }
    this.#kept.delete(groupId)
    this.#kept.set(groupId, kept)
    return kept
  }

  #forgetOldest(): void {
    for (const [groupId, kept] of this.#kept) {
      if (this.#keptCount <= max('facetValuesRememberedMax')) return
      this.#kept.delete(groupId)
      this.#keptCount -= kept.count
    }
  }
}
