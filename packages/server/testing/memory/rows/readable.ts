/** What of a scope a read may touch. */
import type { ProjectId } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Tables } from '../tables.ts'

/**
 * The projects that exist, belong to the scope's organisation and are open to the viewer, narrowed to `projects` when
 * given. The organisation is checked here once more, so that a wrongly built scope opens nothing.
 */
export function readableProjects(
  of: Tables,
  scope: ReadScope,
  projects: readonly ProjectId[] | null = null,
): ReadonlySet<ProjectId> {
  const open = scope.projects.filter((id) => of.projects.get(id)?.orgId === scope.orgId)
  return new Set(projects === null ? open : open.filter((id) => projects.includes(id)))
}
