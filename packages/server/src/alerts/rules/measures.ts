/** Measures of metric rules: what each asks for, and its value from the answers. */
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import type { Measure, MetricRule, RequestMeasure, RuleCondition } from '#model/alert-rule.ts'
import type { RequestHour } from '#ports/alerts.ts'
import { DurationSketch } from '#requests/sketch.ts'
import type {
  AcceptedAsked,
  AlertStore,
  OutcomesAsked,
  RequestHoursAsked,
  SessionFigures,
  SessionsQuery,
} from './alert-store.ts'
import { metricKey, type SlotRange, type SlotRow, slotsOf, sumOfSlots } from './slots.ts'

/** `volume`: what `atLeast` is compared with. */
export interface Measured {
  readonly value: number | null
  readonly volume: number
  /** Counts such as `842 of 5,611 requests failed`. */
  readonly detail: string | null
}

/** Figures that a rule asks for, by sort. */
export interface RuleFiguresAsked {
  readonly slots?: readonly SlotRange[]
  readonly outcomes?: readonly OutcomesAsked[]
  readonly accepted?: readonly AcceptedAsked[]
  readonly sessions?: readonly SessionsQuery[]
  readonly requestHours?: readonly RequestHoursAsked[]
}

/** Answers in the order of what was asked. */
export interface RuleFigures {
  readonly slots: readonly (readonly SlotRow[])[]
  readonly outcomes: readonly number[]
  readonly accepted: readonly (number | null)[]
  readonly sessions: readonly SessionFigures[]
  readonly requestHours: readonly (readonly RequestHour[])[]
}

/** Range, projects and conditions that a rule looks at. */
export interface MeasureOf {
  readonly rule: MetricRule
  readonly projects: readonly ProjectId[]
  readonly nowMs: number
  /** The release that it names, the latest by its name. */
  readonly release: string | null
}

interface HourRange {
  readonly startHour: number
  readonly endHour: number
}

interface How {
  asks(of: MeasureOf): RuleFiguresAsked
  value(of: MeasureOf, figures: RuleFigures): Measured
  /** Asks for some hours of the past, a window of which is `share` of them; `null` where no figures by the hour are kept. */
  readonly past: {
    asks(of: MeasureOf, hours: HourRange): RuleFiguresAsked
    value(of: MeasureOf, given: { readonly figures: RuleFigures; readonly share: number }): number | null
  } | null
}

/** Asks once for each sort of figure, whatever rules there are. */
export async function askRuleFigures(
  store: AlertStore,
  asked: readonly RuleFiguresAsked[],
): Promise<readonly RuleFigures[]> {
  const slots = await askBySet(
    asked.map((one) => one.slots),
    (all) => store.slots(all),
  )
  const outcomes = await askBySet(
    asked.map((one) => one.outcomes),
    (all) => store.outcomes(all),
  )
  const accepted = await askBySet(
    asked.map((one) => one.accepted),
    (all) => store.lastAccepted(all),
  )
  const sessions = await askBySet(
    asked.map((one) => one.sessions),
    (all) => store.sessions(all),
  )
  const hours = await askBySet(
    asked.map((one) => one.requestHours),
    (all) => store.requestHours(all),
  )
  return asked.map((_, at) => ({
    slots: slots[at] ?? [],
    outcomes: outcomes[at] ?? [],
    accepted: accepted[at] ?? [],
    sessions: sessions[at] ?? [],
    requestHours: hours[at] ?? [],
  }))
}

async function askBySet<Asked, Answer>(
  asked: readonly (readonly Asked[] | undefined)[],
  ask: (all: readonly Asked[]) => Promise<readonly Answer[]>,
): Promise<readonly (readonly Answer[])[]> {
  const all = asked.flatMap((some) => some ?? [])
  const answers = all.length === 0 ? [] : await ask(all)
  let at = 0
  return asked.map((some) => {
    const first = at
    at += some?.length ?? 0
    return answers.slice(first, at)
  })
}

