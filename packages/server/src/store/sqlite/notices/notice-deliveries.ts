/** Deliveries of notices: made, claimed under a lease, settled. Used by the delivery loop through the one writer. */
import type { OpenedNotices } from '#alerts/rules/alert-store.ts'
import type { IssueId, OrgId, ProjectId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import {
  FOLDED,
  heldForPerson,
  ISSUE_DELETED,
  isMailed,
  reasonForNobody,
  TOLD_BY_RULES,
  tooManyDeliveries,
  undeliverable,
} from '#notices/rules/deliveries.ts'
import { heldHeadline } from '#notices/rules/held.ts'
import { HELD_FOR_PERSON } from '#notices/rules/messages.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import type {
  ClaimedDelivery,
  NoticeChannel,
  NoticeKind,
  NoticeQueue,
  Settlement,
  Waiting,
} from '#ports/notices.ts'
import type { Connection } from '../connection.ts'
import { holdEmail, personQuietUntil } from '../inbox/held-emails.ts'
import { enterFailure } from '../inbox/inbox-rows.ts'
import { failBeyond } from '../outbox/beyond.ts'
import { type ClaimedRow, type Queue, settleClaimed, type Waited, writeSettled } from '../outbox/claims.ts'
import { notMuted } from '../rows/muted-issues.ts'
import { isToldByRule } from '../rows/told-occasions.ts'
import { countHeld } from './held-back.ts'
import { issueOfNotice, MAIL_RECEIVERS, noticeSettings, ownerOfNotice, readNotice } from './notice-rows.ts'

export function noticeQueue(db: Connection): NoticeQueue {
  return {
    openDueNotices: async (open) => db.transaction(() => openDue(db, open).notices),
    nextNoticeMs: async () =>
      // notices_due
      db.get<{ due: number | null }>('SELECT min(due_ms) AS due FROM notices WHERE due_ms IS NOT NULL')
        ?.due ?? null,
  }
}

/** By organisation of mails, by project of webhooks. Thousands may wait for one: of each only the first is read. */
export function deliveriesWaiting(db: Connection, channel: NoticeChannel): readonly Waiting[] {
  // deliveries_of_org, deliveries_of_project
  const column = channel === 'mail' ? 'org_id' : 'project_id'
  const own = `due_ms IS NOT NULL AND channel = '${channel}'`
  const sql = `WITH RECURSIVE receivers (id) AS (
      SELECT min(${column}) FROM deliveries WHERE ${own}
      UNION ALL
      SELECT (SELECT min(${column}) FROM deliveries WHERE ${own} AND ${column} > r.id) FROM receivers r
      WHERE r.id IS NOT NULL)
    SELECT r.id, (SELECT min(due_ms) FROM deliveries WHERE ${own} AND ${column} = r.id) AS dueMs,
      ${channel === 'mail' ? 'r.id' : '(SELECT org_id FROM projects WHERE id = r.id)'} AS orgId
    FROM receivers r WHERE r.id IS NOT NULL`
  return db
    .all<{ id: number; dueMs: number; orgId: OrgId | null }>(sql)
    .map(({ id, ...row }) => ({ ...row, receiver: `${channel}:${id}`, isPager: false }))
}

interface DueNotice {
  readonly id: number
  readonly kind: NoticeKind
  readonly projectId: ProjectId
  readonly issueId: IssueId | null
  readonly number: number | null
  readonly atMs: number
  readonly occasionMs: number
  readonly isMirror: number
}

type Opening = Parameters<NoticeQueue['openDueNotices']>[0]

/** Makes deliveries of notices that are due, within the caller's transaction. */
export function openDue(db: Connection, opening: Opening): OpenedNotices {
  let deliveries = 0
  // notices_due
  const sql = `SELECT n.id, n.kind, n.project_id AS projectId, n.issue_id AS issueId, n.issue_number AS number,
      n.at_ms AS atMs, coalesce(n.occasion_ms, n.at_ms) AS occasionMs,
      n.is_mirror AS isMirror
    FROM notices n WHERE n.due_ms <= ? ORDER BY n.due_ms, n.id LIMIT ?`
  const due = db.all<DueNotice>(sql, [opening.nowMs, opening.limit])
  for (const notice of due) {
    const made = madeOf(db, notice, opening)
    deliveries += made.count
    const { reason = null, foldedInto = null } = made.dropped ?? {}
    const done = 'UPDATE notices SET due_ms = NULL, dropped = ?, echo_of = ? WHERE id = ?'
    db.run(done, [reason, foldedInto, notice.id])
  }
  for (const project of new Set(due.map(({ projectId }) => projectId)))
    boundWaiting(db, project, opening.nowMs)
  if (due.length > 0) boundAllWaiting(db, opening.nowMs)
  return { notices: due.length, deliveries }
}

