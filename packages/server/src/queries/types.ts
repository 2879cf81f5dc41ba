/**
 * Reads of the web app and the web API. Each query takes a scope (or a viewer, if no organisation is named)
 * and returns plain data. `null` means: not there, or not for you; the two are never told apart.
 */

import type { PersonViewer, Viewer } from '#access/viewer.ts'
import type { Digest, EventId, IssueId, ProjectId } from '#base/ids.ts'
import type { Result } from '#base/result.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { GroupingComponent, NormalizedEvent, Problem, RequestKind, ScrubbedPath } from '#model/event.ts'
import type { ExceptionPlace } from '#model/exception-tree.ts'
import type { RuleProblem } from '#model/grouping-rules.ts'
import type { TimedRelease } from '#model/release-order.ts'
import type { SpikeState } from '#model/spike-state.ts'
import type {
  AuditEntry,
  AuditPage,
  GivenRole,
  Invitation,
  Member,
  OpenInvitation,
  Organisation,
  Session,
  Team,
  Token,
} from '#ports/accounts.ts'
import type { Environment } from '#ports/environments.ts'
import type { MergedGroup, SimilarIssue } from '#ports/grouping.ts'
import type { HealthFigures } from '#ports/health.ts'
import type { OutcomeExample, OutcomeGroup, OutcomeQuery } from '#ports/ingest.ts'
import type { Follower, IssueMark } from '#ports/issue-people.ts'
import type {
  Activity,
  DigestMatch,
  GroupView,
  Issue,
  IssueBeside,
  IssuesRead,
  ProjectIssues,
  Series,
  TagDistribution,
} from '#ports/issues.ts'
import type { FoldedHalves, LoneMirror } from '#ports/mirrors.ts'
import type { Project, ProjectKey } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SearchesRead } from '#ports/searches.ts'
import type { Neighbours } from '#ports/telemetry.ts'
import type { HydrationDetails } from '#recognise/hydration/details.ts'
import type { DecodedText } from '#recognise/react/decode-event.ts'
import type { FoldedMirrorCount } from './digest-owners.ts'
import type { AskedFirst } from './first-event-asked.ts'
import type { TagQueries } from './found-event-types.ts'
import type { IssueList, IssueListParams, IssueListPlace, ListedIssue } from './issue-list-types.ts'
import type { IssueSplit } from './issue-split-types.ts'
import type { NamedAddress } from './moved-address.ts'
import type { NameQueries } from './name-types.ts'
import type { PersonItemData } from './person-data.ts'
import type { PersonRef } from './person-key.ts'
import type { ProjectHealth } from './project-health.ts'
import type {
  SearchProblem,
  SearchToken,
  Suggestion,
  SuggestionsAsked,
  TextRange,
  UnknownTag,
} from './search-words.ts'
import type { ReadableStacks } from './stack-types.ts'
import type { SystemView } from './system-view.ts'
import type { TimeRange } from './time-range.ts'
import type { TransactionView } from './traces/transaction.ts'

export type {
  IssueList,
  IssueListParams,
  IssueListPlace,
  ListedIssue,
  SearchProblem,
  SearchToken,
  Suggestion,
  SuggestionsAsked,
  TextRange,
  TimeRange,
  UnknownTag,
}

/** A session, and what its User-Agent header tells of the device. */
export interface DeviceSession extends Session {
  /** Device such as `Chrome on macOS`. */
  readonly device: string
}

