/** Texts of inbox entries. */
import type { InboxEntry, InboxKind } from '@errata/server/queries'

export const KIND_NAMES: Readonly<Record<InboxKind, string>> = {
  mention: 'Mentions',
  assignment: 'Assignments',
  regression: 'Regressions',
  activity: 'Subscribed issues',
  alert: 'Alerts',
  delivery: 'Failed deliveries',
}

/** Returns the line of an entry: “Ada mentioned you”, “Regressed in shop@1.4.0”. */
export function entryLine({ kind, activity, alert, delivery }: InboxEntry): string {
  if (alert !== null) return alert.headline
  if (delivery !== null) return failedLine(delivery)
  if (activity === null) return ''
  return kind === 'mention' ? `${activity.by} mentioned you` : activityLine(kind, activity)
}

function failedLine({ channel, project }: NonNullable<InboxEntry['delivery']>): string {
  if (channel !== null) return `Not delivered to ${channel.name}`
  return project === null ? 'Not delivered' : `Not delivered to the webhook of ${project.name}`
}

type Activity = NonNullable<InboxEntry['activity']>

function activityLine(kind: InboxKind, { kind: what, by, detail }: Activity): string {
  switch (what) {
    case 'commented':
      return `${by} commented`
    case 'resolved':
      return detail.in === 'release' && typeof detail.release === 'string'
        ? `${by} resolved it in ${detail.release}`
        : `${by} resolved it`
    case 'unresolved':
      return `${by} reopened it`
    case 'assigned':
      return kind === 'assignment'
        ? assignedLine(by, detail)
        : `${by} assigned it to ${String(detail.name ?? 'somebody')}`
    case 'unassigned':
      return `${by} removed the assignee`
    case 'regressed':
      return typeof detail.release === 'string' ? `Regressed in ${detail.release}` : 'Regressed'
    case 'unarchived':
      return 'Unarchived: it escalated'
    case 'escalated':
      return 'Escalating'
    default:
      return `${by} changed it`
  }
}

/** Describes an assignment: to oneself or a team; by a person, or by an ownership rule. */
function assignedLine(by: string, { team, name, rule }: Activity['detail']): string {
  const to = typeof team === 'number' ? String(name ?? 'your team') : 'you'
  return typeof rule === 'string' ? `Assigned to ${to} by an ownership rule` : `${by} assigned it to ${to}`
}

/** Returns what stands below the line: a comment, or what a receiver answered; empty where there is nothing. */
export function entryText({ activity, delivery }: InboxEntry): string {
  if (delivery !== null) return delivery.says
  if (activity?.kind !== 'commented') return ''
  return typeof activity.detail.text === 'string' ? activity.detail.text : ''
}
