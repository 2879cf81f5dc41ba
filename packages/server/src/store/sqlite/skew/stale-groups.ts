/** Answers which groups the commit stores events of stale clicks in. */
import { inChunks } from '#base/chunks.ts'
import type { GroupHash, OrgId, ProjectId } from '#base/ids.ts'
import type { ToldClick } from '#ports/skew.ts'
import { clickOf, firstHalf, type StaleClick, withHalf } from '#skew/clicks.ts'
import { type ClickDeploy, deployOfClick, groupOfClick } from '#skew/gathering.ts'
import { stalePlaceKey } from '#skew/placing.ts'
import { ToldBefore } from '#skew/told-before.ts'
import type { Connection } from '../connection.ts'
import { answeredThere, buildsThere } from './skew-runs.ts'
import { clicksNear } from './stale-clicks.ts'

/** Halves that are looked at before others of the thread go. */
export const HALVES_PER_TURN = 200

/** `pause`: lets others of the thread go. Nobody else may write meanwhile. */
export async function staleGroups(
  db: Connection,
  told: readonly ToldClick[],
  pause: () => Promise<void>,
): Promise<readonly GroupHash[]> {
  const orgs = orgsOfProjects(db, told)
  const before = new ToldBefore((project) => orgs.get(project) ?? null)
  const clicks: StaleClick[] = []
  for (const halves of inChunks(told, HALVES_PER_TURN)) {
    clicks.push(...db.snapshot(() => toldClicks(db, halves, before)))
    await pause()
  }
  return db.snapshot(() => placedHashes(db, told, clicks))
}

function orgsOfProjects(db: Connection, told: readonly ToldClick[]): ReadonlyMap<ProjectId, OrgId> {
  const sql = 'SELECT id, org_id AS orgId FROM projects WHERE id IN (SELECT value FROM json_each(?))'
  const ids = [...new Set(told.map(({ projectId }) => projectId))]
  const rows = db.all<{ id: ProjectId; orgId: OrgId }>(sql, [JSON.stringify(ids)])
  return new Map(rows.map(({ id, orgId }) => [id, orgId]))
}

function placedHashes(
  db: Connection,
  told: readonly ToldClick[],
  clicks: readonly StaleClick[],
): readonly GroupHash[] {
  const places = findClickPlaces(db, told)
  const asking = clicks.filter((_, at) => places[at] !== undefined)
  const [answered, builds] = [answeredThere(db, asking), buildsThere(db, asking)]
  return told.map((half, at) => {
    const [click, place] = [clicks[at], places[at]]
    if (click === undefined || place === undefined) return half.group
    const runs = {
      builds: builds.get(click.projectId) ?? [],
      answered: answered.get(stalePlaceKey(click)) ?? [],
    }
    return groupOfClick(half.group, place, deployOfClick(click, runs))
  })
}

/** Returns the click of each half, with those before it, which are not stored yet. */
function toldClicks(db: Connection, told: readonly ToldClick[], before: ToldBefore): readonly StaleClick[] {
  const near = clicksNear(db, told)
  return told.map((half, at) => {
    const stored = (near[at] ?? []).map(({ click }) => click)
    const known = clickOf(half, [...before.near(half), ...stored])
    const click = known === null ? firstHalf(half) : withHalf(known, half)
    before.add(click)
    return click
  })
}

type Place = Pick<ClickDeploy, 'environment' | 'release'>

/** Returns the deploys that groups are of already. */
function findClickPlaces(db: Connection, told: readonly ToldClick[]): readonly (Place | undefined)[] {
  // The unique index on (project_id, hash), the primary key of skew_groups.
  const sql = `SELECT s.environment, s.release FROM groups g JOIN skew_groups s ON s.group_id = g.id
    WHERE g.project_id = ? AND g.hash = ?`
  return db.getEach<Place>(
    sql,
    told.map(({ projectId, group }) => [projectId, Buffer.from(group, 'hex')]),
  )
}
