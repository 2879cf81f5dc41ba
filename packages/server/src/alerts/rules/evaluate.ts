/**
 * Runs a turn of the beat in a transaction of its own: what waits; or, once a minute, metric rules and storms that are
 * over, so that neither undoes the other. Both go by stretches: a few are claimed, what all their rules ask is asked by sets, rules decide, and it is saved.
 */
import { issueId, type ProjectId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { type AlertRule, concerns, type IssueRule, isMuted, type MetricRule } from '#model/alert-rule.ts'
import { conditionWords, momentWords } from '#model/alert-words.ts'
import type { Evaluated } from '#ports/alerts.ts'
import type { AlertStore, Candidate, OrgProject } from './alert-store.ts'
import { evaluateStretch, type Looked, stepsOf } from './evaluate-issues.ts'
import { canMeasure, evaluateMetrics } from './evaluate-metrics.ts'
import { isForPresets, tellByPresets } from './evaluate-presets.ts'
import { countsAsked } from './moments.ts'
import { rangeName, slotsOf } from './slots.ts'
import { tellStorms } from './storms.ts'
import { STEP_COSTS, TurnWork } from './turn-work.ts'

interface Turn {
  readonly rules: readonly AlertRule[]
  readonly nowMs: number
  readonly work: TurnWork
}

export const NOTHING_DONE: Evaluated = {
  ...{ fired: 0, messages: 0, notices: 0, escalated: 0 },
  ...{ hasMore: false, metricsAfter: null, failedRules: [] },
}

type Part = { readonly waiting: 'all' | 'presets' } | { readonly metricsAfter: number }

/** Ends early once it worked enough, and says where it goes on. The benchmark finds it by its name. */
export async function evaluateRules(store: AlertStore, nowMs: number, part: Part): Promise<Evaluated> {
  const work = new TurnWork()
  if ('waiting' in part && part.waiting === 'presets') return tellWaiting(store, { nowMs, work })
  const turn = { rules: await store.rulesOn(), nowMs, work }
  if ('waiting' in part) return evaluateWaiting(store, turn)
  const { after, ...sum } = await evaluateMinute(store, turn, part.metricsAfter)
  return { ...NOTHING_DONE, ...sum, metricsAfter: after }
}

/** Tells by preset rules alone; other rules look at the same candidates later. */
async function tellWaiting(store: AlertStore, { nowMs, work }: Omit<Turn, 'rules'>): Promise<Evaluated> {
  const limit = max('alertCandidatesMax')
  const waiting = await store.candidatesForPresets(limit)
  let [from, notices] = [0, 0]
  while (from < waiting.length && !work.isEnough) {
    const some = stretchOf(waiting.slice(from), () => []).map(({ candidate }) => candidate)
    const issues = await store.issues([...new Set(some.map(({ issueId }) => issueId))])
    const seen = some.flatMap((candidate) => {
      const issue = issues.get(candidate.issueId)
      return issue === undefined ? [] : [{ candidate, issue }]
    })
    work.add(STEP_COSTS.preset * some.length)
    notices += await tellByPresets(store, seen, { nowMs, work })
    for (const { id } of some) await store.keepProgress(id, { after: 0, escalation: null })
    from += some.length
  }
  return { ...NOTHING_DONE, notices, hasMore: from < waiting.length || from === limit }
}

async function evaluateWaiting(store: AlertStore, { rules, nowMs, work }: Turn): Promise<Evaluated> {
  const sum = { fired: 0, messages: 0, notices: 0, escalated: 0 }
  const limit = max('alertCandidatesMax')
  const waiting = [...(await store.candidates(limit))]
  if (waiting.length === 0) return NOTHING_DONE
  const projects = await store.projects([...new Set(waiting.map(({ projectId }) => projectId))])
  const { sound, failedRules } = soundOf(rules.filter((rule) => rule.kind === 'issue'))
  await noteFailures(store, failedRules, nowMs)
  const rulesFor = rulesByProject(projects, sound)
  let from = 0
  while (from < waiting.length) {
    const looked = stretchOf(waiting.slice(from), rulesFor)
    const turn = await evaluateStretch(store, { looked, projects, nowMs, work })
    sum.fired += turn.fired
    sum.messages += turn.messages
    sum.notices += turn.notices
    sum.escalated += turn.escalated
    from += turn.done
    const next = waiting[from]
    if (next !== undefined && turn.progress !== null) waiting[from] = { ...next, progress: turn.progress }
    if (work.isEnough) break
  }
  return { ...NOTHING_DONE, ...sum, failedRules, hasMore: from < waiting.length || from === limit }
}

/** Rules that can be evaluated as they are stored, and the ids of others: a row may be what no build of today writes. */
function soundOf<Rule extends AlertRule>(
  rules: readonly Rule[],
): { readonly sound: readonly Rule[]; readonly failedRules: readonly number[] } {
  const sound = rules.filter(isRuleSound)
  const kept = new Set(sound)
  return { sound, failedRules: rules.filter((rule) => !kept.has(rule)).map(({ id }) => id) }
}

const KNOWN_SOUND = new WeakMap<AlertRule, boolean>()

/** Asked once of each as it was read. */
function isRuleSound(rule: AlertRule): boolean {
  const known = KNOWN_SOUND.get(rule)
  if (known !== undefined) return known
  let found: boolean
  try {
    // What has no words is of no kind that this build knows.
    const named = [
      ...rule.if.conditions.map((condition) => conditionWords(condition)),
      ...rule.notify.map(({ target }) => target.to),
    ]
    concerns(rule, projectId(0))
    isMuted(rule, 0)
    found =
      named.every((name) => typeof name === 'string') &&
      (rule.kind === 'issue' ? canMeet(rule) : canMeasure(rule))
  } catch {
    found = false
  }
  KNOWN_SOUND.set(rule, found)
  return found
}

function canMeet(rule: IssueRule): boolean {
  for (const moment of ['touched', 'digest'] as const)
    countsAsked(rule, { moment, atMs: 0, issueId: issueId(0) }).map(rangeName)
  return rule.when.length > 0 && rule.when.every((when) => typeof momentWords(when) === 'string')
}

async function noteFailures(store: AlertStore, rules: readonly number[], nowMs: number): Promise<void> {
  if (rules.length > 0) await store.noteFailures(rules, nowMs)
}

function rulesByProject(
  projects: ReadonlyMap<ProjectId, OrgProject>,
  rules: readonly IssueRule[],
): (id: ProjectId) => readonly IssueRule[] {
  const known = new Map<ProjectId, readonly IssueRule[]>()
  return (id) => {
    const found = known.get(id)
    if (found !== undefined) return found
    const org = projects.get(id)?.orgId
    const own = rules
      .filter((rule) => rule.orgId === org && concerns(rule, id))
      .toSorted((a, b) => a.id - b.id)
    known.set(id, own)
    return own
  }
}

/** Steps that a stretch is planned for: some of a turn's, so that little is asked for what it does not come to. */
function stretchSteps(): number {
  return max('alertTurnStepsMax') / 4
}

/**
 * Plans a stretch of those that wait: at least one rule. What comes behind the end of an issue is of another one, which
 * sees what was told of it until then.
 */
export function stretchOf(
  waiting: readonly Candidate[],
  rulesFor: (project: ProjectId) => readonly IssueRule[],
): readonly Looked[] {
  const looked: Looked[] = []
  const ended = new Set<number>()
  const told = new Set<number>()
  const asked = new Set<string>()
  let steps = 0
  for (const candidate of waiting) {
    if (looked.length > 0 && (steps >= stretchSteps() || ended.has(candidate.issueId))) break
    if (isForPresets(candidate)) {
      // What is told of an issue keeps it quiet for what comes next.
      if (told.has(candidate.issueId)) break
      told.add(candidate.issueId)
      steps += STEP_COSTS.preset
    }
    const after = candidate.progress?.after ?? 0
    // A rule tells of what came since it was made.
    const all = rulesFor(candidate.projectId).filter(
      ({ id, createdMs }) => id > after && createdMs <= candidate.atMs,
    )
    let taken = 0
    for (const rule of all) {
      if (taken > 0 && steps >= stretchSteps()) break
      taken++
      steps += stepsOf(rule) + countSteps(rule, candidate, asked)
    }
    looked.push({ candidate, rules: all.slice(0, taken), isCut: taken < all.length })
    if (taken < all.length) break
    if (candidate.moment === 'resolved') ended.add(candidate.issueId)
  }
  return looked
}

/** Steps of counts that nobody of the stretch asked for yet, at most. */
function countSteps(rule: IssueRule, candidate: Candidate, asked: Set<string>): number {
  let steps = 0
  for (const range of countsAsked(rule, candidate)) {
    const name = rangeName(range)
    if (asked.has(name)) continue
    asked.add(name)
    steps += STEP_COSTS.slots + range.last - range.first + 1
  }
  return steps
}

/** Returns metric rules that are evaluated together, at least one. */
function metricsAtOnce(waiting: readonly MetricRule[]): readonly MetricRule[] {
  let steps = 0
  const beyond = waiting.findIndex(({ when: { windowMinutes } }) => {
    const { first, last } = slotsOf(0, windowMinutes)
    const isBeyond = steps >= stretchSteps()
    steps += STEP_COSTS.slots + last - first + 1
    return isBeyond
  })
  return beyond === -1 ? waiting : waiting.slice(0, beyond)
}

interface Minute {
  readonly fired: number
  readonly messages: number
  readonly failedRules: readonly number[]
  /** The rule after which it goes on; `null` once all were evaluated. */
  readonly after: number | null
}

async function evaluateMinute(store: AlertStore, turn: Turn, after: number): Promise<Minute> {
  const { rules, nowMs, work } = turn
  const sum = { fired: 0, messages: 0 }
  const metrics = soundOf(
    rules.filter((rule): rule is MetricRule => rule.kind === 'metric' && rule.id > after),
  )
  const issues = soundOf(rules.filter((rule) => rule.kind === 'issue'))
  const failedRules = [...metrics.failedRules, ...issues.failedRules]
  await noteFailures(store, failedRules, nowMs)
  await store.forgetFailures([...metrics.sound, ...issues.sound].map(({ id }) => id))
  const waiting = metrics.sound.toSorted((a, b) => a.id - b.id)
  for (let from = 0; from < waiting.length; ) {
    if (from > 0 && work.isEnough) return { ...sum, failedRules, after: waiting[from - 1]?.id ?? null }
    const some = metricsAtOnce(waiting.slice(from))
    const measured = await evaluateMetrics(store, some, { nowMs, work })
    sum.fired += measured.fired
    sum.messages += measured.messages
    from += measured.done
  }
  const { messages, hasMore } = await tellStorms(store, issues.sound, { nowMs, work })
  sum.messages += messages
  return { ...sum, failedRules, after: hasMore ? (waiting.at(-1)?.id ?? after) : null }
}
