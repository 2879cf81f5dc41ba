/** Metric rules: measure, conclude, tell. */
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { assert } from '#base/errors.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import type { AlertMessage, AlertMetric } from '#model/alert-message.ts'
import {
  isMuted,
  type Measure,
  type MetricRule,
  type MetricWhen,
  type RuleCondition,
  type RuleReceiver,
  type RuleState,
} from '#model/alert-rule.ts'
import { conditionOf, measureWords, valueWords, volumeWords } from '#model/alert-words.ts'
import { Sketch } from '#requests/sketch.ts'
import type { AlertStore, NamedProject, RuleStateRow } from './alert-store.ts'
import { CALM } from './evaluate-issues.ts'
import { tell } from './messages.ts'
import { reaches, stateAfter, worseOf } from './metric-state.ts'
import { metricKey, slotsOf, sumOfSlots } from './slots.ts'

/** `volume`: what `atLeast` is compared with. */
export interface Measured {
  readonly value: number | null
  readonly volume: number
  /** Counts such as `842 of 5,611 requests failed`. */
  readonly detail: string | null
}

interface Turn {
  readonly fired: number
  readonly messages: number
}

export function evaluateMetric(store: AlertStore, rule: MetricRule, nowMs: number): Turn {
  const projects = projectsOf(store, rule)
  const measured = measure(store, rule, { projects, nowMs })
  const value = isEnough(rule.when, measured) ? measured.value : null
  const before = store.state(rule.id) ?? { ...CALM, sinceMs: nowMs }
  const level = conclude(store, rule, { before: before.level, value, projects, nowMs })
  const [only] = projects
  const project = projects.length === 1 && only !== undefined ? only : null
  const given = { before, level, value, measured, project, nowMs }
  if (level === before.level) return goOn(store, rule, given)
  if (level === 'ok') return end(store, rule, given)
  return change(store, rule, { ...given, level })
}

function isEnough(when: MetricWhen, { volume }: Measured): boolean {
  return when.measure.of === 'silence' || volume >= when.atLeast
}

function projectsOf(store: AlertStore, { orgId, projects }: MetricRule): readonly NamedProject[] {
  const all = store.projects(orgId)
  const chosen = projects === null ? null : new Set(projects)
  return chosen === null ? all : all.filter(({ id }) => chosen.has(id))
}

interface Asked {
  readonly projects: readonly NamedProject[]
  readonly nowMs: number
}

function measure(store: AlertStore, rule: MetricRule, { projects, nowMs }: Asked): Measured {
  const { measure: asked, windowMinutes } = rule.when
  const ids = projects.map(({ id }) => id)
  switch (asked.of) {
    case 'silence':
      return silence(store, ids, nowMs)
    case 'outcomes':
      return lost(store, asked, { ids, startMs: nowMs - windowMinutes * MINUTE_MS, endMs: nowMs })
    case 'crash-free': {
      const endHour = Math.floor(nowMs / HOUR_MS) + 1
      return crashFree(store, rule, { ids, startHour: endHour - Math.ceil(windowMinutes / 60), endHour })
    }
    default: {
      const { width, first, last } = slotsOf(nowMs, windowMinutes)
      const sum = sumOfSlots(store.slots(metricKey(rule.id), width, first, last))
      return measuredOf(asked, sum)
    }
  }
}