export interface IssueView {
  readonly issue: Issue
  readonly project: Project
  readonly trend: Series
  /** Beside each step of the trend: beyond it the issue escalates. `null`: too little history; empty: not said for so long a range. */
  readonly forecast: readonly (number | null)[]
  readonly trendRange: TimeRange
  /** Deploy that the stale tabs outlived, and when it was out or first seen. */
  readonly deploy: { readonly release: string; readonly atMs: number } | null
  readonly eventsLastDay: number
  readonly eventsLastTenMinutes: number
  readonly groups: readonly GroupView[]
  readonly digests: readonly DigestMatch[]
  readonly tags: readonly TagDistribution[]
  /** Tags that no distribution counts, and what is kept apart: keys of a group, values of a key. */
  /** By key, from 0 to 1: how far their values are spread otherwise than those of all events of the project. */
  readonly tagSpreads: Readonly<Record<string, number>>
  readonly tagBounds: Awaited<ReturnType<IssuesRead['tagsBeyond']>> & {
    readonly keysMax: number
    readonly valuesMax: number
  }
  /** Browsers' copies of it. */
  readonly mirrors: FoldedHalves
  /** Missing half, for an issue that is a mirror. */
  readonly lone: LoneMirror | null
  readonly activity: readonly Activity[]
  /** People who can be assigned, each with the name that follows `@` in a comment. */
  readonly members: readonly (Pick<Member, 'userId' | 'name' | 'email'> & { readonly mention: string })[]
  /** Teams that open the project. */
  readonly teams: readonly Pick<Team, 'id' | 'slug' | 'name'>[]
  /** Mark of the person who looks; `null` for a token of the organisation. */
  readonly mark: IssueMark | null
  readonly followers: readonly Follower[]
}

/** The stored JSON of an event: the normalised event plus what Errata noted while processing it. */
export interface StoredEvent extends NormalizedEvent {
  readonly scrubbedPaths: readonly ScrubbedPath[]
}

export interface EventView {
  readonly row: EventRow
  readonly issueId: IssueId
  /** Event, from the columns alone if the payload is not `kept`; React's numbers are decoded. */
  readonly event: StoredEvent
  /** How its exceptions belong together, the root first. */
  readonly exceptions: readonly ExceptionPlace[]
  /** The texts that were decoded. */
  readonly decoded: readonly DecodedText[]
  /** Differences, if server and browser rendered different HTML. */
  readonly hydration: HydrationDetails | null
  readonly payload: PayloadState
  readonly problems: readonly Problem[]
  readonly grouping: readonly GroupingComponent[]
  readonly digests: readonly Digest[]
  readonly requestKind: RequestKind
  /** The server action that failed, or that nobody knew: by its name, else its id. */
  readonly action: string | null
  /** Id of the action, if the route is its name. */
  readonly actionId: string | null
  readonly neighbours: Neighbours
  readonly readable: ReadableStacks
}

/** `not_kept`: the issue had more events in that hour than its project keeps payloads of. `missing`: it is gone. */
export type PayloadState = 'kept' | 'not_kept' | 'missing'

export interface EventTableParams {
  readonly query: string
  readonly limit: number
  readonly cursor: string | null
  /** Range of the events' own time; all of it if left out. */
  readonly range?: TimeRange
}

export interface EventTable {
  readonly rows: readonly EventRow[]
  readonly nextCursor: string | null
  readonly total: number
  /** Parts of the search that were not understood; the table is then empty. */
  readonly problems: readonly SearchProblem[]
}

/** Answer for one pasted number. */
export type DigestAnswer =
  | {
      readonly digest: Digest
      readonly seen: true
      readonly matches: readonly (DigestMatch &
        FoldedMirrorCount & { readonly issue: Issue; readonly organisation: string })[]
      readonly event: EventView | null
    }
  | { readonly digest: Digest; readonly seen: false; readonly hints: readonly DigestHint[] }

/** A likely reason for "not seen", from real numbers. */
export interface DigestHint {
  readonly kind: 'server_silent' | 'not_stored' | 'no_events' | 'check_sdk'
  readonly organisation: string
  readonly project: string | null
  /** Platform of the project, as its people set it. */
  readonly platform: string | null
  readonly text: string
}

export interface DigestLookup {
  readonly answers: readonly DigestAnswer[]
  readonly elapsedMs: number
}

/** `digest` is the number, or the id without dashes. */
export type FoundMatch = Omit<DigestMatch, 'digest'> & {
  readonly digest: string
  readonly issue: Issue
  readonly project: Project
}

/** Target of a pasted text, for the palette and the search field. */
export type PasteTarget =
  | {
      readonly kind: 'digest'
      readonly digest: Digest
      readonly issue: Pick<Issue, 'shortId' | 'title'> | null
      readonly organisation: string | null
    }
  | {
      readonly kind: 'event'
      readonly eventId: EventId
      readonly organisation: string
      readonly shortId: string
    }
  | {
      readonly kind: 'trace'
      readonly traceId: string
      readonly organisation: string
    }
  | {
      readonly kind: 'issue'
      readonly organisation: string
      readonly shortId: string
      readonly title: string
    }