/** Fails the newest of more than may wait; the log says why. */
function boundWaiting(db: Connection, project: ProjectId, nowMs: number): void {
  const most = max('noticeDeliveriesWaitingMax')
  const bound = { table: 'deliveries', says: tooManyDeliveries(), most } as const
  // deliveries_of_org, deliveries_of_project, deliveries_due
  const org = 'org_id = (SELECT org_id FROM projects WHERE id = :project)'
  failBeyond(db, { ...bound, where: `channel = 'mail' AND ${org}`, params: { project } }, nowMs)
  const webhook = `channel = 'webhook' AND project_id = :project`
  failBeyond(db, { ...bound, where: webhook, params: { project } }, nowMs)
}

/** The same of all organisations: whose most wait gives way, and nobody else. */
function boundAllWaiting(db: Connection, nowMs: number): void {
  const sql = `SELECT org_id AS org, count(*) AS count FROM deliveries WHERE due_ms IS NOT NULL
    GROUP BY org_id ORDER BY count DESC`
  const waiting = db.all<{ org: number; count: number }>(sql, [])
  const beyond = waiting.reduce((sum, { count }) => sum + count, 0) - max('noticeDeliveriesInAllMax')
  const [first] = waiting
  if (first === undefined || beyond <= 0) return
  const bound = { table: 'deliveries', says: tooManyDeliveries(), most: first.count - beyond } as const
  failBeyond(db, { ...bound, where: 'org_id = :org', params: { org: first.org } }, nowMs)
}

/** Why a notice is told to nobody. */
interface Dropped {
  readonly reason: string
  /** The server's issue, where a mirror belongs to it by now. */
  readonly foldedInto?: IssueId
}

interface Made {
  readonly count: number
  readonly dropped: Dropped | null
}

function madeOf(db: Connection, notice: DueNotice, opening: Opening): Made {
  const dropped = reasonToDrop(db, notice, opening.nowMs)
  return dropped === null ? makeDeliveries(db, notice, opening) : { count: 0, dropped }
}

function reasonToDrop(db: Connection, notice: DueNotice, nowMs: number): Dropped | null {
  if (notice.kind === 'summary') return null
  const owner = ownerOfNotice(db, notice)
  if (notice.isMirror === 1 && owner !== null && !isMirrorNow(db, owner)) {
    countHeld(db, [{ project: notice.projectId, reason: 'mirror', count: 1 }], nowMs)
    return { reason: FOLDED, foldedInto: owner }
  }
  return issueOfNotice(db, notice) === null ? { reason: ISSUE_DELETED } : null
}

function isMirrorNow(db: Connection, issue: IssueId): boolean {
  const sql = 'SELECT mirror_count AS mirrorCount, event_count AS eventCount FROM issues WHERE id = ?'
  const counts = db.get<{ mirrorCount: number; eventCount: number }>(sql, [issue])
  return counts !== undefined && isMirror(counts)
}

function makeDeliveries(db: Connection, notice: DueNotice, { nowMs, mail }: Opening): Made {
  const settings = noticeSettings(db, notice.projectId)
  const project = notice.projectId
  const insert = (channel: NoticeChannel, user: UserId | null) =>
    db.run(
      `INSERT INTO deliveries (notice_id, org_id, project_id, channel, user_id, key, state, due_ms)
       SELECT :notice, org_id, id, :channel, :user, lower(hex(randomblob(16))), 'waiting', :now
       FROM projects WHERE id = :project`,
      { notice: notice.id, channel, user, now: nowMs, project },
    )
  const people = isMailed(settings, mail)
    ? db.all<{ id: UserId }>(`${MAIL_RECEIVERS} AND ${notMuted(':mutable')} ORDER BY u.id LIMIT :limit`, {
        ...{ project, mutable: ownerOfNotice(db, notice) },
        limit: max('membersPerOrgMax'),
      })
    : []
  const untold = people.filter(({ id }) => !isToldOfOccasion(db, notice, id))
  for (const { id } of untold) {
    const isHeld = holdNotice(db, { notice, user: id, nowMs })
    const { lastId } = insert('mail', id)
    if (isHeld) writeSettled(db, 'deliveries', { id: lastId, after: heldForPerson(HELD_FOR_PERSON, nowMs) })
  }
  if (settings.webhook !== null) insert('webhook', null)
  if (untold.length < people.length && untold.length === 0 && settings.webhook === null)
    return { count: 0, dropped: { reason: TOLD_BY_RULES } }
  const reason = reasonForNobody(settings, { mail, people: people.length })
  const count = untold.length + (settings.webhook === null ? 0 : 1)
  return { count, dropped: reason === null ? null : { reason } }
}

