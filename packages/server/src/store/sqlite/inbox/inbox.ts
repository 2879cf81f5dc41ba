/** Inboxes, as their owners read and mark them. */
import type { UserId } from '#base/ids.ts'
import { shortId } from '#issues/issue-names.ts'
import type { AlertLevel } from '#model/alert-message.ts'
import { INBOX_KINDS, type InboxKind } from '#model/inbox.ts'
import type { InboxEntry, InboxMark, InboxPage, InboxRead, MutedIssue } from '#ports/inbox.ts'
import type { ActivityKind } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { readDetail } from '../rows/activity.ts'
import { ISSUE_TITLE } from '../rows/issue-title.ts'
import { personQuietHours } from './held-emails.ts'

export function inboxRead(db: Connection): InboxRead {
  return {
    inbox: async (user, scopes, page) => entries(db, { user, scopes, ...page }),
    inboxUnread: async (user, scopes, limit) => unread(db, { user, scopes, limit }),
    inboxOff: async (user) => off(db, user),
    personQuietHours: async (user) => personQuietHours(db, user),
    mutedIssues: async (user, scopes, limit) => readMutedIssues(db, { user, scopes, limit }),
  }
}

/**
 * Entries that the reader may see now: of projects that are open to them, and of an organisation as a whole what its owners
 * and managers see. Parameters: `user`, and of `readable`.
 */
const VISIBLE = `b.user_id = :user AND b.org_id IN (SELECT value FROM json_each(:orgs)) AND (
    b.project_id IN (SELECT value FROM json_each(:projects))
    OR b.project_id IS NULL AND EXISTS (SELECT 1 FROM memberships m
      WHERE m.org_id = b.org_id AND m.user_id = b.user_id AND m.role IN ('owner', 'manager')))`

function readable(user: UserId, scopes: readonly ReadScope[]) {
  const orgs = JSON.stringify(scopes.map(({ orgId }) => orgId))
  return { user, orgs, projects: JSON.stringify(scopes.flatMap(({ projects }) => projects)) }
}

interface EntryRow {
  readonly id: number
  readonly kind: InboxKind
  readonly atMs: number
  readonly readMs: number | null
  readonly organisation: string
  readonly projectSlug: string | null
  readonly projectName: string | null
  readonly number: number | null
  readonly issueSlug: string | null
  readonly title: string | null
  readonly activityId: number | null
  readonly activityKind: ActivityKind | null
  readonly actor: string | null
  readonly detail: string | null
  readonly ruleId: number | null
  readonly headline: string | null
  readonly level: AlertLevel | null
  readonly channelId: number | null
  readonly channelName: string | null
}

type Asked = InboxPage & { readonly user: UserId; readonly scopes: readonly ReadScope[] }

function entries(db: Connection, asked: Asked): readonly InboxEntry[] {
  const { user, scopes, limit, before, kind, isUnreadOnly } = asked
  // inbox_of_person
  const sql = `SELECT b.id, b.kind, b.at_ms AS atMs, b.read_ms AS readMs, o.slug AS organisation,
      p.slug AS projectSlug, p.name AS projectName, i.number, ip.slug AS issueSlug, ${ISSUE_TITLE} AS title,
      a.id AS activityId, a.kind AS activityKind, a.actor, a.detail,
      r.id AS ruleId, b.headline, b.level, c.id AS channelId, c.name AS channelName
    FROM inbox b JOIN organisations o ON o.id = b.org_id
      LEFT JOIN projects p ON p.id = b.project_id
      LEFT JOIN issues i ON i.id = b.issue_id LEFT JOIN projects ip ON ip.id = i.project_id
      LEFT JOIN activities a ON a.id = b.activity_id
      LEFT JOIN alert_rules r ON r.id = b.rule_id AND r.org_id = b.org_id
      LEFT JOIN channels c ON c.id = b.channel_id
    WHERE ${VISIBLE} AND (:before IS NULL OR b.id < :before) AND (:kind IS NULL OR b.kind = :kind)
      AND (NOT :unread OR b.read_ms IS NULL)
    ORDER BY b.id DESC LIMIT :limit`
  const params = { ...readable(user, scopes), before, kind, unread: isUnreadOnly ? 1 : 0, limit }
  return db.all<EntryRow>(sql, params).map(readInboxEntry)
}

