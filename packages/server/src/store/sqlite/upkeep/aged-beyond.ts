/** Removes rows of which there are too many, chosen so that whoever caused it loses first. */
import type { Connection } from '../connection.ts'
import { type AgedStep, READ_PER_ROW, stepThroughOwners } from './aged-steps.ts'

/**
 * Removes messages of organisations that have more than `kept`: the project that tells most loses its oldest first, what
 * others told stays. `atOnceMax`: in one transaction.
 */
export function messagesBeyond({
  kept,
  atOnceMax,
}: {
  readonly kept: number
  readonly atOnceMax: number
}): AgedStep {
  // alert_messages_by_org
  const sql = 'SELECT count(*) AS count FROM alert_messages WHERE org_id = ?'
  const remove = `DELETE FROM alert_messages WHERE id IN (SELECT id FROM (
    SELECT id, due_ms, row_number() OVER (ORDER BY own, id DESC) AS place FROM (
      SELECT id, due_ms, row_number() OVER (PARTITION BY project_id ORDER BY id DESC) AS own
      FROM alert_messages WHERE org_id = :org)) WHERE place > :kept AND due_ms IS NULL LIMIT :most)`
  return stepThroughOwners('organisations', (db, org, most) => {
    const count = db.get<{ count: number }>(sql, [org])?.count ?? 0
    if (count <= kept) return { cost: 0, isDone: true }
    // Each turn ranks all of them: of very many it takes more, or it would end after thousands of turns.
    const taken = Math.max(most, Math.min(atOnceMax, Math.ceil((count - kept) / 8)))
    const { changes } = db.run(remove, { org, kept, most: taken })
    return { cost: count / READ_PER_ROW + changes, isDone: changes < taken }
  })
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
