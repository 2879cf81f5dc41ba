/** Limits a query to a scope. */
import type { ProjectId } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'

/**
 * The start of every query over projects' rows: the projects that exist, belong to the scope's organisation and are
 * open to the viewer. The organisation is checked here once more, so that a wrongly built scope opens nothing.
 * Parameters: `org`, `readable`.
 */
export const READABLE = `WITH readable (id) AS MATERIALIZED (
  SELECT p.id FROM projects p WHERE p.org_id = :org AND p.id IN (SELECT value FROM json_each(:readable)))`

/** Part of a scope that rows are read by. */
export type ProjectScope = Pick<ReadScope, 'orgId' | 'projects'>

export function readableParams(
  scope: ProjectScope,
  projects: readonly ProjectId[] | null = null,
): { readonly org: number; readonly readable: string } {
  return { org: scope.orgId, readable: readableJson(scope, projects) }
}

/** JSON array of the scope's projects, narrowed to `projects` when given. */
export function readableJson(scope: ProjectScope, projects: readonly ProjectId[] | null): string {
  if (projects === null) return JSON.stringify(scope.projects)
  const wanted = new Set(projects)
  return JSON.stringify(scope.projects.filter((id) => wanted.has(id)))
}