function readInboxEntry(row: EntryRow): InboxEntry {
  const { id, kind, atMs, readMs, organisation, number, issueSlug, title, headline } = row
  const issue =
    number === null || issueSlug === null ? null : { shortId: shortId(issueSlug, number), title: title ?? '' }
  return {
    ...{ id, kind, atMs, isRead: readMs !== null, organisation, issue },
    activity: activityOf(row),
    alert:
      kind === 'alert' ? { ruleId: row.ruleId, headline: headline ?? '', level: row.level ?? 'info' } : null,
    delivery: kind === 'delivery' ? deliveryOf(row) : null,
  }
}

function activityOf({ activityId, activityKind, actor, detail }: EntryRow): InboxEntry['activity'] {
  if (activityId === null || activityKind === null) return null
  return { id: activityId, kind: activityKind, by: actor ?? '', detail: readDetail(detail ?? '{}') }
}

function deliveryOf(row: EntryRow): NonNullable<InboxEntry['delivery']> {
  const { channelId, channelName, projectSlug, projectName, headline } = row
  const channel = channelId === null ? null : { id: channelId, name: channelName ?? '' }
  const project = projectSlug === null ? null : { slug: projectSlug, name: projectName ?? projectSlug }
  return { channel, project, says: headline ?? '' }
}

function unread(
  db: Connection,
  asked: { readonly user: UserId; readonly scopes: readonly ReadScope[]; readonly limit: number },
): number {
  // inbox_unread
  const sql = `SELECT count(*) AS count FROM (
    SELECT 1 FROM inbox b WHERE b.read_ms IS NULL AND ${VISIBLE} LIMIT :limit)`
  const { user, scopes, limit } = asked
  return db.get<{ count: number }>(sql, { ...readable(user, scopes), limit })?.count ?? 0
}

export function markInboxEntries(
  db: Connection,
  { user, orgs, entries: which, isRead }: InboxMark,
  nowMs: number,
): number {
  const chosen = 'ids' in which ? 'id IN (SELECT value FROM json_each(:which))' : 'id <= :which'
  const sql = `UPDATE inbox SET read_ms = :read WHERE user_id = :user AND ${chosen}
    AND org_id IN (SELECT value FROM json_each(:orgs)) AND (read_ms IS NULL) = (:read IS NOT NULL)`
  return db.run(sql, {
    read: isRead ? Math.floor(nowMs) : null,
    user,
    orgs: JSON.stringify(orgs),
    which: 'ids' in which ? JSON.stringify(which.ids) : which.upTo,
  }).changes
}

function off(db: Connection, user: UserId): readonly InboxKind[] {
  const rows = db.all<{ kind: string }>('SELECT kind FROM inbox_off WHERE user_id = ?', [user])
  const kinds = new Set(rows.map(({ kind }) => kind))
  return INBOX_KINDS.filter((kind) => kinds.has(kind))
}

function readMutedIssues(
  db: Connection,
  asked: { readonly user: UserId; readonly scopes: readonly ReadScope[]; readonly limit: number },
): readonly MutedIssue[] {
  type Row = Omit<MutedIssue, 'shortId'> & { readonly slug: string; readonly number: number }
  // issue_people_by_user
  const sql = `SELECT i.id, i.number, p.slug, ${ISSUE_TITLE} AS title, o.slug AS organisation
    FROM issue_people ip JOIN issues i ON i.id = ip.issue_id JOIN projects p ON p.id = i.project_id
      JOIN organisations o ON o.id = p.org_id
    WHERE ip.user_id = :user AND ip.is_muted = 1 AND p.id IN (SELECT value FROM json_each(:projects))
    ORDER BY i.id DESC LIMIT :limit`
  const { user, scopes, limit } = asked
  const { projects } = readable(user, scopes)
  return db
    .all<Row>(sql, { user, projects, limit })
    .map(({ slug, number, ...row }) => ({ ...row, shortId: shortId(slug, number) }))
}
