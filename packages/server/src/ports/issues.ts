/** Issues, the groups they own, digests, activity. Counts are kept per group; an issue's are their sum or union. */

import type { Digest, EventId, GroupHash, IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { Level, RequestKind } from '#model/event.ts'
import type { FileName } from '#model/file-name.ts'
import type { Priority } from '#model/priority.ts'
import type { Category } from '#model/recognised.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import type { GroupingRead, GroupingWrite } from './grouping.ts'
import type { StoredFacts } from './ingest.ts'
import type { IssueChange } from './issue-change.ts'
import type { IssuePeopleRead, IssuePeopleWrite } from './issue-people.ts'
import type { IssueSharesRead, IssueSharesWrite } from './issue-shares.ts'
import type {
  AssigneeCondition,
  IssueCountCondition,
  IssueField,
  IssueFieldCondition,
  IssueTimeCondition,
  MarkCondition,
} from './issue-terms.ts'
import type { MirrorsRead, MirrorsWrite } from './mirrors.ts'
import type { Actor, ReadScope } from './scope.ts'
import type { CountedMatches, FileContents, MatchingGroup } from './telemetry.ts'

export type {
  AssigneeCondition,
  IssueCountCondition,
  IssueField,
  IssueFieldCondition,
  IssueTimeCondition,
  MarkCondition,
}

export type IssueStatus = 'unresolved' | 'resolved' | 'archived'
export type IssueSubstatus =
  | 'new'
  | 'ongoing'
  | 'regressed'
  | 'escalating'
  | 'archived_forever'
  | 'archived_until'
  /** A mirror's, until the server's half comes: found by its id and its events alone. */
  | 'waiting'
  | 'archived_until_escalating'
  | null

/**
 * Keys whose values name one thing each, so that counting them tells nothing. Groups keep no facets of them, and
 * conditions on them are answered from the events.
 */
export const UNCOUNTED_TAG_KEYS: ReadonlySet<string> = new Set(['trace', 'replayId'])

export interface Issue {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly projectSlug: string
  /** Such as `SHOP-12`: the project's slug in capitals and a number that counts up within the project. */
  readonly shortId: string
  readonly title: string
  readonly type: string
  readonly value: string
  readonly filename: string | null
  readonly function: string | null
  readonly culprit: string
  readonly level: Level
  readonly platform: string
  readonly logger: string | null
  readonly handled: boolean | null
  /** Where the cause lies, as the newest event says it. */
  readonly category: Category
  /** Of stale tabs: the release whose deploy they outlived, where that is known. The issue is called by it. */
  readonly deploy: string | null
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus
  /** While archived until so many more events: those still to come. */
  readonly archivedEventsLeft: number | null
  /** While archived until so many more users: those still to come. */
  readonly archivedUsersLeft: number | null
  /** While archived until a time: milliseconds since 1970 UTC. */
  readonly archivedUntilMs: number | null
  /** While resolved other than now. */
  readonly resolvedIn: ResolvedIn | null
  readonly statusChangedMs: number
  readonly assignee: { readonly userId: UserId; readonly name: string; readonly email: string } | null
  /** Instead of a person. */
  readonly assigneeTeam: { readonly teamId: TeamId; readonly slug: string; readonly name: string } | null
  readonly priority: Priority
  /** When a person chose it; `null`: it is computed. */
  readonly prioritySetMs: number | null
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly firstRelease: string | null
  readonly lastRelease: string | null
  /** Exact, since the issue began. */
  readonly eventCount: number
  /** Of them, what browsers saw of a server failure. */
  readonly mirrorCount: number
  /** Of them, those that kept their payload. Like the events, never less: retention takes nothing from it. */
  readonly payloadCount: number
  /** Distinct users since the issue began. */
  readonly users: { readonly count: number; readonly isExact: boolean }
  /** Request kinds with counts, most frequent first. */
  readonly kinds: readonly { readonly kind: RequestKind; readonly count: number }[]
  /** The most frequent route. */
  readonly route: string | null
  readonly commentCount: number
}

/** An event's stretch of time in hours: `counts[i]` are events of the hour that starts at `startMs + i × stepMs`. */
export interface Series {
  readonly startMs: number
  readonly stepMs: number
  readonly counts: readonly number[]
}

/** Whom an issue is assigned to. */
export type Assignee = UserId | { readonly team: TeamId }

export interface IssueListRow extends Issue {
  /** Events within the asked range. */
  readonly eventCountInRange: number
  readonly trend: Series
}

/** What of an issue's events a search matches, within its range. */
export interface MatchingEvents {
  readonly events: number
  readonly users: { readonly count: number; readonly isExact: boolean }
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly trend: Series
}

/** What a filter asks of an issue: everything that is set must hold. */
export interface IssueConditions {
  /** `null` means all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly status: readonly IssueStatus[] | null
  readonly substatus: readonly NonNullable<IssueSubstatus>[] | null
  /** Every text must occur in title or culprit, case-insensitively; `*` in it stands for any text. */
  readonly text: readonly { readonly value: string; readonly negated: boolean }[]
  readonly levels: readonly { readonly value: Level; readonly negated: boolean }[]
  /** Of several wanted values of a field any must match, and none of the unwanted. */
  readonly fields: readonly IssueFieldCondition[]
  /** All must hold. */
  readonly counts: readonly IssueCountCondition[]
  /** All must hold. */
  readonly times: readonly IssueTimeCondition[]
  /** Tag conditions answered from the groups' facets. */
  readonly tags: readonly TagCondition[]
  readonly priorities: readonly { readonly value: Priority; readonly negated: boolean }[]
  /** Any of the wanted, and none of the unwanted. */
  readonly assignees: readonly AssigneeCondition[]
  /** All must hold. */
  readonly marks: readonly MarkCondition[]
  /** Whether it has a link to an issue of a tracker. All must hold. */
  readonly links: readonly { readonly negated: boolean }[]
  /** When set, only issues that own one of these groups (from digests, or `groupsMatching`). */
  readonly groups: readonly { readonly projectId: ProjectId; readonly hash: GroupHash }[] | null
  readonly issueIds: readonly IssueId[] | null
  /** Of each list at least one must hold; at most `searchDepthMax` deep. */
  readonly either: readonly (readonly IssueConditions[])[]
}

export interface IssueFilter extends IssueConditions {
  /** Issues with an event in [startMs, endMs). */
  readonly startMs: number
  readonly endMs: number
  /**
   * What of the events matches, where the search asks anything of them: issues that own none of these groups are not
   * found, and the sorts `date` and `freq` go by them. Left out: they go by all events.
   */
  readonly matched?: readonly MatchingGroup[]
  /** Beside `matched`, for the sort `user`. */
  readonly matchedUsers?: readonly { readonly issueId: IssueId; readonly users: number }[]
}

/** A group that may be read, and who owns it. */
export interface OwnedGroup {
  readonly issueId: IssueId
  readonly projectId: ProjectId
  readonly hash: GroupHash
}

/** A value, and how many have it: events of a facet, issues of a field. */
export interface CountedValue {
  readonly value: string
  readonly count: number
}

/** `trends`: by how many more events the second half of the range has than the first; `priority`: high first. */
export type IssueSort = 'date' | 'new' | 'freq' | 'user' | 'trends' | 'priority'

export interface IssuePage {
  readonly rows: readonly IssueListRow[]
  /** Of the whole filter, exact. */
  readonly total: number
  readonly nextCursor: string | null
  readonly previousCursor: string | null
}

/** Where an issue stands in a list, and the short ids of those before and after it. */
export interface IssueBeside {
  /** From 1; `null` where the filter does not find the issue: its neighbours are then those of where it would stand. */
  readonly position: number | null
  /** Of the whole filter, exact. */
  readonly total: number
  readonly previous: string | null
  readonly next: string | null
}

export interface GroupView {
  readonly hash: GroupHash
  readonly projectId: ProjectId
  /** What browsers saw of the issue's failure. */
  readonly isFolded: boolean
  readonly eventCount: number
  readonly payloadCount: number
  /** The newest event that kept its payload; `null` where it is the newest of all. */
  readonly newestPayload: { readonly eventId: EventId; readonly atMs: number } | null
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** The files that have events of it; `holds` is `null` where that is not counted. */
  readonly files: readonly (FileName & { readonly holds: FileContents | null })[]
}

export type ActivityKind =
  | 'first_seen'
  | 'resolved'
  | 'unresolved'
  | 'regressed'
  | 'archived'
  | 'unarchived'
  | 'assigned'
  | 'unassigned'
  | 'merged'
  | 'prioritised'
  /** Groups were given an issue of their own; `split_off` is that issue's record of it. */
  | 'unmerged'
  | 'split_off'
  /** A browser's mirror of it was told to be another failure; the record of the mirror's own issue is the same. */
  | 'kept_apart'
  | 'commented'
  | 'comment_deleted'
  | 'escalated'
  /** To an issue of a tracker. */
  | 'linked'
  | 'unlinked'
  | 'sent'

export interface Activity {
  readonly id: number
  readonly kind: ActivityKind
  readonly atMs: number
  /** `null` for Errata itself. */
  readonly userId: UserId | null
  readonly actor: string
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
  /** Of a comment: when it was changed last, or deleted. */
  readonly editedMs: number | null
}

export interface DigestMatch {
  readonly digest: Digest
  readonly issueId: IssueId
  readonly projectId: ProjectId
  readonly groupHash: GroupHash
  readonly release: string | null
  readonly environment: string | null
  readonly route: string | null
  readonly requestKind: RequestKind
  /** Newest event with it. */
  readonly eventId: EventId
  readonly traceId: string | null
  readonly count: number
  readonly mirrorCount: number
  readonly verified: boolean | null
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}

export interface TagDistribution {
  readonly key: string
  /** Events that carry the key. */
  readonly total: number
  /** Most frequent first; at most as many as were asked for. */
  readonly values: readonly {
    readonly value: string
    readonly count: number
    readonly firstSeenMs: number
    readonly lastSeenMs: number
  }[]
  /** Different values that are kept apart, whether asked for or not. */
  readonly valuesKept: number
  /** Events whose value is not kept apart: beyond the bound, or removed with a person's data. */
  readonly otherCount: number
}

/** A project has more values of a key (`null`: more keys) than are kept apart. */
export interface BoundMet {
  readonly projectId: ProjectId
  readonly key: string | null
  /** Events, of keys tags, that are counted as "other" since the project began. */
  readonly otherCount: number
}

export interface BoundsMetQuery {
  /** `null`: of the whole scope. */
  readonly projects: readonly ProjectId[] | null
  /** `null`: of every key, and bounds of keys. */
  readonly key: string | null
  readonly limit: number
}

export interface BoundsMet {
  /** Most events first. */
  readonly bounds: readonly BoundMet[]
  /** Of all that match, beyond the limit too. */
  readonly total: number
  readonly otherCount: number
}

export interface ProjectIssues {
  readonly projectId: ProjectId
  readonly unresolved: number
  /** Of the unresolved: those that are new, and those that came back. */
  readonly new: number
  readonly regressed: number
  /** Of the newest event. */
  readonly lastSeenMs: number
}

/** Reads answer only what the scope holds; an issue outside it is `null`, never a refusal that tells it exists. */
export interface IssuesRead extends MirrorsRead, IssueSharesRead, IssuePeopleRead, GroupingRead {
  list(
    scope: ReadScope,
    filter: IssueFilter,
    page: { readonly sort: IssueSort; readonly limit: number; readonly cursor: string | null },
  ): Promise<IssuePage>
  /** Groups of all issues that the filter finds, in no order, at most `limit`. */
  groupsFound(scope: ReadScope, filter: IssueFilter, limit: number): Promise<readonly OwnedGroup[]>
  /** `null` for an issue outside the scope. The order is that of `list`. */
  beside(
    scope: ReadScope,
    filter: IssueFilter,
    place: { readonly sort: IssueSort; readonly id: IssueId },
  ): Promise<IssueBeside | null>
  /** Counts per tab with the filter's other parts. */
  countByStatus(
    scope: ReadScope,
    filter: IssueFilter,
  ): Promise<{ forReview: number; unresolved: number; archived: number; resolved: number; all: number }>
  /** Of each project that has issues, whatever their status. */
  countByProject(scope: ReadScope): Promise<readonly ProjectIssues[]>
  /** By id or short id (any case). */
  issue(scope: ReadScope, ref: string): Promise<Issue | null>
  /**
   * The same for many refs, at most `issuesPerChangeMax`, as of one moment: each issue once, in the order of the first
   * ref that names it; what names none is left out.
   */
  issuesByRefs(scope: ReadScope, refs: readonly string[]): Promise<readonly Issue[]>
  groups(scope: ReadScope, id: IssueId): Promise<readonly GroupView[]>
  issueOfGroup(scope: ReadScope, project: ProjectId, hash: GroupHash): Promise<Issue | null>
  trend(
    scope: ReadScope,
    id: IssueId,
    range: { readonly startMs: number; readonly endMs: number; readonly stepMs: number },
  ): Promise<Series>
  /** Newest first; of one kind alone where it is named. */
  activity(scope: ReadScope, id: IssueId, limit: number, kind?: ActivityKind): Promise<readonly Activity[]>
  tags(scope: ReadScope, id: IssueId, limitValues: number): Promise<readonly TagDistribution[]>
  /** How many of all events ever counted carry exactly this tag; `null` where that was not counted for every one. */
  tagCount(
    scope: ReadScope,
    id: IssueId,
    tag: { readonly key: string; readonly value: string },
  ): Promise<CountedMatches | null>
  /** Newest release first. */
  digests(scope: ReadScope, digests: readonly Digest[]): Promise<readonly DigestMatch[]>
  digestsOfIssue(scope: ReadScope, id: IssueId, limit: number): Promise<readonly DigestMatch[]>
  /** Of each of the issues that has digests the newest. */
  newestDigests(
    scope: ReadScope,
    ids: readonly IssueId[],
  ): Promise<readonly Pick<DigestMatch, 'issueId' | 'digest'>[]>
  /** Tags of the issue's events that no distribution counts, because a group or the project has too many keys. */
  tagsBeyond(scope: ReadScope, id: IssueId): Promise<{ readonly isFull: boolean; readonly tags: number }>
  /** Where projects have more keys or values than are kept apart. */
  boundsMet(scope: ReadScope, query: BoundsMetQuery): Promise<BoundsMet>
  /** Known values of a facet key over the scope, for suggestions and filter menus, most frequent first. */
  facetValues(scope: ReadScope, key: string, prefix: string, limit: number): Promise<readonly CountedValue[]>
  /** What issues of the scope have of a field, ASCII letters of the prefix in any case; most issues first. */
  issueValues(
    scope: ReadScope,
    field: IssueField,
    asked: { readonly prefix: string; readonly limit: number },
  ): Promise<readonly CountedValue[]>
  /** Known facet keys over the scope that begin so, in alphabetical order. */
  facetKeys(scope: ReadScope, prefix: string, limit: number): Promise<readonly string[]>
  /** How many events carry each of the facet keys, over the scope; keys that none carries are left out. */
  facetKeyCounts(scope: ReadScope, keys: readonly string[]): Promise<readonly CountedValue[]>
  /**
   * True when facets cannot answer a condition on the key alone: a group has more values of it than are kept, or
   * more keys. `telemetry.groupsMatching` then answers, and its groups go into the filter instead of the condition.
   */
  facetsLack(scope: ReadScope, key: string): Promise<boolean>
}

/**
 * What an issue is resolved in. `release`: that one and later ones have the fix. `next`: releases later than this one,
 * the newest when it was resolved. `commit`: no release has it yet.
 */
export type ResolvedIn =
  | {
      readonly how: 'release' | 'next'
      readonly release: string
      /** Of that release. */
      readonly atMs: number
      /** The commit that was named. */
      readonly commit?: string
    }
  | { readonly how: 'commit'; readonly commit: string }

/** `latest` names the latest release of each issue's project. */
export type ResolveIn =
  | { readonly how: 'release'; readonly release: string }
  | { readonly how: 'next' }
  | { readonly how: 'commit'; readonly commit: string }

/** When an archived issue comes back: with whichever is first. All `null`: never. */
export interface ArchivedUntil {
  /** So many more events; mirrors of server failures do not count. */
  readonly eventsMore: number | null
  readonly usersMore: number | null
  /** Milliseconds since 1970 UTC. */
  readonly atMs: number | null
  /** It exceeds the forecast of its own past week; with none of the others. */
  readonly escalating?: boolean
}

/** A group of events that were stored as they ran, and the group that the same events have as they were written. */
export interface GroupsToJoin {
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly written: {
    readonly hash: GroupHash
    /** What the group is called from now on. */
    readonly facts: StoredFacts
  }
}

/**
 * `same`: they belong to one issue already, or the group is gone; `joined`: the issue owns the other group now too, of
 * which no event was seen yet; `merged`: two issues became one; `full`: the issue would own too many groups.
 */
export type GroupsJoined = 'same' | 'joined' | 'merged' | 'full'

/** A choice beside the state that can be taken back. */
export type UndoneChoice = 'assignee' | 'priority'

/** The job that `unarchiveDue` is for: scheduled with archiving until a time, in its transaction, for that time. */
export const UNARCHIVE_JOB = 'issues.unarchive'

/** Each method is one transaction; each changed issue gets a record with actor and time. Answers: ids changed. */
export interface IssuesWrite extends MirrorsWrite, IssueSharesWrite, IssuePeopleWrite, GroupingWrite {
  /** `within` null or left out: now. Refused where the project of one of the issues does not have the release. */
  resolve(change: IssueChange, actor: Actor, within?: ResolveIn | null): Promise<Result<readonly IssueId[]>>
  unresolve(change: IssueChange, actor: Actor): Promise<Result<readonly IssueId[]>>
  /**
   * Takes back what `actor` resolved or archived last, of those issues that nothing has changed since: the state is
   * exactly what it was.
   */
  undo(change: IssueChange, actor: Actor): Promise<Result<readonly IssueId[]>>
  /** Takes back whom `actor` assigned last, or the priority; an assignee who cannot read the project any more stays away. */
  undoChoice(change: IssueChange, of: UndoneChoice, actor: Actor): Promise<Result<readonly IssueId[]>>
  archive(change: IssueChange, until: ArchivedUntil, actor: Actor): Promise<Result<readonly IssueId[]>>
  /** Brings back what was archived until a time that has come; answers when the next one's comes, `null` if none waits. */
  unarchiveDue(nowMs: number): Promise<{ readonly issues: number; readonly nextMs: number | null }>
  /** `assignee` must be a member who can read the project, or a team that opens it; `null` unassigns. */
  assign(change: IssueChange, assignee: Assignee | null, actor: Actor): Promise<Result<readonly IssueId[]>>
  /** It stays what a person chose. */
  prioritise(change: IssueChange, priority: Priority, actor: Actor): Promise<Result<readonly IssueId[]>>
  /** Gives all groups to `into`; at most `groupsPerIssueMax`. Within one project. The record keeps the reason. */
  merge(
    change: IssueChange & { readonly reason?: string | null },
    into: IssueId,
    actor: Actor,
  ): Promise<Result<IssueId>>
  /**
   * Both groups belong to one issue from now on, the older one where two own them, and it is called as it was written.
   * Doing it again changes nothing. An issue that was resolved before the younger one was last seen is open again.
   */
  joinGroups(groups: GroupsToJoin, atMs: number): Promise<GroupsJoined>
}