export function measureAsks(of: MeasureOf): RuleFiguresAsked {
  return MEASURES[of.rule.when.measure.of].asks(of)
}

export function measureValue(of: MeasureOf, figures: RuleFigures): Measured {
  return MEASURES[of.rule.when.measure.of].value(of, figures)
}

/** The same hour a week ago, counts in proportion to the window; `null` where nothing is kept by the hour. */
export function lastWeekAsks(of: MeasureOf): RuleFiguresAsked | null {
  return MEASURES[of.rule.when.measure.of].past?.asks(of, hoursLastWeek(of)) ?? null
}

export function lastWeekValue(of: MeasureOf, figures: RuleFigures): number | null {
  const { startHour, endHour } = hoursLastWeek(of)
  const share = of.rule.when.windowMinutes / ((endHour - startHour) * 60)
  return MEASURES[of.rule.when.measure.of].past?.value(of, { figures, share }) ?? null
}

function hoursLastWeek({ rule, nowMs }: MeasureOf): HourRange {
  const endHour = Math.floor(nowMs / HOUR_MS) - 167
  return { startHour: endHour - Math.max(1, Math.round(rule.when.windowMinutes / 60)), endHour }
}

const COUNTED = {
  asks: ({ rule, nowMs }: MeasureOf): RuleFiguresAsked => ({
    slots: [{ key: metricKey(rule.id), ...slotsOf(nowMs, rule.when.windowMinutes) }],
  }),
  value: ({ rule }: MeasureOf, { slots }: RuleFigures) =>
    measuredOf(rule.when.measure, sumOfSlots(slots[0] ?? [])),
}

const REQUESTS: How = {
  ...COUNTED,
  past: {
    asks({ rule: { when, if: given }, projects }, hours) {
      if (!('route' in when.measure)) return {}
      const { route, kind }: RequestMeasure = when.measure
      const environment = namedBy(given.conditions, 'environment')
      return { requestHours: [{ projects, route, kind, environment, ...hours }] }
    },
    value({ rule: { when } }, { figures, share }) {
      const { value } = measuredOf(when.measure, sumOfHours(figures.requestHours[0] ?? []))
      return value === null || when.measure.of !== 'requests' ? value : share * value
    },
  },
}

const PAST_OUTCOMES = (
  of: (rule: MetricRule) => Pick<OutcomesAsked, 'outcomes' | 'category'>,
): How['past'] => ({
  asks: ({ rule, projects }, { startHour, endHour }) => ({
    outcomes: [{ projects, ...of(rule), startMs: startHour * HOUR_MS, endMs: endHour * HOUR_MS }],
  }),
  value: (_, { figures, share }) => share * (figures.outcomes[0] ?? 0),
})

function lostOutcomes({ when: { measure } }: MetricRule): Pick<OutcomesAsked, 'outcomes' | 'category'> {
  return { outcomes: measure.of === 'outcomes' ? measure.outcomes : [], category: null }
}

const LOST: How = {
  asks: ({ rule, projects, nowMs }) => {
    const startMs = nowMs - rule.when.windowMinutes * MINUTE_MS
    return { outcomes: [{ projects, ...lostOutcomes(rule), startMs, endMs: nowMs }] }
  },
  value(_, { outcomes }) {
    const value = outcomes[0] ?? 0
    return { value, volume: value, detail: null }
  },
  past: PAST_OUTCOMES(lostOutcomes),
}

const SILENCE_DAYS = 30

/** Measures silence: of several projects the longest; a project that never sent anything is not silent. */
const SILENCE: How = {
  asks({ projects, nowMs }) {
    const sinceMs = nowMs - SILENCE_DAYS * 24 * HOUR_MS
    return { accepted: projects.map((project) => ({ project, sinceMs })) }
  },
  value({ nowMs }, { accepted }) {
    const times = accepted.filter((atMs) => atMs !== null)
    if (times.length === 0) return { value: null, volume: 0, detail: null }
    return { value: (nowMs - Math.min(...times)) / MINUTE_MS, volume: times.length, detail: null }
  },
  past: null,
}

