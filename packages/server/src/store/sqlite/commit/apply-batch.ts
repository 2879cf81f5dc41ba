/**
 * The commit's one control transaction. It lets others of its thread go between its steps: reads of columns and payloads
 * are answered there, and would else wait for the whole of it, once for each of their questions.
 */
import { setImmediate } from 'node:timers/promises'
import { inChunks } from '#base/chunks.ts'
import type { Clock } from '#base/clock.ts'
import { DAY_MS } from '#base/durations.ts'
import { assert } from '#base/errors.ts'
import { type IssueId, type ProjectId, type Seq, seq } from '#base/ids.ts'
import { type KindDelta, splitParts } from '#issues/batch-parts.ts'
import { OwnershipCompiler } from '#issues/ownership/compiled.ts'
import type { BegunIssue } from '#issues/ownership/giving.ts'
import { releasesOfSessions } from '#issues/release-counts.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import type { AppliedBatch, ControlBatch, ControlCommit, GroupDelta } from '#ports/ingest.ts'
import type { StaleClickSeen } from '#ports/skew.ts'
import { afterMoves, type ChangedIssues, type MovedIssues } from '#skew/gathering.ts'
import { AlertCounting, type CountedGroup } from '../alerts/alert-counting.ts'
import { alertsVersion } from '../alerts/alert-rows.ts'
import type { Connection } from '../connection.ts'
import { DigestStore } from '../ingest/digest-store.ts'
import { FacetStore } from '../ingest/facet-store.ts'
import { GroupStore, usersOfNewGroup } from '../ingest/group-store.ts'
import { type IssueAddition, IssueStore } from '../ingest/issue-store.ts'
import { payloadWindows } from '../ingest/payload-windows.ts'
import { toldErrors } from '../ingest/told-errors.ts'
import { adoptedGroups } from '../issues/former-groups.ts'
import { nameFunctions, withFunctionName } from '../issues/function-names.ts'
import type { GroupMove } from '../issues/issue-merge.ts'
import { MirrorStore } from '../issues/mirror-store.ts'
import { joinSpanErrors } from '../issues/span-errors.ts'
import { RETURNED } from '../notices/tellings.ts'
import { OWNERS } from '../ownership/owners-of-begun.ts'
import { SESSION_STAGE } from '../releases/health-write.ts'
import { SeenReleases } from '../releases/seen-releases.ts'
import { RequestStore } from '../requests/request-store.ts'
import { appliedOverflow, appliedSeq, writeApplied } from '../rows/applied-seq.ts'
import { readHidden } from '../rows/hidden-read.ts'
import { countStaleClicks } from '../skew/counting.ts'
import { HALVES_PER_TURN, staleGroups } from '../skew/stale-groups.ts'
import { runStage } from '../stage.ts'
import type { BatchAtHand, IssueChanges } from './batch-at-hand.ts'
import { type BatchProjects, orgsOf, readBatchProjects } from './batch-projects.ts'
import { mayChangeRemembered } from './counted-writes.ts'
import { ATTACHMENT_STAGE, FIRST_EVENTS, KEYS, OUTCOME_STAGE, QUARANTINE } from './ledger.ts'

export function controlCommit(db: Connection, clock: Clock): ControlCommit {
  const stores = new BatchStores(db)
  return {
    applyBatch: async (batch) =>
      stores.within((before) => applyBatch(db, stores, { batch, before, nowMs: clock.now() })),
    payloadWindows: async (asks) => stores.looking(() => payloadWindows(db, stores, asks)),
    staleGroups: (told) => staleGroups(db, told, () => setImmediate()),
    toldErrors: async (asked) => db.snapshot(() => toldErrors(db, asked)),
    appliedSeq: async () => appliedSeq(db),
    appliedOverflow: async () => appliedOverflow(db),
    quarantinedSeqs: async () =>
      db.all<{ seq: Seq; projectId: ProjectId; setAsideBytes: number }>(
        `SELECT seq, project_id AS projectId, (SELECT coalesce(sum(value ->> 'bytes'), 0)
          FROM json_each(set_aside)) AS setAsideBytes FROM quarantined`,
      ),
    forgetSetAside: async (seqs) =>
      db.transaction(() => {
        const sql = `UPDATE quarantined SET set_aside = '[]' WHERE seq = ?`
        db.runEach(
          sql,
          seqs.map((at) => [at]),
        )
      }),
    hidden: async () => db.snapshot(() => readHidden(db)),
  }
}

