/** An issue as rules look at it and messages show it. */
import type { WatchedIssue } from '#alerts/rules/alert-store.ts'
import type { IssueId, UserId } from '#base/ids.ts'
import { mostFrequent, readCounts } from '#issues/counts.ts'
import { REQUEST_KINDS } from '#model/event.ts'
import type { Priority } from '#model/priority.ts'
import type { IssueStatus, IssueSubstatus } from '#ports/issues.ts'
import type { Connection } from '../connection.ts'
import { PRIORITY } from '../issues/issue-rows.ts'
import { readToldIssue } from '../notices/notice-rows.ts'

interface Row {
  readonly slug: string
  readonly number: number
  readonly status: IssueStatus
  readonly substatus: IssueSubstatus
  readonly handled: number | null
  readonly priority: Priority
  readonly assigneeId: UserId | null
  readonly assignee: string | null
  readonly function: string | null
  readonly filename: string | null
  readonly firstRelease: string | null
  readonly kinds: string
}

export function readWatchedIssue(db: Connection, id: IssueId): WatchedIssue | null {
  const sql = `SELECT p.slug, i.number, i.status, i.substatus, i.handled, ${PRIORITY} AS priority, i.assignee_id AS assigneeId,
      iif(u.name = '', u.email, u.name) AS assignee, i.function, i.filename, i.first_release AS firstRelease, i.kinds
    FROM issues i JOIN projects p ON p.id = i.project_id LEFT JOIN users u ON u.id = i.assignee_id WHERE i.id = ?`
  const row = db.get<Row>(sql, [id])
  const told = row === undefined ? null : readToldIssue(db, { issueId: id, slug: row.slug })
  if (row === undefined || told === null) return null
  const { requestKind: _, isMirror: __, number, ...facts } = told
  const { status, substatus, assigneeId, priority } = row
  const counted = mostFrequent(readCounts(row.kinds)).map(([kind]) => kind)
  return {
    ...{ id, number, status, substatus, assigneeId, priority },
    handled: row.handled === null ? null : row.handled === 1,
    told: {
      ...facts,
      function: row.function,
      place: row.filename,
      kinds: counted.flatMap((kind) => REQUEST_KINDS.find((known) => known === kind) ?? []),
      firstRelease: row.firstRelease,
      assignee: row.assignee,
      suspect: null,
    },
  }
}
