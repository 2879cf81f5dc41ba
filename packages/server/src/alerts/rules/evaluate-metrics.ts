/** Metric rules: measure by sets, conclude, tell. */
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import type { AlertMessage, AlertMetric } from '#model/alert-message.ts'
import {
  isMuted,
  type Measure,
  type MetricRule,
  type MetricWhen,
  type RuleReceiver,
  type RuleState,
} from '#model/alert-rule.ts'
import { conditionOf, measureWords, valueWords, volumeWords } from '#model/alert-words.ts'
import type { NewMessage } from '#ports/messages.ts'
import type {
  AlertStore,
  BusiestQuery,
  FailingAction,
  FiringChange,
  NewFiring,
  OrgProject,
  RuleStateRow,
  TellingOrg,
} from './alert-store.ts'
import {
  askRuleFigures,
  lastWeekAsks,
  lastWeekValue,
  type Measured,
  type MeasureOf,
  measureAsks,
  measureValue,
  namedBy,
} from './measures.ts'
import { tell } from './messages.ts'
import { reachesReceiver, stateAfter, worseOf } from './metric-state.ts'
import type { SlotRange } from './slots.ts'
import { CALM } from './storms.ts'
import { STEP_COSTS, type TurnWork, tellingSteps } from './turn-work.ts'

export interface MetricTurn {
  readonly fired: number
  readonly messages: number
  /** How many of the rules were evaluated: it ends once it worked enough, behind the first of them. */
  readonly done: number
}

/** A rule beside what was measured of it. */
interface Concluded {
  readonly of: MeasureOf
  readonly rule: MetricRule
  readonly before: RuleStateRow
  readonly level: RuleState
  readonly value: number | null
  readonly measured: Measured
  /** The only one that it looks at. */
  readonly project: OrgProject | null
  readonly nowMs: number
}

export async function evaluateMetrics(
  store: AlertStore,
  rules: readonly MetricRule[],
  { nowMs, work }: { readonly nowMs: number; readonly work: TurnWork },
): Promise<MetricTurn> {
  const concluded = await concludeMetrics(store, rules, { nowMs, work })
  const steps: { readonly one: Concluded; readonly step: Step }[] = []
  const all = concluded.map((one) => ({ one, step: stepOf(one) }))
  const telling = all.filter(({ step }) => step.say !== null).map(({ one }) => one.rule.orgId)
  const members = telling.length === 0 ? null : await store.memberCounts([...new Set(telling)])
  for (const { one, step } of all) {
    if (steps.length > 0 && work.isEnough) break
    const said = step.say === null ? 0 : saidSteps(one, members?.get(one.rule.orgId) ?? 0)
    work.add(1 + (step.firing === null ? 0 : STEP_COSTS.firing) + said)
    steps.push({ one, step })
  }
  const messages = await saveMetrics(store, steps, nowMs)
  return { fired: steps.filter(({ step }) => step.firing !== null).length, messages, done: steps.length }
}

/** True if a rule can be evaluated as it is stored, whatever is measured; throws where it cannot. */
export function canMeasure(rule: MetricRule): boolean {
  const { when, notify } = rule
  const of: MeasureOf = { rule, projects: [], nowMs: 0, release: namedBy(rule.if.conditions, 'release') }
  const before = { ...CALM, sinceMs: 0 }
  const asked = [measureAsks(of), lastWeekAsks(of)].flatMap((asks) => asks?.slots ?? [])
  const { say: said } = stepOf({ rule, before, level: stateAfter('ok', when, 0), value: 0, nowMs: 0 })
  notify.filter((receiver) => said?.to(receiver))
  const words = [conditionOf(when, 'critical'), measureWords(when.measure), volumeWords(when.measure)]
  return (
    [...words, valueWords(when.measure, 0)].every((text) => typeof text === 'string') &&
    asked.every(isRangeWhole)
  )
}

function isRangeWhole({ first, last }: SlotRange): boolean {
  return Number.isSafeInteger(first) && Number.isSafeInteger(last)
}

function saidSteps({ rule }: Concluded, members: number): number {
  return STEP_COSTS.told + tellingSteps(rule.notify, members)
}

async function concludeMetrics(
  store: AlertStore,
  rules: readonly MetricRule[],
  { nowMs, work }: { readonly nowMs: number; readonly work: TurnWork },
): Promise<readonly Concluded[]> {
  const looked = await lookAtMetrics(store, rules, nowMs)
  const figures = await askRuleFigures(
    store,
    looked.map(({ of }) => measureAsks(of)),
  )
  const states = await store.states(rules.map(({ id }) => id))
  const measured = looked.flatMap(({ of, project }, at) => {
    const found = figures[at]
    if (found === undefined) return []
    work.add(found.slots.reduce((sum, rows) => sum + STEP_COSTS.slots + rows.length, 0))
    const one = measureValue(of, found)
    const value = isEnough(of.rule.when, one) ? one.value : null
    const before = states.get(of.rule.id) ?? { ...CALM, sinceMs: nowMs }
    const level = stateAfter(before.level, of.rule.when, value)
    return [{ of, rule: of.rule, before, level, value, measured: one, project, nowMs }]
  })
  return compareWithLastWeek(store, measured)
}

