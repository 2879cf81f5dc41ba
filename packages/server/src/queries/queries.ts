/** Every query of the web app and the web API, over the stores' reads. */

import { everyScope } from '#access/access.ts'
import type { SecretSeal } from '#access/seal.ts'
import { secretHash } from '#access/secrets.ts'
import type { PersonViewer, Viewer } from '#access/viewer.ts'
import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { LookUps } from '#artifacts/look-up.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { seq as asSeq, type IssueId, type ProjectId, readEventId } from '#base/ids.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { ok, refuse } from '#base/result.ts'
import { similarTo } from '#issues/similar-issues.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { Dataset } from '#model/dataset.ts'
import type { SpikeState } from '#model/spike-state.ts'
import type { AccountsRead, Session } from '#ports/accounts.ts'
import type { AgentClientsRead } from '#ports/agent-clients.ts'
import type { AlertsRead, DigestLookedUp } from '#ports/alerts.ts'
import type { AttachmentsRead } from '#ports/attachments.ts'
import type { BlobStore, LargeBlobs } from '#ports/blobs.ts'
import type { RetentionRead } from '#ports/care.ts'
import type { ChannelsRead } from '#ports/channels.ts'
import type { Columns } from '#ports/columns.ts'
import type { HealthRead } from '#ports/health.ts'
import type { InboxRead } from '#ports/inbox.ts'
import type { OutcomesRead, SystemRead } from '#ports/ingest.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { MessagesRead } from '#ports/messages.ts'
import type { MissedMapCounts } from '#ports/missed-maps.ts'
import type { NoticesRead } from '#ports/notices.ts'
import type { PeopleReads } from '#ports/people.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import { quarantineName } from '#ports/quarantine-name.ts'
import type { ReleasesRead } from '#ports/releases.ts'
import type { RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SingleSignOnRead } from '#ports/single-sign-on.ts'
import type { SkewRead } from '#ports/skew.ts'
import type { EventIds, EventReads, PayloadSegments, TelemetryStore } from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'
import type { TrackersRead } from '#ports/trackers.ts'
import type { ColumnWaits } from '#ports/waits.ts'
import { adoptionQueries } from './adoption.ts'
import { agentClientQueries } from './agent-clients.ts'
import { alertQueries } from './alerts.ts'
import { mentionable } from './assignable.ts'
import { attachmentQueries } from './attachments.ts'
import { channelQueries } from './channels.ts'
import { datasetQueries } from './datasets/datasets.ts'
import { deviceOf } from './device.ts'
import { digestMatches } from './digest-matches.ts'
import { digestLookup, issuesFound } from './digests.ts'
import { createEventReads, type ReadAgain } from './events/event-reads.ts'
import { foundEventQueries } from './events/found-events.ts'
import { createFindEvent } from './find-event.ts'
import { firstEventView } from './first-event.ts'
import { groupingPreview } from './grouping-preview.ts'
import { inboxQueries } from './inbox.ts'
import { ACTIVITIES_SHOWN, COMMENTS_READ, issueView, marksOfViewer } from './issue.ts'
import { issueList, issueTotal, neighbourIssues, searchTotals } from './issue-list.ts'
import { issueSplit } from './issue-split.ts'
import { movedAddress } from './moved-address.ts'
import { type NoticeFacts, noticeQueries } from './notices.ts'
import { outcomesView } from './outcomes.ts'
import { ownershipQueries } from './ownership.ts'
import { rowLimit } from './pages.ts'
import { pasteTargets } from './paste.ts'
import { peopleQueries } from './people/people.ts'
import { personData } from './person-data.ts'
import { personKey } from './person-key.ts'
import { PreviewTurns } from './preview-turns.ts'
import { createProjectOverviews } from './project-overviews.ts'
import type { ReadAnswers } from './read-answers.ts'
import type { Regrouping } from './regrouping.ts'
import { healthQueries } from './release-health.ts'
import { releaseQueries } from './releases.ts'
import { createDetailValues, type DetailValues } from './search/detail-values.ts'
import { createIssueSearch, type IssueSearch } from './search/issue-search.ts'
import { suggestions } from './search/suggestions.ts'
import { nearestTraceKey, TRACE_KEYS, traceWords } from './search/trace-fields.ts'
import { readTraceSearch } from './search/trace-search.ts'
import { sharingQueries } from './sharing/index.ts'
import { eventNamed } from './shown-events.ts'
import { type RoutesOf, tagsShown } from './shown-routes.ts'
import { singleSignOnQueries } from './single-sign-on.ts'
import { skewQueries } from './skew/index.ts'
import { sourceMapQueries } from './stacks/source-maps.ts'
import { type SystemFacts, systemView } from './system.ts'
import { traceQueries } from './traces/index.ts'
import { transactionView } from './traces/transaction.ts'
import { trackerQueries } from './trackers.ts'
import type { AccountQueries, DeviceSession, EventQueries, IssueQueries, ProjectQueries } from './types.ts'
import { uploadQueries } from './uploads.ts'
import { type WaitParts, waitQueries } from './waits.ts'

