/** Rows of candidates: moments of issues that alert rules look at. */
import type { CandidateMoment } from '#alerts/rules/alert-store.ts'
import { NO_FACTS, type SeenFacts } from '#alerts/rules/watch.ts'
import type { IssueId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'
import { type IssueMove, moveRows } from './issue-move.ts'
import { awaitedByPagers } from './open-incidents.ts'

export function raiseAlertsVersion(db: Connection): void {
  db.run(`UPDATE meta SET value = value + 1 WHERE name = 'alerts_version'`)
}

/** A moment of an issue waits once; what was seen last counts. */
export function addCandidate(db: Connection, issueId: IssueId, seen: Omit<CandidateSeen, 'issueId'>): void {
  addCandidates(db, [{ issueId, ...seen }])
}

export interface CandidateSeen {
  readonly issueId: IssueId
  readonly moment: CandidateMoment
  readonly atMs: number
  readonly facts?: SeenFacts
}

export function addCandidates(db: Connection, candidates: readonly CandidateSeen[]): void {
  const sql = `INSERT INTO alert_candidates (project_id, issue_id, moment, at_ms, facts)
    SELECT project_id, id, :moment, :at, :facts FROM issues WHERE id = :issue
    ON CONFLICT (issue_id, moment) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms), facts =
      -- An escalation that a turn has saved, and not told all rules of yet, is told them from the first on.
      iif(facts ->> '$.progress.escalation' IS NULL, excluded.facts, json_set(excluded.facts, '$.progress',
        json_object('after', 0, 'escalation', facts ->> '$.progress.escalation')))`
  const rows = candidates.map(({ issueId, moment, atMs, facts = NO_FACTS }) => {
    return { issue: issueId, moment, at: Math.floor(atMs), facts: JSON.stringify(facts) }
  })
  db.runEach(sql, rows)
}

/**
 * Has rules look at what came to an issue at the one that takes it in, once. Its state is that of the other one: whoever
 * resolved or assigned the one that goes did nothing to it, nor is it back or escalating because that one was.
 */
export function moveCandidates(db: Connection, moves: readonly IssueMove[]): void {
  const sql = `UPDATE OR IGNORE alert_candidates SET issue_id = ?,
      facts = iif(facts ->> '$.progress.escalation' IS NULL, facts, json_set(facts, '$.progress.escalation', NULL))
    WHERE issue_id = ? AND moment IN ('new', 'touched', 'comment', 'digest')`
  moveRows(db, sql, moves)
}

/**
 * Notes people's changes as candidates, if a rule that is on asks for such moments, or a pager waits for the
 * end.
 */
export function addPersonsCandidates(
  db: Connection,
  seen: readonly {
    readonly issueId: IssueId
    readonly of: 'resolved' | 'comment' | 'assignment'
    readonly atMs: number
  }[],
): void {
  // alert_rules_by_org
  const sql = `SELECT 1 FROM issues i JOIN projects p ON p.id = i.project_id JOIN alert_rules r ON r.org_id = p.org_id
    WHERE i.id = :issue AND json_extract(r.draft, '$.isOn') = 1 AND json_extract(r.draft, '$.kind') = 'issue'
      AND EXISTS (SELECT 1 FROM json_each(r.draft, '$.when') w WHERE json_extract(w.value, '$.on') = :on) LIMIT 1`
  const asked = db.getEach(
    sql,
    seen.map(({ issueId, of }) => ({ issue: issueId, on: of === 'resolved' ? 'resolved' : 'activity' })),
  )
  const awaited = awaitedByPagers(
    db,
    seen.filter(({ of }, at) => of === 'resolved' && asked[at] === undefined).map(({ issueId }) => issueId),
  )
  const wanted = seen.filter(
    ({ of, issueId }, at) => asked[at] !== undefined || (of === 'resolved' && awaited.has(issueId)),
  )
  addCandidates(
    db,
    wanted.map(({ issueId, of, atMs }) => ({ issueId, moment: of, atMs })),
  )
}
