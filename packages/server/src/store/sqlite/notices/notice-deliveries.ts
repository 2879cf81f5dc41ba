/** Deliveries of notices: made, claimed under a lease, settled. Used by the delivery loop through the one writer. */
import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type {
  Claim,
  ClaimedDelivery,
  NoticeChannel,
  NoticeKind,
  NoticeQueue,
  Settlement,
} from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { type QuietEcho, quietEcho } from './notice-echoes.ts'
import { count } from './notice-queue.ts'
import { issueOfNotice, MAIL_RECEIVERS, noticeSettings, readNotice } from './notice-rows.ts'

export function noticeQueue(db: Connection): NoticeQueue {
  return {
    openDueNotices: async (open) => db.transaction(() => openDue(db, open)),
    claimDeliveries: async (claim) => db.transaction(() => claimDue(db, claim)),
    settleDelivery: async (delivery, settlement, nowMs) =>
      db.transaction(() => settle(db, { ...delivery, settlement, nowMs })),
    nextNoticeMs: async (channels = CHANNELS) => nextDueMs(db, channels),
  }
}

const CHANNELS: readonly NoticeChannel[] = ['mail', 'webhook']

function nextDueMs(db: Connection, channels: readonly NoticeChannel[]): number | null {
  // notices_due
  const notices = db.get<{ due: number | null }>(
    'SELECT min(due_ms) AS due FROM notices WHERE due_ms IS NOT NULL',
  )
  const dues = channels.map((channel) => {
    // deliveries_due
    const sql = 'SELECT min(due_ms) AS due FROM deliveries WHERE channel = ? AND due_ms IS NOT NULL'
    return db.get<{ due: number | null }>(sql, [channel])?.due ?? null
  })
  return [notices?.due ?? null, ...dues].reduce((first, due) => {
    return first === null || (due !== null && due < first) ? due : first
  }, null)
}

interface DueNotice {
  readonly id: number
  readonly kind: NoticeKind
  readonly projectId: ProjectId
  readonly issueId: IssueId | null
  readonly number: number | null
  readonly isMirror: number
}

type Opening = Parameters<NoticeQueue['openDueNotices']>[0]

function openDue(db: Connection, opening: Opening): number {
  // notices_due
  const sql = `SELECT n.id, n.kind, n.project_id AS projectId, n.issue_id AS issueId, n.issue_number AS number,
      n.is_mirror AS isMirror
    FROM notices n WHERE n.due_ms <= ? ORDER BY n.due_ms, n.id LIMIT ?`
  const due = db.all<DueNotice>(sql, [opening.nowMs, opening.limit])
  for (const notice of due) {
    const dropped = reasonToDrop(db, notice, opening.nowMs) ?? makeDeliveries(db, notice, opening)
    const { reason = null, echoOf = null } = dropped ?? {}
    const done = 'UPDATE notices SET due_ms = NULL, dropped = ?, echo_of = ? WHERE id = ?'
    db.run(done, [reason, echoOf, notice.id])
  }
  return due.length
}

/** Why a notice is told to nobody. */
type Dropped = Pick<QuietEcho, 'reason'> & Partial<QuietEcho>

function reasonToDrop(db: Connection, notice: DueNotice, nowMs: number): Dropped | null {
  if (notice.kind === 'summary') return null
  const issue = issueOfNotice(db, notice)
  if (issue === null) return { reason: 'The issue was deleted.' }
  if (notice.isMirror === 0 || !isMirror(db, issue)) return null
  const quiet = quietEcho(db, { issue, project: notice.projectId })
  if (quiet !== null) count(db, { project: notice.projectId, nowMs }, { reason: 'mirror', count: 1 })
  return quiet
}

function isMirror(db: Connection, issue: IssueId): boolean {
  return db.get('SELECT 1 FROM issues WHERE id = ? AND mirror_count >= event_count', [issue]) !== undefined
}

/** Answers why there is none. */
function makeDeliveries(db: Connection, notice: DueNotice, { nowMs, mail }: Opening): Dropped | null {
  const settings = noticeSettings(db, notice.projectId)
  const project = notice.projectId
  const insert = (channel: NoticeChannel, user: UserId | null) =>
    db.run(
      `INSERT INTO deliveries (notice_id, channel, user_id, key, state, due_ms)
       VALUES (?, ?, ?, lower(hex(randomblob(16))), 'waiting', ?)`,
      [notice.id, channel, user, nowMs],
    )
  const people =
    mail && settings.mail
      ? db.all<{ id: UserId }>(`${MAIL_RECEIVERS} ORDER BY u.id LIMIT :limit`, {
          project,
          limit: max('membersPerOrgMax'),
        })
      : []
  for (const { id } of people) insert('mail', id)
  if (settings.webhook !== null) insert('webhook', null)
  if (people.length > 0 || settings.webhook !== null) return null
  if (!settings.mail) return { reason: 'Mail is off for the project, and there is no webhook.' }
  const reason = mail
    ? 'Nobody who reads the project takes mail, and there is no webhook.'
    : 'This server has no mail server set, and the project has no webhook.'
  return { reason }
}

