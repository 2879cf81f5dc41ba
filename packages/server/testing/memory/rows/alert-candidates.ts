/** What happened to issues that rules watch, and which rules those are. */
import type { CandidateMoment } from '#alerts/rules/alert-store.ts'
import { NO_FACTS, type SeenFacts } from '#alerts/rules/watch.ts'
import type { IssueId } from '#base/ids.ts'
import type { AlertRule } from '#model/alert-rule.ts'
import type { ActivityKind } from '#ports/issues.ts'
import { byId } from '../order.ts'
import type { Tables } from '../tables.ts'
import { openIncidents } from './told-occasions.ts'

export function rulesOn(of: Tables): readonly AlertRule[] {
  return of.alertRules.where(({ isOn }) => isOn).sort(byId)
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
  const isAwaited = moment === 'resolved' && openIncidents(to, issueId).length > 0
  if (isAsked || isAwaited) addCandidate(to, issueId, { moment, atMs })
}
