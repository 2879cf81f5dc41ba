/** How far the values of an issue's tags are spread otherwise than those of all events of its project. */
import type { IssuesRead, TagDistribution } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'

/** Keys that are compared, and values of each. */
const KEYS_MAX = 40
const VALUES_MAX = 50
/** Events at which a spread has half its weight: few events say little. */
const HALF_WEIGHT_EVENTS = 10

/** By key, from 0, spread as everywhere, to 1. Keys that nothing is known of are left out. */
export async function tagSpreads(
  issues: Pick<IssuesRead, 'facetValues' | 'facetKeyCounts'>,
  scope: ReadScope,
  tags: readonly TagDistribution[],
): Promise<Readonly<Record<string, number>>> {
  const asked = tags.slice(0, KEYS_MAX)
  const keys = asked.map(({ key }) => key)
  const totals = new Map((await issues.facetKeyCounts(scope, keys)).map(({ value, count }) => [value, count]))
  const spreads = await Promise.all(
    asked.map(async (tag) => {
      const all = await issues.facetValues(scope, tag.key, '', VALUES_MAX)
      return [tag.key, spreadOf(tag, { values: all, total: totals.get(tag.key) ?? 0 })] as const
    }),
  )
  return Object.fromEntries(spreads.filter((entry): entry is [string, number] => entry[1] !== null))
}

/** Half of what the shares of all values differ by; what is not told apart is one value. */
export function spreadOf(
  { values, total }: Pick<TagDistribution, 'values' | 'total'>,
  all: {
    readonly values: readonly { readonly value: string; readonly count: number }[]
    readonly total: number
  },
): number | null {
  if (total === 0 || all.total === 0) return null
  const everywhere = new Map(all.values.map(({ value, count }) => [value, Math.min(1, count / all.total)]))
  let [sum, own, others] = [0, 0, 0]
  for (const { value, count } of values) {
    const [share, usual] = [count / total, everywhere.get(value) ?? 0]
    sum += Math.abs(share - usual)
    own += share
    others += usual
  }
  sum += Math.abs(Math.max(0, 1 - own) - Math.max(0, 1 - others))
  return (Math.min(1, sum / 2) * total) / (total + HALF_WEIGHT_EVENTS)
}
