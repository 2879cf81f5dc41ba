/** Answers which groups the commit stores events of stale clicks in. */
import type { GroupHash } from '#base/ids.ts'
import type { ToldClick } from '#ports/skew.ts'
import type { StaleClick } from '#skew/clicks.ts'
import { type ClickDeploy, deployOfClick, groupOfClick } from '#skew/gathering.ts'
import type { Connection } from '../connection.ts'
import { runsOf } from './skew-issues.ts'
import { clickWith } from './stale-clicks.ts'

export function staleGroups(db: Connection, told: readonly ToldClick[]): readonly GroupHash[] {
  const clicks: StaleClick[] = []
  return told.map((half) => {
    const click = clickWith(db, half, clicks)
    clicks.push(click)
    const placed = placeOf(db, half)
    if (placed === undefined) return half.group
    return groupOfClick(
      half.group,
      placed,
      deployOfClick(click, () => runsOf(db, click)),
    )
  })
}

type Place = Pick<ClickDeploy, 'environment' | 'release'>

function placeOf(db: Connection, { projectId, group }: ToldClick): Place | undefined {
  // The unique index on (project_id, hash), the primary key of skew_groups.
  const sql = `SELECT s.environment, s.release FROM groups g JOIN skew_groups s ON s.group_id = g.id
    WHERE g.project_id = ? AND g.hash = ?`
  return db.get<Place>(sql, [projectId, Buffer.from(group, 'hex')])
}
