/** The commit's one transaction. */
import type { Clock } from '#base/clock.ts'
import { MINUTE_MS } from '#base/durations.ts'
import { assert } from '#base/errors.ts'
import { type IssueId, issueId, type ProjectId } from '#base/ids.ts'
import { settledOutcomes, withLeftOut } from '#issues/batch-outcomes.ts'
import { splitParts } from '#issues/batch-parts.ts'
import { windowAfter } from '#issues/issue-sums.ts'
import { transition } from '#issues/issue-transition.ts'
import { newIssueState, withNewIssue, withWaiting } from '#issues/new-issue.ts'
import { hourOf } from '#issues/payload-sampling.ts'
import { countUsers } from '#issues/user-set.ts'
import { isMirror, type NewIssue } from '#notices/rules/queueing.ts'
import type { AppliedBatch, ControlBatch, ControlCommit, GroupDelta } from '#ports/ingest.ts'
import { firstHalf } from '#skew/clicks.ts'
import { afterMoves } from '#skew/gathering.ts'
import { type CountedBatch, countForAlerts } from '../alerts/alert-rows.ts'
import { foldMirrors } from '../issues/mirror-folding.ts'
import { type IssueChanges, queueNotices } from '../notices/notice-queue.ts'
import { tellReturned } from '../notices/tellings.ts'
import { giveOwners } from '../ownership/ownership.ts'
import { addSessions } from '../releases/health.ts'
import { nameReleases, releasedMs, seeReleases } from '../releases/release-rows.ts'
import { addRequests } from '../requests/requests-write.ts'
import { appliedSeq } from '../rows/applied-seq.ts'
import { BatchTags } from '../rows/batch-tags.ts'
import { addDigests } from '../rows/digests.ts'
import { findGroup, groupAfter, newGroup } from '../rows/group-rows.ts'
import { readHidden } from '../rows/hidden.ts'
import { UNCHOSEN, writeActivity } from '../rows/issue-rows.ts'
import { usersOfIssue } from '../rows/issue-view.ts'
import { groupFor } from '../skew/skew-issues.ts'
import { addStaleClicks, clicksWith } from '../skew/stale-clicks.ts'
import type { Tables } from '../tables.ts'
import { writeOutcomes } from './outcomes.ts'
import { payloadWindows } from './payload-windows.ts'
import { pruneDaily } from './prune.ts'

export function controlCommit(to: Tables, clock: Clock): ControlCommit {
  return {
    applyBatch: async (batch) => to.transaction(() => applyBatch(to, batch, clock.now())),
    payloadWindows: async (asks) => payloadWindows(to, asks),
    staleGroups: async (told) => {
      const clicks = clicksWith(to, told)
      return told.map((half, at) => groupFor(to, half, clicks[at] ?? firstHalf(half)))
    },
    // What SDKs told of traces is not kept here.
    toldErrors: async (asked) => asked.map(() => false),
    appliedSeq: async () => appliedSeq(to),
    quarantinedSeqs: async () => to.quarantined.all().map((row) => row.seq),
    hidden: async () => readHidden(to),
  }
}

function applyBatch(to: Tables, batch: ControlBatch, nowMs: number): AppliedBatch {
  const applied = appliedSeq(to)
  if (batch.lastSeq <= applied)
    return { appliedSeq: applied, newIssues: 0, regressedIssues: 0, firstEvents: [] }
  assert(
    batch.firstSeq > applied,
    `batch ${batch.firstSeq}–${batch.lastSeq} begins below applied_seq ${applied}`,
  )
  const isKnown = (project: ProjectId) => to.projects.has(project)
  const { groups, sessions, requests, stale } = splitParts(batch.parts, isKnown)
  const deltas = groups.map(({ delta }) => delta)
  seeReleases(to, deltas)
  nameReleases(to, sessions)
  const begun = applyGroups(to, deltas)
  giveOwners(to, begun.begun, nowMs)
  foldMirrors(to, deltas, nowMs)
  const changes = afterMoves(begun, addStaleClicks(to, stale, nowMs))
  queueNotices(to, nowMs, changes)
  for (const id of changes.returnedIssues) tellReturned(to, id, nowMs)
  const segments = requests.flatMap((part) => addRequests(to, part, isKnown))
  countForAlerts(to, { ...changes, newIssues: [...changes.newIssues, ...changes.waiting], segments })
  const firstEvents = writeFirstEvents(to, deltas)
  const leftOut = addSessions(to, sessions)
  writeOutcomes(to, withLeftOut(settledOutcomes(batch, { nowMs, isKnown }), leftOut, batch.parts))
  for (const { keyId, atMs } of batch.keysUsed) noteKeyUsed(to, keyId, atMs)
  for (const one of batch.quarantined)
    if (isKnown(one.projectId))
      to.quarantined.put(one.seq, { ...one, receivedMs: Math.floor(one.receivedMs) })
  pruneDaily(to, nowMs)
  to.setNumber('appliedSeq', batch.lastSeq)
  const newIssues = changes.newIssues.length
  const regressedIssues = changes.returnedIssues.length
  return { appliedSeq: batch.lastSeq, newIssues, regressedIssues, firstEvents }
}

