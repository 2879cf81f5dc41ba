/** Rows of issues, as reads and writes share them. */

import type { IssueId, ProjectId, UserId } from '#base/ids.ts'
import { mostFrequent, readCounts } from '#issues/counts.ts'
import { max } from '#limits/limits.ts'
import type { Level, RequestKind } from '#model/event.ts'
import type { Issue, IssueStatus, IssueSubstatus } from '#ports/issues.ts'

const DAY_MS = 86_400_000

/** Of `issues i JOIN projects p LEFT JOIN users u` (the assignee). Parameter: `newSince`. */
export const ISSUE_COLUMNS = `i.id, i.project_id AS projectId, p.slug AS projectSlug, i.number, i.title, i.type, i.value,
  i.filename, i.function, i.culprit, i.level, i.platform, i.logger, i.handled, i.status,
  iif(i.substatus = 'new' AND i.first_seen_ms < :newSince, 'ongoing', i.substatus) AS substatus,
  i.archived_events_left AS archivedEventsLeft, max(1, i.archived_users_at - i.user_count) AS archivedUsersLeft,
  i.archived_until_ms AS archivedUntilMs, i.status_changed_ms AS statusChangedMs, i.assignee_id AS assigneeId,
  u.name AS assigneeName, u.email AS assigneeEmail, i.first_seen_ms AS firstSeenMs, i.last_seen_ms AS lastSeenMs,
  i.first_release AS firstRelease, i.last_release AS lastRelease, i.event_count AS eventCount,
  i.mirror_count AS mirrorCount, i.user_count AS userCount, i.users_exact AS usersExact, i.kinds, i.routes,
  i.payload_count AS payloadCount, i.comment_count AS commentCount`

export const ISSUE_TABLES = `issues i JOIN projects p ON p.id = i.project_id LEFT JOIN users u ON u.id = i.assignee_id`

export interface IssueRow {
  readonly id: IssueId
  readonly projectId: ProjectId
  readonly projectSlug: string
  readonly number: number
  readonly title: string
  readonly type: string
  readonly value: string
  readonly filename: string | null
  readonly function: string | null
  readonly culprit: string
  readonly level: Level
  readonly platform: string
  readonly logger: string | null
  readonly handled: number | null
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus
  readonly archivedEventsLeft: number | null
  readonly archivedUsersLeft: number | null
  readonly archivedUntilMs: number | null
  readonly statusChangedMs: number
  readonly assigneeId: UserId | null
  readonly assigneeName: string | null
  readonly assigneeEmail: string | null
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  readonly firstRelease: string | null
  readonly lastRelease: string | null
  readonly eventCount: number
  readonly mirrorCount: number
  readonly payloadCount: number
  readonly userCount: number
  readonly usersExact: number
  readonly kinds: string
  readonly routes: string
  readonly commentCount: number
}

export function issueOf(row: IssueRow): Issue {
  const { number, assigneeId, assigneeName, assigneeEmail, userCount, usersExact, kinds, routes, ...rest } =
    row
  const assignee =
    assigneeId === null ? null : { userId: assigneeId, name: assigneeName ?? '', email: assigneeEmail ?? '' }
  return {
    ...rest,
    shortId: shortId(row.projectSlug, number),
    handled: row.handled === null ? null : row.handled === 1,
    assignee,
    users: { count: userCount, isExact: usersExact === 1 },
    kinds: mostFrequent(readCounts(kinds)).map(([kind, count]) => ({
      kind: kind as RequestKind, // counted from EventRow.requestKind
      count,
    })),
    route: mostFrequent(readCounts(routes))[0]?.[0] ?? null,
  }
}

/** `SHOP-12`. The slug is the project's of today: renaming it renames its issues. */
export function shortId(slug: string, number: number): string {
  return `${slug.toUpperCase()}-${number}`
}

/** Issues first seen before it are not new any more. */
export function newSince(nowMs: number): number {
  return nowMs - max('issueNewDays') * DAY_MS
}

/** What free text is compared with: titles and culprits of one issue, folded. `\n` keeps the two apart. */
export function issueText({ title, culprit }: { readonly title: string; readonly culprit: string }): string {
  return `${foldText(title)}\n${foldText(culprit)}`
}

/** SQLite folds ASCII alone, and ends a text at NUL. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('\u0000', ' ')
}
