/** Moments of issues beyond what may wait for rules. */
import type { Candidate } from '#alerts/rules/alert-store.ts'
import { isForPresets } from '#alerts/rules/evaluate-presets.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { presetRules } from '#notices/rules/preset-rules.ts'
import { NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { countHeld } from '../notices/held-back.ts'
import { settingsOfProjects } from '../notices/notice-rows.ts'

/**
 * Drops candidates beyond what may wait, at most so many at once: whichever project has most loses its oldest. Those that
 * rules or own alerts of their project look at are counted as dropped.
 */
export function dropCandidatesBeyond(db: Connection, nowMs: number): void {
  const kept = max('alertCandidatesWaitingMax')
  const count = 'SELECT count(*) AS count FROM alert_candidates'
  if ((db.get<{ count: number }>(count)?.count ?? 0) <= kept) return
  const sql = `SELECT id, project_id AS projectId, moment, facts -> '$.progress' AS progress FROM (
      SELECT *, row_number() OVER (ORDER BY own, id DESC) AS place FROM (
        SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY id DESC) AS own FROM alert_candidates))
    WHERE place > :kept ORDER BY place DESC LIMIT :most`
  const beyond = db.all<Beyond>(sql, { kept, most: max('alertCandidatesDroppedMax') })
  countDropped(db, beyond, nowMs)
  db.run('DELETE FROM alert_candidates WHERE id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(beyond.map(({ id }) => id)),
  ])
}

type Beyond = Pick<Candidate, 'id' | 'projectId' | 'moment' | 'progress'>

function countDropped(db: Connection, beyond: readonly Beyond[], nowMs: number): void {
  const byProject = Map.groupBy(beyond, ({ projectId }) => projectId)
  const projects = [...byProject.keys()]
  const [settings, ruled] = [settingsOfProjects(db, projects), withIssueRules(db, projects)]
  const dropped = [...byProject].flatMap(([project, own]) => {
    const tellsItself = presetRules(settings.get(project) ?? NOTICE_SETTINGS_DEFAULT).length > 0
    const count = ruled.has(project) ? own.length : tellsItself ? own.filter(isForPresets).length : 0
    return count === 0 ? [] : [{ project, reason: 'dropped' as const, count }]
  })
  countHeld(db, dropped, nowMs)
}

/** Projects that an issue rule which is on looks at. */
function withIssueRules(db: Connection, projects: readonly ProjectId[]): ReadonlySet<ProjectId> {
  // alert_rules_by_org
  const sql = `SELECT id FROM projects WHERE id IN (SELECT value FROM json_each(?)) AND EXISTS (
    SELECT 1 FROM alert_rules r WHERE r.org_id = projects.org_id AND r.draft ->> '$.isOn' AND r.draft ->> '$.kind' = 'issue'
      AND (r.draft ->> '$.projects' IS NULL OR projects.id IN (SELECT value FROM json_each(r.draft, '$.projects'))))`
  return new Set(db.all<{ id: ProjectId }>(sql, [JSON.stringify(projects)]).map(({ id }) => id))
}