export interface OutcomesView {
  readonly range: TimeRange
  readonly intervalMs: number
  readonly buckets: readonly number[]
  /** Grouped by outcome and category, with series. */
  readonly groups: readonly OutcomeGroup[]
  /** Not stored, largest first, with the words of `model/outcome.ts`. */
  readonly reasons: readonly (OutcomeExample & { readonly what: string; readonly next: string })[]
  readonly projects: readonly Project[]
  readonly keys: readonly ProjectKey[]
  /** Projects of the view that spike protection caps at this moment. */
  readonly spikes: readonly { readonly project: Project; readonly state: SpikeState }[]
  /** Keys of tags of which those projects have more values than are kept apart; `key` null: more keys. */
  readonly bounds: {
    /** Most events first. */
    readonly shown: readonly {
      readonly project: Project
      readonly key: string | null
      readonly otherCount: number
      readonly limit: number
    }[]
    /** How many further ones there are. */
    readonly more: number
  }
}

/** "Waiting for the first event": what was checked and what has not happened yet. */
interface LeftOut {
  readonly reason: string
  readonly quantity: number
  readonly example: string | null
}

export interface FirstEventView {
  readonly project: Project
  readonly key: ProjectKey | null
  readonly dsn: string | null
  readonly relayUrl: string
  readonly accepted: number
  readonly refused: readonly LeftOut[]
  /** By the project's filters, or by the SDK itself. */
  readonly leftOut: readonly LeftOut[]
  /** Items of kinds this version has no store for, most first. */
  /** Number of traces: spans, and transactions, each a request with its spans. */
  readonly spans: number
  readonly unsupported: readonly { readonly category: string; readonly quantity: number }[]
  readonly serverSeenMs: number | null
  readonly browserSeenMs: number | null
  readonly firstIssue: { readonly shortId: string; readonly eventId: EventId } | null
  /** Latest event of the issue seen last. */
  readonly latestEvent: {
    readonly shortId: string
    readonly eventId: EventId
    readonly title: string
    readonly seenMs: number
  } | null
  /** Newest test that Errata sent to itself. */
  readonly testEvent: { readonly shortId: string; readonly eventId: EventId } | null
}

export interface ProjectOverview {
  readonly project: Project
  /** Errors stored in the last 24 hours, and per hour, the running one last. */
  readonly errors: number
  readonly trend: Series
  readonly issues: Pick<ProjectIssues, 'unresolved' | 'new' | 'regressed'>
  /** Latest time stated by an event; `null` before the first. */
  readonly lastEventMs: number | null
  /** Latest release, by `latestRelease`. */
  readonly latestRelease: TimedRelease | null
  /** That began in the last 24 hours; `null` where none did. */
  readonly sessions: Pick<HealthFigures, 'sessions' | 'crashed'> | null
  readonly health: ProjectHealth
}

/** Part of an overview that says how a project fares. */
export interface ProjectState extends Pick<ProjectOverview, 'project' | 'errors' | 'lastEventMs'> {
  readonly state: ProjectHealth['state']
}

/** Preview over the newest events of a project that kept their payload. */
export interface GroupingPreview {
  /** Events that were looked at. */
  readonly looked: number
  /** Number of events whose rules ran out of steps before the end. */
  readonly cut: number
  /** Number of events with another group or title. */
  readonly events: number
  /** Issues that those events are of. */
  readonly issues: number
  /** Lines of the rules, how many of the events each decides, and the title that the newest of them gets. */
  readonly met: readonly { readonly line: number; readonly events: number; readonly title: string }[]
  readonly problems: readonly RuleProblem[]
}