function sessionsAsked({ rule, projects, release }: MeasureOf, hours: HourRange): RuleFiguresAsked {
  const environment = namedBy(rule.if.conditions, 'environment')
  return { sessions: [{ projects, ...hours, environment, release }] }
}

const CRASH_FREE: How = {
  asks(of) {
    const endHour = Math.floor(of.nowMs / HOUR_MS) + 1
    return sessionsAsked(of, { startHour: endHour - Math.ceil(of.rule.when.windowMinutes / 60), endHour })
  },
  value: ({ rule }, { sessions }) => crashFreeMeasure(rule, sessions[0]),
  past: {
    asks: sessionsAsked,
    value: ({ rule }, { figures }) => crashFreeMeasure(rule, figures.sessions[0]).value,
  },
}

function crashFreeMeasure({ when: { measure } }: MetricRule, sessions: SessionFigures | undefined): Measured {
  if (sessions === undefined) return { value: null, volume: 0, detail: null }
  const isPeople = measure.of === 'crash-free' && measure.what === 'users'
  const [all, crashed] = isPeople
    ? [sessions.people, sessions.crashedPeople]
    : [sessions.sessions, sessions.crashed]
  const value = all === 0 ? null : 100 * (1 - Math.min(crashed, all) / all)
  const of = isPeople ? 'users' : 'sessions'
  const detail = `${crashed.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} ${of} crashed`
  return { value, volume: sessions.sessions, detail }
}

const MEASURES: Readonly<Record<Measure['of'], How>> = {
  events: { ...COUNTED, past: PAST_OUTCOMES(() => ({ outcomes: ['accepted'], category: 'error' })) },
  users: { ...COUNTED, past: null },
  silence: SILENCE,
  outcomes: LOST,
  'crash-free': CRASH_FREE,
  requests: REQUESTS,
  'failure-rate': REQUESTS,
  apdex: REQUESTS,
  duration: REQUESTS,
}

interface Sums {
  readonly count: number
  readonly failed: number
  readonly users?: number
  readonly sketch: DurationSketch
}

/** Computes a measure from sums of events or requests; shared with previews. */
export function measuredOf(asked: Measure, { count, failed, users = 0, sketch }: Sums): Measured {
  const volume = Math.round(count)
  const said = volume.toLocaleString('en-US')
  switch (asked.of) {
    case 'users':
      return { value: users, volume, detail: `in ${said} events` }
    case 'failure-rate': {
      const detail = `${Math.round(failed).toLocaleString('en-US')} of ${said} requests failed`
      return { value: count === 0 ? null : (100 * Math.min(failed, count)) / count, volume, detail }
    }
    case 'apdex':
      return { value: apdexOf(sketch, asked.thresholdMs), volume, detail: `of ${said} requests` }
    case 'duration':
      return { value: sketch.quantile(asked.percentile / 100), volume, detail: `of ${said} requests` }
    default:
      return { value: volume, volume, detail: null }
  }
}

/** Satisfied up to the threshold, tolerating up to four times of it; requests that failed count by their time as well. */
function apdexOf(sketch: DurationSketch, thresholdMs: number): number | null {
  if (sketch.count === 0) return null
  let points = 0
  for (const { value, count } of sketch.bins())
    points += value <= thresholdMs ? count : value <= 4 * thresholdMs ? count / 2 : 0
  return points / sketch.count
}

export function namedBy(conditions: readonly RuleCondition[], is: 'environment' | 'release'): string | null {
  for (const one of conditions)
    if ((one.is === 'environment' || one.is === 'release') && one.is === is) return one.value
  return null
}

function sumOfHours(rows: readonly RequestHour[]): Sums {
  const sketch = new DurationSketch()
  for (const row of rows) sketch.merge(row.sketch)
  const of = (value: (row: RequestHour) => number) => rows.reduce((sum, row) => sum + value(row), 0)
  return { count: of(({ count }) => count), failed: of(({ failed }) => failed), sketch }
}
