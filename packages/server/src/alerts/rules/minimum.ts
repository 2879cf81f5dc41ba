/**
 * The least volume of a metric rule beside what there is: whether the rule can fire at all, and with which values it could.
 * Below it nothing is concluded, so a rule whose minimum is never reached is silent whatever fails.
 */
import { type MetricWhen, shortestWindow, WINDOWS_MINUTES } from '#model/alert-rule.ts'
import { type Minimum, type MinimumOffer, metricFirings, type WindowValue } from './preview.ts'

/** Least volume and window that traffic as it is reaches most of the time. */
export interface TrafficDefaults {
  readonly windowMinutes: number
  readonly atLeast: number
}

/** Fewer tell little of a share. */
const ENOUGH_REQUESTS = 20

/**
 * Returns how many hours were measured, how many had enough events for the rule, the most that one had, and the worst
 * value of those with too few. `null`: the rule has no minimum.
 */
export function minimumOf(when: MetricWhen, windows: readonly WindowValue[]): Omit<Minimum, 'offers'> | null {
  if (when.atLeast === 0 || when.measure.of === 'silence') return null
  const measured = windows.filter(({ volume }) => volume > 0)
  const few = measured.filter(({ volume }) => volume < when.atLeast).flatMap(({ value }) => value ?? [])
  const worst = few.reduce<number | null>((found, value) => {
    if (found === null) return value
    return when.direction === 'above' ? Math.max(found, value) : Math.min(found, value)
  }, null)
  return {
    hours: measured.length,
    enough: measured.filter(({ volume }) => volume >= when.atLeast).length,
    most: Math.floor(Math.max(0, ...measured.map(({ volume }) => volume))),
    worst,
  }
}

/** Windows that an offer may name besides the rule's own. */
export function longerWindows({ windowMinutes }: MetricWhen): readonly number[] {
  return WINDOWS_MINUTES.filter((minutes) => minutes > windowMinutes)
}

/** A lower minimum for the rule's own window; `null` where no window has anything. */
export function lowerMinimum(
  when: MetricWhen,
  windows: readonly WindowValue[],
  startHour: number,
): MinimumOffer | null {
  const atLeast = reachedMostly(windows)
  if (atLeast === 0) return null
  const times = metricFirings({ ...when, atLeast }, windows, startHour).length
  return { windowMinutes: when.windowMinutes, atLeast, times }
}

/** The minimum as it is, over a longer window; `null` where that is not reached either. */
export function overLonger(
  when: MetricWhen,
  { windows, startHour }: { readonly windows: readonly WindowValue[]; readonly startHour: number },
): MinimumOffer | null {
  if (!windows.some(({ volume }) => volume >= when.atLeast)) return null
  const { windowMinutes, atLeast } = when
  return { windowMinutes, atLeast, times: metricFirings(when, windows, startHour).length }
}

/** The shortest window in which there mostly is enough to tell. `windowsOf`: what each window has. */
export function defaultsOf(
  measure: MetricWhen['measure'],
  windowsOf: (windowMinutes: number) => readonly WindowValue[],
): TrafficDefaults | null {
  let last: TrafficDefaults | null = null
  for (const windowMinutes of WINDOWS_MINUTES) {
    if (windowMinutes < shortestWindow(measure)) continue
    const windows = windowsOf(windowMinutes)
    const atLeast = reachedMostly(windows)
    if (atLeast === 0) continue
    last = { windowMinutes, atLeast }
    if (medianOfAscending(volumesOf(windows)) >= ENOUGH_REQUESTS) return last
  }
  return last
}

/** Half of what is usual where there is anything, as people write numbers; 0 where there is nothing. */
function reachedMostly(windows: readonly WindowValue[]): number {
  const volumes = volumesOf(windows)
  const most = Math.floor(volumes.at(-1) ?? 0)
  return most < 1 ? 0 : Math.min(most, roundDown(Math.max(1, medianOfAscending(volumes) / 2)))
}

/** Ascending. */
function volumesOf(windows: readonly WindowValue[]): readonly number[] {
  return windows.flatMap(({ volume }) => (volume > 0 ? [volume] : [])).sort((one, other) => one - other)
}

function medianOfAscending(ascending: readonly number[]): number {
  return ascending[Math.floor(ascending.length / 2)] ?? 0
}

/** Rounds down to 1, 2 or 5 times a power of ten. */
function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const [step = 1] = [5, 2, 1].filter((one) => one * power <= value)
  return step * power
}
