/** The beat's side: evaluating rules takes a turn, in a transaction of its own. */
import type { AlertStore } from '#alerts/rules/alert-store.ts'
import { evaluateRules, NOTHING_DONE } from '#alerts/rules/evaluate.ts'
import { lookUpAdditions } from '#alerts/rules/look-ups.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import type { AlertBeat, DigestLookedUp } from '#ports/alerts.ts'
import type { Connection } from '../connection.ts'
import { openDue } from '../notices/notice-deliveries.ts'
import { addCandidate } from '../rows/alert-candidates.ts'
import { type Statements, withinTransaction } from '../statements.ts'
import { transactionTurns } from '../transaction-turns.ts'
import type { Turns } from '../turns.ts'
import { alertEvaluation } from './alert-evaluation.ts'
import { addToSlot, alertsVersion, rulesOn } from './alert-rows.ts'
import { dropCandidatesBeyond } from './candidates-beyond.ts'

export function alertBeat(db: Connection, turns: Turns): AlertBeat {
  const within = transactionTurns(db, turns)
  const rules = keptRules(db)
  return {
    async evaluateDue(nowMs, { waiting = 'all', metrics, mail }) {
      const openNotices: Statements<AlertStore>['openNotices'] = (open) => openDue(db, { ...open, mail })
      const statements = { ...alertEvaluation(db), rulesOn: rules, openNotices }
      const turn = (of: Parameters<typeof evaluateRules>[2]) =>
        within((use) => {
          if ('waiting' in of) dropCandidatesBeyond(db, nowMs)
          return evaluateRules(withinTransaction<AlertStore>(statements, use), nowMs, of)
        })
      const ofIssues = waiting === 'none' ? NOTHING_DONE : await turn({ waiting })
      if (metrics === false) return ofIssues
      const { fired, messages, failedRules, metricsAfter } = await turn({
        metricsAfter: metrics === true ? 0 : metrics,
      })
      return {
        ...ofIssues,
        ...{ fired: ofIssues.fired + fired, messages: ofIssues.messages + messages, metricsAfter },
        failedRules: [...ofIssues.failedRules, ...failedRules],
      }
    },
    noteLookUps: (lookUps, nowMs) => within(async () => noteLookUps(db, lookUps, nowMs)),
  }
}

/** A thousand rules are megabytes: they are read again after one of them changed. */
function keptRules(db: Connection): () => readonly AlertRule[] {
  let kept: { readonly version: number; readonly rules: readonly AlertRule[] } | null = null
  return () => {
    const version = alertsVersion(db)
    if (kept?.version !== version) kept = { version, rules: rulesOn(db) }
    return kept.rules
  }
}

function noteLookUps(db: Connection, lookUps: readonly DigestLookedUp[], nowMs: number): void {
  const isWatched = rulesOn(db).some(
    (rule) => rule.kind === 'issue' && rule.when.some(({ on }) => on === 'digest'),
  )
  if (!isWatched) return
  for (const addition of lookUpAdditions(lookUps, nowMs)) addToSlot(db, addition)
  for (const { issueId } of lookUps) addCandidate(db, issueId, { moment: 'digest', atMs: nowMs })
}
