import { RANGES, type RangeKey } from '#parts/ranges.ts'

/** The outcomes' address in parts. */
export interface OutcomesAddress {
  readonly project: string | null
  readonly key: number | null
  readonly range: RangeKey
}

export function readOutcomesAddress(search: URLSearchParams): OutcomesAddress {
  const key = Number(search.get('key') ?? '')
  return {
    project: search.get('project') || null,
    key: Number.isSafeInteger(key) && key > 0 ? key : null,
    range: RANGES.find((range) => range.key === search.get('range'))?.key ?? '24h',
  }
}

/** A key belongs to a project: choosing another one forgets it. */
export function outcomesQuery(address: OutcomesAddress, change: Partial<OutcomesAddress> = {}) {
  const next = { ...address, ...(change.project === undefined ? {} : { key: null }), ...change }
  return { project: next.project, key: next.key, range: next.range === '24h' ? null : next.range }
}