interface DueDelivery {
  readonly id: number
  readonly noticeId: number
  readonly projectId: ProjectId
  readonly channel: NoticeChannel
  readonly userId: UserId | null
  readonly key: string
  readonly tries: number
}

function claimDue(db: Connection, claim: Claim): readonly ClaimedDelivery[] {
  const { channel, nowMs, limit, triesMax } = claim
  // deliveries_due
  const lost = `UPDATE deliveries SET state = 'failed', says = ?, due_ms = NULL, lease = NULL, settled_ms = ?
    WHERE channel = ? AND due_ms <= ? AND state = 'sending'
      AND (tries >= ? OR EXISTS (SELECT 1 FROM notices n WHERE n.id = notice_id AND n.kind = 'test'))`
  const says = 'Errata ended while it was being sent; it may have arrived.'
  db.run(lost, [says, nowMs, channel, nowMs, triesMax])
  const claimed: ClaimedDelivery[] = []
  // What is cancelled here has no due time any more, so each round sees others.
  for (;;) {
    const sql = `SELECT d.id, d.notice_id AS noticeId, n.project_id AS projectId, d.channel, d.user_id AS userId, d.key,
        d.tries
      FROM deliveries d JOIN notices n ON n.id = d.notice_id WHERE d.channel = ? AND d.due_ms <= ?
      ORDER BY d.due_ms, d.id LIMIT ?`
    const due = db.all<DueDelivery>(sql, [channel, nowMs, limit - claimed.length])
    for (const delivery of due) {
      const taken = claimOne(db, delivery, claim)
      if (taken !== null) claimed.push(taken)
    }
    if (due.length === 0 || claimed.length >= limit) return claimed
  }
}

function claimOne(db: Connection, delivery: DueDelivery, claim: Claim): ClaimedDelivery | null {
  const { id, key, noticeId } = delivery
  const notice = readNotice(db, noticeId)
  const to = receiverOf(db, delivery)
  if (notice === null || to === null) {
    const says = notice === null ? 'The issue was deleted.' : goneText(delivery.channel)
    const sql = `UPDATE deliveries SET state = 'cancelled', says = ?, due_ms = NULL, lease = NULL, settled_ms = ?
      WHERE id = ?`
    db.run(sql, [says, claim.nowMs, id])
    return null
  }
  const sql = `UPDATE deliveries SET state = 'sending', lease = ?, due_ms = ?, tries = tries + 1 WHERE id = ?`
  db.run(sql, [claim.lease, claim.nowMs + claim.leaseMs, id])
  return { id, key, lease: claim.lease, tries: delivery.tries + 1, to, notice }
}

function goneText(channel: NoticeChannel): string {
  return channel === 'mail'
    ? 'Its receiver reads the project no more, or switched mail off.'
    : 'The webhook was removed.'
}

/** Asked again at each try: who may no longer read the project is told nothing of it. */
function receiverOf(db: Connection, delivery: DueDelivery): ClaimedDelivery['to'] | null {
  const { channel, projectId: project, userId: user } = delivery
  if (channel === 'webhook') {
    const target = webhookTarget(db, project)
    return target === null ? null : { channel, ...target }
  }
  if (!noticeSettings(db, project).mail) return null
  const params = { project, user }
  const person = db.get<{ email: string; name: string }>(`${MAIL_RECEIVERS} AND u.id = :user`, params)
  return person === undefined ? null : { channel, email: person.email, name: person.name }
}

export function webhookTarget(
  db: Connection,
  project: ProjectId,
): { readonly url: string; readonly secret: string } | null {
  const sql = `SELECT webhook_url AS url, webhook_secret AS secret FROM notice_settings
    WHERE project_id = ? AND webhook_url IS NOT NULL`
  return db.get<{ url: string; secret: string }>(sql, [project]) ?? null
}

export function settle(
  db: Connection,
  given: {
    readonly id: number
    readonly lease: string
    readonly settlement: Settlement
    readonly nowMs: number
  },
): boolean {
  const { id, lease, settlement, nowMs } = given
  const waits = settlement.state === 'waiting'
  const sql = `UPDATE deliveries SET state = ?, says = ?, due_ms = ?, lease = NULL, settled_ms = ?
    WHERE id = ? AND lease = ? AND state = 'sending'`
  const { changes } = db.run(sql, [
    settlement.state,
    settlement.says.slice(0, max('noticeSaysCharsMax')),
    waits ? settlement.nextMs : null,
    waits ? null : nowMs,
    id,
    lease,
  ])
  return changes > 0
}
