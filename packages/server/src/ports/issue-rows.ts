/**
 * Rows of issues, as a transaction that changes some asks for them and writes them. What is decided of them is decided by
 * rules; a change says what follows from it (`issues/follows`), and is written in one place, whoever makes it.
 */
import type { GroupHash, IssueId, OrgId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import type { Priority } from '#model/priority.ts'
import type { TimedRelease } from '#model/release-order.ts'
import type { SubscriptionReason } from './issue-people.ts'
import type {
  Activity,
  ActivityKind,
  Assignee,
  GroupsJoined,
  GroupsToJoin,
  IssueStatus,
  IssueSubstatus,
  ResolvedIn,
} from './issues.ts'
import type { Actor, IssueChange } from './scope.ts'

export interface IssueState {
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus
  readonly archivedEventsLeft: number | null
  /** The number of users with which it comes back. */
  readonly archivedUsersAt: number | null
  readonly archivedUntilMs: number | null
  /** While resolved other than now. */
  readonly resolvedIn: ResolvedIn | null
  readonly statusChangedMs: number
}

/** An issue that a change names. */
export interface ChosenIssue extends IssueState {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly shortId: string
  readonly title: string
  readonly assigneeId: UserId | null
  readonly assigneeTeamId: TeamId | null
  /** Priority chosen by a person. */
  readonly priorityChosen: Priority | null
  readonly prioritySetMs: number | null
  readonly userCount: number
}

/** Choices of people beside an issue's state; the record of a choice keeps what it replaced. */
export type IssueChoices = Pick<
  ChosenIssue,
  'assigneeId' | 'assigneeTeamId' | 'priorityChosen' | 'prioritySetMs'
>

/** The newest record of a change to an issue's state by a person. */
export interface LastChange extends Pick<Activity, 'kind' | 'atMs' | 'userId'> {
  /** State that the change replaced. */
  readonly before: IssueState
}

/** The newest record of a choice of its kind. */
export interface LastChoice extends Pick<Activity, 'userId' | 'detail'> {
  /** `null`: it cannot be taken back. */
  readonly before: IssueChoices | null
}

/** The record of a change. */
export interface ActivityNote {
  readonly kind: ActivityKind
  readonly atMs: number
  /** `null` for Errata itself. */
  readonly actor: Actor | null
  readonly detail?: Activity['detail']
  /** The state that it replaced, where a person changed it. */
  readonly before?: IssueState
  /** Choices that it replaced beside the state. */
  readonly choicesBefore?: IssueChoices
}

/** People told of a change, beside whoever made it. */
export type ToldOfChange =
  /** Told in inboxes and by email: followers, and people that a comment names. */
  | { readonly to: 'followers'; readonly mentions: readonly UserId[]; readonly by: Actor }
  /** The same of a comment that was there before: those that it names now. */
  | {
      readonly to: 'mentioned'
      readonly mentions: readonly UserId[]
      readonly activity: number
      readonly by: Actor
    }
  /** Told in inboxes alone. */
  | { readonly to: 'people'; readonly people: readonly UserId[] }

/** A change of one issue, and all that follows from it. What is left out stays as it is. */
export interface IssueChanged {
  readonly id: IssueId
  readonly state?: IssueState
  readonly assignee?: Assignee | null
  readonly priority?: { readonly chosen: Priority | null; readonly setMs: number | null }
  readonly note?: ActivityNote
  /** People who take part in it from now on, for a reason each. */
  readonly follows?: readonly { readonly user: UserId | number | null; readonly reason: SubscriptionReason }[]
  readonly tells?: ToldOfChange
  /** A moment that alert rules may ask for. */
  readonly moment?: { readonly of: 'resolved' | 'comment' | 'assignment'; readonly atMs: number }
  /** Issues of trackers that it is linked to are closed, where people want that. */
  readonly closesLinksAtMs?: number
  /** When a job looks at it again. */
  readonly returnsAtMs?: number | null
  /** Alert rules look anew at which issues may escalate. */
  readonly changesEscalation?: boolean
}

/** A group, by the issue that owns it. */
export interface OwnedGroup {
  readonly id: number
  readonly issueId: IssueId
  readonly projectId: ProjectId
  readonly hash: GroupHash
  /** The group whose failure it mirrors. */
  readonly foldedInto: number | null
}

/** Facts of somebody whom an issue may be assigned to. */
export interface AssigneeFacts {
  /** Name as a record keeps it; `null`: there is no such. */
  readonly name: string | null
  /** The person, or everybody of the team. */
  readonly people: readonly UserId[]
  /** Projects that the person may read, or the team opens. */
  readonly projects: readonly ProjectId[]
}

/** A merge, as its issues were before: for as long as it can be taken back. */
export interface MergedBefore {
  readonly issues: readonly { readonly id: IssueId; readonly groups: readonly number[] }[]
  /** JSON of the store's own. */
  readonly kept: string
}

export interface IssueRows {
  /** The named issues that lie in the organisation and its readable projects, by id; others are left alone. */
  chosen(change: IssueChange): Promise<readonly ChosenIssue[]>
  /** The same for Errata's own changes, by id; all must be there. */
  named(ids: readonly IssueId[]): Promise<readonly ChosenIssue[]>
  lastChanges(ids: readonly IssueId[]): Promise<ReadonlyMap<IssueId, LastChange>>
  /** The newest record of one of the kinds, of each issue that has one. */
  lastChoices(
    ids: readonly IssueId[],
    kinds: readonly ActivityKind[],
  ): Promise<ReadonlyMap<IssueId, LastChoice>>
  /** All of a project, newest first. */
  releases(project: ProjectId): Promise<readonly TimedRelease[]>
  /** The first release of the project that has the commit. */
  releaseWithCommit(project: ProjectId, commit: string): Promise<TimedRelease | null>
  assignee(org: OrgId, assignee: Assignee | null): Promise<AssigneeFacts>
  /** Issues archived until a time that has come, and the next time to come. */
  dueToReturn(nowMs: number): Promise<{ readonly ids: readonly IssueId[]; readonly nextMs: number | null }>
  /** Writes changes and what follows from them; the one place for it. */
  save(changes: readonly IssueChanged[]): Promise<void>
  /** Groups of each issue, in the order of their ids. */
  ownedGroups(ids: readonly IssueId[]): Promise<readonly OwnedGroup[]>
  /** Gives all groups of issues to another one, which is counted anew. Comments, people and links go along. */
  takeIn(from: readonly IssueId[], into: IssueId): Promise<void>
  /** Takes down issues that are about to be merged. */
  beforeMerge(from: readonly IssueId[], into: IssueId): Promise<MergedBefore>
  /** The last merge into an issue that somebody did since then; `null`: there is none. */
  mergeOf(
    into: IssueId,
    by: { readonly userId: number; readonly sinceMs: number },
  ): Promise<MergedBefore | null>
  /** Keeps what was merged until it is taken back, or another merge replaces it; `by` null: nobody can take it back. */
  keepMerge(
    into: IssueId,
    merged: MergedBefore,
    by: { readonly userId: number | null; readonly atMs: number },
  ): Promise<void>
  /** Brings back what was merged: issues, their groups, people, comments and links. */
  bringBack(into: IssueId, merged: MergedBefore): Promise<void>
  /** Gives groups of an issue to another, to a new one where none is named; answers that. Both are counted anew. */
  part(parting: {
    readonly from: ChosenIssue
    readonly groups: readonly number[]
    readonly into: IssueId | null
    readonly atMs: number
  }): Promise<IssueId>
  /** Gives a folded mirror an issue of its own, for good; `null`: it is none. */
  keepMirrorApart(group: number, by: Actor): Promise<IssueId | null>
  /** Removes issues and what is below them, and leaves tombstones for their events. */
  remove(
    ids: readonly IssueId[],
    within: { readonly projects: readonly ProjectId[]; readonly atMs: number },
  ): Promise<void>
  /** Mirrors whose time is over become issues; answers how many, and when the next one's is, `null` if none waits. */
  standAlone(nowMs: number): Promise<{ readonly issues: number; readonly nextMs: number | null }>
  /** Gives both groups to one issue. */
  joinGroups(groups: GroupsToJoin, atMs: number): Promise<GroupsJoined>
}
