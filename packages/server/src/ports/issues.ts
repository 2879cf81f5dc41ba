/** Issues, the groups they own, digests, activity. Counts are kept per group; an issue's are their sum or union. */

import type { Digest, EventId, GroupHash, IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import type { Level, RequestKind } from '#model/event.ts'
import type { FileName } from '#model/file-name.ts'
import type { Priority } from '#model/priority.ts'
import type { IssueSort } from '#model/search-words.ts'
import type { TagCondition } from '#model/tag-condition.ts'
import type { GroupingRead } from './grouping.ts'
import type { StoredFacts } from './ingest.ts'
import type { IssuePeopleRead } from './issue-people.ts'
import type { IssueSharesRead } from './issue-shares.ts'
import type {
  AssigneeCondition,
  IssueCountCondition,
  IssueField,
  IssueFieldCondition,
  IssueTimeCondition,
  MarkCondition,
} from './issue-terms.ts'
import type { MirrorsRead } from './mirrors.ts'
import type { ReadScope } from './scope.ts'
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
  /** State of a mirror's issue until the server's half comes: it is found by its id and its events only. */
  | 'waiting'
  | 'archived_until_escalating'
  | null

/**
 * Keys whose values name one thing each, so that counting them tells nothing. Groups keep no facets of them, and
 * conditions on them are answered from the events.
 */
export const UNCOUNTED_TAG_KEYS: ReadonlySet<string> = new Set(['trace', 'replayId'])

/** An issue, with the facts of its newest event. */
export interface Issue extends StoredFacts {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly projectSlug: string
  /**
   * Short id, such as `SHOP-12`: the project's slug in capitals and a number that counts up within the
   * project.
   */
  readonly shortId: string
  /** Release whose deploy the stale tabs outlived, if known; it names the issue. */
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
  /** Number of events that are a browser's copy of a server failure. */
  readonly mirrorCount: number
  /** Number of events that kept their payload. Never falls: retention takes nothing from it. */
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

/** Person or team that an issue is assigned to. */
export type Assignee = UserId | { readonly team: TeamId }

export interface IssueListRow extends Issue {
  /** Events within the asked range. */
  readonly eventCountInRange: number
  readonly trend: Series
}

/** Events of an issue that match a search, within its range. */
export interface MatchingEvents {
  readonly events: number
  readonly users: { readonly count: number; readonly isExact: boolean }
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly trend: Series
}

/** Conditions of a filter; every one that is set must hold. */
export interface IssueConditions {
  /** `null` means all of the scope. */
  readonly projects: readonly ProjectId[] | null
  readonly status: readonly IssueStatus[] | null
  readonly substatus: readonly NonNullable<IssueSubstatus>[] | null
  /** Every text must occur in title or culprit, case-insensitively; `*` in it stands for any text. */
  readonly text: readonly { readonly value: string; readonly negated: boolean }[]
  readonly levels: readonly { readonly value: Level; readonly negated: boolean }[]
  /** Conditions on fields: one of several wanted values must match, and no unwanted one. */
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
  /** Alternatives: of each list at least one must hold. At most `searchDepthMax` deep. */
  readonly either: readonly (readonly IssueConditions[])[]
}

export interface IssueFilter extends IssueConditions {
  /** Issues with an event in [startMs, endMs). */
  readonly startMs: number
  readonly endMs: number
  /**
   * Groups with matching events, if the search asks anything of events: other issues are not found, and the
   * sorts `date` and `freq` use these events. Leave it out to use all events.
   */
  readonly matched?: readonly MatchingGroup[]
  /** Beside `matched`, for the sort `user`. */
  readonly matchedUsers?: readonly { readonly issueId: IssueId; readonly users: number }[]
}

/** A group that may be read, and who owns it. */
export interface ReadableGroup {
  readonly issueId: IssueId
  readonly projectId: ProjectId
  readonly hash: GroupHash
}

/** A value, and how many have it: events of a facet, issues of a field. */
export interface CountedValue {
  readonly value: string
  readonly count: number
}

export interface IssuePage {
  readonly rows: readonly IssueListRow[]
  /** Exact number of issues that match the whole filter. */
  readonly total: number
  readonly nextCursor: string | null
  readonly previousCursor: string | null
}

/** Place of an issue in a list, with the short ids before and after it. */
export interface IssueBeside {
  /** From 1; `null` where the filter does not find the issue: its neighbours are then those of where it would stand. */
  readonly position: number | null
  /** Exact number of issues that match the whole filter. */
  readonly total: number
  readonly previous: string | null
  readonly next: string | null
}

export interface GroupView {
  readonly hash: GroupHash
  readonly projectId: ProjectId
  /** True for a browser's copy of the issue's failure. */
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
  /** Linked to an issue of a tracker. */
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
  /** Time of a comment's last change or deletion. */
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
  /** Number of all matches, including those beyond the limit. */
  readonly total: number
  readonly otherCount: number
}

export interface ProjectIssues {
  readonly projectId: ProjectId
  readonly unresolved: number
  /** Number of unresolved issues that are new, and of those that regressed. */
  readonly new: number
  readonly regressed: number
  /** Time of the newest event. */
  readonly lastSeenMs: number
}

/** Reads answer only what the scope holds; an issue outside it is `null`, never a refusal that tells it exists. */
export interface IssuesRead extends MirrorsRead, IssueSharesRead, IssuePeopleRead, GroupingRead {
  list(
    scope: ReadScope,
    filter: IssueFilter,
    page: { readonly sort: IssueSort; readonly limit: number; readonly cursor: string | null },
  ): Promise<IssuePage>
  /** Returns how many issues `list` finds for each filter, in their order. */
  totals(scope: ReadScope, filters: readonly IssueFilter[]): Promise<readonly number[]>
  /** Groups of all issues that the filter finds, in no order, at most `limit`. */
  groupsFound(scope: ReadScope, filter: IssueFilter, limit: number): Promise<readonly ReadableGroup[]>
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
  /** Counts issues for review seen since `sinceMs`, up to `limit`. */
  countForReview(
    scope: ReadScope,
    bounds: { readonly sinceMs: number; readonly limit: number },
  ): Promise<number>
  /** Returns counts for every project with issues, whatever their status. */
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
  /** Returns the newest digest of each issue that has one. */
  newestDigests(
    scope: ReadScope,
    ids: readonly IssueId[],
  ): Promise<readonly Pick<DigestMatch, 'issueId' | 'digest'>[]>
  /** Tags of the issue's events that no distribution counts, because a group or the project has too many keys. */
  tagsBeyond(scope: ReadScope, id: IssueId): Promise<{ readonly isFull: boolean; readonly tags: number }>
  /** Returns the tags whose keys or values exceed the number that is kept apart. */
  boundsMet(scope: ReadScope, query: BoundsMetQuery): Promise<BoundsMet>
  /** Known values of a facet key over the scope, for suggestions and filter menus, most frequent first. */
  facetValues(scope: ReadScope, key: string, prefix: string, limit: number): Promise<readonly CountedValue[]>
  /**
   * Returns a field's values over issues of the scope, most issues first; the prefix ignores the case of
   * ASCII letters.
   */
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

/** Release with the fix: `release` it and later ones, `next` later than the newest then, `commit` none yet. */
export type ResolvedIn =
  | {
      readonly how: 'release' | 'next'
      readonly release: string
      /** Time of that release. */
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
    /** Facts of the group from now on. */
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

/** The job of `returnArchived`: scheduled with archiving until a time, in its transaction, for that time. */
export const UNARCHIVE_JOB = 'issues.unarchive'