interface LookedAt {
  readonly of: MeasureOf
  readonly project: OrgProject | null
}

async function lookAtMetrics(
  store: AlertStore,
  rules: readonly MetricRule[],
  nowMs: number,
): Promise<readonly LookedAt[]> {
  const byOrg = Map.groupBy(
    await store.projectsOf([...new Set(rules.map(({ orgId }) => orgId))]),
    ({ orgId }) => orgId,
  )
  const looked = rules.map((rule) => {
    const all = byOrg.get(rule.orgId) ?? []
    const chosen = rule.projects === null ? null : new Set(rule.projects)
    const projects = chosen === null ? all : all.filter(({ id }) => chosen.has(id))
    return { rule, projects, named: namedBy(rule.if.conditions, 'release') }
  })
  const asking = looked.flatMap(({ rule, projects: [first], named }) =>
    named === 'latest' && rule.when.measure.of === 'crash-free' && first !== undefined ? [first.id] : [],
  )
  const latest = asking.length === 0 ? new Map<number, string>() : await store.latestReleases(asking)
  return looked.map(({ rule, projects, named }) => {
    const [only] = projects
    const release = named === 'latest' && only !== undefined ? (latest.get(only.id) ?? null) : named
    const of = { rule, projects: projects.map(({ id }) => id), nowMs, release }
    return { of, project: projects.length === 1 && only !== undefined ? only : null }
  })
}

export function isEnough(when: MetricWhen, { volume }: Pick<Measured, 'volume'>): boolean {
  return when.measure.of === 'silence' || volume >= when.atLeast
}

/** Beyond a threshold alone does not do where the rule asks for a change against the same hour last week too. */
async function compareWithLastWeek(
  store: AlertStore,
  measured: readonly Concluded[],
): Promise<readonly Concluded[]> {
  const asked = measured.map((one) => {
    const { before, level, value, rule, of } = one
    const isAsked =
      level !== 'ok' && before.level === 'ok' && value !== null && rule.when.timesLastWeek !== null
    return { one, asks: isAsked ? lastWeekAsks(of) : null }
  })
  const figures = await askRuleFigures(
    store,
    asked.map(({ asks }) => asks ?? {}),
  )
  return asked.map(({ one, asks }, at) => {
    const found = figures[at]
    if (asks === null || found === undefined) return one
    return isChanged(one.rule.when, one.value, lastWeekValue(one.of, found)) ? one : { ...one, level: 'ok' }
  })
}

/** Without a week of figures there is nothing to compare with: the threshold alone decides. */
export function isChanged(
  { timesLastWeek, direction }: Pick<MetricWhen, 'timesLastWeek' | 'direction'>,
  value: number | null,
  then: number | null,
): boolean {
  if (then === null || value === null || timesLastWeek === null) return true
  return direction === 'above' ? value >= timesLastWeek * then : value * timesLastWeek <= then
}

/** Outcome of a rule: its state, its firing, and what is said of it. */
export interface Step {
  readonly state: RuleStateRow
  /** A firing begins; the state takes its id. */
  readonly firing: Pick<NewFiring, 'level' | 'extreme'> | null
  readonly change: FiringChange | null
  readonly say: Saying | null
}

interface Saying {
  readonly moment: AlertMessage['moment']
  readonly level: RuleState
  readonly to: (receiver: Pick<RuleReceiver, 'fromLevel'>) => boolean
}

export type Stepping = Pick<Concluded, 'before' | 'level' | 'value' | 'nowMs'> & {
  readonly rule: Pick<MetricRule, 'when' | 'everyMinutes'>
}

export function stepOf(given: Stepping): Step {
  const { before, level } = given
  if (level === before.level) return goOn(given)
  return level === 'ok' ? end(given) : change(given, level)
}

const NOTHING = { firing: null, change: null, say: null } as const

/** The same as before: said again after the rule's period. */
function goOn(given: Stepping): Step {
  const { rule, before, level, value, nowMs } = given
  if (level === 'ok' || before.firingId === null) return { ...NOTHING, state: { ...before, value } }
  const isDue = rule.everyMinutes > 0 && nowMs - (before.toldMs ?? nowMs) >= rule.everyMinutes * MINUTE_MS
  return {
    ...NOTHING,
    state: { ...before, value, toldMs: isDue ? nowMs : before.toldMs },
    change: extremeOf(given, before.firingId),
    say: isDue ? { moment: 'still', level, to: ({ fromLevel }) => reachesReceiver(level, fromLevel) } : null,
  }
}

