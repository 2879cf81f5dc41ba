/** The groups of an issue one by one, and other issues that may be the same failure. */
import type { GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import { usersOf } from '#issues/group-users.ts'
import { shortId } from '#issues/issue-names.ts'
import { countUsers, NO_USERS } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { AlikeIssue, GroupingRead, MergedGroup } from '#ports/grouping.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { usersOfRow } from '../ingest/group-rows.ts'
import { ISSUE_TITLE } from '../rows/issue-title.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function groupingRead(db: Connection): GroupingRead {
  return {
    mergedGroups: async (scope, id) => db.snapshot(() => mergedGroups(db, scope, id)),
    issuesOfType: async (scope, id) => db.snapshot(() => issuesOfType(db, scope, id)),
  }
}

interface GroupRow {
  readonly projectId: ProjectId
  readonly projectSlug: string
  readonly hash: GroupHash
  readonly isFolded: number
  readonly title: string
  readonly culprit: string
  readonly eventCount: number
  readonly isExact: number | null
  readonly state: Uint8Array | null
  readonly aliases: Uint8Array | null
  readonly firstSeenMs: number
  readonly lastSeenMs: number
}

function mergedGroups(db: Connection, scope: ReadScope, id: IssueId): readonly MergedGroup[] | null {
  const params = { ...readableParams(scope), id }
  const own = `${READABLE} SELECT 1 FROM issues WHERE id = :id AND project_id IN (SELECT id FROM readable)`
  if (db.get(own, params) === undefined) return null
  // groups_by_issue; an issue's only group says nothing of its own.
  const sql = `${READABLE} SELECT g.project_id AS projectId, p.slug AS projectSlug, lower(hex(g.hash)) AS hash,
      g.folded_into IS NOT NULL AS isFolded, coalesce(s.facts ->> 'title', i.title) AS title,
      coalesce(s.facts ->> 'culprit', i.culprit) AS culprit, g.event_count AS eventCount,
      u.is_exact AS isExact, u.state, u.aliases, g.first_seen_ms AS firstSeenMs, g.last_seen_ms AS lastSeenMs
    FROM groups g JOIN issues i ON i.id = g.issue_id JOIN projects p ON p.id = g.project_id
      LEFT JOIN group_shares s ON s.group_id = g.id LEFT JOIN group_users u ON u.group_id = g.id
    WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable)
    ORDER BY g.event_count DESC, g.id`
  return db.all<GroupRow>(sql, params).map(({ isFolded, isExact, state, aliases, ...row }) => {
    const users = state === null ? NO_USERS : usersOf([usersOfRow({ isExact: isExact ?? 1, state, aliases })])
    return { ...row, isFolded: isFolded === 1, users: { count: countUsers(users), isExact: users.isExact } }
  })
}

interface AlikeRow extends Omit<AlikeIssue, 'shortId'> {
  readonly slug: string
  readonly number: number
}

function issuesOfType(db: Connection, scope: ReadScope, id: IssueId): readonly AlikeIssue[] | null {
  const own = `${READABLE} SELECT i.project_id AS projectId, i.type FROM issues i
    WHERE i.id = :id AND i.project_id IN (SELECT id FROM readable)`
  const of = db.get<{ projectId: ProjectId; type: string }>(own, { ...readableParams(scope), id })
  if (of === undefined) return null
  // issues_for_list bounds what is looked at, whatever the type.
  const sql = `SELECT i.id, p.slug, i.number, ${ISSUE_TITLE} AS title, i.type, i.value, i.culprit, i.filename, i.function, i.status,
      i.event_count AS eventCount, i.first_seen_ms AS firstSeenMs, i.last_seen_ms AS lastSeenMs
    FROM (SELECT id FROM issues WHERE project_id = :projectId AND substatus IS NOT 'waiting'
        ORDER BY last_seen_ms DESC, id DESC LIMIT :limit) newest
      JOIN issues i ON i.id = newest.id JOIN projects p ON p.id = i.project_id
    WHERE i.type = :type AND i.id <> :id ORDER BY i.last_seen_ms DESC, i.id DESC`
  const params = { ...of, id, limit: max('similarIssuesRead') }
  return db
    .all<AlikeRow>(sql, params)
    .map(({ slug, number, ...row }) => ({ ...row, shortId: shortId(slug, number) }))
}
