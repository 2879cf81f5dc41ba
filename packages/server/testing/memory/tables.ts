/** Everything a control store keeps, as maps of plain rows. */

import type { Candidate, RuleStateRow } from '#alerts/rules/alert-store.ts'
import type {
  GroupHash,
  IssueId,
  KeyId,
  OrgId,
  ProjectId,
  SessionId,
  TeamId,
  TokenId,
  UserId,
} from '#base/ids.ts'
import type { MinuteSum, OutcomeSum } from '#issues/batch-outcomes.ts'
import type { DigestState } from '#issues/digest-sums.ts'
import type { GroupUsers } from '#issues/group-users.ts'
import type { CountedHour, PeopleRange, PeopleThen } from '#issues/health-groups.ts'
import type { Added, Sums } from '#issues/issue-sums.ts'
import type { IssueCounter } from '#issues/new-issue.ts'
import type { KnownSession } from '#issues/session-changes.ts'
import type { SeenValue } from '#issues/suggested-values.ts'
import type { UserSet } from '#issues/user-set.ts'
import type { JobState } from '#jobs/rules/job-state.ts'
import type { AlertRule, EmailMoment, QuietHours } from '#model/alert-rule.ts'
import type { ArtifactQuota } from '#model/artifact-quota.ts'
import type { RequestKind } from '#model/event.ts'
import type { FileName } from '#model/file-name.ts'
import type { PersonTombstone, Tombstone } from '#model/hidden.ts'
import type { StatedRoute } from '#model/known-routes.ts'
import type {
  AuditEntry,
  GivenRole,
  Invitation,
  Organisation,
  Role,
  Session,
  Team,
  Token,
  User,
} from '#ports/accounts.ts'
import type { AgentClient } from '#ports/agent-clients.ts'
import type { SlackLink } from '#ports/channels.ts'
import type { EnvironmentSetting } from '#ports/environments.ts'
import type { ControlBatch, GroupDelta, Sighting, StoredFacts } from '#ports/ingest.ts'
import type { GroupView } from '#ports/issues.ts'
import type { JobName } from '#ports/jobs.ts'
import type { FoldedBy } from '#ports/mirrors.ts'
import type {
  DeliveryState,
  HeldBack,
  NoticeChannel,
  NoticeKind,
  NoticeRest,
  NoticeSettings,
} from '#ports/notices.ts'
import type { Ownership, SuggestedOwner } from '#ports/ownership.ts'
import type { Project, ProjectKey } from '#ports/projects.ts'
import type { Commit, Deploy, Release, ReleaseInProject, ReleaseOfProject } from '#ports/releases.ts'
import type { ActionNamed, SegmentHint, SegmentSeen, SpanCost } from '#ports/requests.ts'
import type { FileState, Removal, UpkeepRun } from '#ports/retention.ts'
import type { ListPreferences, SavedSearch } from '#ports/searches.ts'
import type { Authenticator, Passkey } from '#ports/second-factors.ts'
import type { NamedDomain, SignInProvider } from '#ports/single-sign-on.ts'
import type { StaleSum } from '#ports/skew.ts'
import type { RequestSumRow, SumOfHour, VitalSumRow } from '#requests/read-sums.ts'
import type { KeptAction, KeptSeries } from '#requests/sums.ts'
import type { StaleClick } from '#skew/clicks.ts'
import type { ChannelRow, FiringRow, MessageRow, SlotOfKey, ThreadRow } from './alert-tables.ts'
import type { ActivityRow, IssueRow, MarkRow, MergeRow, RedirectRow, ShareRow } from './issue-tables.ts'
import { History, Table } from './table.ts'
import type { TrackerLinkRow, TrackerRow, TrackerWorkRow } from './tracker-tables.ts'

export interface UserRow extends User {
  readonly passwordHash: string
}

interface MembershipRow {
  readonly orgId: OrgId
  readonly userId: UserId
  readonly role: Role
  /** Of a guest. */
  readonly projects?: readonly ProjectId[]
  readonly joinedMs: number
}

