/** Runs one turn of the beat: what waits; then, once a minute, metric rules and storms that are over. */
import { max } from '#limits/limits.ts'
import type { Evaluated } from '#ports/alerts.ts'
import type { AlertStore } from './alert-store.ts'
import { evaluateCandidate, tellStorms } from './evaluate-issues.ts'
import { evaluateMetric } from './evaluate-metrics.ts'

/** The benchmark finds it by its name. */
export function evaluateRules(store: AlertStore, nowMs: number, metrics: boolean): Evaluated {
  const rules = store.rulesOn()
  const issueRules = rules.filter((rule) => rule.kind === 'issue')
  const limit = max('alertCandidatesMax')
  const candidates = store.candidates(limit)
  const sum = { fired: 0, messages: 0, escalated: 0 }
  for (const candidate of candidates) {
    const turn = evaluateCandidate(store, candidate, { rules: issueRules, nowMs })
    sum.fired += turn.fired
    sum.messages += turn.messages
    sum.escalated += turn.escalated
  }
  store.removeCandidates(candidates.map(({ id }) => id))
  if (metrics) {
    for (const rule of rules) {
      if (rule.kind !== 'metric') continue
      const turn = evaluateMetric(store, rule, nowMs)
      sum.fired += turn.fired
      sum.messages += turn.messages
    }
    sum.messages += tellStorms(store, issueRules, nowMs)
  }
  return { ...sum, hasMore: candidates.length === limit }
}
