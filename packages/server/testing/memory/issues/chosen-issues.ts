/** The issues that a change names. */
import { ok, type Result } from '#base/result.ts'
import { type ChosenIssue, refuseCount } from '#issues/issue-changes.ts'
import type { IssueChange } from '#ports/issue-change.ts'
import { byId } from '../order.ts'
import type { Tables } from '../tables.ts'
import { chosenIssue } from './merging.ts'

/** The named issues that lie in the organisation and its readable projects; others are left alone. */
export function choose(of: Tables, { orgId, projects, ids }: IssueChange): Result<readonly ChosenIssue[]> {
  const tooMany = refuseCount(ids)
  if (tooMany !== null) return tooMany
  const named = [...new Set(ids)].flatMap((id) => of.issues.get(id) ?? []).sort(byId)
  return ok(
    named
      .filter(({ substatus }) => substatus !== 'waiting')
      .filter(({ projectId }) => projects.includes(projectId) && of.projects.get(projectId)?.orgId === orgId)
      .map((issue) => chosenIssue(of, issue)),
  )
}