export interface SearchRow extends SavedSearch {
  readonly orgId: OrgId
}

interface PreferencesRow {
  readonly userId: UserId
  readonly preferences: ListPreferences
}

interface TeamRow extends Team {
  readonly orgId: OrgId
}

export interface SessionRow extends Session {
  readonly tokenHash: string
}

export interface InvitationRow extends Omit<Invitation, 'orgName'> {
  readonly invitedBy: number | null
}

interface AuthenticatorRow extends Authenticator {
  readonly usedStep: number
}

interface DeviceRow {
  readonly userId: UserId
  readonly name: string
  readonly seenMs: number
}

interface PasswordResetRow {
  readonly codeHash: string
  readonly userId: UserId
  readonly expiresMs: number
  /** Of the letter that carries the link; `null`: an operator made it. */
  readonly letterId: number | null
}

export interface LetterRow {
  readonly id: number
  readonly invitation: string | null
  readonly device: string | null
  readonly email: string
  readonly key: string
  readonly codeHash: string | null
  /** Of what a follower is told. */
  readonly telling: {
    readonly activityId: number
    readonly userId: UserId
    readonly isMention: boolean
  } | null
  readonly actor: string
  readonly address: string | null
  readonly expiresMs: number
  readonly state: DeliveryState
  readonly tries: number
  readonly dueMs: number | null
  readonly lease: string | null
  readonly says: string | null
  readonly settledMs: number | null
}

export interface TokenRow extends Token {
  readonly tokenHash: string
  /** Of what a person connected. */
  readonly client?: {
    readonly id: string
    readonly familyHash: string
    readonly refreshHash: string
    readonly refreshExpiresMs: number
  }
}

interface AgentClientRow extends AgentClient {
  readonly connectedMs: number | null
}

export interface ProviderRow extends SignInProvider {
  readonly orgId: OrgId
  readonly clientSecret: string
}

type IdentityRow = Pick<MembershipRow, 'orgId' | 'userId'>

interface DomainRow extends NamedDomain {
  readonly orgId: OrgId
}

interface DirectoryUserRow extends IdentityRow {
  readonly externalId: string | null
  readonly givenName: string | null
  readonly isActive: boolean
  readonly name: string
  readonly isWaiting: boolean
}

interface AuditRow extends AuditEntry {
  readonly orgId: OrgId | null
}

/** Teams say which projects they open. */
export interface ProjectRow extends Omit<Project, 'teams'> {
  readonly issues: IssueCounter
}

export interface TagValue {
  readonly count: number
  readonly firstMs: number
  readonly lastMs: number
}

/** Values that are kept apart, and events with others. */
export interface KeptTag<Value> {
  readonly values: ReadonlyMap<string, Value>
  readonly other: number
}

export interface GroupTags {
  readonly keys: ReadonlyMap<string, KeptTag<TagValue>>
  /** A key was left out. */
  readonly isFull: boolean
  /** Tags under keys that were left out. */
  readonly beyond: number
}

/** What a project suggests. */
export interface ProjectTags {
  readonly keys: ReadonlyMap<string, KeptTag<SeenValue>>
  /** Tags under keys that it does not keep. */
  readonly beyond: number
}

export type GroupFile = FileName & Pick<GroupView['files'][number], 'holds'>

export interface GroupRow extends Sums, Added {
  readonly id: number
  readonly projectId: ProjectId
  readonly hash: GroupHash
  readonly issueId: IssueId
  /** The server's group that it mirrors, whose issue owns it. */
  readonly foldedInto: number | null
  /** Of the newest event. */
  readonly facts: StoredFacts
  readonly factsMs: number
  readonly newestPayload: GroupDelta['newestPayload']
  readonly users: GroupUsers
  readonly hours: ReadonlyMap<number, number>
  readonly files: readonly GroupFile[]
  readonly tags: GroupTags
}

export interface DigestRow extends DigestState {
  readonly id: number
  readonly groupId: number
}