export interface QueryParts {
  readonly accounts: AccountsRead
  readonly singleSignOn: SingleSignOnRead
  readonly agentClients: AgentClientsRead
  readonly artifacts: Pick<
    Artifacts,
    'bundles' | 'usage' | 'failures' | 'releaseFiles' | 'ofReleases' | 'actions'
  >
  readonly projects: ProjectsRead
  readonly issues: IssuesRead
  readonly releases: ReleasesRead
  readonly health: HealthRead
  readonly channels: ChannelsRead
  readonly messages: MessagesRead
  readonly trackers: TrackersRead
  /** Somebody looks at links that were not asked for lately. */
  readonly onOldLinks?: (issue: IssueId) => void
  readonly notices: NoticesRead
  readonly inbox: InboxRead
  readonly alerts: AlertsRead
  /** Somebody looked a digest up that events have. */
  readonly onDigestFound?: (found: readonly DigestLookedUp[]) => void
  readonly noticeFacts: NoticeFacts
  readonly outcomes: OutcomesRead
  readonly requests: RequestsRead
  readonly skew: SkewRead
  readonly system: SystemRead & RetentionRead
  /** Kinds that people may ask for by name. */
  readonly datasets: readonly Dataset[]
  readonly telemetry: EventReads<EventRow> &
    Columns &
    TraceReads<FragmentRow> &
    PeopleReads &
    MissedMapCounts &
    ColumnWaits &
    Pick<TelemetryStore, 'files'>
  readonly longQuestions: WaitParts['longQuestions']
  readonly payloads: Pick<PayloadSegments, 'read' | 'records'>
  readonly eventIds: Pick<EventIds, 'find'>
  readonly blobs: Pick<BlobStore, 'get'>
  readonly attachments: AttachmentsRead
  readonly largeBlobs: Pick<LargeBlobs, 'read' | 'bytes'>
  readonly systemFacts: () => Promise<SystemFacts>
  /** Whether anything was ever uploaded: until then nobody begins a thread to ask. */
  readonly hasArtifacts?: () => boolean
  readonly lookUps?: LookUps
  /** Returns the state of spike protection; `null` while nothing is known of the project. */
  readonly spikeState?: (project: ProjectId) => SpikeState | null
  readonly readAgain: ReadAgain
  readonly regrouping: Regrouping
  readonly answers: ReadAnswers
  readonly routesOf: RoutesOf
  /** Opens secrets that are shown again. */
  readonly seal: Pick<SecretSeal, 'open'>
  readonly clock: Clock
  readonly publicAddress: PublicAddress
}

/** Reads of whoever asks, by name. */
export type Queries = Omit<ReturnType<typeof createQueries>, 'search'>

