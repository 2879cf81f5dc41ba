/** Slots and candidates of alert rules, and what a batch adds to them. */
import {
  oldestSlots,
  type SlotAddition,
  SlotAdditions,
  type SlotPlace,
  slotAfter,
} from '#alerts/rules/slots.ts'
import { addGroup, addSegment, factsOf, type ProjectWatch, watchOf } from '#alerts/rules/watch.ts'
import { DAY_MS } from '#base/durations.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import { descending } from '../order.ts'
import { addCandidate, rulesOn } from '../rows/alert-candidates.ts'
import type { Tables } from '../tables.ts'

function slotKey({ key, width, slot }: SlotPlace): string {
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