export interface NoticeRow extends NoticeRest {
  readonly id: number
  readonly projectId: ProjectId
  readonly kind: NoticeKind
  readonly issueId: IssueId | null
  readonly issueNumber: number | null
  readonly isMirror: boolean
  readonly atMs: number
  readonly dueMs: number | null
  readonly dropped: string | null
  readonly echoOf: IssueId | null
  readonly heldBack: number
}

export interface DeliveryRow {
  readonly id: number
  readonly noticeId: number
  readonly channel: NoticeChannel
  readonly userId: UserId | null
  readonly key: string
  readonly state: DeliveryState
  readonly tries: number
  readonly dueMs: number | null
  readonly lease: string | null
  readonly says: string | null
  readonly settledMs: number | null
}

interface NoticeSettingsRow extends Omit<NoticeSettings, 'webhook'> {
  readonly webhook: (NonNullable<NoticeSettings['webhook']> & { readonly secret: string }) | null
}

interface HeldBackRow {
  readonly projectId: ProjectId
  readonly hour: number
  readonly reason: keyof HeldBack
  readonly count: number
}

export interface ReleaseRow
  extends Pick<Release, 'version' | 'status' | 'ref' | 'url' | 'createdMs' | 'startedMs' | 'releasedMs'> {
  readonly id: number
  readonly orgId: OrgId
  readonly projects: ReadonlyMap<
    ProjectId,
    Pick<ReleaseInProject, 'firstEventMs' | 'lastEventMs' | 'eventCount'> & Pick<ReleaseOfProject, 'recent'>
  >
  /** Events of each environment, by project. */
  readonly environments: ReadonlyMap<ProjectId, ReadonlyMap<string, number>>
  /** Newest first, as the deploys are. */
  readonly commits: readonly Commit[]
  readonly deploys: readonly Deploy[]
}

/** Of one series and hour. */
export type KeptSum = RequestSumRow & SumOfHour & KeptSeries & { readonly series: string }

/** Of one action and hour. */
export type KeptActionSum = SumOfHour & KeptAction & { readonly series: string }

type KeptVital = VitalSumRow & KeptSeries & { readonly series: string; readonly hour: number }

export interface KnownRoute extends StatedRoute {
  readonly id: number
  readonly projectId: ProjectId
  /** Of receipt, when it was stated last. */
  readonly day: number
}

export interface CountedSpan {
  readonly projectId: ProjectId
  readonly day: number
  /** `null` for a vital. */
  readonly segment: SegmentSeen | null
  /** Of one that is counted otherwise than its own row says: the kind that this says. */
  readonly saidKind?: RequestKind
}

/** Clicks by slot. */
interface StaleSeriesRow extends Omit<StaleSum, 'slots'> {
  readonly slots: ReadonlyMap<number, { readonly count: number; readonly users: UserSet }>
}

interface StaleClickRow extends StaleClick {
  readonly id: number
  readonly day: number
  /** Where it is counted. */
  readonly series: string
  readonly slot: number
}

/** Of a group whose every event is a mirror. */
export interface MirrorRow {
  readonly groupId: number
  readonly dueMs: number | null
  readonly by: FoldedBy | null
  readonly keptApart: { readonly atMs: number; readonly actor: string } | null
  readonly isFull: boolean
  readonly family: string | null
}

export interface SightingRow extends Pick<Sighting, 'traceId' | 'route' | 'kind' | 'isHandled' | 'atMs'> {
  readonly groupId: number
  readonly projectId: ProjectId
  readonly isMirror: boolean
  readonly day: number
}

interface JobRow extends JobState, JobName {}

interface Buried {
  readonly id: number
  readonly createdMs: number
}

type QuarantinedRow = ControlBatch['quarantined'][number]

/** A number that stands for itself, such as the last seq that is applied. */
export type NumberName = 'appliedSeq' | 'prunedDay' | 'knownMs' | 'doubtedMs'

