/** Slots and candidates of alert rules, and what a batch adds to them. */
import type { CandidateMoment } from '#alerts/rules/alert-store.ts'
import {
  oldestSlots,
  type SlotAddition,
  SlotAdditions,
  type SlotPlace,
  slotAfter,
} from '#alerts/rules/slots.ts'
import {
  addGroup,
  addSegment,
  factsOf,
  NO_FACTS,
  type ProjectWatch,
  type SeenFacts,
  watchOf,
} from '#alerts/rules/watch.ts'
import { DAY_MS } from '#base/durations.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { ActivityKind } from '#ports/issues.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import { byId, descending } from '../order.ts'
import type { Tables } from '../tables.ts'

export function rulesOn(of: Tables): readonly AlertRule[] {
  return of.alertRules.where(({ isOn }) => isOn).sort(byId)
}

export function slotKey({ key, width, slot }: SlotPlace): string {
  return `${key} ${width} ${slot}`
}

export function addToSlot(to: Tables, added: SlotAddition): void {
  const { key, width } = added
  const before = to.alertSlots.get(slotKey(added)) ?? null
  to.alertSlots.put(slotKey(added), { ...slotAfter(before, added), key, width })
}

export function forgetSlots(to: Tables, rule: number): void {
  to.alertSlots.deleteWhere(({ key }) => key === `m${rule}` || key.startsWith(`r${rule}i`))
}

export function addCandidate(
  to: Tables,
  issueId: IssueId,
  { moment, atMs, facts = NO_FACTS }: Seen & { readonly moment: CandidateMoment },
): void {
  const projectId = to.issues.get(issueId)?.projectId
  if (projectId === undefined) return
  const known = to.alertCandidates.find((row) => row.issueId === issueId && row.moment === moment)
  const id = known?.id ?? to.alertCandidates.nextId()
  const at = Math.max(known?.atMs ?? 0, Math.floor(atMs))
  to.alertCandidates.put(id, { id, projectId, issueId, moment, atMs: at, facts })
}

interface Seen {
  readonly atMs: number
  readonly facts?: SeenFacts
}

const PERSONS: Readonly<Partial<Record<ActivityKind, 'resolved' | 'comment' | 'assignment'>>> = {
  resolved: 'resolved',
  commented: 'comment',
  assigned: 'assignment',
}

/** Of people's doing: noted where a rule that is on asks for such moments. */
export function addPersonsCandidate(
  to: Tables,
  issueId: IssueId,
  { kind, atMs }: { readonly kind: ActivityKind; readonly atMs: number },
): void {
  const moment = PERSONS[kind]
  const projectId = to.issues.get(issueId)?.projectId
  const project = projectId === undefined ? undefined : to.projects.get(projectId)
  if (moment === undefined || project === undefined) return
  const on = moment === 'resolved' ? 'resolved' : 'activity'
  const isAsked = rulesOn(to).some(
    (rule) =>
      rule.orgId === project.orgId && rule.kind === 'issue' && rule.when.some((when) => when.on === on),
  )
  if (isAsked) addCandidate(to, issueId, { moment, atMs })
}

export interface CountedBatch {
  readonly groups: readonly { readonly issueId: IssueId; readonly delta: GroupDelta }[]
  readonly newIssues: readonly { readonly issueId: IssueId }[]
  readonly returnedIssues: readonly IssueId[]
  readonly segments: readonly SegmentSeen[]
}

export function countForAlerts(
  to: Tables,
  { groups, newIssues, returnedIssues, segments }: CountedBatch,
): void {
  const additions = new SlotAdditions()
  const begun = new Set(newIssues.map(({ issueId }) => issueId))
  const returned = new Set(returnedIssues)
  for (const group of groups) {
    const watch = watchFor(to, group.delta.projectId)
    if (watch === null) continue
    const { issueId, delta } = group
    addGroup(additions, watch, group)
    const seen = { atMs: delta.firstReceivedMs, facts: factsOf(delta, watch) }
    if (watch.isNewWatched && begun.has(issueId)) addCandidate(to, issueId, { moment: 'new', ...seen })
    if (watch.isReturnWatched && returned.has(issueId))
      addCandidate(to, issueId, { moment: 'regressed', ...seen })
    if (watch.isEveryEventWatched) addCandidate(to, issueId, { moment: 'touched', ...seen })
  }
  for (const segment of segments) {
    const watch = watchFor(to, segment.projectId)
    if (watch !== null) addSegment(additions, watch, segment)
  }
  for (const addition of additions.all()) addToSlot(to, addition)
}

function watchFor(of: Tables, project: ProjectId): ProjectWatch | null {
  const org = of.projects.get(project)?.orgId
  const escalating = of.issues.find(
    ({ projectId, substatus }) => projectId === project && substatus === 'archived_until_escalating',
  )
  const rules = rulesOn(of).filter(({ orgId }) => orgId === org)
  return watchOf(rules, project, escalating !== undefined)
}

/** What has reached its age or number, once a day. */
export function pruneAlerts(to: Tables, nowMs: number): void {
  for (const oldest of oldestSlots(nowMs))
    to.alertSlots.deleteWhere(({ width, slot }) => width === oldest.width && slot < oldest.slot)
  const oldestMs = nowMs - max('alertFiringDays') * DAY_MS
  to.alertFirings.deleteWhere(({ startedMs, endedMs }) => endedMs !== null && startedMs < oldestMs)
  for (const rule of to.alertRules.all()) {
    const own = to.alertFirings.where(({ ruleId }) => ruleId === rule.id).sort(descending(({ id }) => id))
    const beyond = new Set(own.slice(max('alertFiringsPerRuleMax')))
    to.alertFirings.deleteWhere((row) => beyond.has(row))
  }
  const waiting = to.alertCandidates.all().sort(descending(({ id }) => id))
  for (const { id } of waiting.slice(max('alertCandidatesWaitingMax'))) to.alertCandidates.delete(id)
}