/** The queries, and the search that `createCommands` selects issues with. */
export function createQueries(parts: QueryParts) {
  const findEvent = createFindEvent(parts)
  const events = createEventReads({ ...parts, findEvent })
  const search = createIssueSearch({ ...parts, findEvent })
  const all = { ...parts, findEvent, events, search, detailValues: createDetailValues(parts) }
  const ofEvents = eventQueries(all)
  return {
    search,
    ...accountQueries(parts),
    ...singleSignOnQueries(parts),
    ...agentClientQueries(parts),
    ...projectQueries(all),
    ...noticeQueries(parts),
    ...inboxQueries(parts),
    ...ownershipQueries({
      ...parts,
      eventOf: async (scope, project, id) => (await ofEvents.event(scope, project, id))?.event ?? null,
    }),
    ...alertQueries(parts),
    ...channelQueries(parts),
    ...trackerQueries(parts),
    ...uploadQueries(parts),
    ...waitQueries(parts),
    ...releaseQueries({ ...parts, issueTotal: (scope, query) => issueTotal(all, scope, query) }),
    ...healthQueries(parts),
    ...adoptionQueries(parts),
    ...traceQueries({ ...parts, readTraceSearch, nearestTraceKey, traceKeys: TRACE_KEYS, traceWords }),
    ...skewQueries(parts),
    ...peopleQueries(parts),
    ...issueQueries(all),
    ...attachmentQueries({
      ...all,
      hasTransaction: async (scope, project, id) =>
        (await transactionView(all, scope, { project, id })) !== null,
    }),
    ...ofEvents,
    ...foundEventQueries(parts),
    ...datasetQueries(parts),
    ...sourceMapQueries(all),
    ...sharingQueries({ ...all, issueView: (scope, ref) => wholeIssue(all, scope, ref) }),
  }
}

/** An issue for whoever reads it away from its page: of the last day. */
function wholeIssue(parts: AllParts, scope: ReadScope, ref: string) {
  const nowMs = parts.clock.now()
  const trend = { startMs: nowMs - DAY_MS, endMs: nowMs, stepMs: HOUR_MS }
  return issueView(parts, scope, { ref, trend })
}

type AllParts = QueryParts & {
  readonly findEvent: ReturnType<typeof createFindEvent>
  readonly events: ReturnType<typeof createEventReads>
  readonly search: IssueSearch
  readonly detailValues: DetailValues
}

/** A guest is not told which other projects there are. */
const NAMES_PROJECTS = /\bproject(\.\w+)?:/i

function accountQueries(parts: QueryParts): AccountQueries {
  const { accounts, clock } = parts
  return {
    needsSetup: () => accounts.needsSetup(),
    organisations: async (viewer: Viewer) =>
      viewer.kind === 'token'
        ? [viewer.organisation]
        : viewer.memberships.map(({ organisation }) => organisation),
    organisation: (scope) => accounts.organisation(scope),
    roleDefault: ({ orgId }) => accounts.roleDefault(orgId),
    members: (scope, asked) => accounts.members(scope, asked),
    teams: (scope, asked) => accounts.teams(scope, asked),
    teamNames: (scope, asked) => accounts.teamNames(scope, asked),
    invitations: (scope) => accounts.invitations(scope, clock.now()),
    expiredInvitations: (scope) => accounts.invitations(scope, clock.now(), 'expired'),
    tokens: (scope) => accounts.tokens(scope),
    savedSearches: async (scope) =>
      (await accounts.savedSearches(scope)).filter(
        ({ isShared, query }) => scope.isGuest !== true || !isShared || !NAMES_PROJECTS.test(query),
      ),
    listPreferences: (scope) => accounts.listPreferences(scope),
    audit: (scope, { rows = 'page', ...page }) => {
      const limit = max(rows === 'page' ? 'auditRows' : 'auditExportPageRows')
      return accounts.audit(scope, {
        ...page,
        limit: typeof rows === 'number' ? Math.min(rows, limit) : limit,
      })
    },
    // A provider's session knows of those that the same organisation's provider began; one's own knows of all.
    sessions: async ({ user, session: { orgId } }: PersonViewer) =>
      (await accounts.sessions(user.id, clock.now()))
        .filter((each) => orgId === undefined || each.orgId === orgId)
        .map(withDevice),
    sendsMail: () => parts.noticeFacts.mailFrom !== null,
    invitation: (code) => accounts.invitation(secretHash(code), clock.now()),
    expiredInvitation: (code) => accounts.invitation(secretHash(code), clock.now(), 'expired'),
    passwordReset: async (code) => {
      const user = await accounts.passwordReset(secretHash(code), clock.now())
      return user === null ? null : { email: user.email }
    },
    system: async (viewer) =>
      viewer.user.isOperator
        ? ok(await systemView(parts))
        : refuse('forbidden', 'Only the operator of the installation sees this.'),
    quarantined: async (viewer, seq) =>
      viewer.user.isOperator && Number.isSafeInteger(seq) && seq > 0
        ? parts.blobs.get(quarantineName(asSeq(seq)))
        : null,
  }
}

