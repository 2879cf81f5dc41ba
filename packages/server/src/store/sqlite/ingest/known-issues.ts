/** Issues as a commit remembers them, and how they are read. */
import type { IssueId, ProjectId } from '#base/ids.ts'
import type { HourCount, Sums } from '#issues/issue-sums.ts'
import { max } from '#limits/limits.ts'
import type { StoredFacts } from '#ports/ingest.ts'
import type { IssueState } from '#ports/issue-rows.ts'
import type { Connection } from '../connection.ts'
import type { Kept, Memory } from '../memory.ts'
import { readResolvedIn } from '../rows/resolved-in.ts'
import { readGroupSums, type SumsRow } from './group-rows.ts'

export interface IssueUsers {
  readonly userCount: number
  readonly usersExact: number
}

/** An issue as remembered. */
export interface KnownIssue extends IssueState, IssueUsers, FactsParams {
  readonly groupCount: number
  readonly sums: Sums
  readonly window: HourCount
  readonly factsMs: number
  readonly projectId: ProjectId
}

/** `StoredFacts` as reads tell them. */
export type FactsParams = Omit<StoredFacts, 'handled'> & { readonly handled: number | null }

interface IssueRow extends Omit<IssueState, 'resolvedIn'>, IssueUsers, FactsParams, SumsRow {
  readonly id: IssueId
  readonly resolvedIn: string | null
  readonly groupCount: number
  readonly windowHour: number
  readonly windowEvents: number
  readonly factsMs: number
  readonly projectId: ProjectId
}

export type KnownIssues = Kept<IssueId, KnownIssue>

export function rememberIssues(memory: Memory): KnownIssues {
  return memory.keep({ most: max('groupsRememberedMax') })
}

/** Reads those at once that are not remembered. */
export function loadIssues(db: Connection, issues: KnownIssues, ids: readonly IssueId[]): void {
  const missing = [...new Set(ids)].filter((id) => issues.get(id) === undefined)
  for (const [at, issue] of readKnownIssues(db, missing).entries()) {
    const id = missing[at]
    if (id !== undefined) issues.set(id, issue)
  }
}

/** Returns issues in the order of the ids. */
function readKnownIssues(db: Connection, ids: readonly IssueId[]): readonly KnownIssue[] {
  if (ids.length === 0) return []
  const sql = `SELECT id, project_id AS projectId, status, substatus, archived_events_left AS archivedEventsLeft,
      archived_users_at AS archivedUsersAt, archived_until_ms AS archivedUntilMs,
      resolved_in AS resolvedIn, status_changed_ms AS statusChangedMs, group_count AS groupCount, user_count AS userCount,
      users_exact AS usersExact, window_hour AS windowHour, window_events AS windowEvents,
      first_release AS firstRelease, first_release_ms AS firstReleaseMs, last_release AS lastRelease,
      last_release_ms AS lastReleaseMs, facts_ms AS factsMs, level, title, type, value, filename, function, culprit,
      platform, logger, handled, category, kinds, routes
    FROM issues WHERE id IN (SELECT value FROM json_each(?))`
  const rows = db.all<IssueRow>(sql, [JSON.stringify(ids)])
  const found = new Map(rows.map((row) => [row.id, knownIssue(row)]))
  return ids.map((id) => {
    const issue = found.get(id)
    if (issue === undefined) throw new Error(`no issue ${id}: a group names an issue that does not exist`)
    return issue
  })
}

/** Says each by itself: taking a row of 30 columns apart by what is left costs more than reading it. */
function knownIssue(row: IssueRow): KnownIssue {
  return {
    projectId: row.projectId,
    groupCount: row.groupCount,
    factsMs: row.factsMs,
    userCount: row.userCount,
    usersExact: row.usersExact,
    status: row.status,
    substatus: row.substatus,
    statusChangedMs: row.statusChangedMs,
    archivedEventsLeft: row.archivedEventsLeft,
    archivedUsersAt: row.archivedUsersAt,
    archivedUntilMs: row.archivedUntilMs,
    resolvedIn: readResolvedIn(row.resolvedIn),
    level: row.level,
    title: row.title,
    type: row.type,
    value: row.value,
    filename: row.filename,
    function: row.function,
    culprit: row.culprit,
    platform: row.platform,
    logger: row.logger,
    handled: row.handled,
    category: row.category,
    sums: readGroupSums(row),
    window: { hour: row.windowHour, events: row.windowEvents },
  }
}