interface Changes extends IssueChanges, Pick<CountedBatch, 'groups'> {
  readonly begun: Parameters<typeof giveOwners>[1]
  readonly waiting: readonly { readonly issueId: IssueId }[]
}

function applyGroups(to: Tables, deltas: readonly GroupDelta[]): Changes {
  const known = new Map<IssueId, GroupDelta[]>()
  const newIssues: NewIssue[] = []
  const begun: { readonly issueId: IssueId; readonly delta: GroupDelta }[] = []
  const groups: { readonly issueId: IssueId; readonly delta: GroupDelta }[] = []
  const waiting: { readonly issueId: IssueId }[] = []
  const tags = new BatchTags(to)
  for (const delta of deltas) {
    const group = findGroup(to, delta)
    const of = group?.issueId ?? beginIssue(to, delta)
    const id = group?.id ?? to.groups.nextId()
    to.groups.put(
      id,
      group === undefined ? newGroup({ id, issueId: of, delta }, tags) : groupAfter(group, delta, tags),
    )
    addDigests(to, id, delta.digests)
    groups.push({ issueId: of, delta })
    if (group === undefined) {
      if (isMirror(delta)) {
        waiting.push({ issueId: of })
        continue
      }
      newIssues.push({ issueId: of, projectId: delta.projectId, isMirror: false })
      begun.push({ issueId: of, delta })
    } else known.set(of, [...(known.get(of) ?? []), delta])
  }
  tags.finish()
  const returnedIssues = [...known].filter(([id, added]) => updateIssue(to, id, added)).map(([id]) => id)
  return { newIssues, returnedIssues, begun, waiting, groups }
}

function beginIssue(to: Tables, delta: GroupDelta): IssueId {
  const { projectId, newest, firstMs, window } = delta
  const project = to.projects.get(projectId)
  assert(project !== undefined, `no project ${projectId}: groups of gone projects are left out before`)
  const waits = isMirror(delta)
  const counted = (waits ? withWaiting : withNewIssue)(project.issues, hourOf(delta.firstReceivedMs))
  to.projects.change(projectId, { issues: counted })
  const id = issueId(to.issues.nextId())
  const place = { id, projectId, number: waits ? -id : counted.number, ...UNCHOSEN, window }
  to.issues.put(id, { ...place, ...newIssueState(firstMs, waits ? 'waiting' : 'new') })
  const { eventId, release, traceId } = newest
  const detail = { eventId, release, traceId }
  writeActivity(to, id, { kind: 'first_seen', atMs: firstMs, actor: null, detail })
  return id
}

/** Its groups say what is counted; what is left are its newest hour and its state. Answers whether it came back. */
function updateIssue(to: Tables, id: IssueId, deltas: readonly GroupDelta[]): boolean {
  const before = to.issues.get(id)
  assert(before !== undefined, `no issue ${id}: a group names an issue that does not exist`)
  const { state, activity } = transition(before, {
    arrivals: () => deltas.flatMap(({ arrivals }) => arrivals()),
    users: countUsers(usersOfIssue(to, id)),
    releasedMs: (release) => releasedMs(to, before.projectId, release),
  })
  const window = windowAfter(
    before.window,
    deltas.map((delta) => delta.window),
  )
  to.issues.change(id, { ...state, window })
  if (activity === null) return false
  writeActivity(to, id, { ...activity, actor: null })
  return true
}

function writeFirstEvents(to: Tables, deltas: readonly GroupDelta[]): readonly ProjectId[] {
  const waiting = deltas.filter(({ projectId }) => to.projects.get(projectId)?.firstEventMs === null)
  const projects = [...new Set(waiting.map(({ projectId }) => projectId))]
  for (const id of projects) {
    const times = waiting.filter(({ projectId }) => projectId === id)
    const firstEventMs = Math.floor(Math.min(...times.map(({ firstReceivedMs }) => firstReceivedMs)))
    to.projects.change(id, { firstEventMs })
  }
  return projects
}

function noteKeyUsed(to: Tables, keyId: ControlBatch['keysUsed'][number]['keyId'], atMs: number): void {
  const usedMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
  const key = to.keys.get(keyId)
  if (key !== undefined && (key.usedMs ?? 0) < usedMs) to.keys.change(keyId, { usedMs })
}
