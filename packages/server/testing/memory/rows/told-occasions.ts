/** What people and pagers were told of issues already. */
import type { OpenIncident } from '#alerts/rules/alert-store.ts'
import type { IssueId, UserId } from '#base/ids.ts'
import { INCIDENT_KINDS, sinceOccasion } from '#notices/rules/messages.ts'
import type { Occasion } from '#ports/messages.ts'
import type { MessageRow } from '../alert-tables.ts'
import { byId } from '../order.ts'
import type { Tables } from '../tables.ts'

export const ON_ITS_WAY: readonly string[] = ['waiting', 'sending', 'sent']

export function isOf(
  { state, ...row }: MessageRow,
  same: {
    readonly issueId: IssueId
    readonly userId: UserId
    readonly of: Occasion['of']
    readonly sinceMs: number
  },
): boolean {
  const { occasion } = row
  return (
    row.issueId === same.issueId &&
    row.userId === same.userId &&
    occasion?.of === same.of &&
    occasion.atMs >= same.sinceMs &&
    ON_ITS_WAY.includes(state)
  )
}

/** Whether a rule emails the person of what the project's own alert would tell. */
export function isToldByRule(
  of: Tables,
  { issueId, atMs }: { readonly issueId: IssueId; readonly atMs: number },
  userId: UserId,
): boolean {
  const same = { issueId, userId, of: 'events', sinceMs: sinceOccasion(atMs) } as const
  return of.messages.where((row) => row.heldUntilMs === null && isOf(row, same)).length > 0
}

export function openIncidents(of: Tables, issueId: IssueId): readonly OpenIncident[] {
  const rows = of.messages
    .where((row) => row.issueId === issueId && row.state !== 'cancelled' && INCIDENT_KINDS.includes(row.kind))
    .sort(byId)
  const newest = new Map(rows.map((row) => [`${row.channelId} ${row.message.story}`, row]))
  return [...newest.values()].flatMap(({ channelId, firingId, message: { rule, story, level } }) =>
    channelId === null || level === 'ok' || !of.channels.has(channelId)
      ? []
      : [{ channelId, firingId, rule, story }],
  )
}
