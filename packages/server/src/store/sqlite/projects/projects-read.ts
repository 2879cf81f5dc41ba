/** Reads of projects and keys. */

import type { ProjectId } from '#base/ids.ts'
import { hourVolumes, type VolumePart } from '#issues/outcome-buckets.ts'
import { type Project, type ProjectsRead, withoutLeadingZeros } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { ownershipRead } from '../ownership/ownership.ts'
import {
  KEY_COLUMNS,
  type KeyRow,
  PROJECT_COLUMNS,
  type ProjectRow,
  projectById,
  readProjectKey,
  readProjectRow,
} from '../rows/project-rows.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { directoryChange, directoryVersion, ingestDirectory } from './directory-read.ts'
import { environments } from './environments.ts'
import { projectNames } from './project-names.ts'

export function projectsRead(db: Connection): ProjectsRead {
  return {
    ...ownershipRead(db),
    ingestDirectory: async () => db.snapshot(() => ingestDirectory(db)),
    directoryChange: async (from) => db.snapshot(() => directoryChange(db, from)),
    directoryVersion: async () => directoryVersion(db),
    hourlyVolume: async (id, category, sinceMs) =>
      hourVolumes(db.all<VolumePart>(HOURLY_PARTS, { project: id, category, since: sinceMs })),
    projects: async (scope) => {
      const sql = `${READABLE} SELECT ${PROJECT_COLUMNS} FROM projects p WHERE p.id IN (SELECT id FROM readable)
        ORDER BY p.name COLLATE NOCASE, p.id`
      return db.all<ProjectRow>(sql, readableParams(scope)).map(readProjectRow)
    },
    projectNames: async (scope, asked) => db.snapshot(() => projectNames(db, scope, asked)),
    project: async (scope, slugOrId) => readProject(db, scope, slugOrId),
    keys: async (scope, id) => {
      // project_keys_by_project
      const sql = `${READABLE} SELECT ${KEY_COLUMNS} FROM project_keys k
        WHERE k.project_id IN (SELECT id FROM readable) ORDER BY k.id`
      return db.all<KeyRow>(sql, readableParams(scope, [id])).map(readProjectKey)
    },
    environments: async (scope, filter) => environments(db, scope, filter),
    size: async (scope, id) => size(db, scope, id),
  }
}

/** The primary key of outcomes: project, then bucket. Of what clients discard, whose reasons are many, none is told. */
const HOURLY_PARTS = `SELECT bucket_ms / 3600000 * 3600000 AS bucketMs, outcome,
    iif(outcome = 'client_discard', '', reason) AS reason, sum(quantity) AS quantity, min(first_ms) AS firstMs
  FROM outcomes WHERE project_id = :project AND bucket_ms >= :since AND category = :category
  GROUP BY 1, 2, 3`

/** A slug wins over an id that looks the same, and both over a further number. */
function readProject(db: Connection, scope: ReadScope, slugOrId: string): Project | null {
  const { orgId: org, projects } = scope
  const id = /^\d{1,15}$/.test(slugOrId) ? Number(slugOrId) : null
  const number = /^\d{1,20}$/.test(slugOrId) ? withoutLeadingZeros(slugOrId) : null
  const isReadable = (one: { readonly id: ProjectId }) => projects.includes(one.id)
  const named = db.all<{ id: ProjectId }>(NAMED, { org, ref: slugOrId, id })
  const numbered = () => (number === null ? [] : db.all<{ id: ProjectId }>(NUMBERED, { org, number }))
  const found = named.find(isReadable) ?? numbered().find(isReadable)
  return found === undefined ? null : projectById(db, org, found.id)
}

/** The unique index on (org_id, slug), and the primary keys: an organisation may have thousands of projects. */
const NAMED = `SELECT id, 0 AS place FROM projects WHERE org_id = :org AND slug = :ref
  UNION ALL SELECT project_id, 1 FROM former_slugs WHERE org_id = :org AND slug = :ref AND project_id IS NOT NULL
  UNION ALL SELECT id, 2 FROM projects WHERE id = :id AND org_id = :org ORDER BY place`

/** Looks into the options of each: asked for only where nothing has the name. */
const NUMBERED = `SELECT id FROM projects p WHERE org_id = :org
  AND EXISTS (SELECT 1 FROM json_each(p.options, '$.furtherNumbers') n WHERE n.value = :number) ORDER BY id`

function size(
  db: Connection,
  scope: ReadScope,
  id: ProjectId,
): { readonly issues: number; readonly events: number; readonly keys: number } {
  // issues_for_list covers the sums.
  const sql = `${READABLE} SELECT
    (SELECT count(*) FROM issues WHERE project_id IN (SELECT id FROM readable)
      AND substatus IS NOT 'waiting') AS issues,
    (SELECT coalesce(sum(event_count), 0) FROM issues WHERE project_id IN (SELECT id FROM readable)) AS events,
    (SELECT count(*) FROM project_keys WHERE project_id IN (SELECT id FROM readable)) AS keys`
  return (
    db.get<{ issues: number; events: number; keys: number }>(sql, readableParams(scope, [id])) ?? {
      issues: 0,
      events: 0,
      keys: 0,
    }
  )
}
