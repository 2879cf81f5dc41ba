/**
 * Finds what people were already emailed about issues, for both sorts of alerts. A person is their address:
 * channels have some too.
 */
import type { IssueId, UserId } from '#base/ids.ts'
import { foldEmail } from '#model/account-rules.ts'
import { sinceOccasion } from '#notices/rules/messages.ts'
import type { ChannelKind } from '#ports/channels.ts'
import type { NewMessage } from '#ports/messages.ts'
import type { Connection } from '../connection.ts'

/** Folded; `null` for a receiver that takes no email. */
export function addressOf(
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

/** The message of another rule that emails the address of the same occasion. */
function messageTo(db: Connection, { issueId, of, atMs, withHeld }: Told, address: string): number | null {
  const alive = `occasion = :of AND occasion_ms >= :since AND state IN ('waiting', 'sending', 'sent')
    AND (:held OR held_until_ms IS NULL)`
  const params = { issue: issueId, of, since: sinceOccasion(atMs), held: withHeld ? 1 : 0 }
  // alert_messages_of_issue
  const people = `SELECT m.id FROM alert_messages m JOIN users u ON u.id = m.user_id
    WHERE m.issue_id = :issue AND m.user_id IS NOT NULL AND u.email_folded = :address AND ${alive} ORDER BY m.id LIMIT 1`
  const person = db.get<{ id: number }>(people, { ...params, address })
  if (person !== undefined) return person.id
  // alert_messages_of_incidents
  const channels = `SELECT m.id, c.settings ->> '$.address' AS address FROM alert_messages m
    JOIN channels c ON c.id = m.channel_id
    WHERE m.issue_id = :issue AND m.channel_id IS NOT NULL AND m.kind = 'email' AND ${alive} ORDER BY m.id`
  const rows = db.all<{ id: number; address: string | null }>(channels, params)
  return rows.find((row) => row.address !== null && foldEmail(row.address) === address)?.id ?? null
}

/**
 * Returns emails about the same occasion: another rule's, or of the project's own alerts, which have no id
 * here.
 */
export function toldBefore(
  db: Connection,
  { issueId, occasion, heldUntilMs }: Pick<NewMessage, 'issueId' | 'occasion' | 'heldUntilMs'>,
  address: string | null,
): { readonly id: number | null } | null {
  if (occasion === null || issueId === null || address === null) return null
  const told = { issueId, of: occasion.of, atMs: occasion.atMs, withHeld: heldUntilMs !== null }
  const id = messageTo(db, told, address)
  if (id !== null || occasion.of !== 'events') return id === null ? null : { id }
  // notices_by_issue, deliveries_by_notice
  const own = `SELECT 1 FROM notices n JOIN deliveries d ON d.notice_id = n.id JOIN users u ON u.id = d.user_id
    WHERE n.issue_id = :issue AND n.at_ms >= :since AND d.channel = 'mail' AND u.email_folded = :address
      AND d.state IN ('waiting', 'sending', 'sent') LIMIT 1`
  const params = { issue: issueId, since: sinceOccasion(occasion.atMs), address }
  return db.get(own, params) === undefined ? null : { id: null }
}

/** Whether a rule emails the person of what the project's own alert would tell. */
export function isToldByRule(
  db: Connection,
  { issueId, atMs }: { readonly issueId: IssueId; readonly atMs: number },
  user: UserId,
): boolean {
  const address = addressOf(db, { userId: user, channelId: null, kind: 'email' })
  return address !== null && messageTo(db, { issueId, of: 'events', atMs, withHeld: false }, address) !== null
}