function withDevice(session: Session): DeviceSession {
  return { ...session, device: deviceOf(session.userAgent) }
}

/** `null`: all of it. */
function narrowScope(scope: ReadScope, projects: readonly ProjectId[] | null): ReadScope {
  if (projects === null) return scope
  const named = new Set(projects)
  return { ...scope, projects: scope.projects.filter((id) => named.has(id)) }
}

function projectQueries(parts: AllParts): ProjectQueries {
  const { projects } = parts
  return {
    projects: (scope) => projects.projects(scope),
    projectNames: (scope, asked) => projects.projectNames(scope, asked),
    assignableMembers: async (scope, ref, text) => {
      const project = await projects.project(scope, ref)
      return project === null ? [] : mentionable(parts.accounts, scope, { project, text })
    },
    assignableTeams: async (scope, ref, text) => {
      const project = await projects.project(scope, ref)
      return project === null ? [] : parts.accounts.teamNames(scope, { text, ids: project.teams })
    },
    project: (scope, ref) => projects.project(scope, ref),
    movedAddress: (scope, address) => movedAddress(projects, scope, address),
    ...createProjectOverviews(parts),
    environments: (scope, chosen) =>
      projects.environments(scope, { projects: chosen, of: 'events and deploys' }),
    tagKeys: async (scope, chosen) => {
      const within = narrowScope(scope, chosen)
      const keys = await parts.issues.facetKeys(within, '', max('tagKeysListedMax'))
      return parts.issues.facetKeyCounts(within, keys)
    },
    tagValues: (scope, { projects: chosen, key, prefix, limit }) =>
      parts.issues.facetValues(narrowScope(scope, chosen), key, prefix, limit),
    projectSize: (scope, project) => projects.size(scope, project),
    personEvents: async (scope, project, ref) => {
      const person = personKey(ref)
      if (!person.ok) return person
      if (!scope.projects.includes(project)) return ok({ events: 0 })
      const { events } = await parts.telemetry.personEvents(project, person.value)
      return ok({ events })
    },
    personData: (scope, project, ref) => {
      const person = personKey(ref)
      return person.ok ? ok(personData(parts, scope, { project, key: person.value })) : person
    },
    keys: (scope, project) => projects.keys(scope, project),
    dsn: (key) => parts.publicAddress.dsn(key),
    firstEvent: (scope, ref, asked) => firstEventView(parts, scope, ref, asked),
    outcomes: (scope, params) => outcomesView(parts, scope, params),
    spikes: async (scope, project) => {
      const known = await projects.project(scope, String(project))
      return known === null ? null : (parts.spikeState?.(known.id) ?? null)
    },
    outcomeStats: (scope, query) => parts.outcomes.outcomes(scope, query),
  }
}