export class Tables {
  readonly #history = new History()
  readonly numbers = new Table<NumberName, { readonly value: number }>(this.#history)
  readonly installation = new Table<'public_url', { readonly value: string }>(this.#history)
  readonly users = new Table<UserId, UserRow>(this.#history)
  readonly organisations = new Table<OrgId, Organisation>(this.#history)
  readonly artifactQuotas = new Table<OrgId, { readonly orgId: OrgId; readonly quota: ArtifactQuota }>(
    this.#history,
  )
  readonly memberships = new Table<string, MembershipRow>(this.#history)
  readonly teams = new Table<TeamId, TeamRow>(this.#history)
  readonly sessions = new Table<SessionId, SessionRow>(this.#history)
  readonly passkeys = new Table<number, Passkey>(this.#history)
  readonly authenticators = new Table<UserId, AuthenticatorRow>(this.#history)
  /** By hash. */
  readonly recoveryCodes = new Table<string, { readonly userId: UserId }>(this.#history)
  readonly devices = new Table<string, DeviceRow>(this.#history)
  readonly roleDefaults = new Table<OrgId, { readonly role: GivenRole }>(this.#history)
  readonly secondFactorRequired = new Table<OrgId, { readonly isRequired: boolean }>(this.#history)
  readonly passwordResets = new Table<string, PasswordResetRow>(this.#history)
  readonly letters = new Table<number, LetterRow>(this.#history)
  readonly invitations = new Table<string, InvitationRow>(this.#history)
  readonly tokens = new Table<TokenId, TokenRow>(this.#history)
  readonly agentClients = new Table<string, AgentClientRow>(this.#history)
  readonly signInProviders = new Table<string, ProviderRow>(this.#history)
  readonly signInIdentities = new Table<string, IdentityRow & { readonly issuer: string }>(this.#history)
  readonly slackPeople = new Table<number, SlackLink>(this.#history)
  readonly signInDomains = new Table<string, DomainRow>(this.#history)
  readonly directoryUsers = new Table<string, DirectoryUserRow>(this.#history)
  readonly directoryGroups = new Table<TeamId, { readonly externalId: string }>(this.#history)
  readonly audit = new Table<number, AuditRow>(this.#history)
  readonly projects = new Table<ProjectId, ProjectRow>(this.#history)
  readonly keys = new Table<KeyId, ProjectKey>(this.#history)
  readonly formerKeys = new Table<string, Pick<ProjectKey, 'projectId'>>(this.#history)
  readonly projectTags = new Table<ProjectId, ProjectTags>(this.#history)
  readonly issues = new Table<IssueId, IssueRow>(this.#history)
  readonly redirects = new Table<IssueId, RedirectRow>(this.#history)
  /** By the issue that took others in. */
  readonly merges = new Table<IssueId, MergeRow>(this.#history)
  readonly activities = new Table<number, ActivityRow>(this.#history)
  readonly ownership = new Table<ProjectId, Ownership>(this.#history)
  readonly owners = new Table<
    IssueId,
    { readonly issueId: IssueId; readonly owners: readonly SuggestedOwner[] }
  >(this.#history)
  readonly marks = new Table<string, MarkRow>(this.#history)
  readonly groups = new Table<number, GroupRow>(this.#history)
  readonly digests = new Table<number, DigestRow>(this.#history)
  readonly outcomes = new Table<string, OutcomeSum>(this.#history)
  readonly outcomeMinutes = new Table<string, MinuteSum>(this.#history)
  readonly quarantined = new Table<number, QuarantinedRow>(this.#history)
  readonly noticeSettings = new Table<ProjectId, NoticeSettingsRow>(this.#history)
  readonly noticeMailOff = new Table<UserId, { readonly atMs: number }>(this.#history)
  readonly notices = new Table<number, NoticeRow>(this.#history)
  readonly deliveries = new Table<number, DeliveryRow>(this.#history)
  readonly channels = new Table<number, ChannelRow>(this.#history)
  readonly messages = new Table<number, MessageRow>(this.#history)
  readonly trackers = new Table<number, TrackerRow>(this.#history)
  readonly trackerLinks = new Table<number, TrackerLinkRow>(this.#history)
  readonly trackerWork = new Table<number, TrackerWorkRow>(this.#history)
  /** By channel and story. */
  readonly threads = new Table<string, ThreadRow>(this.#history)
  readonly alertRules = new Table<number, AlertRule>(this.#history)
  readonly alertStates = new Table<number, RuleStateRow>(this.#history)
  readonly alertFirings = new Table<number, FiringRow>(this.#history)
  readonly alertCandidates = new Table<number, Candidate>(this.#history)
  readonly alertSlots = new Table<string, SlotOfKey>(this.#history)
  readonly quietHours = new Table<OrgId, QuietHours>(this.#history)
  readonly emailMomentsOff = new Table<UserId, { readonly off: readonly EmailMoment[] }>(this.#history)
  readonly heldBack = new Table<string, HeldBackRow>(this.#history)
  readonly tombstones = new Table<number, Tombstone & Buried>(this.#history)
  readonly personTombstones = new Table<number, PersonTombstone & Buried>(this.#history)
  readonly releases = new Table<number, ReleaseRow>(this.#history)
  readonly searches = new Table<number, SearchRow>(this.#history)
  /** By organisation and person. */
  readonly listPreferences = new Table<string, PreferencesRow>(this.#history)
  readonly issueShares = new Table<IssueId, ShareRow>(this.#history)
  readonly environments = new Table<ProjectId, readonly EnvironmentSetting[]>(this.#history)
  /** Gives deploys their ids. */
  readonly deployIds = new Table<number, Deploy>(this.#history)
  readonly healthHours = new Table<string, CountedHour>(this.#history)
  /** Each with the hours that it covers from its own on. */
  readonly healthPeople = new Table<string, PeopleThen & Pick<PeopleRange, 'span'>>(this.#history)
  readonly healthSessions = new Table<string, KnownSession>(this.#history)
  readonly requestSeries = new Table<string, KeptSeries & { readonly lastHour: number }>(this.#history)
  /** How many series a project has. */
  readonly seriesCounts = new Table<ProjectId, { readonly count: number }>(this.#history)
  readonly requestSums = new Table<string, KeptSum>(this.#history)
  readonly actionSeries = new Table<string, KeptAction & { readonly lastHour: number }>(this.#history)
  readonly actionSums = new Table<string, KeptActionSum>(this.#history)
  /** By project and id. */
  readonly actionNames = new Table<string, ActionNamed>(this.#history)
  readonly vitalSums = new Table<string, KeptVital>(this.#history)
  readonly spanCosts = new Table<string, SpanCost>(this.#history)
  readonly countedSpans = new Table<string, CountedSpan>(this.#history)
  /** By the key of the segment that they tell of. */
  readonly segmentHints = new Table<string, SegmentHint>(this.#history)
  readonly knownRoutes = new Table<number, KnownRoute>(this.#history)
  readonly staleSeries = new Table<string, StaleSeriesRow>(this.#history)
  readonly staleClicks = new Table<number, StaleClickRow>(this.#history)
  /** The deploy of each group of stale clicks. */
  readonly skewGroups = new Table<number, { readonly key: string }>(this.#history)
  readonly mirrors = new Table<number, MirrorRow>(this.#history)
  readonly sightings = new Table<string, SightingRow>(this.#history)
  readonly jobs = new Table<string, JobRow>(this.#history)
  readonly fileStates = new Table<string, FileState>(this.#history)
  readonly removals = new Table<number, Removal>(this.#history)
  readonly upkeepRuns = new Table<UpkeepRun['kind'], UpkeepRun>(this.#history)

  /** All or nothing. */
  transaction<T>(work: () => T): T {
    return this.#history.transaction(work)
  }

  publicUrl(): string | null {
    return this.installation.get('public_url')?.value ?? null
  }

  number(name: NumberName): number | null {
    return this.numbers.get(name)?.value ?? null
  }

  setNumber(name: NumberName, value: number): void {
    this.numbers.put(name, { value })
  }
}