/** Keeps the notice for the email after the person's quiet hours; false where they do not hold it. */
function holdNotice(
  db: Connection,
  { notice, user, nowMs }: { readonly notice: DueNotice; readonly user: UserId; readonly nowMs: number },
): boolean {
  const untilMs = personQuietUntil(db, user, nowMs)
  const told = untilMs === null ? null : readNotice(db, notice.id)
  const org = db.get<{ id: OrgId }>('SELECT org_id AS id FROM projects WHERE id = ?', [notice.projectId])
  if (untilMs === null || told === null || org === undefined) return false
  const where = { orgId: org.id, projectId: notice.projectId, issueId: ownerOfNotice(db, notice) }
  holdEmail(db, user, { ...where, headline: heldHeadline(told), atMs: notice.atMs, untilMs })
  return true
}

function isToldOfOccasion(db: Connection, { issueId, occasionMs }: DueNotice, user: UserId): boolean {
  return issueId !== null && isToldByRule(db, { issueId, atMs: occasionMs }, user)
}

interface DueDelivery extends Waited {
  readonly noticeId: number
  readonly kind: NoticeKind
  readonly projectId: ProjectId
  readonly orgId: OrgId
  readonly channel: NoticeChannel
  readonly userId: UserId | null
  readonly issueId: IssueId | null
  readonly key: string
}

const SELECT = `SELECT own.id, own.state, own.lease, own.tries, own.notice_id AS noticeId, n.kind, n.project_id AS projectId,
    own.org_id AS orgId, own.channel, own.user_id AS userId, n.issue_id AS issueId, own.key
  FROM deliveries own JOIN notices n ON n.id = own.notice_id`

type Content = Omit<ClaimedDelivery, keyof ClaimedRow>

/** Deliveries by mail, or of webhooks. */
export function deliveriesBy(db: Connection, channel: NoticeChannel): Queue<DueDelivery, Content> {
  const by = channel === 'mail' ? 'org_id' : 'project_id'
  return {
    table: 'deliveries',
    select: SELECT,
    // deliveries_of_org, deliveries_of_project
    next: (receiver) => ({
      where: `own.channel = '${channel}' AND ${receiver === null ? ':id IS NULL' : `own.${by} = :id`}
        ORDER BY own.due_ms, own.id`,
      params: { id: receiver === null ? null : Number(receiver.split(':')[1]) },
    }),
    isTest: ({ kind }) => kind === 'test',
    content: (delivery, nowMs) => deliveryContent(db, delivery, nowMs),
    after({ orgId, projectId, channel: by, kind }, { after, nowMs }) {
      // Whoever tests sees the result.
      if (after.state !== 'failed' || by === 'mail' || kind === 'test') return
      enterFailure(db, { orgId, projectId, channelId: null, says: after.says }, nowMs)
    },
  }
}

function deliveryContent(db: Connection, delivery: DueDelivery, nowMs: number): Content | null {
  const { id, key, noticeId, channel } = delivery
  const notice = readNotice(db, noticeId)
  const to = deliveryReceiver(db, delivery)
  if (notice === null || to === null) {
    const after = undeliverable({ channel, hasIssue: notice !== null }, nowMs)
    writeSettled(db, 'deliveries', { id, after })
    return null
  }
  const receiver = `${channel}:${channel === 'mail' ? delivery.orgId : delivery.projectId}`
  return { key, receiver, to, notice }
}

/** Asked again at each try: who may no longer read the project is told nothing of it. */
function deliveryReceiver(db: Connection, delivery: DueDelivery): ClaimedDelivery['to'] | null {
  const { channel, projectId: project, userId: user } = delivery
  if (channel === 'webhook') {
    const target = webhookTarget(db, project)
    return target === null ? null : { channel, ...target }
  }
  if (!noticeSettings(db, project).mail) return null
  const params = { project, user, mutable: delivery.issueId }
  const person = db.get<{ email: string; name: string }>(
    `${MAIL_RECEIVERS} AND ${notMuted(':mutable')} AND u.id = :user`,
    params,
  )
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

/** Settles a delivery, whatever channel it is of. */
export function settle(
  db: Connection,
  done: {
    readonly id: number
    readonly lease: string
    readonly settlement: Settlement
    readonly nowMs: number
  },
): boolean {
  return settleClaimed(db, deliveriesBy(db, 'webhook'), done)
}
