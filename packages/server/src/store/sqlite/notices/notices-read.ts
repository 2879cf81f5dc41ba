/** Reads notices for people: settings, the log, what was held back. */
import type { ProjectId } from '#base/ids.ts'
import { shortId } from '#issues/issue-names.ts'
import { max } from '#limits/limits.ts'
import { heldBackHour } from '#notices/rules/ages.ts'
import { foldedText } from '#notices/rules/deliveries.ts'
import type {
  DeliveryGroup,
  HeldBack,
  NoticeKind,
  NoticeLogEntry,
  NoticeLogPage,
  NoticeSettings,
  NoticesRead,
} from '#ports/notices.ts'
import { NOTICE_SETTINGS_DEFAULT } from '#ports/notices.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { ISSUE_TITLE } from '../rows/issue-title.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { webhookTarget } from './notice-deliveries.ts'
import { noticeSettings } from './notice-rows.ts'

export function noticesRead(db: Connection): NoticesRead {
  return {
    noticeSettings: async (scope, project) => db.snapshot(() => settings(db, scope, project)),
    noticeLog: async (scope, project, page) =>
      db.snapshot(() => readNoticeLog(db, scope, { project, ...page })),
    heldBack: async (scope, project, sinceMs) => countHeldBack(db, scope, { project, sinceMs }),
    webhookTarget: async (scope, project) =>
      isProjectReadable(db, scope, project) ? webhookTarget(db, project) : null,
    noticeMailOf: async (user) =>
      db.get('SELECT 1 FROM notice_mail_off WHERE user_id = ?', [user]) === undefined,
  }
}

function settings(db: Connection, scope: ReadScope, project: ProjectId): NoticeSettings {
  return isProjectReadable(db, scope, project) ? noticeSettings(db, project) : NOTICE_SETTINGS_DEFAULT
}

function isProjectReadable(db: Connection, scope: ReadScope, project: ProjectId): boolean {
  return db.get(`${READABLE} SELECT id FROM readable`, readableParams(scope, [project])) !== undefined
}

interface LogRow {
  readonly id: number
  readonly kind: NoticeKind
  readonly atMs: number
  readonly dueMs: number | null
  readonly dropped: string | null
  /** The issue of the exception that kept an echo quiet, where the viewer may read it. */
  readonly exceptionSlug: string | null
  readonly exceptionNumber: number | null
  readonly heldBack: number
  readonly newIssues: number
  readonly returnedIssues: number
  readonly echoIssues: number
  readonly slug: string
  readonly number: number | null
  readonly title: string | null
}

function readNoticeLog(
  db: Connection,
  scope: ReadScope,
  { project, limit, before }: NoticeLogPage & { readonly project: ProjectId },
): readonly NoticeLogEntry[] {
  // notices_by_project; a merged issue is shown as what it was merged into.
  const sql = `${READABLE} SELECT n.id, n.kind, n.at_ms AS atMs, n.due_ms AS dueMs, n.dropped,
      n.held_back AS heldBack, n.new_issues AS newIssues, n.returned_issues AS returnedIssues,
      n.echo_issues AS echoIssues, p.slug, i.number, ${ISSUE_TITLE} AS title, ep.slug AS exceptionSlug, e.number AS exceptionNumber
    FROM notices n JOIN projects p ON p.id = n.project_id
    LEFT JOIN issue_redirects r ON r.project_id = n.project_id AND r.number = n.issue_number
    LEFT JOIN issues i ON i.id = coalesce(r.issue_id, n.issue_id) AND i.project_id = n.project_id
    LEFT JOIN issues e ON e.id = n.echo_of AND e.project_id IN (SELECT id FROM readable)
    LEFT JOIN projects ep ON ep.id = e.project_id
    WHERE n.project_id = :project AND n.project_id IN (SELECT id FROM readable)
      AND (:before IS NULL
        OR (n.at_ms, n.id) < (SELECT b.at_ms, b.id FROM notices b WHERE b.id = :before AND b.project_id = :project))
    ORDER BY n.at_ms DESC, n.id DESC LIMIT :limit`
  const rows = db.all<LogRow>(sql, { ...readableParams(scope), project, limit, before })
  const groups = deliveryGroups(db, rows)
  return rows.map((row) => logEntry(row, groups.get(row.id) ?? []))
}

