/** A batch's tags: counted per group, and per project for suggestions. Which are counted apart is decided by the rules. */
import type { ProjectId } from '#base/ids.ts'
import { bySuggestion, chooseSuggestions, type SeenValue } from '#issues/suggested-values.ts'
import { DERIVED_KEYS, mayKeepKey, mayKeepValue, placeBeyond } from '#issues/tag-caps.ts'
import { max } from '#limits/limits.ts'
import type { FacetDelta } from '#ports/ingest.ts'
import type { GroupTags, KeptTag, ProjectTags, Tables, TagValue } from '../tables.ts'

export const NO_TAGS: GroupTags = { keys: new Map(), isFull: false, beyond: 0 }
const NO_VALUES = { values: new Map(), other: 0 } as const

/** What a project has seen in the batch at hand. */
interface Suggestions {
  readonly keys: Set<string>
  readonly seen: Map<string, Map<string, SeenValue>>
  beyond: number
}

export class BatchTags {
  readonly #to: Tables
  readonly #projects = new Map<ProjectId, Suggestions>()

  constructor(to: Tables) {
    this.#to = to
  }

  /** The group's tags with those of the batch. */
  add(project: ProjectId, before: GroupTags, added: readonly FacetDelta[]): GroupTags {
    const suggestions = this.#suggestionsOf(project)
    const keys = new Map(before.keys)
    let { isFull, beyond } = before
    for (const tag of added) {
      if (keys.has(tag.key) || mayKeep(tag.key, keys, suggestions)) {
        suggestions.keys.add(tag.key)
        keys.set(tag.key, withTag(keys.get(tag.key) ?? NO_VALUES, tag))
        suggest(suggestions, tag)
      } else {
        isFull = true
        beyond += tag.count
        addBeyond(suggestions, tag)
      }
    }
    return { keys, isFull, beyond }
  }

  /** Writes what projects suggest; once, after the last group. */
  finish(): void {
    for (const [project, { keys, seen, beyond }] of this.#projects) {
      const before = this.#to.projectTags.get(project)
      const after = new Map([...keys].map((key) => [key, before?.keys.get(key) ?? NO_VALUES]))
      for (const [key, values] of seen) after.set(key, withSeen(after.get(key) ?? NO_VALUES, values))
      this.#to.projectTags.put(project, { keys: after, beyond: (before?.beyond ?? 0) + beyond })
    }
  }

  #suggestionsOf(project: ProjectId): Suggestions {
    const known = this.#projects.get(project)
    if (known !== undefined) return known
    const stored: ProjectTags | undefined = this.#to.projectTags.get(project)
    const suggestions = { keys: new Set(stored?.keys.keys()), seen: new Map(), beyond: 0 }
    this.#projects.set(project, suggestions)
    return suggestions
  }
}

function mayKeep(key: string, ofGroup: GroupTags['keys'], { keys }: Suggestions): boolean {
  return mayKeepKey({
    isDerived: DERIVED_KEYS.has(key),
    isInProject: keys.has(key),
    ownInProject: ownOf(keys),
    ownInGroup: () => ownOf(ofGroup.keys()),
  })
}

function ownOf(keys: Iterable<string>): number {
  return [...keys].filter((key) => !DERIVED_KEYS.has(key)).length
}

function addBeyond(suggestions: Suggestions, tag: FacetDelta): void {
  const { keys } = suggestions
  const place = placeBeyond({ isInProject: keys.has(tag.key), ownInProject: ownOf(keys) })
  if (place === 'value') suggest(suggestions, tag)
  if (place === 'other_keys') suggestions.beyond += tag.count
}

function suggest({ seen }: Suggestions, { key, value, count, lastMs }: FacetDelta): void {
  const values = seen.get(key) ?? new Map<string, SeenValue>()
  seen.set(key, values.set(value, seenAfter(values.get(value), { count, lastMs })))
}

function seenAfter(before: SeenValue | undefined, { count, lastMs }: SeenValue): SeenValue {
  if (before === undefined) return { count, lastMs }
  return { count: before.count + count, lastMs: Math.max(before.lastMs, lastMs) }
}

function withTag({ values, other }: KeptTag<TagValue>, tag: FacetDelta): KeptTag<TagValue> {
  const { value, count, firstMs, lastMs } = tag
  const before = values.get(value)
  if (before === undefined && !mayKeepValue(values.size)) return { values, other: other + count }
  const after = {
    count: (before?.count ?? 0) + count,
    firstMs: Math.min(before?.firstMs ?? firstMs, firstMs),
    lastMs: Math.max(before?.lastMs ?? lastMs, lastMs),
  }
  return { values: new Map(values).set(value, after), other }
}

/** Those seen last are kept, the others counted together. */
function withSeen(before: KeptTag<SeenValue>, seen: ReadonlyMap<string, SeenValue>): KeptTag<SeenValue> {
  const values = new Map(before.values)
  const fresh: (SeenValue & { readonly value: string })[] = []
  for (const [value, sum] of seen) {
    if (values.has(value)) values.set(value, seenAfter(values.get(value), sum))
    else fresh.push({ value, ...sum })
  }
  const { chosen, other } = chooseSuggestions(fresh, before.values.size)
  for (const { value, ...sum } of chosen) values.set(value, sum)
  const most = max('facetValuesPerProjectMax')
  if (values.size <= most) return { values, other: before.other + other }
  const ordered = [...values].sort(([, a], [, b]) => bySuggestion(a, b))
  const gone = ordered.slice(most).reduce((sum, [, { count }]) => sum + count, 0)
  return { values: new Map(ordered.slice(0, most)), other: before.other + other + gone }
}
