/** The issues that a change is about: found where somebody asks, and read again within its transaction. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { refuseCount } from '#issues/issue-changes.ts'
import { max } from '#limits/limits.ts'
import type { Tx } from '#ports/control.ts'
import type { ChosenIssue } from '#ports/issue-rows.ts'
import type { IssueSearched } from '#queries/search/issue-search.ts'
import type { Asking } from './asking.ts'
import type { By } from './command.ts'
import type { CommandParts } from './parts.ts'

/** Which issues a change names: ids or short ids, or everything a search finds. */
export type IssueSelection = { readonly refs: readonly string[] } | IssueSearched

/** Ids of the issues. */
export type IssueIds = { readonly ids: readonly IssueId[] }

export interface FoundIssue {
  readonly id: IssueId
  readonly projectId: ProjectId
}

export type SelectionParts = Pick<CommandParts, 'issues' | 'queries'>

export async function foundIssues(
  { issues, queries }: SelectionParts,
  { scope }: Asking,
  selection: IssueSelection,
): Promise<Result<readonly FoundIssue[]>> {
  if ('query' in selection) {
    if (queries === undefined) return refuse('bad_request', 'Issues are not searched here.')
    return queries.search.select(scope, selection)
  }
  const refs = [...new Set(selection.refs)]
  if (refs.length > max('issuesPerChangeMax')) {
    const message = `At most ${max('issuesPerChangeMax')} issues are changed at once.`
    return refuse('invalid_input', message, { id: [message] })
  }
  const found = await issues.issuesByRefs(scope, refs)
  if (found.length === 0) {
    return refuse('not_found', refs.length === 1 ? 'There is no such issue.' : 'None of these issues exists.')
  }
  return ok(found)
}

/** Prepares a change of issues that says more beside: `rest` goes along. */
export async function selecting<Rest extends object>(
  parts: SelectionParts,
  asking: Asking,
  { selection, ...rest }: Rest & { readonly selection: IssueSelection },
): Promise<Result<Omit<Rest, 'selection'> & IssueIds>> {
  const found = await foundIssues(parts, asking, selection)
  return found.ok ? ok({ ...rest, ids: found.value.map(({ id }) => id) }) : found
}

/** Reads the issues that are there yet, and that whoever asks may read. */
export async function chosenIssues(
  tx: Tx,
  { scope: { orgId, projects } }: By,
  ids: readonly IssueId[],
): Promise<Result<readonly ChosenIssue[]>> {
  return refuseCount(ids) ?? ok(await tx.issues.chosen({ orgId, projects, ids }))
}

/** Followers may have been left emails, and trackers may be asked to close theirs. */
export function wakeSenders({ mailRoom, trackers }: Pick<CommandParts, 'mailRoom' | 'trackers'>): void {
  mailRoom?.wake()
  trackers?.wake()
}
