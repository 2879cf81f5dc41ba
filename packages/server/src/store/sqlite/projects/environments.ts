/** Environments: discovered from counted tags and deploys, with what people say of them. */
import { compareEnvironments } from '#model/environments.ts'
import type { Environment, EnvironmentFilter } from '#ports/environments.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

type Row = Omit<Environment, 'isHidden'> & { readonly isHidden: number }

export function environments(
  db: Connection,
  scope: ReadScope,
  { projects, of }: EnvironmentFilter,
): readonly Environment[] {
  // The primary keys of project_facets and environments; release_projects_by_project, deploys_by_release.
  const sql = `${READABLE}, seen (project_id, name, events, at_ms) AS (
      SELECT f.project_id, f.value, f.count, f.last_ms FROM readable CROSS JOIN project_facets f
        ON f.project_id = readable.id AND f.key_id = (SELECT id FROM tag_keys WHERE key = 'environment')
      UNION ALL
      SELECT rp.project_id, d.environment, 0, d.finished_ms FROM readable
        CROSS JOIN release_projects rp ON rp.project_id = readable.id
        CROSS JOIN deploys d ON d.release_id = rp.release_id
        WHERE :deploys)
    SELECT s.project_id AS projectId, s.name, coalesce(e.is_hidden, 0) AS isHidden, e.position,
      sum(s.events) AS eventCount, max(s.at_ms) AS lastSeenMs
    FROM seen s LEFT JOIN environments e ON e.project_id = s.project_id AND e.name = s.name
    GROUP BY s.project_id, s.name`
  const params = { ...readableParams(scope, projects), deploys: of === 'events' ? 0 : 1 }
  return db
    .all<Row>(sql, params)
    .map((row) => ({ ...row, isHidden: row.isHidden === 1 }))
    .sort((a, b) => a.projectId - b.projectId || compareEnvironments(a, b))
}