interface Sums {
  readonly count: number
  readonly failed: number
  readonly users?: number
  readonly sketch: Sketch
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
function apdexOf(sketch: Sketch, thresholdMs: number): number | null {
  if (sketch.count === 0) return null
  let points = 0
  for (const { value, count } of sketch.bins())
    points += value <= thresholdMs ? count : value <= 4 * thresholdMs ? count / 2 : 0
  return points / sketch.count
}

const SILENCE_DAYS = 30

/** Measures silence: of several projects the longest; a project that never sent anything is not silent. */
function silence(store: AlertStore, ids: readonly ProjectId[], nowMs: number): Measured {
  const sinceMs = nowMs - SILENCE_DAYS * 24 * HOUR_MS
  const times = ids.map((id) => store.lastAcceptedMs(id, sinceMs)).filter((atMs) => atMs !== null)
  if (times.length === 0) return { value: null, volume: 0, detail: null }
  return { value: (nowMs - Math.min(...times)) / MINUTE_MS, volume: times.length, detail: null }
}

function lost(
  store: AlertStore,
  asked: Extract<Measure, { readonly of: 'outcomes' }>,
  {
    ids,
    startMs,
    endMs,
  }: { readonly ids: readonly ProjectId[]; readonly startMs: number; readonly endMs: number },
): Measured {
  const value = store.outcomes({ projects: ids, outcomes: asked.outcomes, category: null, startMs, endMs })
  return { value, volume: value, detail: null }
}

function crashFree(
  store: AlertStore,
  { when, if: { conditions } }: MetricRule,
  range: { readonly ids: readonly ProjectId[]; readonly startHour: number; readonly endHour: number },
): Measured {
  const { ids, startHour, endHour } = range
  const [only] = ids
  const named = namedBy(conditions, 'release')
  const release = named === 'latest' && only !== undefined ? store.latestRelease(only) : named
  const sessions = store.sessions({
    ...{ projects: ids, startHour, endHour, environment: namedBy(conditions, 'environment'), release },
  })
  const isPeople = when.measure.of === 'crash-free' && when.measure.what === 'users'
  const [all, crashed] = isPeople
    ? [sessions.people, sessions.crashedPeople]
    : [sessions.sessions, sessions.crashed]
  const value = all === 0 ? null : 100 * (1 - Math.min(crashed, all) / all)
  const of = isPeople ? 'users' : 'sessions'
  const detail = `${crashed.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} ${of} crashed`
  return { value, volume: sessions.sessions, detail }
}

export function namedBy(conditions: readonly RuleCondition[], is: 'environment' | 'release'): string | null {
  for (const one of conditions)
    if ((one.is === 'environment' || one.is === 'release') && one.is === is) return one.value
  return null
}

/** Beyond a threshold alone does not do where the rule asks for a change against the same hour last week too. */
function conclude(
  store: AlertStore,
  rule: MetricRule,
  { before, value, ...asked }: Asked & { readonly before: RuleState; readonly value: number | null },
): RuleState {
  const level = stateAfter(before, rule.when, value)
  const { timesLastWeek, direction } = rule.when
  if (level === 'ok' || before !== 'ok' || value === null || timesLastWeek === null) return level
  const then = lastWeek(store, rule, asked)
  // Without a week of figures there is nothing to compare with: the threshold alone decides.
  if (then === null) return level
  const isChanged = direction === 'above' ? value >= timesLastWeek * then : value * timesLastWeek <= then
  return isChanged ? level : 'ok'
}

/** The same hour a week ago, counts in proportion to the window; `null` where no figures by the hour are kept. */
function lastWeek(store: AlertStore, rule: MetricRule, { projects, nowMs }: Asked): number | null {
  const { measure: asked, windowMinutes } = rule.when
  const hours = Math.max(1, Math.round(windowMinutes / 60))
  const endHour = Math.floor(nowMs / HOUR_MS) - 167
  const startHour = endHour - hours
  const ids = projects.map(({ id }) => id)
  const share = windowMinutes / (hours * 60)
  const range = { startMs: startHour * HOUR_MS, endMs: endHour * HOUR_MS }
  switch (asked.of) {
    case 'users':
    case 'silence':
      return null
    case 'outcomes':
      return share * (lost(store, asked, { ids, ...range }).value ?? 0)
    case 'events':
      return share * store.outcomes({ projects: ids, outcomes: ['accepted'], category: 'error', ...range })
    case 'crash-free':
      return crashFree(store, rule, { ids, startHour, endHour }).value
    default: {
      const environment = namedBy(rule.if.conditions, 'environment')
      const { route, kind } = asked
      const rows = store.requestHours({ projects: ids, route, kind, environment, startHour, endHour })
      const { value } = measuredOf(asked, sumOfHours(rows))
      return value === null || asked.of !== 'requests' ? value : share * value
    }
  }
}

function sumOfHours(
  rows: readonly { readonly count: number; readonly failed: number; readonly sketch: Uint8Array }[],
): Sums {
  const sketch = new Sketch()
  for (const row of rows) sketch.merge(row.sketch)
  const of = (value: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + value(row), 0)
  return { count: of(({ count }) => count), failed: of(({ failed }) => failed), sketch }
}

interface Given {
  readonly before: RuleStateRow
  readonly level: RuleState
  readonly value: number | null
  readonly measured: Measured
  readonly project: NamedProject | null
  readonly nowMs: number
}

/** The same as before: said again after the rule's period. */
function goOn(store: AlertStore, rule: MetricRule, given: Given): Turn {
  const { before, level, value, nowMs } = given
  if (level === 'ok' || before.firingId === null) {
    store.putState(rule.id, { ...before, value })
    return { fired: 0, messages: 0 }
  }
  noteExtreme(store, rule, given)
  const isDue = rule.everyMinutes > 0 && nowMs - (before.toldMs ?? nowMs) >= rule.everyMinutes * MINUTE_MS
  store.putState(rule.id, { ...before, value, toldMs: isDue ? nowMs : before.toldMs })
  if (!isDue) return { fired: 0, messages: 0 }
  const to = ({ fromLevel }: RuleReceiver) => reaches(level, fromLevel)
  return {
    fired: 0,
    messages: say(store, rule, { ...given, moment: 'still', firingId: before.firingId, to }),
  }
}

/** Another level than before: a firing begins, or the one that lasts gets worse or better. */
function change(
  store: AlertStore,
  rule: MetricRule,
  given: Given & { readonly level: 'warning' | 'critical' },
): Turn {
  const { before, level, value, nowMs } = given
  const since = { level, sinceMs: nowMs, value, toldMs: nowMs, stormMs: null }
  if (before.firingId === null) {
    const { headline, because } = wordsOf(rule, given)
    const issueId = busiest(store, rule, given)
    const issueNumber = issueId === null ? null : (store.issue(issueId)?.number ?? null)
    const firingId = store.addFiring({
      ...{ ruleId: rule.id, projectId: given.project?.id ?? null, issueId, issueNumber, level },
      ...{ startedMs: nowMs, endedMs: null, extreme: value, headline, because },
      untold: isMuted(rule, nowMs) ? 'muted' : null,
    })
    store.putState(rule.id, { ...since, firingId })
    const to = ({ fromLevel }: RuleReceiver) => reaches(level, fromLevel)
    return { fired: 1, messages: say(store, rule, { ...given, moment: 'fired', firingId, to }) }
  }
  noteExtreme(store, rule, given)
  store.putState(rule.id, { ...since, firingId: before.firingId })
  const said = { ...given, firingId: before.firingId }
  if (level === 'critical') {
    store.changeFiring(before.firingId, { level })
    return { fired: 0, messages: say(store, rule, { ...said, moment: 'fired', to: () => true }) }
  }
  // Whoever hears of critical alone hears that it is over.
  const to = ({ fromLevel }: RuleReceiver) => fromLevel === 'critical'
  return { fired: 0, messages: say(store, rule, { ...said, level: 'ok', moment: 'resolved', to }) }
}

function end(store: AlertStore, rule: MetricRule, given: Given): Turn {
  const { before, value, nowMs } = given
  store.putState(rule.id, { ...CALM, value, sinceMs: nowMs })
  if (before.firingId === null) return { fired: 0, messages: 0 }
  store.changeFiring(before.firingId, { endedMs: nowMs })
  const to = ({ fromLevel }: RuleReceiver) => reaches(before.level, fromLevel)
  return {
    fired: 0,
    messages: say(store, rule, { ...given, moment: 'resolved', firingId: before.firingId, to }),
  }
}

function noteExtreme(store: AlertStore, rule: MetricRule, { before, value }: Given): void {
  assert(before.firingId !== null, 'a firing lasts')
  const worst = worseOf(rule.when, before.value, value)
  if (worst !== before.value) store.changeFiring(before.firingId, { extreme: worst })
}

/** Measures that rise with failures, each of which belongs to an issue. */
const FAILING: ReadonlySet<Measure['of']> = new Set(['events', 'users', 'failure-rate'])

export type BusiestDraft = Pick<MetricRule, 'when' | 'if'>

/** False where other conditions have a say, which issues by the hour know nothing of. */
export function hasBusiest({ when, if: { conditions } }: BusiestDraft): boolean {
  const { measure: asked, direction } = when
  return direction === 'above' && FAILING.has(asked.of) && conditions.every(({ is }) => is === 'environment')
}

/** `null` also where there are several projects, which not everyone may read. */
function busiest(
  store: AlertStore,
  rule: MetricRule,
  { project, nowMs }: Pick<Given, 'project' | 'nowMs'>,
): IssueId | null {
  if (project === null || !hasBusiest(rule)) return null
  const { measure: asked, windowMinutes } = rule.when
  const { conditions } = rule.if
  const { route, kind } = 'route' in asked ? asked : { route: null, kind: null }
  const startHour = Math.floor((nowMs - windowMinutes * MINUTE_MS) / HOUR_MS)
  const environment = namedBy(conditions, 'environment')
  return store.busiestIssue({ project: project.id, startHour, route, kind, environment })
}

function mostly(
  store: AlertStore,
  rule: MetricRule,
  given: Pick<Given, 'project' | 'nowMs'>,
): AlertMetric['mostly'] {
  const id = busiest(store, rule, given)
  if (id === null) return null
  const { shortId, title } = store.told(id)
  return { shortId, title }
}

/** Returns the action that fails most, for a rule about failing actions, if it has a name. */
function actionOf(
  store: AlertStore,
  { when, if: { conditions } }: MetricRule,
  { project, nowMs }: Pick<Given, 'project' | 'nowMs'>,
): Pick<AlertMetric, 'action'> {
  const { measure: asked, windowMinutes } = when
  if (project === null || asked.of !== 'failure-rate' || asked.kind !== 'action') return {}
  const startHour = Math.floor((nowMs - windowMinutes * MINUTE_MS) / HOUR_MS)
  const environment = namedBy(conditions, 'environment')
  const found = store.failingAction({ project: project.id, startHour, route: asked.route, environment })
  if (found === null) return {}
  const [failed, count] = [found.failed, found.count].map((one) => Math.round(one).toLocaleString('en-US'))
  return { action: `${found.action}, ${failed} of ${count} failed` }
}

function wordsOf(rule: MetricRule, { level, value }: Pick<Given, 'level' | 'value'>) {
  const { measure: asked } = rule.when
  const said = value === null ? 'not enough data' : valueWords(asked, value)
  const end = level === 'ok' ? 'OK again' : level
  return {
    headline: `${rule.name}: ${said}, ${end}`.slice(0, 200),
    because: conditionOf(rule.when, level),
    said,
  }
}

function say(
  store: AlertStore,
  rule: MetricRule,
  {
    moment,
    firingId,
    to,
    ...given
  }: Given & {
    readonly moment: AlertMessage['moment']
    readonly firingId: number
    readonly to: (receiver: RuleReceiver) => boolean
  },
): number {
  const { level, measured, project, nowMs } = given
  const { headline, because, said } = wordsOf(rule, given)
  const { measure: asked } = rule.when
  return tell(store, rule, {
    ...{ firingId, project, nowMs, to },
    endsCritical: moment === 'resolved' && store.firingLevel(firingId) === 'critical',
    message: {
      ...{ moment, level, headline, because, story: `metric-${rule.id}-${firingId}` },
      metric: {
        ...{ name: measureWords(asked), value: said, condition: because },
        detail:
          measured.detail ??
          (measured.volume > 0 ? `${measured.volume.toLocaleString('en-US')} ${volumeWords(asked)}` : null),
        mostly: level === 'ok' ? null : mostly(store, rule, given),
        ...(level === 'ok' ? {} : actionOf(store, rule, given)),
      },
    },
  })
}
