/** Runs one turn of the beat: what waits; then, once a minute, metric rules and storms that are over. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { type AlertRule, concerns, type IssueRule, type MetricRule } from '#model/alert-rule.ts'
import type { Evaluated } from '#ports/alerts.ts'
import type { AlertStore } from './alert-store.ts'
import { evaluateCandidate, tellStorms } from './evaluate-issues.ts'
import { evaluateMetric } from './evaluate-metrics.ts'
import { TurnWork, workedStore } from './turn-work.ts'

interface Sum {
  fired: number
  messages: number
  escalated: number
}

/**
 * Ends early once it worked enough, and says where it goes on. The benchmark finds it by its name.
 *
 * @param metrics `false`: none; a number: those after the metric rule of that id.
 */
export function evaluateRules(store: AlertStore, nowMs: number, metrics: boolean | number): Evaluated {
  const work = new TurnWork()
  const worked = workedStore(store, work)
  const rules = store.rulesOn()
  const sum: Sum = { fired: 0, messages: 0, escalated: 0 }
  const hasMore = evaluateWaiting(worked, { rules, nowMs, work, sum })
  // Nothing of the other sort waits behind a crowd of one: a turn takes at least one of each.
  const metricsAfter =
    metrics === false ? null : evaluateMetrics(worked, { rules, nowMs, work, sum, metrics })
  return { ...sum, hasMore, metricsAfter }
}

interface Turn {
  readonly rules: readonly AlertRule[]
  readonly nowMs: number
  readonly work: TurnWork
  readonly sum: Sum
}

/** Answers whether more waits. */
function evaluateWaiting(store: AlertStore, { rules, nowMs, work, sum }: Turn): boolean {
  const limit = max('alertCandidatesMax')
  const rulesFor = rulesByProject(store, rules)
  const done: number[] = []
  let isCut = false
  for (const candidate of store.candidates(limit)) {
    isCut = work.isEnough
    if (isCut) break
    const turn = evaluateCandidate(store, candidate, { rules: rulesFor(candidate.projectId), nowMs, work })
    sum.fired += turn.fired
    sum.messages += turn.messages
    sum.escalated += turn.escalated
    isCut = turn.progress !== null
    if (turn.progress === null) done.push(candidate.id)
    else store.keepProgress(candidate.id, turn.progress)
  }
  store.removeCandidates(done)
  return isCut || done.length === limit
}

function rulesByProject(
  store: AlertStore,
  rules: readonly AlertRule[],
): (id: ProjectId) => readonly IssueRule[] {
  const known = new Map<ProjectId, readonly IssueRule[]>()
  return (id) => {
    const found = known.get(id)
    if (found !== undefined) return found
    const org = store.project(id)?.orgId
    const own = rules
      .filter((rule): rule is IssueRule => rule.kind === 'issue' && rule.orgId === org && concerns(rule, id))
      .toSorted((a, b) => a.id - b.id)
    known.set(id, own)
    return own
  }
}

/** Returns the rule after which it goes on; `null` once all were evaluated. */
function evaluateMetrics(
  store: AlertStore,
  { rules, nowMs, work, sum, metrics }: Turn & { readonly metrics: true | number },
): number | null {
  const after = metrics === true ? 0 : metrics
  const waiting = rules
    .filter((rule): rule is MetricRule => rule.kind === 'metric' && rule.id > after)
    .toSorted((a, b) => a.id - b.id)
  for (const [at, rule] of waiting.entries()) {
    if (at > 0 && work.isEnough) return waiting[at - 1]?.id ?? null
    const turn = evaluateMetric(store, rule, nowMs)
    work.add(1)
    sum.fired += turn.fired
    sum.messages += turn.messages
  }
  const issueRules = rules.filter((rule) => rule.kind === 'issue')
  const { messages, hasMore } = tellStorms(store, issueRules, { nowMs, isEnough: () => work.isEnough })
  sum.messages += messages
  return hasMore ? (waiting.at(-1)?.id ?? after) : null
}
