/** Tests of mail and webhook: each takes its place before it is sent, so that those under way count. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import { ok, type Result } from '#base/result.ts'
import { PROJECT_REFUSALS } from '#model/project-rules.ts'
import { minuteOfTests, refuseTest, testBegun, timeUnderWay } from '#notices/rules/tests.ts'
import type { ClaimedDelivery, NoticesWrite } from '#ports/notices.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { writeAudit } from '../rows/audit.ts'
import { projectById } from '../rows/project-rows.ts'
import { settle } from './notice-deliveries.ts'

interface Place {
  readonly org: OrgId
  readonly project: ProjectId
}

export function beginTest(
  db: Connection,
  place: Place & { readonly test: Parameters<NoticesWrite['beginTest']>[2] },
  { atMs }: Actor,
): Result<Pick<ClaimedDelivery, 'id' | 'lease'>> {
  const { org, project, test } = place
  if (projectById(db, org, project) === null) return PROJECT_REFUSALS.noProject()
  const refusal = refuseTest({
    ofMinute: testsOfMinute(db, project, atMs),
    underWay: () => testsUnderWay(db, atMs),
  })
  if (refusal !== null) return refusal
  const { key, channel, lease } = test
  const { state, tries, dueMs } = testBegun(lease, atMs)
  const notice = db.run(`INSERT INTO notices (project_id, kind, is_mirror, at_ms) VALUES (?, 'test', 0, ?)`, [
    project,
    atMs,
  ])
  const sql = `INSERT INTO deliveries (notice_id, org_id, project_id, channel, user_id, key, state, tries, lease, due_ms)
    VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)`
  const { lastId: id } = db.run(sql, [notice.lastId, org, project, channel, key, state, tries, lease, dueMs])
  return ok({ id, lease })
}

export function settleTest(
  db: Connection,
  place: Place & { readonly test: Parameters<NoticesWrite['settleTest']>[2] },
  actor: Actor,
): void {
  const { org, project, test } = place
  settle(db, { ...test, nowMs: actor.atMs })
  const found = projectById(db, org, project)
  if (found === null) return
  const { channel, settlement } = test
  const detail = { channel, state: settlement.state }
  writeAudit(db, org, actor, { action: 'notices.tested', target: found.name, detail })
}

function testsOfMinute(db: Connection, project: ProjectId, nowMs: number): number {
  const { afterMs, untilMs } = minuteOfTests(nowMs)
  // notices_by_project
  const sql = `SELECT count(*) AS count FROM notices
    WHERE project_id = ? AND at_ms > ? AND at_ms <= ? AND kind = 'test'`
  return db.get<{ count: number }>(sql, [project, afterMs, untilMs])?.count ?? 0
}

function testsUnderWay(db: Connection, nowMs: number): number {
  const { afterMs, untilMs } = timeUnderWay(nowMs)
  // notices_by_age, deliveries_by_notice
  const sql = `SELECT count(*) AS count FROM notices n JOIN deliveries d ON d.notice_id = n.id
    WHERE n.at_ms > ? AND n.at_ms <= ? AND n.kind = 'test' AND d.state = 'sending'`
  return db.get<{ count: number }>(sql, [afterMs, untilMs])?.count ?? 0
}
