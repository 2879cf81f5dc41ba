/** Tags on an issue's page: which keys, and which values of each. Pure. */
import type { TagDistribution } from '#parts/issue-types.ts'

const VALUES_SHOWN = 4
const KEYS_SHOWN = 16
/** Said elsewhere on the page, or different for every event. */
const LEFT_OUT = new Set(['trace', 'replayId', 'level', 'title', 'release', 'digest'])
/** People look for these first; releases stand in the right column. */
const FIRST: readonly string[] = ['environment', 'browser', 'user', 'url', 'transaction', 'server_name']

export interface TagShare {
  readonly key: string
  readonly total: number
  readonly values: TagDistribution['values']
  /** Values that are kept apart and not shown here, and their events. */
  readonly more: { readonly values: number; readonly events: number }
  /** Number of events whose value is not counted apart. */
  readonly otherCount: number
}

export interface TagSharesData {
  /** Tags whose values differ most from those of all events, first. */
  readonly spread: readonly TagShare[]
  /** Tags with one value in all events that carry the key. */
  readonly same: readonly { readonly key: string; readonly value: string }[]
  /** Keys that say again what another one says, with that one. */
  readonly doubled: readonly { readonly key: string; readonly as: string }[]
}

/** `spreads`: by key, how far it is from all events. Where that is the same, the keys people look for first. */
export function tagShares(
  tags: readonly TagDistribution[],
  spreads: Readonly<Record<string, number>>,
): TagSharesData {
  const shown = tags
    .filter(({ key, values }) => !LEFT_OUT.has(key) && values.length > 0)
    .sort(
      (a, b) =>
        (spreads[b.key] ?? 0) - (spreads[a.key] ?? 0) || tagRank(a) - tagRank(b) || (a.key < b.key ? -1 : 1),
    )
  const same = shown.filter(isSingle)
  const several = shown.filter((tag) => !isSingle(tag))
  const doubled = several.flatMap((tag, index) => {
    const other = several.slice(0, index).find((before) => saysTheSame(before, tag))
    return other === undefined ? [] : [{ key: tag.key, as: other.key }]
  })
  const names = new Set(doubled.map(({ key }) => key))
  return {
    spread: several
      .filter(({ key }) => !names.has(key))
      .slice(0, KEYS_SHOWN)
      .map(tagShare),
    same: same.map(({ key, values }) => ({ key, value: values[0]?.value ?? '' })),
    doubled,
  }
}

function isSingle({ values, total, otherCount }: TagDistribution): boolean {
  return values.length === 1 && otherCount === 0 && values[0]?.count === total
}

/**
 * True if two tags occur as often, and each value is within the other: `Chrome 142.0` of `browser` and
 * `Chrome` of `browser.name`.
 */
function saysTheSame(one: TagDistribution, other: TagDistribution): boolean {
  if (one.total !== other.total || one.valuesKept !== other.valuesKept) return false
  return one.values.every(({ value, count }) =>
    other.values.some(
      (also) => also.count === count && (also.value.includes(value) || value.includes(also.value)),
    ),
  )
}

function tagRank({ key, otherCount }: TagDistribution): number {
  const place = FIRST.indexOf(key)
  if (place !== -1) return place
  return otherCount > 0 ? FIRST.length : FIRST.length + 1
}

function tagShare({ key, total, values, valuesKept, otherCount }: TagDistribution): TagShare {
  const shown = values.slice(0, VALUES_SHOWN)
  const events = shown.reduce((sum, { count }) => sum + count, otherCount)
  return {
    ...{ key, total, otherCount },
    values: shown,
    more: { values: valuesKept - shown.length, events: total - events },
  }
}
