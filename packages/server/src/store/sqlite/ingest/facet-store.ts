/**
 * Tags counted per group, and per project for suggestions, within the bounds of `issues/tag-caps.ts`. What is beyond is
 * remembered as lacking, so that a filter knows when facets cannot answer alone. Keys beyond a bound are counted under
 * OTHER_KEYS.
 */
import type { ProjectId } from '#base/ids.ts'
import { DERIVED_KEYS, mayKeepKey, placeBeyond } from '#issues/tag-caps.ts'
import { max } from '#limits/limits.ts'
import type { FacetDelta, GroupDelta } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import { PACKED_OF_GROUPS } from '../rows/facets-of.ts'
import { forgetOldest } from '../rows/forget-oldest.ts'
import { OTHER_KEYS, ProjectKeys } from '../rows/project-keys.ts'
import { FacetWords } from './facet-words.ts'
import { KeptValues } from './kept-values.ts'
import { type KeptFacet, mayPack, PackedFacets } from './packed-facets.ts'
import { ProjectFacets } from './project-facets.ts'

/** Facets as the row of a group has them. */
export interface FacetSums {
  /** Rows of facets. */
  readonly count: number
  /** Key id to events counted as other; of OTHER_KEYS tags, not events. */
  readonly others: ReadonlyMap<number, number>
}

interface LoadedGroup {
  readonly id: number
  readonly count: number
  /** Its facets are a list yet: `packed-facets.ts`. */
  readonly isPacked: boolean
}

interface AddedGroup extends Pick<LoadedGroup, 'id' | 'isPacked'> {
  /** Time that the times of its facets count from. */
  readonly baseMs: number
  /** `null`: the group is new. */
  readonly sums: FacetSums | null
  readonly delta: GroupDelta
}

interface KeysOfGroup extends Pick<FacetSums, 'others'> {
  readonly kept: KeptValues
}

const FIND_KEY = 'SELECT id FROM tag_keys WHERE key = ?'
const FIND_KEYS = 'SELECT id FROM tag_keys WHERE key IN (SELECT value FROM json_each(?))'
const LAST_KEY = 'SELECT max(id) AS id FROM tag_keys'
// The primary key.
const FIND_VALUES = `SELECT group_id AS groupId, key_id AS keyId, value FROM facets
  WHERE group_id IN (SELECT value FROM json_each(:inRows)) UNION ALL ${PACKED_OF_GROUPS}`

/**
 * Lives as long as its connection and remembers key ids and the kept values of hot groups, so that a value beyond the
 * bound costs no statement. `discard` after a transaction that was undone.
 */
export class FacetStore {
  readonly #db: Connection
  readonly #ids = new Map<string, number>()
  /** Keys of the batch at hand that have no id. */
  readonly #absent = new Set<string>()
  /** Keys of the batch at hand that get their ids with it. */
  readonly #newKeys: (readonly [id: number, key: string])[] = []
  #nextKeyId: number | null = null
  /** Ids of keys that Errata derives, as far as they have one; `null` until they are asked for. */
  #derivedIds: Set<number> | null = null
  /** Group id to its kept values, in the order of last use. */
  readonly #kept = new Map<number, KeptValues>()
  #keptCount = 0
  /** Packed facets of groups that get rows with the batch at hand: their second one. */
  readonly #unpacked = new Map<number, readonly KeptFacet[]>()
  /** Groups whose packed facets go with the batch at hand. */
  readonly #unpacking: number[] = []
  readonly #projects: ProjectFacets
  readonly #projectKeys: ProjectKeys
  readonly #facets: BulkInsert
  readonly #fresh: BulkInsert
  readonly #lacking: BulkInsert
  readonly #words: FacetWords
  readonly #packed: PackedFacets

  constructor(db: Connection) {
    this.#db = db
    this.#projectKeys = new ProjectKeys(db)
    this.#words = new FacetWords(db)
    this.#packed = new PackedFacets(db)
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

  /**
   * Reads at once what those groups keep that are not remembered as they are; `count`: as their rows say. Those that are
   * packed get rows with what is added to them.
   */
  load(groups: readonly LoadedGroup[]): void {
    const missing = groups.filter(({ id, count }) => this.#kept.get(id)?.count !== count)
    // Deleting a person's data takes values away: then the rows tell what is left.
    for (const { id } of missing) this.#keptCount -= this.#kept.get(id)?.count ?? 0
    const found = this.#valuesOf(missing)
    for (const { id, isPacked } of missing) {
      const values = found.get(id) ?? []
      if (isPacked) this.#unpacked.set(id, values)
      this.#keep(id, values)
    }
  }

  #valuesOf(groups: readonly LoadedGroup[]): ReadonlyMap<number, readonly KeptFacet[]> {
    if (groups.length === 0) return new Map()
    const ids = (isPacked: boolean) =>
      JSON.stringify(groups.filter((group) => group.isPacked === isPacked).map(({ id }) => id))
    type Row = KeptFacet & { readonly groupId: number }
    return Map.groupBy(
      this.#db.all<Row>(FIND_VALUES, { packed: ids(true), inRows: ids(false) }),
      ({ groupId }) => groupId,
    )
  }

  #keep(id: number, rows: readonly KeptFacet[]): void {
    const kept = new KeptValues()
    for (const { keyId, value } of rows) kept.add(keyId, value)
    this.#kept.set(id, kept)
    this.#keptCount += rows.length
  }

