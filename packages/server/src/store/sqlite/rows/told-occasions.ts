/**
 * Finds what people were already emailed about issues, for both sorts of alerts. A person is their address:
 * channels have some too.
 */
import type { IssueId, UserId } from '#base/ids.ts'
import { foldEmail } from '#model/account-rules.ts'
import { sameOccasion } from '#notices/rules/messages.ts'
import type { ChannelKind } from '#ports/channels.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { Connection } from '../connection.ts'

/** Folded; `null` for a receiver that takes no email. */
export function receiverEmail(
  db: Connection,
  {
    userId,
    channelId,
    kind,
  }: {
    readonly userId: UserId | null
    readonly channelId: number | null
    readonly kind: ChannelKind
  },
): string | null {
  if (userId !== null) {
    const sql = 'SELECT email_folded AS address FROM users WHERE id = ?'
    return db.get<{ address: string }>(sql, [userId])?.address ?? null
  }
  if (channelId === null || kind !== 'email') return null
  const sql = `SELECT settings ->> '$.address' AS address FROM channels WHERE id = ?`
  const address = db.get<{ address: string | null }>(sql, [channelId])?.address ?? null
  return address === null ? null : foldEmail(address)
}

interface Told {
  readonly issueId: IssueId
  readonly of: string
  readonly atMs: number
  /** Whether what quiet hours hold counts: it comes in the morning. */
  readonly withHeld: boolean
}

/** The messages of other rules that email of the same occasion, by address: the first of each. */
function messagesTo(db: Connection, { issueId, of, atMs, withHeld }: Told): ReadonlyMap<string, number> {
  const alive = `occasion = :of AND occasion_ms BETWEEN :since AND :until AND state IN ('waiting', 'sending', 'sent')
    AND (:held OR held_until_ms IS NULL)`
  const params = { issue: issueId, of, ...sameOccasion(atMs), held: withHeld ? 1 : 0 }
  // alert_messages_of_issue
  const people = `SELECT m.id, u.email_folded AS address FROM alert_messages m JOIN users u ON u.id = m.user_id
    WHERE m.issue_id = :issue AND m.user_id IS NOT NULL AND ${alive} ORDER BY m.id`
  // alert_messages_of_incidents
  const channels = `SELECT m.id, c.settings ->> '$.address' AS address FROM alert_messages m
    JOIN channels c ON c.id = m.channel_id
    WHERE m.issue_id = :issue AND m.channel_id IS NOT NULL AND m.kind = 'email' AND ${alive} ORDER BY m.id`
  const found = new Map<string, number>()
  for (const sql of [people, channels])
    for (const { id, address } of db.all<{ id: number; address: string | null }>(sql, params)) {
      const folded = address === null ? null : foldEmail(address)
      if (folded !== null && !found.has(folded)) found.set(folded, id)
    }
  return found
}

/** The email that told an address of the same occasion before; its own alert has no id here. `null`: none did. */
export type FindEarlierEmail = (address: string | null) => { readonly id: number | null } | null

/**
 * Reads who was told of the same occasion: by another rule, or by the project's own alerts. Once for all whom a message
 * goes to.
 */
export function findEarlierEmail(
  db: Connection,
  { issueId, occasion, heldUntilMs }: Pick<NewMessage, 'issueId' | 'occasion' | 'heldUntilMs'>,
): FindEarlierEmail {
  if (occasion === null || issueId === null) return () => null
  const withHeld = heldUntilMs !== null
  const byRules = messagesTo(db, { issueId, of: occasion.of, atMs: occasion.atMs, withHeld })
  const byProject =
    occasion.of === 'events' ? emailedByProject(db, issueId, occasion.atMs) : new Set<string>()
  return (address) => {
    if (address === null) return null
    const id = byRules.get(address)
    if (id !== undefined) return { id }
    return byProject.has(address) ? { id: null } : null
  }
}

function emailedByProject(db: Connection, issue: IssueId, atMs: number): ReadonlySet<string> {
  // notices_by_issue, deliveries_by_notice: an issue has few.
  const sql = `SELECT DISTINCT u.email_folded AS address
    FROM notices n JOIN deliveries d ON d.notice_id = n.id JOIN users u ON u.id = d.user_id
    WHERE n.issue_id = :issue AND coalesce(n.occasion_ms, n.at_ms) BETWEEN :since AND :until AND d.channel = 'mail'
      AND d.state IN ('waiting', 'sending', 'sent')`
  const rows = db.all<{ address: string }>(sql, { issue, ...sameOccasion(atMs) })
  return new Set(rows.map(({ address }) => address))
}

/** Whether a rule emails the person of what the project's own alert would tell. */
export function isToldByRule(
  db: Connection,
  { issueId, atMs }: { readonly issueId: IssueId; readonly atMs: number },
  user: UserId,
): boolean {
  const address = receiverEmail(db, { userId: user, channelId: null, kind: 'email' })
  return address !== null && messagesTo(db, { issueId, of: 'events', atMs, withHeld: false }).has(address)
}