/** Another level than before: a firing begins, or the one that lasts gets worse or better. */
function change(given: Stepping, level: 'warning' | 'critical'): Step {
  const { before, value, nowMs } = given
  const state = { level, sinceMs: nowMs, value, toldMs: nowMs, stormMs: null, firingId: before.firingId }
  if (before.firingId === null) {
    const to: Saying['to'] = ({ fromLevel }) => reachesReceiver(level, fromLevel)
    return { state, firing: { level, extreme: value }, change: null, say: { moment: 'fired', level, to } }
  }
  const extreme = extremeOf(given, before.firingId)
  if (level === 'critical')
    return {
      ...NOTHING,
      state,
      change: { id: before.firingId, ...extreme, level },
      say: { moment: 'fired', level, to: () => true },
    }
  // Whoever hears of critical alone hears that it is over.
  const to: Saying['to'] = ({ fromLevel }) => fromLevel === 'critical'
  return { ...NOTHING, state, change: extreme, say: { moment: 'resolved', level: 'ok', to } }
}

function end({ before, value, nowMs }: Stepping): Step {
  const state = { ...CALM, value, sinceMs: nowMs }
  if (before.firingId === null) return { ...NOTHING, state }
  return {
    ...NOTHING,
    state,
    change: { id: before.firingId, endedMs: nowMs },
    say: { moment: 'resolved', level: 'ok', to: ({ fromLevel }) => reachesReceiver(before.level, fromLevel) },
  }
}

function extremeOf({ rule, before, value }: Stepping, id: number): FiringChange | null {
  const worst = worseOf(rule.when, before.value, value)
  return worst === before.value ? null : { id, extreme: worst }
}

type Stepped = readonly { readonly one: Concluded; readonly step: Step }[]

/** Answers how many messages are queued. */
async function saveMetrics(store: AlertStore, steps: Stepped, nowMs: number): Promise<number> {
  const shown = await readShown(store, steps)
  const begun = steps.flatMap(({ one, step: { firing } }) =>
    firing === null ? [] : [{ ruleId: one.rule.id, row: metricFiring(one, firing, shown) }],
  )
  const ids = begun.length === 0 ? [] : await store.addFirings(begun.map(({ row }) => row))
  const firingIds = new Map(begun.map(({ ruleId }, at) => [ruleId, ids[at] ?? null]))
  const changes = steps.flatMap(({ step }) => step.change ?? [])
  if (changes.length > 0) await store.changeFirings(changes)
  await store.putStates(
    steps.map(({ one: { rule }, step: { state } }) => ({
      ...{ ...state, ruleId: rule.id, firingId: firingIds.get(rule.id) ?? state.firingId },
    })),
  )
  const orgs = await store.organisations([...new Set(steps.map(({ one }) => one.rule.orgId))])
  const said = steps.flatMap(({ one, step: { say: saying, state } }) => {
    const org: TellingOrg | undefined = orgs.get(one.rule.orgId)
    const firingId = firingIds.get(one.rule.id) ?? state.firingId ?? one.before.firingId
    if (saying === null || org === undefined || firingId === null) return []
    return say({ one, saying, org, firingId, shown })
  })
  if (said.length > 0) await store.queueMessages(said, nowMs)
  return said.length
}

/** Facts that messages show beside the measure, by rule. */
interface Shown {
  readonly busiest: ReadonlyMap<number, IssueId>
  readonly issues: ReadonlyMap<IssueId, { readonly number: number }>
  readonly mostly: ReadonlyMap<IssueId, NonNullable<AlertMetric['mostly']>>
  readonly actions: ReadonlyMap<number, FailingAction>
  readonly levels: ReadonlyMap<number, NewFiring['level']>
}

async function readShown(store: AlertStore, steps: Stepped): Promise<Shown> {
  const showing = steps.filter(
    ({ step: { firing, say: saying } }) => firing !== null || (saying !== null && saying.level !== 'ok'),
  )
  const busiest = await askByRule(
    showing,
    ({ one }) => busiestAsked(one),
    (all) => store.busiestIssues(all),
  )
  const actions = await askByRule(
    showing,
    ({ one }) => actionAsked(one),
    (all) => store.failingActions(all),
  )
  const ids = [...new Set(busiest.values())]
  const told = ids.length === 0 ? new Map() : await store.told(ids)
  const ended = steps.flatMap(({ one: { before }, step: { say: saying } }) =>
    saying?.moment === 'resolved' && before.firingId !== null ? [before.firingId] : [],
  )
  return {
    busiest,
    actions,
    issues: ids.length === 0 ? new Map() : await store.issues(ids),
    mostly: new Map([...told].map(([id, { shortId, title }]) => [id, { shortId, title }])),
    levels: ended.length === 0 ? new Map() : await store.firingLevels(ended),
  }
}