  /** Finds the ids of keys at once that are not remembered. */
  loadKeys(deltas: readonly GroupDelta[]): void {
    this.#projectKeys.load(deltas.map(({ projectId }) => projectId))
    const missing = new Set<string>()
    for (const { facets } of deltas) for (const { key } of facets) if (!this.#ids.has(key)) missing.add(key)
    const keys = [...missing]
    const rows = this.#db.getEach<{ id: number }>(
      FIND_KEY,
      keys.map((key) => [key]),
    )
    for (const [at, key] of keys.entries()) {
      const id = rows[at]?.id
      if (id === undefined) this.#absent.add(key)
      else this.#remember(key, id)
    }
  }

  /** Adds a batch's tags of one group; `sums` is what a known group had. `full`: a key had to be left out. */
  add(group: AddedGroup): { readonly sums: FacetSums; readonly full: boolean } {
    const { id, baseMs, delta } = group
    const others = new Map(group.sums?.others)
    const kept = group.sums === null ? new KeptValues() : this.#keptOf(group, group.sums.count)
    const keptBefore = kept.count
    const unpacked = this.#takeUnpacked(id)
    const rows = group.sums === null || unpacked !== null ? this.#fresh : this.#facets
    const listed: KeptFacet[] | null = group.sums === null && mayPack(delta) ? [] : null
    let full = false
    for (const facet of delta.facets) {
      const known = this.#idOf(facet.key)
      const keyId = this.#keptId(facet.key, known, { kept, others, project: delta.projectId })
      if (keyId === null) {
        full = true
        others.set(OTHER_KEYS, (others.get(OTHER_KEYS) ?? 0) + facet.count)
        this.#addBeyond(delta.projectId, known, facet)
        continue
      }
      const place = kept.place(keyId, facet.value)
      if (place === 'new') this.#words.add(id, keyId, facet.value)
      if (listed !== null) listed.push({ keyId, value: facet.value })
      else if (place !== 'none') {
        const times = [facet.firstMs - baseMs, facet.lastMs - baseMs] as const
        if (unpacked?.get(keyId) === facet.value) {
          unpacked.delete(keyId)
          rows.add(id, keyId, facet.value, facet.count + 1, Math.min(0, times[0]), Math.max(0, times[1]))
        } else rows.add(id, keyId, facet.value, facet.count, ...times)
      } else {
        const other = others.get(keyId) ?? 0
        if (other === 0) this.#lacking.add(keyId, id)
        others.set(keyId, other + facet.count)
      }
      this.#projects.add({ projectId: delta.projectId, keyId, facet })
    }
    if (listed !== null && !full) this.#packed.add(id, delta.projectId, listed)
    else for (const { keyId, value } of listed ?? []) rows.add(id, keyId, value, 1, 0, 0)
    for (const [keyId, value] of unpacked ?? []) rows.add(id, keyId, value, 1, 0, 0)
    if (group.sums !== null) this.#keptCount += kept.count - keptBefore
    return { sums: { count: kept.count, others }, full }
  }

