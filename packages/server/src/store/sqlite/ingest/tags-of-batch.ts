/**
 * Tags counted per group, and per project for suggestions, within the bounds of `issues/tag-caps.ts`. What is beyond is
 * remembered as lacking, so that a filter knows when facets cannot answer alone. Keys beyond a bound are counted under
 * OTHER_KEYS.
 */
import { assert } from '#base/errors.ts'
import type { ProjectId } from '#base/ids.ts'
import { DERIVED_KEYS, mayKeepKey, placeBeyond } from '#issues/tag-caps.ts'
import { max } from '#limits/limits.ts'
import type { FacetDelta, GroupDelta } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import type { Memory } from '../memory.ts'
import { PACKED_OF_GROUPS } from '../rows/facets-of.ts'
import { OTHER_KEYS, ProjectKeys, rememberProjectKeys } from '../rows/project-keys.ts'
import { FacetWords } from './facet-words.ts'
import { KeptValues } from './kept-values.ts'
import { type KeptFacet, mayPack, PackedFacets, rememberNumbers } from './packed-facets.ts'
import { ProjectFacets, rememberProjectValues } from './project-facets.ts'

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
// The primary key.
const FIND_VALUES = `SELECT group_id AS groupId, key_id AS keyId, value FROM facets
  WHERE group_id IN (SELECT value FROM json_each(:inRows)) UNION ALL ${PACKED_OF_GROUPS}`

export type TagMemory = ReturnType<typeof rememberTags>

export function rememberTags(memory: Memory) {
  return {
    ids: memory.keep<string, number>({ most: max('tagKeysRememberedMax'), staysTrue: true }),
    /** Ids of keys that Errata derives, as far as they have one. */
    derived: memory.keep<'ids', Set<number>>({ most: 1, staysTrue: true }),
    /** Group id to its kept values, so that a value beyond the bound costs no statement. */
    kept: memory.keep<number, KeptValues>({
      ...{ most: max('facetValuesRememberedMax'), weightOf: ({ count }) => count },
      // Where somebody took values away, the group says another count.
      staysTrue: true,
    }),
    keys: rememberProjectKeys(memory),
    values: rememberProjectValues(memory),
    numbers: rememberNumbers(memory),
  }
}

/** Decides which tags of a batch are kept: with its groups, whose rows say how many. */
export class TagsOfBatch {
  readonly #db: Connection
  readonly #memory: TagMemory
  /** Keys that have no id. */
  readonly #absent = new Set<string>()
  /** Keys that get their ids. */
  readonly #newKeys: (readonly [id: number, key: string])[] = []
  #lastKeyId: number
  /** Packed facets of groups that get rows: with their second batch. */
  readonly #unpacked = new Map<number, readonly KeptFacet[]>()
  /** Groups whose packed facets go. */
  readonly #unpacking: number[] = []
  readonly #projects: ProjectFacets
  readonly #projectKeys: ProjectKeys
  readonly #facets: BulkInsert
  readonly #fresh: BulkInsert
  readonly #lacking: BulkInsert
  readonly #words: FacetWords
  readonly #packed: PackedFacets

  constructor(db: Connection, memory: TagMemory, lastKeyId: number) {
    this.#db = db
    this.#memory = memory
    this.#lastKeyId = lastKeyId
    this.#projectKeys = new ProjectKeys(db, memory.keys)
    this.#words = new FacetWords(db)
    this.#packed = new PackedFacets(db, memory.numbers)
    this.#projects = new ProjectFacets(db, memory.values, this.#projectKeys)
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
    const { kept } = this.#memory
    const missing = groups.filter(({ id, count }) => kept.get(id)?.count !== count)
    const found = this.#valuesOf(missing)
    for (const { id, isPacked } of missing) {
      const values = found.get(id) ?? []
      if (isPacked) this.#unpacked.set(id, values)
      kept.set(id, keptValues(values))
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

  /** Finds the ids of keys at once that are not remembered, and of those that Errata derives. */
  loadKeys(deltas: readonly GroupDelta[]): void {
    const { ids, derived } = this.#memory
    this.#projectKeys.load(deltas.map(({ projectId }) => projectId))
    const asked = new Set<string>()
    for (const { facets } of deltas)
      for (const { key } of facets) if (ids.get(key) === undefined) asked.add(key)
    const isDerivedKnown = derived.get('ids') !== undefined
    if (!isDerivedKnown) for (const key of DERIVED_KEYS) asked.add(key)
    const keys = [...asked]
    const rows = this.#db.getEach<{ id: number }>(
      FIND_KEY,
      keys.map((key) => [key]),
    )
    for (const [at, key] of keys.entries()) {
      const id = rows[at]?.id
      if (id === undefined) this.#absent.add(key)
      else ids.set(key, id)
    }
    if (isDerivedKnown) return
    derived.set('ids', new Set([...DERIVED_KEYS].flatMap((key) => ids.get(key) ?? [])))
  }

  /** Adds a batch's tags of one group; `sums` is what a known group had. `full`: a key had to be left out. */
  add(group: AddedGroup): { readonly sums: FacetSums; readonly full: boolean } {
    const { id, baseMs, delta } = group
    const others = new Map(group.sums?.others)
    const kept = (group.sums === null ? undefined : this.#memory.kept.get(id)) ?? new KeptValues()
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
    return { sums: { count: kept.count, others }, full }
  }

  /** Once, when the rows of the groups are there. `pause` lets others of the thread go. */
  async write(pause: () => Promise<unknown>): Promise<void> {
    this.#db.runEach('INSERT INTO tag_keys (id, key) VALUES (?, ?)', this.#newKeys)
    this.#projectKeys.write()
    await pause()
    this.#packed.write()
    this.#packed.remove(this.#unpacking)
    await pause()
    for (const rows of [this.#fresh, this.#facets, this.#lacking]) rows.flush()
    await pause()
    this.#projects.write()
    await pause()
    this.#words.write()
  }

  /** `null`: the key has no id. After `loadKeys`. */
  #idOf(key: string): number | null {
    const id = this.#absent.has(key) ? undefined : this.#memory.ids.get(key)
    assert(id !== undefined || this.#absent.has(key), 'keys are loaded before their tags are added')
    return id ?? null
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
    const derived = this.#memory.derived.get('ids')
    assert(derived !== undefined, 'keys are loaded before their tags are added')
    let own = 0
    const keys = kept.keys
    for (const id of keys) if (!derived.has(id)) own++
    for (const id of others.keys()) if (id !== OTHER_KEYS && !keys.has(id) && !derived.has(id)) own++
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
    const id = ++this.#lastKeyId
    this.#newKeys.push([id, key])
    if (DERIVED_KEYS.has(key)) this.#memory.derived.get('ids')?.add(id)
    this.#absent.delete(key)
    this.#memory.ids.set(key, id)
    return id
  }

  /** Values by key, of which a packed group has one each; `null` for a group that is not packed any more. */
  #takeUnpacked(id: number): Map<number, string> | null {
    const listed = this.#unpacked.get(id)
    if (listed === undefined) return null
    this.#unpacked.delete(id)
    this.#unpacking.push(id)
    return new Map(listed.map(({ keyId, value }) => [keyId, value]))
  }
}

function keptValues(rows: readonly KeptFacet[]): KeptValues {
  const kept = new KeptValues()
  for (const { keyId, value } of rows) kept.add(keyId, value)
  return kept
}
