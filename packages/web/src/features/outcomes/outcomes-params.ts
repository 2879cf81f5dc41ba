import { type ChosenRange, chosenQuery, readChosenRange } from '#parts/chosen-range.ts'
import { RANGES, type RangeKey } from '#parts/ranges.ts'

/** The outcomes' address in parts. */
export interface OutcomesAddress {
  readonly project: string | null
  readonly key: number | null
  readonly range: RangeKey
  /** Part of the chart that was chosen, in place of the range. */
  readonly chosen: ChosenRange | null
}

export function readOutcomesAddress(search: URLSearchParams): OutcomesAddress {
  const key = Number(search.get('key') ?? '')
  return {
    project: search.get('project') || null,
    key: Number.isSafeInteger(key) && key > 0 ? key : null,
    range: RANGES.find((range) => range.key === search.get('range'))?.key ?? '24h',
    chosen: readChosenRange(search),
  }
}

/** A key belongs to a project: choosing another one forgets it. */
export function outcomesQuery(address: OutcomesAddress, change: Partial<OutcomesAddress> = {}) {
  const forgotten = {
    ...(change.project === undefined ? {} : { key: null }),
    ...(change.range === undefined ? {} : { chosen: null }),
  }
  const next = { ...address, ...forgotten, ...change }
  const range = next.chosen !== null || next.range === '24h' ? null : next.range
  return { project: next.project, key: next.key, range, ...chosenQuery(next.chosen) }
}
