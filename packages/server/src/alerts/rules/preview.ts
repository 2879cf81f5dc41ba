/** Previews a rule from figures by the hour, and is as accurate as those are. */
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type {
  FrequencyWhen,
  IncreaseWhen,
  Measure,
  MetricWhen,
  QuietHours,
  RuleDraft,
  RuleReceiver,
  RuleState,
} from '#model/alert-rule.ts'
import type { IssueHour } from '#ports/alerts.ts'
import { DurationSketch } from '#requests/sketch.ts'
import { escalationLimit } from './forecast.ts'
import { reachesReceiver, stateAfter, worseOf } from './metric-state.ts'
import { quietUntil } from './quiet-hours.ts'

/** A stay of a metric away from normal, or a firing for an issue. */
export interface PastFiring {
  readonly startedMs: number
  /** `null` while it lasts. */
  readonly endedMs: number | null
  readonly level: 'info' | 'warning' | 'critical'
  readonly extreme: number | null
  /** Issue it was about; for a metric the issue that most of it was, `null` if unknown. */
  readonly issueId: number | null
}

export interface Preview {
  readonly startMs: number
  readonly endMs: number
  /**
   * Values of a metric by the hour, also where there was too little to conclude from; `null` if nothing is
   * known.
   */
  readonly values: readonly (number | null)[] | null
  /** Whether each of them is of at least as much as the rule asks for. */
  readonly enough: readonly boolean[] | null
  /** `null`: the rule has no minimum. */
  readonly minimum: Minimum | null
  /** Oldest first. */
  readonly firings: readonly PastFiring[]
  readonly messages: number
  /** Number of those sent in quiet hours, or held back by them. */
  readonly atNight: number
  /** Limits of the figures, in words. */
  readonly notes: readonly string[]
  /** How often it would have fired with something else; only where that can be told. */
  readonly variants: readonly { readonly label: string; readonly times: number }[]
}

/** Traffic beside a rule's minimum. */
export interface Minimum {
  /** Hours in which there was something to measure, and those of them with enough. */
  readonly hours: number
  readonly enough: number
  /** The largest volume of a window. */
  readonly most: number
  /** The worst of what was measured with too little; `null` where nothing was. */
  readonly worst: number | null
  /** Values with which the rule can fire, where it cannot as it is. */
  readonly offers: readonly MinimumOffer[]
}

export interface MinimumOffer {
  readonly windowMinutes: number
  readonly atLeast: number
  /** How often it would have fired. */
  readonly times: number
}

/** Value of the window that ends with an hour. `volume` is compared with the minimum. */
export interface WindowValue {
  readonly value: number | null
  readonly volume: number
}

/** Sum that an hour adds to each window it is in. */
export interface PreviewHourSum {
  readonly count: number
  /** Number of failures among them; 0 if nothing can fail. */
  readonly failed: number
  /** Volume compared with the minimum. */
  readonly volume: number
  /** Durations as a sketch; `null` if there are none. */
  readonly sketch: Uint8Array | null
}

export interface WindowSum {
  readonly count: number
  readonly failed: number
  readonly sketch: DurationSketch
}

export interface HourRange {
  readonly startHour: number
  /** Not in it. */
  readonly endHour: number
}

/** Each window as a rule measures it: its hours together, and of one below an hour its share. */
export function sumWindows(
  hours: readonly PreviewHourSum[],
  windowMinutes: number,
  conclude: (window: WindowSum) => number | null,
): readonly WindowValue[] {
  const share = Math.min(1, windowMinutes / 60)
  const length = Math.max(1, Math.round(windowMinutes / 60))
  return hours.map((_, at) => {
    const window = hours.slice(Math.max(0, at - length + 1), at + 1)
    const of = (value: (hour: PreviewHourSum) => number) =>
      share * window.reduce((sum, hour) => sum + value(hour), 0)
    const sketch = new DurationSketch()
    for (const hour of window) if (hour.sketch !== null) sketch.merge(hour.sketch)
    const value = conclude({ count: of(({ count }) => count), failed: of(({ failed }) => failed), sketch })
    return { value, volume: of(({ volume }) => volume) }
  })
}