  /** Writes everything; once, after the last group, whose row must be there. `pause` lets others of the thread go. */
  async finish(pause: () => Promise<unknown>): Promise<void> {
    this.#db.runEach('INSERT INTO tag_keys (id, key) VALUES (?, ?)', this.#newKeys.splice(0))
    this.#nextKeyId = null
    this.#projectKeys.finish()
    await pause()
    this.#packed.finish()
    this.#packed.forget(this.#unpacking.splice(0))
    await pause()
    for (const rows of [this.#fresh, this.#facets, this.#lacking]) rows.flush()
    await pause()
    this.#projects.finish()
    await pause()
    this.#words.finish()
    await pause()
    this.#absent.clear()
    this.#forgetOldest()
  }

  /** After a transaction that was undone nothing remembered is believed. */
  discard(): void {
    this.#ids.clear()
    this.#absent.clear()
    this.#newKeys.length = 0
    this.#nextKeyId = null
    this.#derivedIds = null
    this.#kept.clear()
    this.#keptCount = 0
    this.#unpacked.clear()
    this.#unpacking.length = 0
    this.#projectKeys.discard()
    this.#projects.discard()
    this.#words.discard()
    this.#packed.discard()
    for (const rows of [this.#fresh, this.#facets, this.#lacking]) rows.discard()
  }

  /** Forgets rows that others may have changed. */
  discardRows(): void {
    this.#packed.discard()
  }

  #idOf(key: string): number | null {
    const id = this.#ids.get(key)
    if (id !== undefined) return id
    if (this.#absent.has(key)) return null
    const found = this.#db.get<{ id: number }>(FIND_KEY, [key])?.id
    return found === undefined ? null : this.#remember(key, found)
  }

  /** `null` when the group or its project may not keep one more key. */
  #keptId(
    key: string,
    known: number | null,
    { project, ...group }: KeysOfGroup & { readonly project: ProjectId },
  ): number | null {
    if (known !== null && (group.kept.hasKey(known) || group.others.has(known))) return known
    const isInProject = known !== null && this.#projectKeys.has(project, known)
    const ownInProject = this.#projectKeys.own(project)
    const isDerived = DERIVED_KEYS.has(key)
    const ownInGroup = isDerived ? 0 : this.#ownKeys(group)
    if (!mayKeepKey({ isDerived, isInProject, ownInProject, ownInGroup })) return null
    const id = known ?? this.#insertKey(key)
    if (!isInProject) this.#projectKeys.add(project, { id, key })
    return id
  }

  /** Keys of the app's own among those a group keeps; a key all of whose values are other is kept as well. */
  #ownKeys({ kept, others }: KeysOfGroup): number {
    this.#derivedIds ??= new Set(
      this.#db.all<{ id: number }>(FIND_KEYS, [JSON.stringify([...DERIVED_KEYS])]).map(({ id }) => id),
    )
    for (const [id, key] of this.#newKeys) if (DERIVED_KEYS.has(key)) this.#derivedIds.add(id)
    let own = 0
    const keys = kept.keys
    for (const id of keys) if (!this.#derivedIds.has(id)) own++
    for (const id of others.keys()) if (id !== OTHER_KEYS && !keys.has(id) && !this.#derivedIds.has(id)) own++
    return own
  }

  /** A tag that its group has no room for; the project may keep its key nevertheless. */
  #addBeyond(projectId: ProjectId, keyId: number | null, facet: FacetDelta): void {
    const isInProject = keyId !== null && this.#projectKeys.has(projectId, keyId)
    const place = placeBeyond({ isInProject, ownInProject: this.#projectKeys.own(projectId) })
    if (place === 'value' && keyId !== null) this.#projects.add({ projectId, keyId, facet })
    if (place === 'other_keys') this.#projects.addOther(projectId, facet.count)
  }

  #insertKey(key: string): number {
    this.#nextKeyId ??= (this.#db.get<{ id: number }>(LAST_KEY)?.id ?? 0) + 1
    const id = this.#nextKeyId++
    this.#newKeys.push([id, key])
    if (DERIVED_KEYS.has(key)) this.#derivedIds?.add(id)
    return this.#remember(key, id)
  }

  #remember(key: string, id: number): number {
    forgetOldest(this.#ids, max('tagKeysRememberedMax'))
    this.#absent.delete(key)
    this.#ids.set(key, id)
    return id
  }

  #keptOf({ id, isPacked }: AddedGroup, count: number): KeptValues {
    this.load([{ id, count, isPacked }])
    const kept = this.#kept.get(id) ?? new KeptValues()
    this.#kept.delete(id)
    this.#kept.set(id, kept)
    return kept
  }

  /** Values by key, of which a packed group has one each; `null` for a group that is not packed any more. */
  #takeUnpacked(id: number): Map<number, string> | null {
    const listed = this.#unpacked.get(id)
    if (listed === undefined) return null
    this.#unpacked.delete(id)
    this.#unpacking.push(id)
    return new Map(listed.map(({ keyId, value }) => [keyId, value]))
  }

  #forgetOldest(): void {
    for (const [groupId, kept] of this.#kept) {
      if (this.#keptCount <= max('facetValuesRememberedMax')) return
      this.#kept.delete(groupId)
      this.#keptCount -= kept.count
    }
  }
}
