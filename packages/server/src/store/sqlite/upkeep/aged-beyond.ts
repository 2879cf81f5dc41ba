/** Removes rows of which there are too many, chosen so that whoever caused it loses first. */
import type { Connection } from '../connection.ts'
import { type AgedSet, type AgedStep, READ_PER_ROW } from './aged-steps.ts'

/**
 * Removes settled messages of organisations that have more than `kept`: the project that tells most loses its oldest first,
 * what others told stays. The border of each project is found once; then sets follow each other from it.
 */
export function messagesBeyond(kept: number): AgedStep {
  // alert_messages_by_org
  const countAll = 'SELECT count(*) AS count FROM alert_messages WHERE org_id = ?'
  const next = 'SELECT id FROM organisations WHERE id > ? ORDER BY id LIMIT 1'
  return (db, { after, most }) => {
    const [before = '0', ...borders] = after ?? []
    if (borders.length > 0) return removeBelow(db, { org: before, borders, most })
    const org = db.get<{ id: number }>(next, [Number(before)])?.id
    if (org === undefined) return { cost: 0, after: 'done' }
    const cost = Math.ceil(most / ORGANISATIONS_PER_TURN)
    const count = db.get<{ count: number }>(countAll, [org])?.count ?? 0
    if (count <= kept) return { cost, after: [String(org)] }
    const found = bordersOf(db, { org, kept, count })
    return { cost: cost + count / COUNTED_PER_ROW, after: [String(org), ...found] }
  }
}

const ORGANISATIONS_PER_TURN = 20
/** Entries of an index that are counted in place of one row that is removed. */
const COUNTED_PER_ROW = 10 * READ_PER_ROW

interface Told {
  /** `null`: of several projects. */
  readonly project: number | null
  readonly count: number
}

/** Returns what goes as texts, three for each project: the project, the least id still to look at, and the first that stays. */
function bordersOf(
  db: Connection,
  { org, kept, count }: { readonly org: number; readonly kept: number; readonly count: number },
): readonly string[] {
  // alert_messages_by_project, by which no row is read
  const sql = `SELECT p.id AS project, (
      SELECT count(*) FROM alert_messages m WHERE m.project_id = p.id AND m.org_id = p.org_id) AS count
    FROM projects p WHERE p.org_id = ?`
  const own = db.all<Told>(sql, [org])
  const ofSeveral = count - own.reduce((sum, told) => sum + told.count, 0)
  const all: readonly Told[] = [...own, { project: null, count: ofSeveral }]
  const { level, rest } = shareLevel(
    all.map((told) => told.count),
    kept,
  )
  const newest = `SELECT id FROM alert_messages WHERE project_id IS ? AND org_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?`
  const beyond = all.flatMap(({ project, count: told }) => {
    const first = told > level ? db.get<{ id: number }>(newest, [project, org, level]) : undefined
    return first === undefined ? [] : [{ project, first: first.id }]
  })
  // The newest of the first ones beyond take what the level leaves.
  beyond.sort((a, b) => b.first - a.first)
  return beyond.flatMap(({ project, first }, at) => [
    project === null ? OF_SEVERAL : String(project),
    '0',
    String(at < rest ? first : first + 1),
  ])
}

const OF_SEVERAL = '-'

/** Returns the number that each may keep so that all together keep `kept`, and how many may keep one more. */
function shareLevel(counts: readonly number[], kept: number): { level: number; rest: number } {
  let left = kept
  const sorted = counts.toSorted((a, b) => a - b)
  for (const [at, count] of sorted.entries()) {
    const others = sorted.length - at
    if (count * others > left) return { level: Math.floor(left / others), rest: left % others }
    left -= count
  }
  return { level: kept, rest: 0 }
}

function removeBelow(
  db: Connection,
  {
    org,
    borders: [project = OF_SEVERAL, from = '0', stays = '0', ...others],
    most,
  }: { readonly org: string; readonly borders: readonly string[]; readonly most: number },
): AgedSet {
  // What waits stays.
  const settled = `project_id IS :project AND org_id = :org AND id >= :from AND id < :stays AND due_ms IS NULL`
  const last = `SELECT max(id) AS id FROM (SELECT id FROM alert_messages WHERE ${settled} ORDER BY id LIMIT :most)`
  const given = {
    project: project === OF_SEVERAL ? null : Number(project),
    ...{ org: Number(org), from: Number(from), stays: Number(stays) },
  }
  const id = db.get<{ id: number | null }>(last, { ...given, most })?.id ?? null
  const past = id === null ? Number(stays) : id + 1
  const sql = `DELETE FROM alert_messages WHERE ${settled}`
  const changes = id === null ? 0 : db.run(sql, { ...given, stays: past }).changes
  const left = changes < most ? others : [project, String(past), stays, ...others]
  return { cost: changes, after: [org, ...left] }
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
