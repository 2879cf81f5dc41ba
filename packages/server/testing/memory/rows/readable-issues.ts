/** What of issues a scope may read. */
import type { IssueId } from '#base/ids.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { GroupRow, Tables } from '../tables.ts'
import { groupsOf } from './issue-view.ts'
import { readableProjects } from './readable.ts'

export function isReadable(of: Tables, scope: ReadScope, id: IssueId): boolean {
  const issue = of.issues.get(id)
  return issue !== undefined && readableProjects(of, scope).has(issue.projectId)
}

export function readableGroups(of: Tables, scope: ReadScope, id: IssueId): readonly GroupRow[] {
  const readable = readableProjects(of, scope)
  return isReadable(of, scope, id) ? groupsOf(of, id).filter(({ projectId }) => readable.has(projectId)) : []
}
