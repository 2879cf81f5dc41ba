/**
 * Rules for people's changes of issues, as far as the issue alone decides. Changes by events are in
 * `issue-transition.ts`.
 */
import type { IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { type Refusal, refuse } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import type { Priority } from '#model/priority.ts'
import type { ChosenIssue, IssueChoices, IssueState, LastChange, LastChoice } from '#ports/issue-rows.ts'
import type {
  Activity,
  ActivityKind,
  ArchivedUntil,
  Assignee,
  IssueStatus,
  IssueSubstatus,
  ResolvedIn,
  UndoneChoice,
} from '#ports/issues.ts'
import { UNCONDITIONAL } from './issue-transition.ts'
import { resolutionDetail } from './resolution.ts'

/** New state of an issue, and the record of the change. */
export interface IssueStep {
  readonly state: IssueState
  readonly kind: ActivityKind
  readonly detail: Activity['detail']
}

/** Returns the step that resolves an issue. `null`: the issue is in that state already. */
export function resolve(
  { status, resolvedIn: before }: IssueState,
  { atMs, resolvedIn }: { readonly atMs: number; readonly resolvedIn: ResolvedIn | null },
): IssueStep | null {
  const [detail, detailBefore] = [resolutionDetail(resolvedIn), resolutionDetail(before)]
  if (status === 'resolved' && JSON.stringify(detail) === JSON.stringify(detailBefore)) return null
  return { state: { ...issueState('resolved', null, atMs), resolvedIn }, kind: 'resolved', detail }
}

/** Brings back what was resolved or archived; of what is new or regressed it says "seen": ongoing. */
export function unresolve({ status, substatus }: IssueState, atMs: number): IssueStep | null {
  if (status === 'unresolved' && substatus === 'ongoing') return null
  const kind = status === 'archived' ? 'unarchived' : 'unresolved'
  return { state: issueState('unresolved', 'ongoing', atMs), kind, detail: {} }
}

export function archive(
  issue: Pick<ChosenIssue, 'substatus' | 'userCount'>,
  until: ArchivedUntil,
  atMs: number,
): IssueStep | null {
  const { eventsMore, usersMore, atMs: untilMs } = until
  const isForEver = eventsMore === null && usersMore === null && untilMs === null
  const substatus = until.escalating === true ? 'archived_until_escalating' : 'archived_forever'
  if (isForEver && issue.substatus === substatus) return null
  const state = {
    ...issueState('archived', isForEver ? substatus : 'archived_until', atMs),
    archivedEventsLeft: eventsMore,
    archivedUsersAt: usersMore === null ? null : issue.userCount + usersMore,
    archivedUntilMs: untilMs,
  }
  const detail = {
    eventsMore,
    ...(usersMore === null ? {} : { usersMore }),
    ...(untilMs === null ? {} : { untilMs }),
    ...(isForEver && until.escalating === true ? { escalating: true } : {}),
  }
  return { state, kind: 'archived', detail }
}

/** True if an issue archived until a time returns now, by nobody's action and no event. */
export function isUnarchiveDue({ archivedUntilMs }: IssueState, nowMs: number): boolean {
  return archivedUntilMs !== null && archivedUntilMs <= nowMs
}

export function unarchiveByTime(nowMs: number): IssueStep {
  return { state: issueState('unresolved', 'ongoing', nowMs), kind: 'unarchived', detail: {} }
}

/** Returns the state that a change's record keeps for undoing it. */
export function stateBefore(issue: IssueState): IssueState {
  const { archivedEventsLeft, archivedUsersAt, archivedUntilMs, resolvedIn, ...others } = issue
  const { status, substatus, statusChangedMs } = others
  const conditions = { archivedEventsLeft, archivedUsersAt, archivedUntilMs, resolvedIn }
  return { status, substatus, ...conditions, statusChangedMs }
}

/**
 * Takes back what the same person resolved or archived: the issue is exactly what it was, new for as long as it would have
 * been. `null` where something has changed it since, an event or anybody.
 */
export function undo(issue: IssueState, last: LastChange | null, userId: number | null): IssueStep | null {
  if (last === null || last.userId !== userId || last.atMs !== issue.statusChangedMs) return null
  if (last.kind !== 'resolved' && last.kind !== 'archived') return null
  // Older records know of no releases.
  const before: IssueState = { ...UNCONDITIONAL, ...last.before }
  const { archivedEventsLeft: eventsMore, archivedUntilMs: untilMs } = before
  if (before.status === 'resolved')
    return { state: before, kind: 'resolved', detail: resolutionDetail(before.resolvedIn) }
  if (before.status === 'archived')
    return { state: before, kind: 'archived', detail: { eventsMore, untilMs } }
  return { state: before, kind: last.kind === 'archived' ? 'unarchived' : 'unresolved', detail: {} }
}

function issueState(status: IssueStatus, substatus: IssueSubstatus, atMs: number): IssueState {
  return { status, substatus, ...UNCONDITIONAL, statusChangedMs: Math.floor(atMs) }
}

/** The record of a new assignee; `null`: it is theirs already. `name` as the record keeps it. */
export function assign(
  issue: Pick<ChosenIssue, 'assigneeId' | 'assigneeTeamId'>,
  { assignee, name }: { readonly assignee: Assignee | null; readonly name: string | null },
): Pick<IssueStep, 'kind' | 'detail'> | null {
  const { userId, teamId } = assigneeIds(assignee)
  if (issue.assigneeId === userId && issue.assigneeTeamId === teamId) return null
  const team = teamId === null ? {} : { team: teamId }
  return { kind: assignee === null ? 'unassigned' : 'assigned', detail: { assignee: userId, ...team, name } }
}

export function assigneeIds(assignee: Assignee | null): {
  readonly userId: UserId | null
  readonly teamId: TeamId | null
} {
  if (assignee === null) return { userId: null, teamId: null }
  return typeof assignee === 'object'
    ? { userId: null, teamId: assignee.team }
    : { userId: assignee, teamId: null }
}

export function choicesOf(issue: IssueChoices): IssueChoices {
  const { assigneeId, assigneeTeamId, priorityChosen, prioritySetMs } = issue
  return { assigneeId, assigneeTeamId, priorityChosen, prioritySetMs }
}

/** Returns the choice to go back to; `null` if somebody else made it, or anybody has chosen since. */
export function undoChoice(
  issue: IssueChoices,
  { last, of }: { readonly last: LastChoice | null; readonly of: UndoneChoice },
  userId: number | null,
): IssueChoices | null {
  if (last === null || last.before === null || last.userId !== userId) return null
  const { assignee = null, team = null, priority = null } = last.detail
  const isAsItLeft =
    of === 'assignee'
      ? assignee === issue.assigneeId && team === issue.assigneeTeamId
      : priority === issue.priorityChosen
  return isAsItLeft ? last.before : null
}

export function assigneeBefore({ assigneeId, assigneeTeamId }: IssueChoices): Assignee | null {
  return assigneeTeamId === null ? assigneeId : { team: assigneeTeamId }
}

/** The records that tell of each. */
export const CHOICE_KINDS: Readonly<Record<UndoneChoice, readonly ActivityKind[]>> = {
  assignee: ['assigned', 'unassigned'],
  priority: ['prioritised'],
}

/** The record of a chosen priority, of `null` for the computed one; `null`: it is chosen already. */
export function prioritise(
  issue: Pick<ChosenIssue, 'priorityChosen'>,
  priority: Priority | null,
): Pick<IssueStep, 'kind' | 'detail'> | null {
  return issue.priorityChosen === priority ? null : { kind: 'prioritised', detail: { priority } }
}

/**
 * Refuses an assignee who may not read every project of the issues. `open`: the projects that the assignee may read.
 */
export function refuseAssignee(
  issues: readonly Pick<ChosenIssue, 'projectId'>[],
  open: ReadonlySet<ProjectId>,
): Refusal | null {
  if (issues.every(({ projectId }) => open.has(projectId))) return null
  return refuse('invalid_input', 'The assignee must be able to read the issue’s project.', {
    assignee: ['They must be a member who can read the project.'],
  })
}

export function refuseUntil({ eventsMore, usersMore, atMs }: ArchivedUntil, nowMs: number): Refusal | null {
  const isCount = (value: number | null) => value === null || (Number.isSafeInteger(value) && value >= 1)
  const rule = 'It must be a whole number from 1.'
  const fields = {
    ...(isCount(eventsMore) ? {} : { eventsMore: [rule] }),
    ...(isCount(usersMore) ? {} : { usersMore: [rule] }),
    ...(atMs === null || (Number.isSafeInteger(atMs) && atMs > nowMs)
      ? {}
      : { atMs: ['It must be a time in the future.'] }),
  }
  if (Object.keys(fields).length === 0) return null
  return refuse(
    'invalid_input',
    'An issue is archived until at least one more event, user or minute.',
    fields,
  )
}

export function refuseComment(text: string): Refusal | null {
  const most = max('commentCharsMax')
  if (text.trim() !== '' && text.length <= most) return null
  return refuse('invalid_input', 'The comment cannot be kept.', {
    text: [`It must have 1 to ${most} characters.`],
  })
}

/**
 * Refuses a comment on an issue that has too many. `count`: what stands on the issue with the most of those that are
 * commented on.
 */
export function refuseComments(count: number): Refusal | null {
  const most = max('commentsPerIssueMax')
  return count < most ? null : refuse('conflict', `An issue has at most ${most} comments.`)
}

/** Refuses too many issues; one more than the bound, since merging names the target too. */
export function refuseCount(ids: readonly IssueId[]): Refusal | null {
  const most = max('issuesPerChangeMax')
  if (ids.length <= most + 1) return null
  return refuse('invalid_input', `One change names at most ${most} issues.`, { ids: [`At most ${most}.`] })
}
