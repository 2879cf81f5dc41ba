/**
 * The composition root: opens the data directory, starts the threads, joins the beats, and answers an `Engine`.
 * Nothing here decides; each part is handed what it needs.
 */

import { availableParallelism } from 'node:os'
import { createAccept } from '#accept/accept.ts'
import type { SelfReport } from '#accept/self-report.ts'
import type { SelfTrace } from '#accept/self-trace.ts'
import { SpikeProtection } from '#accept/spike-protection.ts'
import type { Accept } from '#accept/types.ts'
import type { Access } from '#access/viewer.ts'
import { AlertLoop } from '#alerts/alert-loop.ts'
import { type Clock, clockOf, type DescribedClock } from '#base/clock.ts'
import type { OrgId, ProjectId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { PublicAddress } from '#base/public-address.ts'
import { type Random, systemRandom } from '#base/random.ts'
import type { Commands } from '#commands/commands.ts'
import type { CommittedBatch } from '#commit/commit.ts'
import type { Metric } from '#http/metrics.ts'
import type { AcceptThreads, Health, SelfTarget } from '#http/types.ts'
import { type FairJournalOptions, openFairJournal } from '#journal/fair-journal.ts'
import type { Journal } from '#journal/writer.ts'
import { KINDS } from '#kinds/kinds.ts'
import { max } from '#limits/limits.ts'
import type { Settings } from '#limits/settings.ts'
import type { LargeBlobs } from '#ports/blobs.ts'
import type { LateProject } from '#ports/late-maps.ts'
import type { IngestDirectory } from '#ports/projects.ts'
import { type CrewSize, crewFor, fixedCrew } from '#process/crew.ts'
import { Dispatch } from '#process/dispatch.ts'
import type { PackedBatch } from '#process/transfer.ts'
import { KeptAnswers } from '#queries/kept-answers.ts'
import type { Queries } from '#queries/queries.ts'
import { openLargeBlobs } from '#store/blobs/large-blobs.ts'
import { noteAddress } from './directory/address.ts'
import { refuseLostControl } from './directory/control-check.ts'
import { lockDirectory } from './directory/lock.ts'
import {
  journalPath,
  largeBlobsPath,
  lockPath,
  makeDataDirectory,
  socketPath,
  type ThreadStart,
} from './directory/paths.ts'
import { directoryRefresher, pollDirectory } from './follow-directory.ts'
import { healthOf } from './health/health.ts'
import { EngineCounts } from './health/metrics.ts'
import { machineMemory, refuseTooLittleMemory, watchPressure } from './health/pressure.ts'
import { watchSpikes } from './health/spikes.ts'
import { Hints } from './hints.ts'
import { createJobs } from './jobs.ts'
import { createMending } from './mending.ts'
import { createReadAgain } from './read-again.ts'
import { selfTargetOf } from './self-project.ts'
import { tellApplied } from './tell-applied.ts'
import { AcceptCrew, acceptThreadsFor } from './threads/accept-crew.ts'
import { artifactPorts } from './threads/artifact-ports.ts'
import { artifactThread } from './threads/artifact-thread.ts'
import { EngineThread } from './threads/engine-thread.ts'
import { LazyThread } from './threads/lazy-thread.ts'
import { ProcessThread, type SharedByProcess } from './threads/process-thread.ts'
import { ReadPair } from './threads/read-pair.ts'
import { exposeReadThreads } from './threads/read-threads.ts'
import { storesOf } from './threads/stores.ts'
import { UsedMapNotes } from './threads/used-maps.ts'
import { createUseCases, noticesOf, type UseCaseParts } from './use-cases.ts'
import { createVerification } from './verification.ts'
import { withinTime } from './within-time.ts'

/** Thread entries: source files in development, files beside the bundle when installed. */
export interface ThreadUrls {
  readonly accept: URL
  readonly process: URL
  readonly commit: URL
  readonly read: URL
  readonly verify: URL
  readonly artifacts: URL
}

export interface EngineOptions {
  readonly settings: Settings
  readonly publicAddress: PublicAddress
  readonly threads: ThreadUrls
  /** Version of the package, for `sdk` fields and /system. */
  readonly version: string
  /** First path segments that no organisation's slug may take. */
  readonly reservedSlugs: readonly string[] | Promise<readonly string[]>
  readonly log: Log
  /** Clock for benchmarks and tests; default: the machine's. */
  readonly clock?: DescribedClock | null
  readonly random?: Random
  /** True for a demo: no email leaves the machine, and no receiver is called. */
  readonly sendsNothing?: boolean
}

export interface RunningEngine {
  readonly access: Access
  readonly queries: Queries
  readonly commands: Commands
  readonly accept: Accept
  /** `null`: the main thread accepts alone. */
  readonly acceptThreads: AcceptThreads | null
  readonly report: SelfReport
  readonly trace: SelfTrace['record']
  readonly directory: () => IngestDirectory
  readonly selfTarget: () => SelfTarget | null
  healthy(): Health
  /**
   * Resolves with a sentence when nothing can be stored any more in this process: close the engine and end, so that a
   * new process replays the journal.
   */
  readonly failed: Promise<string>
  /** Returns the metrics for /metrics. */
  metrics(): Promise<readonly Metric[]>
  /** The server listens: what is told from now on leads to its address, and commands beside it find it. */
  addressIsCertain(): void
  /** Resolves when everything acknowledged so far is stored and visible. */
  drained(): Promise<void>
  close(): Promise<void>
}

export async function startEngine(options: EngineOptions): Promise<RunningEngine> {
  const { settings, log } = options
  refuseTooLittleMemory()
  makeDataDirectory(settings.data)
  const unlock = lockDirectory(settings.data, lockPath(settings.data), max('directoryLockWaitMs'))
  try {
    refuseLostControl(settings.data)
    return await composeEngine(options, unlock)
  } catch (cause) {
    unlock()
    log.error('start failed', { reason: cause instanceof Error ? cause.message : String(cause) })
    throw cause
  }
}

async function composeEngine(options: EngineOptions, unlock: () => void): Promise<RunningEngine> {
  const { settings, publicAddress, threads: urls, log, random = systemRandom } = options
  const clock = clockOf(options.clock ?? null)
  const { data } = settings
  const start = threadStartOf(options)
  const [state, usedMaps] = [new EngineState(clock), new UsedMapNotes(log)]
  // Started side by side: what a thread loads takes longer than what it does.
  const shared: SharedByProcess = { hints: state.hints, usedMaps, onWork: (all) => overload.worked(all) }
  const workersStarting = startWorkers(urls.process, start, { shared, settings })
  const { threads, stores, verification, artifactsThread, search, failed } = await startStores(urls, {
    ...{ start, state, clock, log },
  })
  const appliedSeq = await stores.commit.recover()
  publicAddress.kept(await stores.accounts.publicUrl())
  const journal = await openBothJournals(data, { stores, appliedSeq, clock, log })
  state.directory = await stores.projects.ingestDirectory()
  const blobs = await openLargeBlobs({ directory: largeBlobsPath(data) })
  const ingest = await openIngest(options, { journal, state, blobs, clock, random })
  const { accept, acceptThreads, spikes, overload } = ingest
  const { workers, crew } = await workersStarting
  for (const each of workers) each.setDirectory(state.directory)
  const dispatch = new Dispatch<PackedBatch, CommittedBatch>({
    ...{ journal, workers, crew, commit: stores.commit, clock, log },
    onApplied(applied) {
      state.addApplied(applied)
      if (applied.newIssues > 0 || applied.regressedIssues > 0) alerts.wake()
      if (applied.firstEvents.length > 0) refreshDirectory().catch(ignoreUntilNextPoll)
    },
  })
  state.appliedSeq = appliedSeq
  const refreshDirectory = directoryRefresher({ stores, state, accept, acceptThreads, workers })
  const { notices, alerts } = loopsOf(options, { stores, clock, random })
  const artifacts = usesOfArtifacts(artifactsThread, { stores, state, usedMaps, dispatch, data, clock, log })
  const jobs = createJobs({ stores, artifacts: artifacts.artifacts, settings, data, clock, random, log })
  const own = {
    ...{ ...ingest, blobs, notices, alerts, jobs, verification, stores, state, journal, dispatch },
    ...{ ...artifacts, refreshDirectory, clock, random },
  }
  const parts = createUseCases(options, { ...own, threads, reservedSlugs: await options.reservedSlugs })
  const timers = [
    ...[ingest.pressureTimer, tellApplied({ journal, care: stores.care, clock })],
    pollDirectory({ projects: stores.projects, state, log, refreshDirectory }),
    watchSpikes({ spikes, projects: stores.projects, directory: () => state.directory, clock, log }),
  ]
  void failed.then(() => dispatch.stop())
  for (const part of [dispatch, jobs, verification, own.mending, alerts]) part.start()
  const { selfTrace, ...useCases } = parts
  return {
    ...useCases,
    trace: selfTrace.record,
    accept,
    acceptThreads,
    directory: () => state.directory,
    selfTarget: () =>
      selfTargetOf({ directory: state.directory, publicAddress, reportDsn: settings.reportDsn }),
    failed,
    healthy: () => healthOf({ journal, dispatch, overload, threads, verification }),
    addressIsCertain() {
      noteAddressOf(options)
      notices.start()
    },
    drained: () => drainIngest(own),
    close: () => {
      selfTrace.close()
      const last = [...workers, journal, artifactsThread, search, threads.read, threads.commit]
      return closeEngine({ ...own, timers, unlock, last })
    },
  }
}

function threadStartOf({ settings, clock = null }: EngineOptions): ThreadStart {
  const { data, logLevel, maxDiskBytes } = settings
  return { data, logLevel, maxDiskBytes, clock }
}

async function openBothJournals(
  data: string,
  {
    stores,
    ...options
  }: Pick<FairJournalOptions, 'appliedSeq' | 'clock' | 'log'> & Pick<UseCaseParts, 'stores'>,
): Promise<Journal> {
  const appliedOverflow = await stores.commit.appliedOverflow()
  return openFairJournal({ ...options, directory: journalPath(data), appliedOverflow })
}

/** Makes what tells people: rules fire, and what they queue is delivered. */
function loopsOf(options: EngineOptions, parts: Parameters<typeof noticesOf>[1]) {
  const notices = noticesOf(options, parts)
  const { stores, clock } = parts
  const mail = options.settings.smtp !== null
  const onMessages = () => notices.wake()
  const alerts = new AlertLoop({ store: stores.alertBeat, clock, mail, log: options.log, onMessages })
  return { notices, alerts }
}

function noteAddressOf({ settings, publicAddress, log }: EngineOptions): void {
  try {
    noteAddress(settings.data, publicAddress)
  } catch (cause) {
    // The command line then takes another address: with --url the right one.
    log.warn('the address could not be noted beside the data', { reason: String(cause).slice(0, 200) })
  }
}

async function drainIngest({
  accept,
  acceptThreads,
  journal,
  dispatch,
}: Pick<UseCaseParts, 'accept' | 'journal' | 'dispatch'> & { readonly acceptThreads: AcceptCrew | null }) {
  await acceptThreads?.settled()
  await accept.flush()
  await journal.recovered()
  await dispatch.drained()
}

/** The threads that have stores open, and what looks after them; `failed` as `RunningEngine` has it. */
async function startStores(
  urls: ThreadUrls,
  {
    start,
    state,
    clock,
    log,
  }: {
    readonly start: ThreadStart
    readonly state: EngineState
    readonly clock: Clock
    readonly log: Log
  },
) {
  const failed = Promise.withResolvers<string>()
  const commit = await EngineThread.start({
    ...{ name: 'commit', url: urls.commit, start, log },
    // Never begun again in this process: what is left of its column store could still write to files that a second
    // one opens, and rows would be lost without an error.
    whenDead: failed.resolve,
    // Asked for the first time below: nothing is read before.
    onFileDamage: (damage) => verification.note(damage),
  })
  const startRead = (name: string, cacheBytes?: number) =>
    EngineThread.start({ name, url: urls.read, start: { ...start, cacheBytes }, log, whenDead: 'restart' })
  const read = new ReadPair({
    ...{ first: await startRead('read'), log },
    beginSecond: availableParallelism() > 1 ? () => startRead('read-2', max('readSecondCacheBytes')) : null,
  })
  const search = new LazyThread(() => startRead('search'))
  const stores = storesOf(commit, exposeReadThreads(read, search))
  const verification = createVerification({ stores, url: urls.verify, start, clock, log })
  const artifactsThread = artifactThread(urls.artifacts, start, {
    log,
    whenMapsReady: () => state.whenMapsReady(),
  })
  const own = { stores, verification, artifactsThread, search }
  return { threads: { commit, read }, ...own, failed: failed.promise }
}

/** Builds the uses of uploads, and the changes they make to stored events. */
function usesOfArtifacts(
  thread: LazyThread,
  parts: Pick<UseCaseParts, 'stores' | 'dispatch' | 'clock'> & {
    readonly state: EngineState
    readonly usedMaps: UsedMapNotes
    readonly data: string
    readonly log: Log
  },
) {
  const { state, dispatch, log } = parts
  const ports = artifactPorts(thread, parts)
  parts.usedMaps.keepIn(ports.artifacts)
  const mending = createMending({ ...parts, artifacts: thread, settled: () => dispatch.drained() })
  state.whenMapsReady = () => mending.wake()
  return {
    mending,
    ...ports,
    readAgain: createReadAgain({ thread, project: (id) => state.project(id), log }),
  }
}

/** Closes the engine in the order of the beats, so that accepted items are still stored if time allows. */
async function closeEngine(parts: {
  readonly accept: { close(): Promise<void> }
  readonly acceptThreads: { close(): Promise<void> } | null
  readonly dispatch: { drained(): Promise<void>; stop(): void }
  readonly notices: { close(): Promise<void> }
  readonly jobs: { close(): Promise<void> }
  readonly alerts: { close(): Promise<void> }
  readonly verification: { close(): Promise<void> }
  readonly mending: { close(): Promise<void> }
  readonly timers: readonly NodeJS.Timeout[]
  /** Closed one after the other. */
  readonly last: readonly { close(): Promise<void> }[]
  readonly unlock: () => void
}): Promise<void> {
  for (const timer of parts.timers) clearInterval(timer)
  await parts.acceptThreads?.close()
  await parts.accept.close()
  await withinTime(parts.dispatch.drained(), max('stopMsMax') / 2)
  await withinTime(parts.notices.close(), 2 * max('noticeStopMs'))
  const { jobs, alerts, verification, mending } = parts
  const ending = Promise.all([jobs, alerts, verification, mending].map((part) => part.close()))
  await withinTime(ending, max('jobStopMs'))
  parts.dispatch.stop()
  for (const part of parts.last) await part.close()
  parts.unlock()
}

/** The first beat, with what holds it back: rate limits are its own, spikes and overload are watched from here. */
async function openIngest(
  options: EngineOptions,
  parts: {
    readonly journal: Journal
    readonly state: EngineState
    readonly blobs: LargeBlobs
    readonly clock: Clock
    readonly random: Random
  },
) {
  const { settings, log, publicAddress } = options
  const { journal, clock, state } = parts
  const { directory } = state
  const spikes = new SpikeProtection({ clock, log })
  let acceptThreads: AcceptCrew | null = null
  const watched = await watchPressure({
    ...{ data: settings.data, journal, clock, log },
    onClosed: (reason) => acceptThreads?.setClosed(reason),
  })
  const { overload, timer: pressureTimer } = watched
  const accept = createAccept({
    ...{ ...parts, directory, log, spikes, overload },
    onHeld: (name) => acceptThreads?.hold(name),
  })
  const count = settings.acceptThreads ?? acceptThreadsFor(availableParallelism())
  if (count > 1) {
    acceptThreads = new AcceptCrew({
      ...{ count, url: options.threads.accept, accept, log, logLevel: settings.logLevel },
      ...{ socketDirectory: socketPath(settings.data), clock: options.clock ?? null },
      directory: () => state.directory,
    })
    acceptThreads.setClosed(overload.closedBy())
    publicAddress.onKept((url) => acceptThreads?.setAddress(url))
  }
  return { spikes, overload, pressureTimer, accept, acceptThreads }
}

/** The directory's version has not moved on, so the next poll asks again. */
function ignoreUntilNextPoll(): void {}

/** State that changes while the engine runs. */
class EngineState {
  directory: IngestDirectory = { organisations: [], projects: [], keys: [] }
  appliedSeq: number = 0
  readonly counts = new EngineCounts()
  readonly hints = new Hints(KINDS)
  readonly kept: KeptAnswers
  /** Something follows from it once the engine is composed. */
  whenMapsReady: () => void = () => {}
  constructor(clock: Clock) {
    this.kept = new KeptAnswers({ clock })
  }
  addApplied(applied: CommittedBatch): void {
    this.appliedSeq = applied.appliedSeq
    this.counts.add(applied)
    this.hints.note(applied.hints)
    this.#forgetAnswers(applied)
  }
  /** Forgets what was answered to its organisations; of a project newer than the directory nobody knows it, so that all is forgotten. */
  #forgetAnswers(applied: CommittedBatch): void {
    const projects = new Set(applied.projects)
    const orgs = new Set<OrgId>()
    for (const { id, orgId } of this.directory.projects) if (projects.delete(id)) orgs.add(orgId)
    if (projects.size > 0) this.kept.forgetAll()
    else this.kept.forget(orgs, applied.figures)
  }
  project(id: ProjectId): LateProject | null {
    const found = this.directory.projects.find((each) => each.id === id)
    return found === undefined ? null : { id, orgId: found.orgId, scrub: found.options.scrub }
  }
  setDirectory(directory: IngestDirectory, keepsMore: boolean): void {
    this.directory = directory
    if (keepsMore) this.hints.clear()
  }
}

async function startWorkers(
  url: URL,
  start: ThreadStart,
  { shared, settings }: { readonly shared: SharedByProcess; readonly settings: Settings },
): Promise<{ readonly workers: readonly ProcessThread[]; readonly crew: CrewSize }> {
  const crew = crewOf(settings)
  const threads = Array.from({ length: crew.most }, (_, at) =>
    at < crew.least ? ProcessThread.start(url, start, shared) : new ProcessThread(url, start, shared),
  )
  return { workers: await Promise.all(threads), crew }
}

function crewOf({ processThreads }: Settings): CrewSize {
  if (processThreads !== null) return fixedCrew(processThreads)
  return crewFor(availableParallelism(), machineMemory())
}