/** Asks for those that ask at all; by rule, those that were answered. */
async function askByRule<Asked, Answer>(
  steps: Stepped,
  asked: (step: Stepped[number]) => Asked | null,
  ask: (all: readonly Asked[]) => Promise<readonly (Answer | null)[]>,
): Promise<ReadonlyMap<number, Answer>> {
  const asking = steps.flatMap((step) => {
    const one = asked(step)
    return one === null ? [] : [{ rule: step.one.rule.id, one }]
  })
  const answers = asking.length === 0 ? [] : await ask(asking.map(({ one }) => one))
  const found = asking.flatMap(({ rule }, at) => {
    const answer = answers[at] ?? null
    return answer === null ? [] : [[rule, answer] as const]
  })
  return new Map(found)
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
function busiestAsked({ rule, project, nowMs }: Concluded): BusiestQuery | null {
  if (project === null || !hasBusiest(rule)) return null
  const { measure } = rule.when
  const { route, kind } = 'route' in measure ? measure : { route: null, kind: null }
  return { project: project.id, startHour: startHourOf(rule, nowMs), route, kind, ...environmentOf(rule) }
}

/** Asks for the action that fails most, for a rule about failing actions. */
function actionAsked({ rule, project, nowMs }: Concluded): Omit<BusiestQuery, 'kind'> | null {
  const { measure } = rule.when
  if (project === null || measure.of !== 'failure-rate' || measure.kind !== 'action') return null
  const startHour = startHourOf(rule, nowMs)
  return { project: project.id, startHour, route: measure.route, ...environmentOf(rule) }
}

function startHourOf({ when: { windowMinutes } }: MetricRule, nowMs: number): number {
  return Math.floor((nowMs - windowMinutes * MINUTE_MS) / HOUR_MS)
}

function environmentOf(rule: MetricRule): Pick<BusiestQuery, 'environment'> {
  return { environment: namedBy(rule.if.conditions, 'environment') }
}

function metricFiring(
  one: Concluded,
  { level, extreme }: Pick<NewFiring, 'level' | 'extreme'>,
  shown: Shown,
): NewFiring {
  const { rule, project, nowMs } = one
  const { headline, because } = metricWords(one, one.level)
  const issueId = shown.busiest.get(rule.id) ?? null
  const issueNumber = issueId === null ? null : (shown.issues.get(issueId)?.number ?? null)
  return {
    ...{ ruleId: rule.id, projectId: project?.id ?? null, issueId, issueNumber, level },
    ...{ startedMs: nowMs, endedMs: null, extreme, headline, because },
    untold: isMuted(rule, nowMs) ? 'muted' : null,
  }
}

function metricWords({ rule, value }: Pick<Concluded, 'rule' | 'value'>, level: RuleState) {
  const said = value === null ? 'not enough data' : valueWords(rule.when.measure, value)
  const end = level === 'ok' ? 'OK again' : level
  return {
    headline: `${rule.name}: ${said}, ${end}`.slice(0, 200),
    because: conditionOf(rule.when, level),
    said,
  }
}

function say({
  one,
  saying: { moment, level, to },
  org,
  firingId,
  shown,
}: {
  readonly one: Concluded
  readonly saying: Saying
  readonly org: TellingOrg
  readonly firingId: number
  readonly shown: Shown
}): readonly NewMessage[] {
  const { rule, measured, project, nowMs } = one
  const { headline, because, said } = metricWords(one, level)
  const { measure } = rule.when
  const issue = shown.busiest.get(rule.id)
  return tell(rule, org, {
    ...{ firingId, project, nowMs, to },
    endsCritical: moment === 'resolved' && shown.levels.get(firingId) === 'critical',
    message: {
      ...{ moment, level, headline, because, story: `metric-${rule.id}-${firingId}` },
      metric: {
        ...{ name: measureWords(measure), value: said, condition: because },
        detail:
          measured.detail ??
          (measured.volume > 0 ? `${measured.volume.toLocaleString('en-US')} ${volumeWords(measure)}` : null),
        mostly: level === 'ok' || issue === undefined ? null : (shown.mostly.get(issue) ?? null),
        ...(level === 'ok' ? {} : actionWords(shown.actions.get(rule.id))),
      },
    },
  })
}

function actionWords(found: FailingAction | undefined): Pick<AlertMetric, 'action'> {
  if (found === undefined) return {}
  const [failed, count] = [found.failed, found.count].map((one) => Math.round(one).toLocaleString('en-US'))
  return { action: `${found.action}, ${failed} of ${count} failed` }
}
