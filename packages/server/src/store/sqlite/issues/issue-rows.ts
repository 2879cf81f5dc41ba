/** Rows of issues, as reads and writes share them. */

import type { IssueId, ProjectId, TeamId, UserId } from '#base/ids.ts'
import { mostFrequent, readCounts } from '#issues/counts.ts'
import { archivedUsersLeft, shortId } from '#issues/issue-names.ts'
import type { Level, RequestKind } from '#model/event.ts'
import type { Priority } from '#model/priority.ts'
import type { Category } from '#model/recognised.ts'
import type { Issue, IssueStatus, IssueSubstatus } from '#ports/issues.ts'
import { ISSUE_DEPLOY, ISSUE_TITLE } from '../rows/issue-title.ts'
import { PRIORITY } from '../rows/priority.ts'
import { readResolvedIn } from '../rows/resolved-in.ts'

/** `substatusOf` over `issues i`. Parameter: `newSince`. */
export const SUBSTATUS = `iif(i.substatus = 'new' AND i.first_seen_ms < :newSince, 'ongoing', i.substatus)`

/** Columns of `issues i JOIN projects p LEFT JOIN users u` (the assignee). Parameter: `newSince`. */
export const ISSUE_COLUMNS = `i.id, i.project_id AS projectId, p.slug AS projectSlug, i.number,
  ${ISSUE_TITLE} AS title, i.type, i.value,
  i.filename, i.function, i.culprit, i.level, i.platform, i.logger, i.handled, i.category, i.status,
  ${SUBSTATUS} AS substatus,
  i.archived_events_left AS archivedEventsLeft, i.archived_users_at AS archivedUsersAt,
  i.archived_until_ms AS archivedUntilMs, i.resolved_in AS resolvedIn, i.status_changed_ms AS statusChangedMs, i.assignee_id AS assigneeId,
  i.assignee_team_id AS teamId, t.slug AS teamSlug, t.name AS teamName, ${PRIORITY} AS priority,
  i.priority_set_ms AS prioritySetMs,
  u.name AS assigneeName, u.email AS assigneeEmail, i.first_seen_ms AS firstSeenMs, i.last_seen_ms AS lastSeenMs,
  i.first_release AS firstRelease, i.last_release AS lastRelease, i.event_count AS eventCount,
  i.mirror_count AS mirrorCount, i.user_count AS userCount, i.users_exact AS usersExact, i.kinds, i.routes,
  i.payload_count AS payloadCount, i.comment_count AS commentCount,
  ${ISSUE_DEPLOY} AS deploy`

export const ISSUE_TABLES = `issues i JOIN projects p ON p.id = i.project_id LEFT JOIN users u ON u.id = i.assignee_id
  LEFT JOIN teams t ON t.id = i.assignee_team_id`

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
  readonly category: Category
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus
  readonly archivedEventsLeft: number | null
  readonly archivedUsersAt: number | null
  readonly archivedUntilMs: number | null
  readonly resolvedIn: string | null
  readonly statusChangedMs: number
  readonly assigneeId: UserId | null
  readonly teamId: TeamId | null
  readonly teamSlug: string | null
  readonly teamName: string | null
  readonly priority: Priority
  readonly prioritySetMs: number | null
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
  readonly deploy: string | null
}

export function readIssueRow(row: IssueRow): Issue {
  const { number, assigneeId, assigneeName, assigneeEmail, archivedUsersAt, ...facts } = row
  const { userCount, usersExact, kinds, routes, teamId, teamSlug, teamName, ...rest } = facts
  const assignee =
    assigneeId === null ? null : { userId: assigneeId, name: assigneeName ?? '', email: assigneeEmail ?? '' }
  return {
    ...rest,
    resolvedIn: readResolvedIn(row.resolvedIn),
    archivedUsersLeft: archivedUsersLeft(archivedUsersAt, userCount),
    shortId: shortId(row.projectSlug, number),
    handled: row.handled === null ? null : row.handled === 1,
    assignee,
    assigneeTeam: teamId === null ? null : { teamId, slug: teamSlug ?? '', name: teamName ?? '' },
    users: { count: userCount, isExact: usersExact === 1 },
    kinds: mostFrequent(readCounts(kinds)).map(([kind, count]) => ({
      kind: kind as RequestKind, // counted from EventRow.requestKind
      count,
    })),
    route: mostFrequent(readCounts(routes))[0]?.[0] ?? null,
  }
}
