/** Reads which releases ran where, for clicks that no server tells of. */
import type { OrgId, ProjectId } from '#base/ids.ts'
import type { KnownBuild } from '#ports/skew.ts'
import type { StaleClick } from '#skew/clicks.ts'
import type { KnownRuns } from '#skew/deploys.ts'
import { type AnsweredThere, asksForRuns, stalePlaceKey } from '#skew/placing.ts'
import type { Connection } from '../connection.ts'
import { knownBuildsOf } from './skew-read.ts'

/** Returns releases that answered stale clicks where these clicks were. */
export function answeredThere(db: Connection, clicks: readonly StaleClick[]): AnsweredThere {
  const places = [...new Map(clicks.filter(asksForRuns).map((click) => [stalePlaceKey(click), click]))]
  // The unique index of stale_series.
  const sql = `SELECT release, min(first_ms) AS firstMs FROM stale_series
    WHERE project_id = ? AND environment = ? AND release <> '' GROUP BY release`
  const rows = db.allEach<KnownRuns['answered'][number]>(
    sql,
    places.map(([, { projectId, environment }]) => [projectId, environment]),
  )
  return new Map(places.map(([key], at) => [key, rows[at] ?? []]))
}

/** Returns what is known of builds in the projects of these clicks. */
export function buildsThere(
  db: Connection,
  clicks: readonly StaleClick[],
): ReadonlyMap<ProjectId, readonly KnownBuild[]> {
  const projects = [...new Set(clicks.filter(asksForRuns).map(({ projectId }) => projectId))]
  const rows = db.getEach<{ org: OrgId }>(
    'SELECT org_id AS org FROM projects WHERE id = ?',
    projects.map((project) => [project]),
  )
  const asked = projects.flatMap((project, at) => {
    const org = rows[at]?.org
    return org === undefined ? [] : [{ org, readable: JSON.stringify([project]) }]
  })
  return new Map(Map.groupBy(knownBuildsOf(db, asked).flat(), ({ projectId }) => projectId))
}