function logEntry(row: LogRow, deliveries: readonly DeliveryGroup[]): NoticeLogEntry {
  const { id, kind, atMs, dueMs, heldBack, newIssues, returnedIssues, echoIssues, slug, number, title } = row
  return {
    ...{ id, kind, atMs, dueMs, heldBack, deliveries },
    dropped: droppedText(row),
    issue: number === null || title === null ? null : { shortId: shortId(slug, number), title },
    rest: kind === 'summary' ? { newIssues, returnedIssues, echoIssues } : null,
  }
}

function droppedText({ dropped, exceptionSlug, exceptionNumber }: LogRow): string | null {
  if (exceptionSlug === null || exceptionNumber === null) return dropped
  return foldedText(shortId(exceptionSlug, exceptionNumber))
}

type GroupRow = Omit<DeliveryGroup, 'receivers'> & {
  readonly noticeId: number
  /** Receivers, one a line. */
  readonly receivers: string | null
}

function deliveryGroups(
  db: Connection,
  rows: readonly { readonly id: number }[],
): ReadonlyMap<number, readonly DeliveryGroup[]> {
  // deliveries_by_notice
  const sql = `SELECT d.notice_id AS noticeId, d.channel, d.state, count(*) AS count, max(d.tries) AS tries,
      iif(d.state = 'waiting', min(d.due_ms), NULL) AS nextMs, max(d.settled_ms) AS settledMs,
      (SELECT o.says FROM deliveries o
        WHERE o.notice_id = d.notice_id AND o.channel = d.channel AND o.state = d.state
        ORDER BY o.tries DESC, o.id DESC LIMIT 1) AS says,
      (SELECT group_concat(r.email, char(10)) FROM (SELECT u.email FROM deliveries f JOIN users u ON u.id = f.user_id
        WHERE d.state = 'failed' AND f.notice_id = d.notice_id AND f.channel = d.channel AND f.state = 'failed'
        ORDER BY u.email LIMIT :most) r) AS receivers
    FROM deliveries d WHERE d.notice_id IN (SELECT value FROM json_each(:ids))
    GROUP BY d.notice_id, d.channel, d.state ORDER BY d.notice_id, d.channel, d.state`
  const groups = new Map<number, DeliveryGroup[]>()
  const params = { ids: JSON.stringify(rows.map(({ id }) => id)), most: max('noticeReceiversMax') }
  for (const { noticeId, receivers, ...counted } of db.all<GroupRow>(sql, params)) {
    const group = { ...counted, receivers: receivers?.split('\n') ?? [] }
    const list = groups.get(noticeId)
    if (list === undefined) groups.set(noticeId, [group])
    else list.push(group)
  }
  return groups
}

function countHeldBack(
  db: Connection,
  scope: ReadScope,
  { project, sinceMs }: { readonly project: ProjectId; readonly sinceMs: number },
): HeldBack {
  const sql = `${READABLE} SELECT reason, sum(count) AS count FROM notices_held_back
    WHERE project_id IN (SELECT id FROM readable) AND hour >= :hour GROUP BY reason`
  const params = { ...readableParams(scope, [project]), hour: heldBackHour(sinceMs) }
  const rows = db.all<{ reason: keyof HeldBack; count: number }>(sql, params)
  const of = (reason: keyof HeldBack) => rows.find((row) => row.reason === reason)?.count ?? 0
  return { quiet: of('quiet'), mirror: of('mirror'), summarised: of('summarised'), dropped: of('dropped') }
}
