/** The issues that a change names. */
import type { IssueId } from '#base/ids.ts'
import { shortId } from '#issues/issue-names.ts'
import type { ChosenIssue } from '#ports/issue-rows.ts'
import type { IssueChange } from '#ports/scope.ts'
import type { Connection, SqlParams } from '../connection.ts'
import { ISSUE_TITLE } from '../rows/issue-title.ts'
import { readResolvedIn } from '../rows/resolved-in.ts'

const SELECT = `SELECT i.id, i.project_id AS projectId, p.slug, i.number, ${ISSUE_TITLE} AS title, i.status, i.substatus,
    i.archived_events_left AS archivedEventsLeft, i.archived_users_at AS archivedUsersAt,
    i.archived_until_ms AS archivedUntilMs, i.resolved_in AS resolvedIn,
    i.status_changed_ms AS statusChangedMs,
    i.assignee_id AS assigneeId, i.assignee_team_id AS assigneeTeamId, i.priority AS priorityChosen,
    i.priority_set_ms AS prioritySetMs, i.user_count AS userCount
  FROM issues i JOIN projects p ON p.id = i.project_id`

/** The named issues that lie in the organisation and its readable projects; others are left alone. */
export function choose(db: Connection, { orgId, projects, ids }: IssueChange): readonly ChosenIssue[] {
  const where = `WHERE i.id IN (SELECT value FROM json_each(:ids)) AND p.org_id = :org
      AND i.project_id IN (SELECT value FROM json_each(:projects)) AND i.substatus IS NOT 'waiting'
    ORDER BY i.id`
  return readChosenIssues(db, where, {
    ids: JSON.stringify(ids),
    org: orgId,
    projects: JSON.stringify(projects),
  })
}

/** Returns issues by their ids, for Errata's own changes. */
export function namedIssues(db: Connection, ids: readonly IssueId[]): readonly ChosenIssue[] {
  const where = 'WHERE i.id IN (SELECT value FROM json_each(:ids)) ORDER BY i.id'
  return readChosenIssues(db, where, { ids: JSON.stringify(ids) })
}

/** Returns an issue that a group names; for Errata's own changes. */
export function chosenIssue(db: Connection, id: IssueId): ChosenIssue {
  const [issue] = readChosenIssues(db, 'WHERE i.id = :id', { id })
  if (issue === undefined) throw new Error(`no issue ${id}: a group names an issue that does not exist`)
  return issue
}

type Row = Omit<ChosenIssue, 'shortId' | 'resolvedIn'> & {
  readonly slug: string
  readonly number: number
  readonly resolvedIn: string | null
}

function readChosenIssues(db: Connection, where: string, params: SqlParams): readonly ChosenIssue[] {
  return db.all<Row>(`${SELECT} ${where}`, params).map(({ slug, number, ...row }) => ({
    ...row,
    resolvedIn: readResolvedIn(row.resolvedIn),
    shortId: shortId(slug, number),
  }))
}
