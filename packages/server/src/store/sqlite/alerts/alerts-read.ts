/** Reads rules for people: settings, states, firings, and what previews look at. */

import { firedByDay, isVisible } from '#alerts/rules/rule-views.ts'
import { DAY_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import { shortId } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import { type AlertRule, EMAIL_MOMENTS, isMuted } from '#model/alert-rule.ts'
import type {
  AlertRuleView,
  AlertsRead,
  Firing,
  FiringNow,
  FiringsQuery,
  IssueHour,
  PastMoment,
  StateNow,
} from '#ports/alerts.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { readQuietHours } from './alert-evaluation.ts'
import { ruleOfOrg, rulesOfOrg } from './alert-rows.ts'
import { emailMomentsOff } from './email-moments.ts'

export function alertsRead(db: Connection): AlertsRead {
  return {
    alertRules: async (scope, nowMs) =>
      db.snapshot(() =>
        rulesOfOrg(db, scope.orgId)
          .filter((rule) => isVisible(rule, scope))
          .map((rule) => readRuleView(db, rule, nowMs)),
      ),
    alertRule: async (scope, id, nowMs) =>
      db.snapshot(() => {
        const rule = ruleOfOrg(db, scope.orgId, id)
        return rule === null || !isVisible(rule, scope) ? null : readRuleView(db, rule, nowMs)
      }),
    firings: async (scope, query) => readFirings(db, scope, query),
    firingNow: async (scope, nowMs) => db.snapshot(() => firingNow(db, scope, nowMs)),
    quietHours: async (scope) => readQuietHours(db, scope.orgId),
    emailMomentsOff: async (user) => {
      const off = emailMomentsOff(db, user)
      return EMAIL_MOMENTS.filter((moment) => off.includes(moment))
    },
    ...pastRead(db),
  }
}

function pastRead(db: Connection): Pick<AlertsRead, 'pastMoments' | 'issueHours'> {
  return {
    pastMoments: async (scope, { projects, kinds, startMs, endMs }) => {
      const sql = `${READABLE} SELECT a.issue_id AS issueId, a.at_ms AS atMs FROM activities a
        JOIN issues i ON i.id = a.issue_id
        WHERE i.project_id IN (SELECT id FROM readable) AND a.kind IN (SELECT value FROM json_each(:kinds))
          AND a.at_ms >= :start AND a.at_ms < :end ORDER BY a.at_ms, a.id LIMIT :limit`
      const range = { start: startMs, end: endMs, limit: max('alertPreviewMomentsMax') }
      return db.all<PastMoment>(sql, {
        ...readableParams(scope, projects),
        kinds: JSON.stringify(kinds),
        ...range,
      })
    },
    issueHours: async (scope, { projects, startHour, endHour, atLeast }) => {
      const sql = `${READABLE}, hours AS (
          SELECT g.issue_id AS issueId, h.hour, sum(h.count) AS count FROM groups g
          JOIN group_hours h ON h.group_id = g.id
          WHERE g.project_id IN (SELECT id FROM readable) AND h.hour >= :start AND h.hour < :end
          GROUP BY g.issue_id, h.hour)
        SELECT * FROM hours WHERE issueId IN (SELECT issueId FROM hours WHERE count >= :least LIMIT :limit)
        ORDER BY issueId, hour`
      const range = { start: startHour, end: endHour, least: atLeast, limit: max('alertPreviewMomentsMax') }
      return db.all<IssueHour>(sql, { ...readableParams(scope, projects), ...range })
    },
  }
}

function readRuleView(db: Connection, rule: AlertRule, nowMs: number): AlertRuleView {
  const found = db.get<StateRow>(
    'SELECT level, since_ms AS sinceMs, value, failed_ms AS failedMs FROM alert_states WHERE rule_id = ?',
    [rule.id],
  )
  // alert_firings_by_rule
  const sql = 'SELECT started_ms AS startedMs FROM alert_firings WHERE rule_id = ? AND started_ms >= ?'
  const times = db.all<{ startedMs: number }>(sql, [rule.id, nowMs - 14 * DAY_MS])
  const last = 'SELECT max(started_ms) AS atMs FROM alert_firings WHERE rule_id = ?'
  return {
    rule,
    ...stateOf(found, rule),
    firedByDay: firedByDay(
      times.map(({ startedMs }) => startedMs),
      nowMs,
    ),
    firedLastMs: db.get<{ atMs: number | null }>(last, [rule.id])?.atMs ?? null,
  }
}

interface StateRow extends StateNow {
  readonly failedMs: number | null
}

/** Reads the state of a rule. A failure from before the rule was changed says nothing of it as it is now. */
function stateOf(
  row: StateRow | undefined,
  { changedMs }: Pick<AlertRule, 'changedMs'>,
): Pick<AlertRuleView, 'state' | 'failedMs'> {
  if (row === undefined) return { state: null, failedMs: null }
  const { failedMs, ...state } = row
  return { state, failedMs: failedMs === null || failedMs < changedMs ? null : failedMs }
}

interface FiringRow extends Omit<Firing, 'issue'> {
  readonly slug: string | null
  readonly issueId: IssueId | null
  readonly number: number | null
}

function firingNow(db: Connection, scope: ReadScope, nowMs: number): FiringNow {
  const sql = `SELECT s.rule_id AS ruleId, s.level FROM alert_states s JOIN alert_rules r ON r.id = s.rule_id
    WHERE r.org_id = ? AND s.level <> 'ok'`
  const count = { critical: 0, warning: 0 }
  for (const { ruleId, level } of db.all<{ ruleId: number; level: keyof FiringNow }>(sql, [scope.orgId])) {
    const rule = ruleOfOrg(db, scope.orgId, ruleId)
    if (rule !== null && isVisible(rule, scope) && !isMuted(rule, nowMs)) count[level]++
  }
  return count
}

function readFirings(
  db: Connection,
  scope: ReadScope,
  { ruleId, sinceMs, before, limit }: FiringsQuery,
): readonly Firing[] {
  const sql = `${READABLE} SELECT f.id, f.rule_id AS ruleId, json_extract(r.draft, '$.name') AS ruleName,
      f.project_id AS projectId, f.level, f.started_ms AS startedMs, f.ended_ms AS endedMs, f.extreme, f.headline,
      f.because, f.untold, p.slug, i.id AS issueId, i.number
    FROM alert_firings f JOIN alert_rules r ON r.id = f.rule_id LEFT JOIN projects p ON p.id = f.project_id
    LEFT JOIN issues i ON i.id = f.issue_id
    WHERE r.org_id = :org AND (:rule IS NULL OR f.rule_id = :rule) AND f.started_ms >= :since
      AND (:before IS NULL OR f.id < :before)
      AND (f.project_id IN (SELECT id FROM readable) OR f.project_id IS NULL
        AND (json_type(r.draft, '$.projects') = 'null' OR EXISTS (SELECT 1 FROM json_each(r.draft, '$.projects') own
          WHERE own.value IN (SELECT id FROM readable))))
    ORDER BY f.id DESC LIMIT :limit`
  const asked = { rule: ruleId, since: sinceMs, before, limit }
  return db
    .all<FiringRow>(sql, { ...readableParams(scope), ...asked })
    .map(({ slug, issueId: _, number, ...row }) => ({
      ...row,
      issue: slug === null || number === null ? null : shortId(slug, number),
    }))
}