/** Accounts of an organisation, and what the operator of the installation sees. */
export interface AccountQueries extends Pick<NameQueries, 'members' | 'teams' | 'teamNames'>, SearchesRead {
  needsSetup(): Promise<boolean>
  organisations(viewer: Viewer): Promise<readonly Organisation[]>
  organisation(scope: ReadScope): Promise<Organisation>
  roleDefault(scope: ReadScope): Promise<GivenRole>
  invitations(scope: ReadScope): Promise<readonly OpenInvitation[]>
  /** Returns invitations that expired and are still remembered, latest first. */
  expiredInvitations(scope: ReadScope): Promise<readonly OpenInvitation[]>
  tokens(scope: ReadScope): Promise<readonly Token[]>
  /** A page, newest first; fewer than `auditRows` entries, or than `rows` where it is a number, are the last. */
  audit(
    scope: ReadScope,
    page: Omit<AuditPage, 'limit'> & { readonly rows?: 'page' | 'export' | number },
  ): Promise<readonly AuditEntry[]>
  sessions(viewer: PersonViewer): Promise<readonly DeviceSession[]>
  /** Whether this server sends mail at all: resets, invitations, alerts. */
  sendsMail(): boolean
  invitation(code: string): Promise<Invitation | null>
  /** Returns an invitation whose link is too old to be used. */
  expiredInvitation(code: string): Promise<Pick<Invitation, 'orgName'> | null>
  passwordReset(code: string): Promise<{ readonly email: string } | null>
  /** `forbidden` unless the viewer is the operator. */
  system(viewer: PersonViewer): Promise<Result<SystemView>>
  /** The scrubbed bytes of a quarantined envelope; operator only. */
  quarantined(viewer: PersonViewer, seq: number): Promise<Uint8Array | null>
}

/** Projects, what came of them, and what is counted of it. */
export interface ProjectQueries
  extends Pick<NameQueries, 'projectNames' | 'assignableMembers' | 'assignableTeams'>,
    TagQueries {
  projects(scope: ReadScope): Promise<readonly Project[]>
  project(scope: ReadScope, ref: string): Promise<Project | null>
  /** Returns where an address with a project's earlier slug leads; `null` if it has none. */
  movedAddress(scope: ReadScope, address: NamedAddress): Promise<string | null>
  /**
   * The same with what came of late, and how each fares. Where there are many, without their releases; silences that
   * were not looked at are `unread`.
   */
  projectOverviews(scope: ReadScope): Promise<readonly ProjectOverview[]>
  /** Returns what overviews say of how each project fares, without counting issues and sessions. */
  projectStates(scope: ReadScope): Promise<readonly ProjectState[]>
  latestReleases(
    scope: ReadScope,
    projects: readonly ProjectId[],
  ): Promise<ReadonlyMap<ProjectId, TimedRelease>>
  projectSize(scope: ReadScope, project: ProjectId): Promise<{ issues: number; events: number; keys: number }>
  /** Returns environments that events and deploys name, hidden ones too, in the order of each project. */
  environments(scope: ReadScope, projects: readonly ProjectId[] | null): Promise<readonly Environment[]>
  /** How many events deleting a person's data would delete. */
  personEvents(
    scope: ReadScope,
    project: ProjectId,
    person: PersonRef,
  ): Promise<Result<{ readonly events: number }>>
  /** Yields events, spans and rows of other datasets of the project that name the person, each newest first, page by page. */
  personData(
    scope: ReadScope,
    project: ProjectId,
    person: PersonRef,
  ): Result<AsyncGenerator<readonly PersonItemData[]>>
  keys(scope: ReadScope, project: ProjectId): Promise<readonly ProjectKey[]>
  /** `http://KEY@host/ID` of a key. */
  dsn(key: Pick<ProjectKey, 'public' | 'projectId'>): string
  firstEvent(scope: ReadScope, ref: string, asked?: AskedFirst): Promise<FirstEventView | null>
  outcomes(
    scope: ReadScope,
    params: { readonly range: TimeRange; readonly project: string | null; readonly key: number | null },
  ): Promise<OutcomesView>
  outcomeStats(
    scope: ReadScope,
    query: OutcomeQuery,
  ): Promise<{ readonly buckets: readonly number[]; readonly groups: readonly OutcomeGroup[] }>
  /** `null` outside the scope, and while nothing is known of the project's past. */
  spikes(scope: ReadScope, project: ProjectId): Promise<SpikeState | null>
}

