/** Use cases over the stores: access, queries, commands, and Errata's reports about itself. */
import type { Overload } from '#accept/overload.ts'
import { createSelfReport } from '#accept/self-report.ts'
import { createSelfTrace } from '#accept/self-trace.ts'
import type { SpikeProtection } from '#accept/spike-protection.ts'
import type { Accept } from '#accept/types.ts'
import { createAccess } from '#access/access.ts'
import type { SecretSeal } from '#access/seal.ts'
import type { AlertLoop } from '#alerts/alert-loop.ts'
import type { Artifacts } from '#artifacts/artifact-work.ts'
import type { LookUps } from '#artifacts/look-up.ts'
import type { Clock } from '#base/clock.ts'
import type { IssueId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import type { Random } from '#base/random.ts'
import type { Changes } from '#commands/changes.ts'
import { type Commands, createCommands } from '#commands/commands.ts'
import type { CommittedBatch } from '#commit/commit.ts'
import type { Journal } from '#journal/writer.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { Settings } from '#limits/settings.ts'
import { createNotices, type Notices } from '#notices/notices.ts'
import type { LargeBlobs } from '#ports/blobs.ts'
import type { IngestDirectory } from '#ports/projects.ts'
import type { Dispatch } from '#process/dispatch.ts'
import type { PackedBatch } from '#process/transfer.ts'
import { type KeptAnswers, OF_HOURS, OF_RELEASES, OF_STALE_CLICKS } from '#queries/kept-answers.ts'
import { createQueries, type QueryParts } from '#queries/queries.ts'
import { routesOfProjects } from '#queries/shown-routes.ts'
import { createTextLookup } from '#sign-in/domain-proof.ts'
import { createFlowSeal } from '#sign-in/flow.ts'
import { createGuardedFetch } from '#sign-in/guarded-fetch.ts'
import type { Verification } from '#store/embedded/care/verification/verification.ts'
import { trackerWork } from '#trackers/tracker-work.ts'
import { openSeal } from './directory/seal-key.ts'
import type { HealthParts } from './health/health.ts'
import { type EngineCounts, readMetrics } from './health/metrics.ts'
import { createSystemFacts } from './health/system-facts.ts'
import type { Hints } from './hints.ts'
import { selfProjectOf } from './self-project.ts'
import type { AcceptCrew } from './threads/accept-crew.ts'
import type { Stores } from './threads/stores.ts'

interface UseCaseOptions {
  readonly settings: Settings
  readonly publicAddress: PublicAddress
  /** Version of the package, for `sdk` fields and /system. */
  readonly version: string
  readonly log: Log
  readonly sendsNothing?: boolean
}

/** Current state of the engine. */
interface UseCaseState {
  readonly counts: EngineCounts
  readonly hints: Hints
  readonly kept: KeptAnswers
  readonly appliedSeq: number
  readonly directory: IngestDirectory
}

/** The delivery loop over the control store. */
export function noticesOf(
  { settings, publicAddress, version, log, sendsNothing = false }: UseCaseOptions,
  parts: Pick<UseCaseParts, 'stores' | 'clock' | 'random'>,
): Notices {
  return createNotices({
    queue: parts.stores.noticeQueue,
    outbox: parts.stores.outbox,
    letters: parts.stores.letters,
    trackerLane: (call) =>
      trackerWork({
        ...{ outbox: parts.stores.outbox, call, version, clock: parts.clock },
        settle: (work, settlement, nowMs) =>
          parts.stores.changes.own('settleTrackerWork', { work, settlement, nowMs }),
      }),
    smtp: settings.smtp,
    privateTargets: settings.webhookPrivateTargets,
    sendsNothing,
    publicAddress,
    version,
    clock: parts.clock,
    random: parts.random,
    log,
  })
}

export interface UseCaseParts {
  readonly alerts: Pick<AlertLoop, 'noteLookUps'>
  readonly overload: Overload
  readonly acceptThreads: AcceptCrew | null
  readonly spikes: SpikeProtection
  readonly notices: Notices
  readonly stores: Stores
  readonly blobs: LargeBlobs
  readonly artifacts: Artifacts
  readonly readAgain: QueryParts['readAgain']
  readonly hasArtifacts: () => boolean
  readonly lookUps: LookUps
  readonly state: UseCaseState
  readonly accept: Accept
  readonly journal: Journal
  readonly dispatch: Dispatch<PackedBatch, CommittedBatch>
  readonly threads: HealthParts['threads']
  readonly verification: Verification
  readonly refreshDirectory: () => Promise<void>
  readonly reservedSlugs: readonly string[]
  readonly clock: Clock
  readonly random: Random
}

/** Builds access, queries, commands and the self-report. */
export function createUseCases(options: UseCaseOptions, parts: UseCaseParts) {
  const { stores, state, accept, clock, random } = parts
  const { settings, publicAddress, version } = options
  const facts = createSystemFacts({ ...parts, settings, publicAddress, version })
  const metrics = () => readMetrics({ counts: state.counts, facts, system: stores.system })
  const { accounts, secondFactors, agentClients, changes } = stores
  const noteUse = (used: Parameters<typeof changes.own<'noteUse'>>[1]) => changes.own('noteUse', used)
  const access = createAccess({ accounts, secondFactors, agentClients, noteUse, clock })
  const seal = openSeal(settings.data)
  const queries = queriesOf(options, { ...parts, seal }, facts)
  const commands = commandsOf(options, { ...parts, seal }, queries)
  const own = {
    accept,
    target: () => {
      const self = selfProjectOf(state.directory)
      return self === null ? null : { projectId: self.project.id, publicKey: self.key.public }
    },
    reportDsn: settings.reportDsn,
    release: `errata@${version}`,
    clock,
    random,
    log: options.log,
  }
  const selfTrace = createSelfTrace(own)
  return { access, queries, commands, report: createSelfReport(own), selfTrace, metrics }
}

type SealedParts = UseCaseParts & { readonly seal: SecretSeal }

function queriesOf(
  { publicAddress, log }: UseCaseOptions,
  parts: SealedParts,
  systemFacts: QueryParts['systemFacts'],
): ReturnType<typeof createQueries> {
  const { stores, clock } = parts
  const { kept } = parts.state
  return createQueries({
    seal: parts.seal,
    accounts: stores.accounts,
    artifacts: parts.artifacts,
    projects: stores.projects,
    issues: stores.issues,
    releases: stores.releases,
    health: stores.health,
    channels: stores.channels,
    messages: stores.messages,
    trackers: stores.trackers,
    onOldLinks: (issue) => void refreshLinks({ ...parts, log }, issue),
    ...{ notices: stores.notices, inbox: stores.inbox },
    alerts: stores.alerts,
    onDigestFound: (found) => parts.alerts.noteLookUps(found),
    noticeFacts: parts.notices.tests,
    outcomes: stores.outcomes,
    requests: kept.port(stores.requests, {
      ...{ figuresOfKinds: OF_HOURS, requestCounts: OF_HOURS, vitalSpreads: OF_HOURS },
    }),
    ...{ skew: stores.skew, singleSignOn: stores.singleSignOn, agentClients: stores.agentClients },
    spikeState: (project) => parts.spikes.state(project),
    system: stores.system,
    ...{ datasets: KINDS.datasets, telemetry: stores.telemetry, longQuestions: stores.longQuestions },
    payloads: stores.payloads,
    eventIds: stores.eventIds,
    ...{ blobs: stores.blobs, attachments: stores.attachments, largeBlobs: parts.blobs },
    readAgain: parts.readAgain,
    regrouping: stores.regrouping,
    answers: kept.port(stores.answers, { worstSkew: OF_STALE_CLICKS, releaseAtAge: OF_RELEASES }),
    routesOf: routesOfProjects(() => parts.state.directory),
    clock,
    publicAddress,
    systemFacts,
    hasArtifacts: parts.hasArtifacts,
    lookUps: parts.lookUps,
  })
}

/** Behind the page that asked: it shows what was known. */
async function refreshLinks(
  { stores, notices, clock, log }: Pick<UseCaseParts, 'stores' | 'notices' | 'clock'> & { readonly log: Log },
  issue: IssueId,
): Promise<void> {
  try {
    if ((await stores.trackerQueue.refreshLinks(issue, clock.now())) > 0) notices.wake()
  } catch (cause) {
    // Whoever looks again asks again.
    log.warn('links to issue trackers could not be asked for', { reason: String(cause).slice(0, 200) })
  }
}

function commandsOf(
  { settings, publicAddress, version }: UseCaseOptions,
  parts: SealedParts,
  queries: ReturnType<typeof createQueries>,
): Commands {
  const { stores, state, accept, clock, random, refreshDirectory, reservedSlugs } = parts
  return createCommands({
    changes: forgettingAfter(stores.changes, state.kept),
    accounts: stores.accounts,
    secondFactors: stores.secondFactors,
    seal: parts.seal,
    projects: stores.projects,
    issues: stores.issues,
    releases: stores.releases,
    // What comes after it begins a new issue, with all its payloads.
    deletion: { onDeleted: () => state.hints.clear() },
    people: {
      appliedSeq: () => stores.commit.appliedSeq(),
      personEvents: (project, person, upToSeq) => stores.telemetry.personEvents(project, person, upToSeq),
    },
    largeBlobs: parts.blobs,
    artifacts: parts.artifacts,
    alertRules: { read: stores.alerts, wake: () => parts.notices.wake() },
    notices: { read: stores.notices, tests: parts.notices.tests },
    alerts: {
      channels: stores.channels,
      messages: stores.messages,
      tests: parts.notices.tests,
      wake: () => parts.notices.wake(),
    },
    trackers: {
      read: stores.trackers,
      tests: parts.notices.tests,
      version,
      wake: () => parts.notices.wake(),
    },
    mailRoom: settings.smtp === null ? undefined : { wake: () => parts.notices.wake() },
    singleSignOn: signOnParts(stores, settings),
    agents: stores.agentClients,
    queries,
    accept,
    clock,
    random,
    publicAddress,
    reservedSlugs,
    onDirectoryChanged: refreshDirectory,
  })
}

/** Runs changes, after each of which nothing is kept of what was answered before: whoever acts sees it at once. */
function forgettingAfter(changes: Changes, kept: KeptAnswers): Changes {
  const andForget = <T>(done: Promise<T>): Promise<T> => done.finally(() => kept.forgetAll())
  return {
    change: (name, prepared, by) => andForget(changes.change(name, prepared, by)),
    own: (name, given) => andForget(changes.own(name, given)),
  }
}

/** Builds sign-in with identity providers. */
function signOnParts(
  { singleSignOn }: Pick<Stores, 'singleSignOn'>,
  { signInPrivateIssuers: privateIssuers, dnsServers }: Settings,
) {
  const calls = { fetch: createGuardedFetch({ privateIssuers }), privateIssuers }
  const lookUpTexts = createTextLookup(dnsServers)
  return { read: singleSignOn, calls, seal: createFlowSeal(), lookUpTexts }
}
