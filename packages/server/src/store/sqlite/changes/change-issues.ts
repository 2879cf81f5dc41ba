/**
 * Writes changes of issues and what follows from them, for people, the commit, alert rules and jobs. What is to follow was
 * decided before (`issues/follows`); within the caller's transaction.
 */
import { type IssueId, issueId } from '#base/ids.ts'
import { assigneeIds } from '#issues/issue-changes.ts'
import type { IssueChanged } from '#ports/issue-rows.ts'
import { UNARCHIVE_JOB } from '#ports/issues.ts'
import type { Connection } from '../connection.ts'
import { enterActivity } from '../inbox/inbox-rows.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import { queueTellings } from '../notices/tellings.ts'
import { noteIssues } from '../rows/activity.ts'
import { addPersonsCandidates, raiseAlertsVersion } from '../rows/alert-candidates.ts'
import { followersOf, followIssue } from '../rows/issue-marks.ts'
import { stateParams } from '../rows/issue-state.ts'
import { queueClosings } from '../rows/tracker-rows.ts'

export function changeIssues(db: Connection, changes: readonly IssueChanged[]): void {
  writeRows(db, changes)
  const activities = noteIssues(db, changes)
  for (const [at, change] of changes.entries()) {
    for (const { user, reason } of change.follows ?? []) followIssue(db, change.id, { user, reason })
    tellChange(db, change, activities[at] ?? null)
  }
  addPersonsCandidates(
    db,
    changes.flatMap(({ id, moment }) => (moment === undefined ? [] : [{ issueId: id, ...moment }])),
  )
  queueClosings(
    db,
    changes.flatMap(({ id, closesLinksAtMs: atMs }) => (atMs === undefined ? [] : [{ issueId: id, atMs }])),
  )
  const returns = changes.flatMap(({ returnsAtMs }) => returnsAtMs ?? [])
  if (returns.length > 0)
    scheduleJob(db, { kind: UNARCHIVE_JOB, key: '', dueMs: Math.min(...returns), ifThere: 'sooner' })
  if (changes.some(({ changesEscalation }) => changesEscalation === true)) raiseAlertsVersion(db)
}

const STATE = `UPDATE issues SET status = :status, substatus = :substatus,
    archived_events_left = :archivedEventsLeft, archived_users_at = :archivedUsersAt,
    archived_until_ms = :archivedUntilMs, resolved_in = :resolvedIn, status_changed_ms = :statusChangedMs
  WHERE id = :id`

function writeRows(db: Connection, changes: readonly IssueChanged[]): void {
  const each = <T>(pick: (change: IssueChanged) => T | undefined) =>
    changes.flatMap((change) => {
      const value = pick(change)
      return value === undefined ? [] : [{ id: change.id, value }]
    })
  db.runEach(
    STATE,
    each(({ state }) => state).map(({ id, value }) => ({ id, ...stateParams(value) })),
  )
  db.runEach(
    'UPDATE issues SET assignee_id = :userId, assignee_team_id = :teamId WHERE id = :id',
    each(({ assignee }) => assignee).map(({ id, value }) => ({ id, ...assigneeIds(value) })),
  )
  db.runEach(
    'UPDATE issues SET priority = :chosen, priority_set_ms = :setMs WHERE id = :id',
    each(({ priority }) => priority).map(({ id, value }) => ({ id, ...value })),
  )
}

function tellChange(db: Connection, { id, tells }: IssueChanged, noted: number | null): void {
  if (tells === undefined) return
  const activity = tells.to === 'mentioned' ? tells.activity : noted
  if (activity === null) return
  if (tells.to === 'people') {
    enterActivity(db, { activity, people: tells.people.map((userId) => ({ userId, isMention: false })) })
    return
  }
  const followers = tells.to === 'followers' ? followersOf(db, id) : []
  queueTellings(db, { activity, followers, mentions: tells.mentions }, tells.by)
}

/** Issues archived until a time that has come, and the next time to come. */
export function dueToReturn(
  db: Connection,
  nowMs: number,
): { readonly ids: readonly IssueId[]; readonly nextMs: number | null } {
  // issues_archived_until
  const due = db.all<{ id: number }>('SELECT id FROM issues WHERE archived_until_ms <= ?', [nowMs])
  const sql = 'SELECT min(archived_until_ms) AS nextMs FROM issues WHERE archived_until_ms > ?'
  const next = db.get<{ nextMs: number | null }>(sql, [nowMs])
  return { ids: due.map(({ id }) => issueId(id)), nextMs: next?.nextMs ?? null }
}
