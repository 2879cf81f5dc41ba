/** What an issue's page shows of its tags: which keys, and of each which values. Pure. */
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
  /** Events whose value is not kept apart. */
  readonly otherCount: number
}

/** The keys people look for first, then those with values that are not kept apart, then the alphabet. */
export function tagShares(tags: readonly TagDistribution[]): readonly TagShare[] {
  return tags
    .filter(({ key, values }) => !LEFT_OUT.has(key) && values.length > 0)
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.key < b.key ? -1 : 1))
    .slice(0, KEYS_SHOWN)
    .map(shareOf)
}

function rankOf({ key, otherCount }: TagDistribution): number {
  const place = FIRST.indexOf(key)
  if (place !== -1) return place
  return otherCount > 0 ? FIRST.length : FIRST.length + 1
}

function shareOf({ key, total, values, valuesKept, otherCount }: TagDistribution): TagShare {
  const shown = values.slice(0, VALUES_SHOWN)
  const events = shown.reduce((sum, { count }) => sum + count, otherCount)
  return {
    ...{ key, total, otherCount },
    values: shown,
    more: { values: valuesKept - shown.length, events: total - events },
  }
}