/** State read before anything else of a batch. */
interface BeforeBatch {
  readonly appliedSeq: number
  /** Day of the last removal of what has reached its age, which comes between batches. */
  readonly prunedDay: number
  readonly alertsVersion: number | null
  /** A span has failed somewhere: nearly everywhere none has. */
  readonly hasSpanFailures: number
}

const BEFORE = `SELECT (SELECT value FROM meta WHERE name = 'applied_seq') AS appliedSeq,
  (SELECT value FROM meta WHERE name = 'pruned_day') AS prunedDay,
  (SELECT value FROM meta WHERE name = 'alerts_version') AS alertsVersion,
  EXISTS (SELECT 1 FROM server_failures WHERE of_span = 1) AS hasSpanFailures`

/** Stores that remember rows from one batch to the next, and when that is forgotten. */
class BatchStores {
  readonly facets: FacetStore
  readonly groups: GroupStore
  readonly issues: IssueStore
  readonly digests: DigestStore
  readonly releases: SeenReleases
  /** Sessions of each project: counting them anew costs a walk over all. */
  readonly sessions = new Map<ProjectId, number>()
  readonly requests: RequestStore
  readonly mirrors: MirrorStore
  readonly alerts: AlertCounting
  readonly owners = new OwnershipCompiler()
  /** Issues of the batch at hand became part of others. */
  isChanged = false
  readonly #db: Connection
  /** Writes of all so far that may have changed a row which is remembered. */
  readonly #writes: () => number
  /** Number of writes at the end of the last batch. */
  #seen: number | null = null
  #prunedDay: number | null = null

  constructor(db: Connection) {
    this.#db = db
    this.#writes = db.countRuns(mayChangeRemembered)
    this.facets = new FacetStore(db)
    this.groups = new GroupStore(db, this.facets)
    this.issues = new IssueStore(db)
    this.digests = new DigestStore(db)
    this.releases = new SeenReleases(db)
    this.requests = new RequestStore(db)
    this.mirrors = new MirrorStore(db)
    this.alerts = new AlertCounting(db)
  }

