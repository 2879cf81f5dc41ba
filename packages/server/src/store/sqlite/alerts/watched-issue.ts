/** An issue as rules look at it and messages show it. */
import type { WatchedIssue } from '#alerts/rules/alert-store.ts'
import { assert } from '#base/errors.ts'
import type { IssueId } from '#base/ids.ts'
import { mostFrequent, readCounts } from '#issues/counts.ts'
import { suspectWords } from '#issues/suspect-commits.ts'
import type { AlertIssue } from '#model/alert-message.ts'
import { REQUEST_KINDS } from '#model/event.ts'
import type { Connection } from '../connection.ts'
import { readToldIssue } from '../notices/notice-rows.ts'
import type { SuspectFinder } from '../releases/suspects.ts'
import { ISSUE_TITLE } from '../rows/issue-title.ts'
import { PRIORITY } from '../rows/priority.ts'

interface Row extends Omit<WatchedIssue, 'handled' | 'isOfTeam'> {
  readonly handled: number | null
  readonly isOfTeam: number
}

/** Issues that are there still. */
export function readWatchedIssues(
  db: Connection,
  ids: readonly IssueId[],
): ReadonlyMap<IssueId, WatchedIssue> {
  const sql = `SELECT i.id, i.number, i.status, i.substatus, i.handled, ${PRIORITY} AS priority, i.assignee_id AS assigneeId,
      i.assignee_team_id IS NOT NULL AS isOfTeam,
      i.level, ${ISSUE_TITLE} AS title, i.title AS eventTitle, i.culprit, i.first_seen_ms AS firstSeenMs,
      i.event_count AS eventCount, i.mirror_count AS mirrorCount
    FROM issues i WHERE i.id IN (SELECT value FROM json_each(?))`
  const rows = db.all<Row>(sql, [JSON.stringify(ids)])
  return new Map(
    rows.map(({ handled, isOfTeam, ...row }) => {
      const issue = { ...row, handled: handled === null ? null : handled === 1, isOfTeam: isOfTeam === 1 }
      return [row.id, issue]
    }),
  )
}

interface ToldRow {
  readonly slug: string
  readonly assignee: string | null
  readonly function: string | null
  readonly filename: string | null
  readonly firstRelease: string | null
  readonly kinds: string
}

export function readToldAlert(db: Connection, id: IssueId, suspects: SuspectFinder): AlertIssue {
  const sql = `SELECT p.slug, iif(u.name = '', u.email, u.name) AS assignee, i.function, i.filename,
      i.first_release AS firstRelease, i.kinds
    FROM issues i JOIN projects p ON p.id = i.project_id LEFT JOIN users u ON u.id = i.assignee_id WHERE i.id = ?`
  const row = db.get<ToldRow>(sql, [id])
  const told = row === undefined ? null : readToldIssue(db, { issueId: id, slug: row.slug })
  assert(row !== undefined && told !== null, `no issue ${id}: it was looked at in this transaction`)
  const { requestKind: _, isMirror: __, number: ___, ...facts } = told
  const counted = mostFrequent(readCounts(row.kinds)).map(([kind]) => kind)
  const suspect = suspects.ofIssue(id).commit
  return {
    ...facts,
    function: row.function,
    place: row.filename,
    kinds: counted.flatMap((kind) => REQUEST_KINDS.find((known) => known === kind) ?? []),
    firstRelease: row.firstRelease,
    assignee: row.assignee,
    suspect: suspect === null ? null : suspectWords(suspect),
  }
}