/** Issues: lists of them, one of them, and what leads to it. */
export interface IssueQueries {
  issueList(scope: ReadScope, params: IssueListParams): Promise<IssueList>
  /** Counts issues for review seen since `sinceMs`, up to `issuesForReviewMax`. */
  issuesForReview(scope: ReadScope, sinceMs: number): Promise<number>
  issueBeside(scope: ReadScope, ref: string, list: IssueListPlace): Promise<IssueBeside | null>
  /** How many issues each search finds in a list's place; `null` where only events could tell. */
  searchTotals(
    scope: ReadScope,
    asked: { readonly queries: readonly string[]; readonly place: Omit<IssueListPlace, 'query'> },
  ): Promise<readonly (number | null)[]>
  /** Facet keys or values that complete what is being typed. */
  searchSuggestions(scope: ReadScope, asked: SuggestionsAsked): Promise<readonly Suggestion[]>
  /** Files of stacks that have the text anywhere in their name, most events first. */
  filesInStacks(scope: ReadScope, text: string): Promise<readonly string[]>
  issue(
    scope: ReadScope,
    ref: string,
    trend: TimeRange & { readonly stepMs: number },
  ): Promise<IssueView | null>
  /** Scopes of the viewer that hold an issue of this id or short id; more than one for a short id alone. */
  issueScopes(viewer: Viewer, ref: string): Promise<readonly ReadScope[]>
  issueTags(scope: ReadScope, ref: string): Promise<readonly TagDistribution[] | null>
  /** Returns the newest digest of each issue that has one. */
  issueDigests(
    scope: ReadScope,
    ids: readonly IssueId[],
  ): Promise<readonly Pick<DigestMatch, 'issueId' | 'digest'>[]>
  issueActivity(scope: ReadScope, ref: string): Promise<readonly Activity[] | null>
  /** Returns the marks of the person who asks. */
  issueMarks(scope: ReadScope, ids: readonly IssueId[]): Promise<readonly IssueMark[]>
  /** Newest first, all of them. */
  issueComments(scope: ReadScope, ref: string): Promise<readonly Activity[] | null>
  /** Groups that the issue owns; `latest` reads the newest event of one. */
  issueGroups(
    scope: ReadScope,
    ref: string,
  ): Promise<
    | readonly (Pick<GroupView, 'hash' | 'projectId'> & {
        readonly issueId: IssueId
        latest(): Promise<EventRow | null>
      })[]
    | null
  >
  /** Groups that the issue owns, with what each is called and counts. */
  mergedGroups(scope: ReadScope, ref: string): Promise<readonly MergedGroup[] | null>
  /** Issues of its project that may be the same failure, most alike first. */
  similarIssues(scope: ReadScope, ref: string): Promise<readonly SimilarIssue[] | null>
  /** Previews other fingerprint rules on a project's newest events. */
  groupingPreview(
    scope: ReadScope,
    asked: { readonly project: string; readonly rules: string },
  ): Promise<GroupingPreview | null>
  /** Previews *Split by message* on the newest events; changes nothing. `rule: null`: none can split them. */
  issueSplit(scope: ReadScope, ref: string): Promise<IssueSplit | { readonly rule: null } | null>
  /** Every digest in the text, over all organisations of the viewer. */
  digestLookup(viewer: Viewer, text: string): Promise<DigestLookup>
  /** Behind a number of an error page, the id of an event or a trace, one that an app made, or the text of a page. */
  digestMatches(scope: ReadScope, text: string): Promise<readonly FoundMatch[]>
  paste(viewer: Viewer, text: string): Promise<readonly PasteTarget[]>
}

/** Events of issues, and transactions. */
export interface EventQueries {
  issueEvents(scope: ReadScope, ref: string, params: EventTableParams): Promise<EventTable | null>
  /** `which`: an event id, `latest`, `oldest` or `recommended`, which is the newest one with a payload. */
  issueEvent(scope: ReadScope, ref: string, which: string): Promise<EventView | null>
  event(scope: ReadScope, project: string, eventId: string): Promise<EventView | null>
  /** Returns a transaction with its spans. */
  transaction(scope: ReadScope, project: string, eventId: string): Promise<TransactionView | null>
  /** Finds an event by its id, or by one its app shows, over all projects of the scope. */
  eventPlace(
    scope: ReadScope,
    eventId: string,
  ): Promise<{ readonly project: Project; readonly issue: Issue; readonly eventId: EventId } | null>
}
