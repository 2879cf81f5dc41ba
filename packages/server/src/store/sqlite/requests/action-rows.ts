/** Names of actions that are kept by their ids, as they are known up to now. */
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { RequestsQuery, SeenAction } from '#ports/requests.ts'
import type { Connection } from '../connection.ts'
import { type ProjectScope, READABLE, readableParams } from '../rows/readable.ts'

/** Condition on a series with an id, as in `isActionId`. */
export const IS_ID = "length(s.action) BETWEEN 40 AND 64 AND s.action NOT GLOB '*[^0-9a-f]*'"

interface IdSeries {
  readonly series: number
  readonly projectId: ProjectId
  readonly id: string
  /** By a wrapper. */
  readonly told: string | null
}

/**
 * Returns the names of series that are kept by an id and have a name by now: builds tell more than wrappers.
 */
export function namesOfSeries(
  db: Connection,
  scope: ProjectScope,
  { projects, route, builtActions = [] }: RequestsQuery,
): ReadonlyMap<number, string> {
  const sql = `${READABLE}
SELECT s.id AS series, s.project_id AS projectId, s.action AS id, n.name AS told
FROM action_series s LEFT JOIN action_names n ON n.project_id = s.project_id AND n.action_id = s.action
WHERE s.project_id IN (SELECT id FROM readable) AND (:route IS NULL OR s.route = :route)
  AND (n.name IS NOT NULL OR ${IS_ID})`
  const built = new Map(builtActions.map(({ projectId, id, name }) => [`${projectId}:${id}`, name]))
  const rows = db.all<IdSeries>(sql, { ...readableParams(scope, projects), route: route ?? null })
  return new Map(
    rows.flatMap(({ series, projectId, id, told }) => {
      const name = built.get(`${projectId}:${id}`) ?? told
      return name === null ? [] : [[series, name] as const]
    }),
  )
}

/** Same as `RequestsRead.seenActions`. */
export function seenActions(
  db: Connection,
  scope: ProjectScope,
  projects: readonly ProjectId[] | null,
): readonly SeenAction[] {
  const sql = `${READABLE}, seen (project_id, id, name, day) AS (
  SELECT project_id, action_id, name, day FROM action_names WHERE project_id IN (SELECT id FROM readable)
  UNION ALL SELECT s.project_id, s.action, NULL, s.last_hour / 24 FROM action_series s
    WHERE s.project_id IN (SELECT id FROM readable) AND ${IS_ID})
SELECT project_id AS projectId, id, max(name) AS name FROM seen GROUP BY 1, 2
ORDER BY max(day) DESC, id LIMIT ${max('actionNamesReadMax')}`
  return db.all<SeenAction>(sql, readableParams(scope, projects))
}
