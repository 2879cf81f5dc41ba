/** The stretches of time that lists and charts offer, back from now. */
export const RANGES = [
  { key: '1h', label: 'Last hour', short: '1 h', ms: 3_600_000 },
  { key: '24h', label: 'Last 24 hours', short: '24 h', ms: 86_400_000 },
  { key: '7d', label: 'Last 7 days', short: '7 d', ms: 7 * 86_400_000 },
  { key: '14d', label: 'Last 14 days', short: '14 d', ms: 14 * 86_400_000 },
  { key: '30d', label: 'Last 30 days', short: '30 d', ms: 30 * 86_400_000 },
  { key: '90d', label: 'Last 90 days', short: '90 d', ms: 90 * 86_400_000 },
] as const
export type RangeKey = (typeof RANGES)[number]['key']

export function rangeOf(key: RangeKey): (typeof RANGES)[number] {
  return RANGES.find((range) => range.key === key) ?? RANGES[3]
}