const DAY_HOURS = 24

/**
 * Days whose figures were joined stand in their first hour: they are spread over their hours evenly. `startHour`: of the
 * first; days are those of UTC.
 */
export function spreadDays(hours: readonly PreviewHourSum[], startHour: number): readonly PreviewHourSum[] {
  const days = new Map<number, { readonly first: PreviewHourSum; readonly isJoined: boolean }>()
  for (const [at, hour] of hours.entries()) {
    const day = Math.floor((startHour + at) / DAY_HOURS)
    const known = days.get(day)
    if ((startHour + at) % DAY_HOURS === 0) days.set(day, { first: hour, isJoined: hour.count > 0 })
    else if (known !== undefined && hour.count > 0) days.set(day, { ...known, isJoined: false })
  }
  // What is kept by the hour may have a day with one busy hour: only what is old enough was joined.
  const joinedUntil = startHour + hours.length - max('requestHoursKept')
  return hours.map((hour, at) => {
    const day = Math.floor((startHour + at) / DAY_HOURS)
    const { first, isJoined } = days.get(day) ?? { first: hour, isJoined: false }
    if (!isJoined || (day + 1) * DAY_HOURS > joinedUntil) return hour
    const { count, failed, volume, sketch } = first
    return { count: count / DAY_HOURS, failed: failed / DAY_HOURS, volume: volume / DAY_HOURS, sketch }
  })
}

export function metricFirings(
  when: MetricWhen,
  windows: readonly WindowValue[],
  startHour: number,
): readonly PastFiring[] {
  const firings: { -readonly [Name in keyof PastFiring]: PastFiring[Name] }[] = []
  let state: RuleState = 'ok'
  for (const [at, { value: given, volume }] of windows.entries()) {
    const value = volume >= when.atLeast ? given : null
    const now: RuleState = stateAfter(state, when, value)
    const atMs = (startHour + at) * HOUR_MS
    const last = firings.at(-1)
    if (now !== 'ok' && state === 'ok')
      firings.push({ startedMs: atMs, endedMs: null, level: now, extreme: value, issueId: null })
    else if (last !== undefined && now !== 'ok') {
      last.extreme = worseOf(when, last.extreme, value)
      if (now === 'critical') last.level = 'critical'
    } else if (last !== undefined && state !== 'ok') last.endedMs = atMs
    state = now
  }
  return firings
}

/** Keeps firings that the rule's period allows: at most one per issue and period. */
export function onceInAWhile(
  moments: readonly { readonly issueId: number; readonly atMs: number }[],
  everyMinutes: number,
): readonly PastFiring[] {
  const last = new Map<number, number>()
  const firings: PastFiring[] = []
  for (const { issueId, atMs } of moments) {
    const before = last.get(issueId)
    if (before !== undefined && (everyMinutes === 0 || atMs - before < everyMinutes * MINUTE_MS)) continue
    last.set(issueId, atMs)
    firings.push({ startedMs: atMs, endedMs: atMs, level: 'info', extreme: null, issueId })
  }
  return firings
}

/** When issues met a count, by the hour; the range begins `lead` hours before what is asked for. */
export function countedMoments(
  when: FrequencyWhen | IncreaseWhen,
  hours: readonly IssueHour[],
  startHour: number,
): readonly { readonly issueId: number; readonly atMs: number }[] {
  const length = Math.max(1, Math.round(when.withinMinutes / 60))
  return byIssue(hours).flatMap(([issueId, counts]) =>
    [...counts.keys()]
      .filter((hour) => hour >= startHour)
      .filter((hour) => {
        const now = sumHours(counts, hour, length)
        if (now < when.atLeast) return false
        return (
          when.on === 'frequency' || now >= when.times * Math.max(1, sumHours(counts, hour - length, length))
        )
      })
      .map((hour) => ({ issueId, atMs: hour * HOUR_MS })),
  )
}

