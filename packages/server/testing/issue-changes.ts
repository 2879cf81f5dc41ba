/** Changes of issues as suites of the control store make them: through commands, whose preparation found the issues. */
import { MINUTE_MS } from '#base/durations.ts'
import type { GroupHash, IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { createChanges } from '#commands/changes.ts'
import type { CommandName, PreparedOf } from '#commands/table.ts'
import type { Priority } from '#model/priority.ts'
import type { Control } from '#ports/control.ts'
import type { NewComment } from '#ports/issue-people.ts'
import type { NewShare } from '#ports/issue-shares.ts'
import type { ArchivedUntil, Assignee, GroupsToJoin, ResolveIn, UndoneChoice } from '#ports/issues.ts'
import type { Actor, IssueChange } from '#ports/scope.ts'
import { scopeForTest } from './builders/scope.ts'
import { changesOf } from './changes.ts'

type Of = Pick<IssueChange, 'orgId' | 'projects'>
interface OfComment extends IssueChange {
  readonly commentId: number
}
interface Parted extends Of {
  readonly id: IssueId
  readonly groups: readonly GroupHash[]
  readonly reason: string | null
  readonly into?: IssueId | null
}
interface Apart extends Of {
  readonly id: IssueId
  readonly groups: readonly { readonly projectId: ProjectId; readonly hash: GroupHash }[] | null
}
export type IssueChangesBy = ReturnType<typeof issueChanges>

export function issueChanges(control: Control) {
  const change = changesOf(control)
  const { own } = createChanges(control)
  const by = (orgId: OrgId, projects: readonly ProjectId[], actor: Actor) => ({
    scope: scopeForTest({ orgId, projects }),
    actor,
  })
  const run = <N extends CommandName>(name: N, of: Of, prepared: PreparedOf<N>, actor: Actor) =>
    change(name, prepared, by(of.orgId, of.projects, actor))
  const nobody = (userId: UserId): Actor => ({ userId, tokenId: null, label: '', address: null, atMs: 0 })
  return {
    resolve: (of: IssueChange, actor: Actor, within: ResolveIn | null = null) =>
      run('resolveIssues', of, { ids: of.ids, within }, actor),
    unresolve: (of: IssueChange, actor: Actor) => run('unresolveIssues', of, { ids: of.ids }, actor),
    undo: (of: IssueChange, actor: Actor) => run('undoIssues', of, { ids: of.ids }, actor),
    undoChoice: (of: IssueChange, choice: UndoneChoice, actor: Actor) =>
      run('undoChoices', of, { ids: of.ids, of: choice }, actor),
    archive: (of: IssueChange, { atMs, ...until }: ArchivedUntil, actor: Actor) => {
      const minutes = atMs === null ? null : (atMs - Math.floor(actor.atMs)) / MINUTE_MS
      return run('archiveIssues', of, { ids: of.ids, until: { ...until, minutes } }, actor)
    },
    assign: (of: IssueChange, assignee: Assignee | null, actor: Actor) =>
      run('assignIssues', of, { ids: of.ids, assignee }, actor),
    prioritise: (of: IssueChange, priority: Priority, actor: Actor) =>
      run('prioritiseIssues', of, { ids: of.ids, priority }, actor),
    merge: async (of: IssueChange & { readonly reason?: string | null }, into: IssueId, actor: Actor) => {
      const { ids, reason = null } = of
      const merged = await run('mergeIssues', of, { ids, into, reason }, actor)
      return merged.ok ? { ok: true as const, value: merged.value.into } : merged
    },
    undoMerge: (of: IssueChange, actor: Actor) => run('undoMerges', of, { ids: of.ids }, actor),
    unmerge: ({ id, groups, reason, into = null, ...of }: Parted, actor: Actor) =>
      run('unmergeIssue', of, { id, groups, reason, into }, actor),
    keepApart: ({ id, groups, ...of }: Apart, actor: Actor) =>
      run('keepMirrorsApart', of, { id, groups }, actor),
    deleteIssues: (of: IssueChange, actor: Actor) => run('deleteIssues', of, { ids: of.ids }, actor),
    shareIssue: (of: IssueChange, share: NewShare, actor: Actor) =>
      run('shareIssue', of, { ids: of.ids, ...share }, actor),
    unshareIssue: (of: IssueChange, actor: Actor) => run('unshareIssue', of, { ids: of.ids }, actor),
    comment: (of: IssueChange, comment: NewComment, actor: Actor) =>
      run('commentIssue', of, { ids: of.ids, comment, channels: [] }, actor),
    editComment: ({ ids, commentId, ...of }: OfComment, comment: NewComment, actor: Actor) =>
      run('editComment', of, { ids, commentId, comment }, actor),
    deleteComment: (
      { ids, commentId, ...of }: OfComment,
      { isAnyones }: { readonly isAnyones: boolean },
      actor: Actor,
    ) => run('deleteComment', of, { ids, commentId, isAnyones }, actor),
    subscribe: (
      of: IssueChange,
      { user, isSubscribed }: { readonly user: UserId; readonly isSubscribed: boolean },
    ) => run('subscribeToIssues', of, { ids: of.ids, user, isSubscribed }, nobody(user)),
    bookmark: (
      of: IssueChange,
      { user, isBookmarked }: { readonly user: UserId; readonly isBookmarked: boolean },
    ) => run('bookmarkIssues', of, { ids: of.ids, user, isBookmarked }, nobody(user)),
    unarchiveDue: (nowMs: number) => own('returnArchived', { nowMs }),
    standAlone: (nowMs: number) => own('standAlone', { nowMs }),
    joinGroups: (groups: GroupsToJoin, atMs: number) => own('joinGroups', { groups, atMs }),
  }
}