  /**
   * Runs one transaction. What people changed since the last one is read anew; what is undone is forgotten.
   */
  async within<T>(work: (before: BeforeBatch) => Promise<T>): Promise<T> {
    try {
      const value = await this.#db.transactionOf(async () => {
        const before = this.#db.get<BeforeBatch>(BEFORE)
        assert(before !== undefined, 'one row answers')
        if (this.#writes() !== this.#seen) this.#discardRows()
        this.#forgetAged(before.prunedDay)
        this.isChanged = false
        return work(before)
      })
      this.requests.committed()
      this.#seen = this.#writes()
      return value
    } catch (cause) {
      this.#seen = null
      this.#discardRows()
      this.facets.discard()
      this.digests.discard()
      this.sessions.clear()
      this.mirrors.forget()
      this.alerts.discard()
      throw cause
    }
  }

  /** Reads of one state of the database, before the transaction that they are for. */
  looking<T>(work: () => T): T {
    return this.#db.snapshot(() => {
      if (this.#writes() !== this.#seen) this.#discardRows()
      this.#seen = this.#writes()
      return work()
    })
  }

  /** Gives groups to the issues that had their events before, and folds mirrors; what that changed is read anew. */
  fold(adopted: readonly GroupMove[], nowMs: number): void {
    if (this.mirrors.fold(adopted, nowMs)) this.#readAnew()
  }

  /** Answers the issues that became part of others; what that changed is read anew. */
  gather(seen: readonly StaleClickSeen[], projects: BatchProjects, nowMs: number): MovedIssues {
    const moved = countStaleClicks(this.#db, { seen, orgs: orgsOf(projects) }, nowMs)
    if (moved.size > 0) this.#readAnew()
    return moved
  }

  named(group: KindDelta): KindDelta {
    const delta = withFunctionName(group.delta, (project, id) => this.requests.functionOf(project, id))
    return delta === group.delta ? group : { ...group, delta }
  }

  /** After the requests of the batch; what it called otherwise is read anew. */
  nameFunctions(): void {
    if (nameFunctions(this.#db, this.requests.takeNamedFunctions())) this.issues.discard()
  }

  /** Answers the issues that became part of others, as `gather` does. */
  joinSpans(deltas: readonly GroupDelta[], nowMs: number): MovedIssues {
    const moved = joinSpanErrors(this.#db, deltas, nowMs)
    if (moved.size > 0) this.#readAnew()
    return moved
  }

  /** After issues became part of others. */
  #readAnew(): void {
    this.isChanged = true
    this.groups.discard()
    this.issues.discard()
  }

  /** Forgets what a removal of old rows took, once a day: counting sessions anew costs a walk over all. */
  #forgetAged(prunedDay: number): void {
    if (prunedDay === this.#prunedDay) return
    this.#prunedDay = prunedDay
    this.sessions.clear()
    this.requests.forgetAged(prunedDay * DAY_MS)
  }

  #discardRows(): void {
    this.facets.discardRows()
    this.groups.discard()
    this.issues.discard()
    this.releases.discard()
    this.requests.discard()
    this.mirrors.discard()
  }
}

async function applyBatch(
  db: Connection,
  stores: BatchStores,
  {
    batch,
    before,
    nowMs,
  }: { readonly batch: ControlBatch; readonly before: BeforeBatch; readonly nowMs: number },
): Promise<AppliedBatch> {
  const applied = seq(before.appliedSeq)
  if (batch.lastSeq <= applied)
    return { appliedSeq: applied, newIssues: 0, regressedIssues: 0, firstEvents: [] }
  assert(
    batch.firstSeq > applied,
    `batch ${batch.firstSeq}–${batch.lastSeq} begins below applied_seq ${applied}`,
  )
  const projects = readBatchProjects(db, batch)
  const isKnown = (project: ProjectId) => projects.has(project)
  const { groups: told, sessions, requests, failures, stale, attachments } = splitParts(batch.parts, isKnown)
  const groups = told.map((group) => stores.named(group))
  const deltas = groups.map(({ delta }) => delta)
  await setImmediate()
  stores.releases.add(deltas, projects)
  stores.releases.name(releasesOfSessions(sessions), projects)
  const counted = await applyGroups(stores, groups, projects)
  const adopted = adoptedGroups(db, counted.begun)
  const begun = withoutAdopted(counted, adopted)
  await setImmediate()
  const owned = begun.begun.filter(({ delta }) => projects.get(delta.projectId)?.hasOwnership === true)
  runStage(db, OWNERS, { begun: owned, compiler: stores.owners, nowMs })
  await setImmediate()
  stores.fold(adopted, nowMs)
  const withSpans = before.hasSpanFailures === 1 || deltas.some(tellsOfSpan) ? deltas : []
  const joined = afterMoves(begun, stores.joinSpans(withSpans, nowMs))
  const changes = await gatherStale(stores, joined, { stale, projects, nowMs })
  await setImmediate()
  runStage(db, RETURNED, { ...changes, nowMs })
  await setImmediate()
  const segments = requests.flatMap((part) => stores.requests.add(part, { nowMs, isKnown }))
  await setImmediate()
  const behind = stores.requests.addFailures(failures)
  stores.mirrors.endWaits(segments, nowMs)
  stores.nameFunctions()
  const moves = stores.requests.takeMoves()
  await setImmediate()
  const newForRules = [...changes.newIssues, ...changes.waiting]
  stores.alerts.countForRules({
    ...{ ...changes, newIssues: newForRules, segments, behind, moves, nowMs, projects },
    version: stores.isChanged ? alertsVersion(db) : (before.alertsVersion ?? 0),
  })
  await setImmediate()
  const counting = { deltas: sessions, remembered: stores.sessions }
  const leftOut = runStage(db, SESSION_STAGE, counting)?.leftOut ?? []
  const at: BatchAtHand = { ...changes, batch, projects, nowMs, deltas, attachments, leftOut }
  const firstEvents = runStage(db, FIRST_EVENTS, at)
  runStage(db, OUTCOME_STAGE, at)
  await setImmediate()
  runStage(db, ATTACHMENT_STAGE, at)
  runStage(db, KEYS, at)
  runStage(db, QUARANTINE, at)
  writeApplied(db, batch)
  const counts = { newIssues: changes.newIssues.length, regressedIssues: changes.returnedIssues.length }
  return { appliedSeq: batch.lastSeq, ...counts, firstEvents: [...(firstEvents?.keys() ?? [])] }
}

/** Returns what changed after stale clicks were counted, and issues became part of others. */
async function gatherStale<T extends ChangedIssues>(
  stores: BatchStores,
  before: T,
  {
    stale,
    projects,
    nowMs,
  }: {
    readonly stale: readonly StaleClickSeen[]
    readonly projects: BatchProjects
    readonly nowMs: number
  },
): Promise<T> {
  let changes = before
  for (const halves of inChunks(stale, HALVES_PER_TURN)) {
    changes = afterMoves(changes, stores.gather(halves, projects, nowMs))
    await setImmediate()
  }
  return changes
}

/** Without issues that were there by another name. */
function withoutAdopted<T extends Changes & { readonly groups: readonly CountedGroup[] }>(
  changes: T,
  adopted: readonly GroupMove[],
): T {
  if (adopted.length === 0) return changes
  const moved = new Map(adopted.map(({ from, into }) => [from, into]))
  const begun = changes.begun.filter(({ issueId }) => !moved.has(issueId))
  return { ...afterMoves(changes, moved), begun }
}

function tellsOfSpan({ sightings }: GroupDelta): boolean {
  return sightings.some(({ isOfSpan }) => isOfSpan === true)
}

interface Changes extends IssueChanges {
  readonly begun: readonly BegunIssue[]
  /** Mirrors whose server's half may still come: rules look at those that stand alone in the end. */
  readonly waiting: readonly { readonly issueId: IssueId }[]
}

/** Groups that are counted before others of the thread go: of each a tenth of a millisecond or less. */
const GROUPS_PER_TURN = 100

async function applyGroups(
  { facets, groups, issues, digests, mirrors }: BatchStores,
  deltas: readonly KindDelta[],
  projects: BatchProjects,
): Promise<Changes & { readonly groups: readonly CountedGroup[] }> {
  const known = new Map<IssueId, IssueAddition[]>()
  const newIssues: { readonly issueId: IssueId }[] = []
  const begun: { readonly issueId: IssueId; readonly delta: GroupDelta }[] = []
  const waiting: { readonly issueId: IssueId }[] = []
  const counted: CountedGroup[] = []
  await loadKnown({ facets, groups, issues }, deltas)
  issues.begin(projects)
  for (const [at, { kind, delta }] of deltas.entries()) {
    if (at % GROUPS_PER_TURN === 0) await setImmediate()
    const group = groups.find(delta)
    if (group === null) {
      const users = usersOfNewGroup(delta)
      const waits = isMirror(delta)
      const issueId = issues.insert(delta, users, waits)
      const groupId = groups.insert(delta, { kind, issueId, users })
      digests.add({ groupId, isNew: true, delta })
      mirrors.add({ groupId, isNew: true, delta })
      counted.push({ issueId, delta })
      if (waits) waiting.push({ issueId })
      else {
        begun.push({ issueId, delta })
        newIssues.push({ issueId })
      }
    } else {
      const users = groups.update(group, delta)
      digests.add({ groupId: group.id, isNew: false, delta })
      mirrors.add({ groupId: group.id, isNew: false, delta })
      counted.push({ issueId: group.issueId, delta })
      const additions = known.get(group.issueId)
      const addition = { delta, users, isFolded: group.isFolded }
      if (additions === undefined) known.set(group.issueId, [addition])
      else additions.push(addition)
    }
  }
  // Parents first.
  issues.finishNew()
  await setImmediate()
  groups.finish()
  await facets.finish(setImmediate)
  digests.finish()
  await setImmediate()
  issues.loadBeside(known)
  const returnedIssues: IssueId[] = []
  for (const [id, additions] of known) if (issues.update(id, additions)) returnedIssues.push(id)
  issues.finish()
  return { newIssues, returnedIssues, begun, waiting, groups: counted }
}

/** Loads all that is stored of the batch's groups, by sets; later steps ask for nothing more of known groups. */
async function loadKnown(
  { facets, groups, issues }: Pick<BatchStores, 'facets' | 'groups' | 'issues'>,
  kinds: readonly KindDelta[],
): Promise<void> {
  const deltas = kinds.map(({ delta }) => delta)
  const known = groups.loadWhole(deltas)
  await setImmediate()
  issues.load(known.map(({ issueId }) => issueId))
  await setImmediate()
  facets.loadKeys(deltas)
}
