/** The shapes of figures as the queries answer them, and how they are compared. Pure. */
import type { Queries } from '@errata/server/queries'

export type PerformanceView = Awaited<ReturnType<Queries['performance']>>
export type RouteView = NonNullable<Awaited<ReturnType<Queries['route']>>>
export type RouteRow = PerformanceView['rows'][number]
export type ActionRow = PerformanceView['actions'][number]
export type WorseRoute = PerformanceView['worse'][number]
export type Figures = NonNullable<RouteView['before']>
/** From where on a number has a colour: see the limits. */
export interface Alarms {
  readonly failingShare: number
  readonly slowMs: number
}

/** Names a page among those of several projects. */
export function pageKey({ projectId, route }: Pick<RouteRow, 'projectId' | 'route'>): string {
  return `${projectId}\n${route}`
}

/** Too little for a colour. */
const FEW = 5

/** True if enough fail: one failed request of three is no state of a route. */
export function isFailing(failed: number, count: number, { failingShare }: Alarms): boolean {
  return count >= FEW && failed > 0 && failed / count >= failingShare
}

/** Percentiles of fewer requests are shown in grey, with how many they are of. */
export const FEW_REQUESTS = 30

export function isFew(count: number): boolean {
  return count < FEW_REQUESTS
}

export function isSlow(ms: number | null, { slowMs }: Alarms): boolean {
  return ms !== null && ms >= slowMs
}

/** Part by which `now` is above `before`; `null` where there is nothing to compare with. */
export function changeOf(now: number | null, before: number | null): number | null {
  return now === null || before === null || before <= 0 ? null : now / before - 1
}

/** `+8 %`, `−4 %`; what more than doubles is said as `× 3.2`. */
export function ratioText(change: number | null): string {
  if (change === null) return '–'
  if (change >= 1) return `× ${(change + 1).toFixed(change >= 9 ? 0 : 1)}`
  const percent = Math.round(change * 100)
  return percent === 0 ? '±0 %' : `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`
}

const SLOWER = 0.1

/** Worth a colour: a tenth slower, and by more than what nobody feels. */
export function isSlower(now: number | null, before: number | null): boolean {
  const change = changeOf(now, before)
  return now !== null && before !== null && change !== null && change >= SLOWER && now - before >= 20
}

/** Requests in a minute, as few digits as tell something. */
export function requestRateText(count: number, rangeMs: number): string {
  const perMinute = count / (rangeMs / 60_000)
  if (perMinute === 0) return '0'
  if (perMinute < 0.01) return '< 0.01'
  if (perMinute >= 100) return String(Math.round(perMinute))
  return perMinute.toFixed(perMinute < 1 ? 2 : 1)
}
