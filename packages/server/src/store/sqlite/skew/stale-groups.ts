/** Answers which groups the commit stores events of stale clicks in. */
import type { GroupHash } from '#base/ids.ts'
import type { ToldClick } from '#ports/skew.ts'
import { clickOf, firstHalf, type StaleClick, withHalf } from '#skew/clicks.ts'
import { type ClickDeploy, deployOfClick, groupOfClick } from '#skew/gathering.ts'
import { placeKey } from '#skew/placing.ts'
import type { Connection } from '../connection.ts'
import { answeredThere, buildsThere } from './skew-runs.ts'
import { clicksNear } from './stale-clicks.ts'

export function staleGroups(db: Connection, told: readonly ToldClick[]): readonly GroupHash[] {
  const clicks = clicksOf(db, told)
  const places = placesOf(db, told)
  const asking = clicks.filter((_, at) => places[at] !== undefined)
  const [answered, builds] = [answeredThere(db, asking), buildsThere(db, asking)]
  return told.map((half, at) => {
    const [click, place] = [clicks[at], places[at]]
    if (click === undefined || place === undefined) return half.group
    const runs = () => ({
      builds: builds.get(click.projectId) ?? [],
      answered: answered.get(placeKey(click)) ?? [],
    })
    return groupOfClick(half.group, place, deployOfClick(click, runs))
  })
}

/** Returns the click of each half, with those before it, which are not stored yet. */
function clicksOf(db: Connection, told: readonly ToldClick[]): readonly StaleClick[] {
  const near = clicksNear(db, told)
  const clicks: StaleClick[] = []
  for (const [at, half] of told.entries()) {
    const stored = (near[at] ?? []).map(({ click }) => click)
    const known = clickOf(half, [...clicks.toReversed(), ...stored])
    clicks.push(known === null ? firstHalf(half) : withHalf(known, half))
  }
  return clicks
}

type Place = Pick<ClickDeploy, 'environment' | 'release'>

/** Returns the deploys that groups are of already. */
function placesOf(db: Connection, told: readonly ToldClick[]): readonly (Place | undefined)[] {
  // The unique index on (project_id, hash), the primary key of skew_groups.
  const sql = `SELECT s.environment, s.release FROM groups g JOIN skew_groups s ON s.group_id = g.id
    WHERE g.project_id = ? AND g.hash = ?`
  return db.getEach<Place>(
    sql,
    told.map(({ projectId, group }) => [projectId, Buffer.from(group, 'hex')]),
  )
}