export type Moments = readonly { readonly issueId: number; readonly atMs: number }[]

/** Moments at which an issue met everything that is asked, by the hour, since counts are kept by it. */
export function momentsAtOnce(found: readonly Moments[]): Moments {
  const [first = [], ...others] = found.map(lastByHour)
  return [...first].flatMap(([key, moment]) => {
    const beside = others.map((moments) => moments.get(key))
    if (beside.includes(undefined)) return []
    return [{ ...moment, atMs: Math.max(moment.atMs, ...beside.map((other) => other?.atMs ?? 0)) }]
  })
}

function lastByHour(moments: Moments): ReadonlyMap<string, Moments[number]> {
  return new Map(
    moments
      .toSorted((a, b) => a.atMs - b.atMs)
      .map((moment) => [`${moment.issueId} ${Math.floor(moment.atMs / HOUR_MS)}`, moment]),
  )
}

/** When issues exceeded their forecasts; one that still does begins no new escalation. */
export function escalationMoments(
  hours: readonly IssueHour[],
  startHour: number,
): readonly { readonly issueId: number; readonly atMs: number }[] {
  return byIssue(hours).flatMap(([issueId, counts]) => {
    const first = Math.min(...counts.keys())
    let isEscalating = false
    return [...counts]
      .filter(([hour]) => hour >= startHour)
      .flatMap(([hour, count]) => {
        const limit = escalationLimit(counts, hour, first)
        const isBeyond = limit !== null && count > limit
        const begins = isBeyond && !isEscalating
        isEscalating = isBeyond
        return begins ? [{ issueId, atMs: hour * HOUR_MS }] : []
      })
  })
}

function byIssue(hours: readonly IssueHour[]): readonly (readonly [number, ReadonlyMap<number, number>])[] {
  const issues = new Map<number, Map<number, number>>()
  for (const { issueId, hour, count } of hours) {
    const counts = issues.get(issueId) ?? new Map<number, number>()
    issues.set(issueId, counts)
    counts.set(hour, count)
  }
  return [...issues]
}

function sumHours(counts: ReadonlyMap<number, number>, last: number, length: number): number {
  let sum = 0
  for (let hour = last - length + 1; hour <= last; hour++) sum += counts.get(hour) ?? 0
  return sum
}

/** Messages that firings would have caused, one a receiver; of a metric one more when it is over. */
export function messagesFor(
  { kind, notify }: RuleDraft,
  firings: readonly PastFiring[],
  quiet: QuietHours,
): { readonly messages: number; readonly atNight: number } {
  const hears = ({ level }: PastFiring) =>
    notify.filter(({ fromLevel }: RuleReceiver) => level === 'info' || reachesReceiver(level, fromLevel))
      .length
  const isNight = (atMs: number) => quietUntil({ ...quiet, isOn: true }, atMs) !== null
  let [messages, atNight] = [0, 0]
  for (const firing of firings) {
    const told = hears(firing) * (kind === 'metric' && firing.endedMs !== null ? 2 : 1)
    messages += told
    if (isNight(firing.startedMs)) atNight += told
  }
  return { messages, atNight }
}

/** The rule with one thing changed, for "would have fired so often". */
export function variantsOf(
  when: MetricWhen,
): readonly { readonly label: string; readonly when: MetricWhen }[] {
  const scaled = (factor: number): MetricWhen => {
    const by = (value: number | null) => (value === null ? null : value * factor)
    return { ...when, critical: by(when.critical), warning: by(when.warning), resolved: by(when.resolved) }
  }
  const isShare = (measure: Measure) => measure.of === 'crash-free' || measure.of === 'apdex'
  const thresholds = isShare(when.measure)
    ? []
    : [
        { label: 'half the thresholds', when: scaled(0.5) },
        { label: 'double the thresholds', when: scaled(2) },
      ]
  const volume =
    when.atLeast > 0
      ? [{ label: `at least ${when.atLeast * 4}`, when: { ...when, atLeast: when.atLeast * 4 } }]
      : []
  return [...thresholds, ...volume]
}
