/** Colours of an issue's trend: red for a regression, yellow while it escalates. */
import type { TrendState } from '#ui/charts/trend-tones.ts'

export function trendState({
  status,
  substatus,
  statusChangedMs,
}: {
  readonly status: string
  readonly substatus: string | null
  readonly statusChangedMs: number
}): TrendState | null {
  if (status !== 'unresolved') return null
  if (substatus === 'escalating') return { tone: 'warn', fromMs: statusChangedMs }
  return substatus === 'regressed' ? { tone: 'bad', fromMs: statusChangedMs } : null
}
