/** Ranges of an issue's trend, chosen by `?trend=`. */
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const TREND_RANGES = [
  { key: '24h', label: '24 h', ms: DAY_MS, stepMs: HOUR_MS },
  { key: '14d', label: '14 d', ms: 14 * DAY_MS, stepMs: HOUR_MS },
  { key: '90d', label: '90 d', ms: 90 * DAY_MS, stepMs: HOUR_MS },
] as const

type TrendRange = (typeof TREND_RANGES)[number]

/** Returns the range of a key. */
export function trendRangeOf(key: TrendRange['key']): TrendRange {
  return TREND_RANGES.find((range) => range.key === key) ?? TREND_RANGES[1]
}
