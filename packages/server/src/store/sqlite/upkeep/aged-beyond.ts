/** Removes rows of which there are too many, chosen so that whoever caused it loses first. */
import type { Candidate } from '#alerts/rules/alert-store.ts'
import { isForPresets } from '#alerts/rules/evaluate-presets.ts'
import { max } from '#limits/limits.ts'
import { presetRules } from '#notices/rules/preset-rules.ts'
import { NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { countHeld } from '../notices/held-back.ts'
import { settingsOfProjects } from '../notices/notice-rows.ts'
import { type AgedStep, ofOwners } from './aged-steps.ts'

/** Removes messages of full organisations: the project that tells most loses its oldest first, what others told stays. */
export const messagesBeyond: AgedStep = ofOwners('organisations', (db, org, most) => {
  const kept = max('alertMessagesPerOrgMax')
  // alert_messages_by_org
  const count = 'SELECT count(*) AS count FROM alert_messages WHERE org_id = ?'
  const beyond = (db.get<{ count: number }>(count, [org])?.count ?? 0) - kept
  if (beyond <= 0) return true
  // Each turn ranks all of them: of very many it takes more, or it would end after hundreds of turns.
  const taken = Math.max(most, Math.ceil(beyond / 8))
  const sql = `DELETE FROM alert_messages WHERE id IN (SELECT id FROM (
    SELECT id, due_ms, row_number() OVER (ORDER BY own, id DESC) AS place FROM (
      SELECT id, due_ms, row_number() OVER (PARTITION BY project_id ORDER BY id DESC) AS own
      FROM alert_messages WHERE org_id = :org)) WHERE place > :kept AND due_ms IS NULL LIMIT :most)`
  return db.run(sql, { org, kept, most: taken }).changes < taken
})

/**
 * Removes candidates beyond what may wait: whichever project has most loses its oldest. Those that its own alerts would
 * have told are counted as held back.
 */
export const candidatesBeyond: AgedStep = (db, { nowMs, most }) => {
  const kept = max('alertCandidatesWaitingMax')
  const count = 'SELECT count(*) AS count FROM alert_candidates'
  if ((db.get<{ count: number }>(count)?.count ?? 0) <= kept) return { cost: 0, after: 'done' }
  const sql = `SELECT id, project_id AS projectId, moment, facts -> '$.progress' AS progress FROM (
      SELECT *, row_number() OVER (ORDER BY own, id DESC) AS place FROM (
        SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY id DESC) AS own FROM alert_candidates))
    WHERE place > :kept ORDER BY place DESC LIMIT :most`
  const beyond = db.all<Beyond>(sql, { kept, most })
  countUntold(db, beyond, nowMs)
  db.run('DELETE FROM alert_candidates WHERE id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(beyond.map(({ id }) => id)),
  ])
  return { cost: beyond.length, after: beyond.length < most ? 'done' : null }
}

type Beyond = Pick<Candidate, 'id' | 'projectId' | 'moment' | 'progress'>

function countUntold(db: Connection, beyond: readonly Beyond[], nowMs: number): void {
  const byProject = Map.groupBy(beyond.filter(isForPresets), ({ projectId }) => projectId)
  const settings = settingsOfProjects(db, [...byProject.keys()])
  const held = [...byProject].flatMap(([project, { length: count }]) => {
    const rules = presetRules(settings.get(project) ?? NOTICE_SETTINGS_DEFAULT)
    return rules.length === 0 ? [] : [{ project, reason: 'summarised' as const, count }]
  })
  countHeld(db, held, nowMs)
}

/**
 * Removes the oldest entries of the most frequent actions from organisations that have too many, until the
 * number is met.
 */
export function auditBeyond(entriesMax: number): AgedStep {
  // audit_by_org; entries of no organisation count like those of one.
  const count = 'SELECT count(*) - :kept AS excess FROM audit WHERE org_id IS :org'
  const next = 'SELECT id FROM organisations WHERE id > ? ORDER BY id LIMIT 1'
  return (db, { after, most }) => {
    const [before] = after ?? []
    const org = before === undefined ? null : Number(before)
    const excess = db.get<{ excess: number }>(count, { org, kept: entriesMax })?.excess ?? 0
    if (excess > 0) forgetCommonest(db, org, Math.min(excess, most))
    if (excess > most) return { cost: most, after: after ?? null }
    const then = db.get<{ id: number }>(next, [org ?? 0])?.id
    return { cost: most, after: then === undefined ? 'done' : [String(then)] }
  }
}

function forgetCommonest(db: Connection, org: number | null, entries: number): void {
  const commonest = `SELECT actor, action, count(*) AS count FROM audit WHERE org_id IS :org
    GROUP BY actor, action ORDER BY count DESC, max(id) DESC LIMIT 1`
  const forget = `DELETE FROM audit WHERE id IN (SELECT id FROM audit
    WHERE org_id IS :org AND actor = :actor AND action = :action ORDER BY id LIMIT :count)`
  for (let left = entries; left > 0; ) {
    const most = db.get<{ actor: string; action: string; count: number }>(commonest, { org })
    if (most === undefined) break
    const count = Math.min(left, Math.max(1, Math.ceil(most.count / 2)))
    db.run(forget, { org, actor: most.actor, action: most.action, count })
    left -= count
  }
}