function issueQueries(parts: AllParts): IssueQueries {
  const { issues } = parts
  const previews = new PreviewTurns()
  const withIssue = async <T>(
    scope: ReadScope,
    ref: string,
    read: (id: NonNullable<Awaited<ReturnType<IssuesRead['issue']>>>['id']) => Promise<T>,
  ): Promise<T | null> => {
    const issue = await issues.issue(scope, ref)
    return issue === null ? null : read(issue.id)
  }
  return {
    issueList: (scope, params) => issueList(parts, scope, params),
    issuesForReview: (scope, sinceMs) =>
      parts.issues.countForReview(scope, { sinceMs, limit: max('issuesForReviewMax') }),
    searchTotals: (scope, asked) => searchTotals(parts, scope, asked),
    issueBeside: (scope, ref, list) => neighbourIssues(parts, scope, { ref, list }),
    searchSuggestions: (scope, asked) => suggestions(parts, scope, asked),
    filesInStacks: async (scope, text) =>
      (await parts.detailValues(scope, { key: 'stack.filename', prefix: text, isAnywhere: true })).map(
        ({ value }) => value,
      ),
    issue: (scope, ref, trend) => issueView(parts, scope, { ref, trend }),
    issueScopes: async (viewer, ref) => {
      const scopes = everyScope(viewer)
      const found = await Promise.all(scopes.map((scope) => issues.issue(scope, ref)))
      return scopes.filter((_, index) => found[index] !== null)
    },
    issueTags: async (scope, ref) => {
      const issue = await issues.issue(scope, ref)
      if (issue === null) return null
      return tagsShown(await issues.tags(scope, issue.id, max('facetValuesMax')), issue, parts.routesOf)
    },
    issueDigests: (scope, ids) => issues.newestDigests(scope, ids),
    issueMarks: (scope, ids) => marksOfViewer(issues, scope, ids),
    issueComments: (scope, ref) =>
      withIssue(scope, ref, (id) => issues.activity(scope, id, COMMENTS_READ, 'commented')),
    issueActivity: (scope, ref) =>
      withIssue(scope, ref, (id) => issues.activity(scope, id, ACTIVITIES_SHOWN)),
    mergedGroups: (scope, ref) => withIssue(scope, ref, (id) => issues.mergedGroups(scope, id)),
    groupingPreview: (scope, asked) => previews.take(scope, () => groupingPreview(parts, scope, asked)),
    issueSplit: (scope, ref) => previews.take(scope, () => issueSplit(parts, scope, ref)),
    similarIssues: async (scope, ref) => {
      const issue = await issues.issue(scope, ref)
      const others = issue === null ? null : await issues.issuesOfType(scope, issue.id)
      return issue === null || others === null ? null : similarTo(issue, others)
    },
    issueGroups: (scope, ref) =>
      withIssue(scope, ref, async (issueId) =>
        (await issues.groups(scope, issueId)).map((group) => ({
          hash: group.hash,
          projectId: group.projectId,
          issueId,
          latest: () => parts.events.latestOf(scope, [group]),
        })),
      ),
    digestLookup: async (viewer, text) => {
      const found = await digestLookup(parts, everyScope(viewer), text)
      parts.onDigestFound?.(issuesFound(found, viewer))
      return found
    },
    digestMatches: (scope, text) => digestMatches(parts, scope, text),
    paste: (viewer, text) => pasteTargets(parts, everyScope(viewer), text),
  }
}

function eventQueries({ events, findEvent, issues, projects, ...parts }: AllParts): EventQueries {
  return {
    issueEvents: (scope, ref, params) =>
      events.table(scope, ref, { ...params, limit: rowLimit(params.limit) }),
    issueEvent: (scope, ref, which) => events.ofIssue(scope, ref, which),
    event: async (scope, projectRef, eventId) => {
      const id = readEventId(eventId)
      const project = id === null ? null : await projects.project(scope, projectRef)
      if (id === null || project === null) return null
      const row = await findEvent(scope, id, project.id)
      return row === null ? null : events.view(scope, row)
    },
    transaction: async (scope, projectRef, eventId) => {
      const id = readEventId(eventId)
      const project = id === null ? null : await projects.project(scope, projectRef)
      if (id === null || project === null) return null
      return transactionView(parts, scope, { project: project.id, id })
    },
    eventPlace: async (scope, eventId) => {
      const row = await eventNamed({ findEvent, ...parts }, scope, eventId)
      if (row === null) return null
      const [project, issue] = await Promise.all([
        projects.project(scope, String(row.projectId)),
        issues.issueOfGroup(scope, row.projectId, row.groupHash),
      ])
      return project === null || issue === null ? null : { project, issue, eventId: row.eventId }
    },
  }
}
