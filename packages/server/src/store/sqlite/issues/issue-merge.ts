/** Merging: groups change hands, and numbers follow them. */

import type { IssueId } from '#base/ids.ts'
import { mergedWindow, ownGroups } from '#issues/issue-merging.ts'
import { type HourCount, NO_SUMS, withSums } from '#issues/issue-sums.ts'
import type { StoredFacts } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import { moveEntries } from '../inbox/inbox-rows.ts'
import { readGroupSums, type SumsRow } from '../ingest/group-rows.ts'
import { ownSums, usersOfIssues, writeFactsOfIssues, writeUserCounts } from '../ingest/issue-facts.ts'
import { moveCandidates } from '../rows/alert-candidates.ts'
import { moveMarks } from '../rows/issue-marks.ts'
import { type IssueMove, moveRows } from '../rows/issue-move.ts'
import { forgetIssueTexts } from '../rows/issue-texts.ts'
import { moveLinks } from '../rows/tracker-rows.ts'

/**
 * Gives all groups of issues to `into`, which keeps its state, number and assignee. Comments go along; links to
 * the merged issues lead to it from now on.
 */
export function takeInIssues(db: Connection, merged: readonly IssueId[], into: IssueId): void {
  const moves = merged.map((from) => ({ from, into }))
  shareOut(db, [...merged, into])
  moveCandidates(db, moves)
  absorb(db, moves)
  recountIssue(db, into)
}

/** Gives what the rows of issues say of their only groups to those groups. */
export function shareOut(db: Connection, ids: readonly IssueId[]): void {
  // groups_by_issue; JSON of StoredFacts in the order of its fields.
  const sql = `INSERT OR IGNORE INTO group_shares (group_id, first_release, first_release_ms, last_release,
      last_release_ms, kinds, routes, facts, facts_ms)
    SELECT g.id, i.first_release, i.first_release_ms, i.last_release, i.last_release_ms, i.kinds, i.routes,
      json_object('title', i.title, 'type', i.type, 'value', i.value, 'filename', i.filename, 'function', i.function,
        'culprit', i.culprit, 'level', i.level, 'platform', i.platform, 'logger', i.logger,
        'handled', json(CASE i.handled WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END),
        'category', i.category),
      i.facts_ms
    FROM groups g JOIN issues i ON i.id = g.issue_id
    WHERE g.issue_id IN (SELECT value FROM json_each(?)) AND i.group_count = 1`
  db.run(sql, [JSON.stringify(ids)])
}

function mergeWindows(db: Connection, moves: readonly IssueMove[]): void {
  const sql = `SELECT id, window_hour AS hour, window_events AS events FROM issues
    WHERE id IN (SELECT value FROM json_each(?))`
  const ids = JSON.stringify([...new Set(moves.flatMap(({ from, into }) => [from, into]))])
  const rows = db.all<HourCount & { readonly id: IssueId }>(sql, [ids])
  const windows = new Map(rows.map(({ id, hour, events }): [IssueId, HourCount] => [id, { hour, events }]))
  for (const { from, into } of moves) {
    const [gone, kept] = [windows.get(from), windows.get(into)]
    if (gone !== undefined && kept !== undefined) windows.set(into, mergedWindow(gone, kept))
  }
  const changed = [...new Set(moves.map(({ into }) => into))].map((id) => ({ id, ...windows.get(id) }))
  db.runEach(
    'UPDATE issues SET window_hour = ?, window_events = ? WHERE id = ?',
    changed.map(({ id, hour = 0, events = 0 }) => [hour, events, id]),
  )
}

function absorb(db: Connection, moves: readonly IssueMove[]): void {
  if (moves.length === 0) return
  mergeWindows(db, moves)
  moveRows(db, 'UPDATE groups SET issue_id = ? WHERE issue_id = ?', moves)
  const comments = `UPDATE activities SET issue_id = ? WHERE issue_id = ? AND kind IN ('commented', 'comment_deleted')`
  moveRows(db, comments, moves)
  moveMarks(db, moves)
  moveEntries(db, moves)
  moveLinks(db, moves)
  moveRows(db, 'UPDATE issue_redirects SET issue_id = ? WHERE issue_id = ?', moves)
  // alert_messages_of_incidents: what pagers have open of it ends with the issue that it is now.
  moveRows(db, 'UPDATE alert_messages SET issue_id = ? WHERE issue_id = ? AND channel_id IS NOT NULL', moves)
  const redirect = `INSERT INTO issue_redirects (id, project_id, number, issue_id)
    SELECT id, project_id, number, ? FROM issues WHERE id = ?`
  moveRows(db, redirect, moves)
  const gone = moves.map(({ from }) => from)
  forgetIssueTexts(db, gone)
  db.runEach(
    'DELETE FROM issues WHERE id = ?',
    gone.map((id) => [id]),
  )
}

export interface GroupMove extends IssueMove {
  readonly groupId: number
}

/** Moves groups, in their order. An issue that is left without one goes, and its comments and links go along. */
export function moveGroups(db: Connection, moves: readonly GroupMove[]): void {
  if (moves.length === 0) return
  const ids = [...new Set(moves.flatMap(({ from, into }) => [from, into]))]
  shareOut(db, ids)
  const owned = groupsOwned(db, ids)
  const counted = (id: IssueId, more: number) => owned.set(id, (owned.get(id) ?? 0) + more).get(id) ?? 0
  const left = moves.filter(({ from, into }) => {
    counted(into, 1)
    return counted(from, -1) === 0
  })
  db.runEach(
    'UPDATE groups SET issue_id = ? WHERE id = ?',
    moves.map(({ groupId, into }) => [into, groupId]),
  )
  absorb(db, left)
  recountIssues(
    db,
    ids.filter((id) => (owned.get(id) ?? 0) > 0),
  )
}

/** Counts the groups of issues. */
export function groupsOwned(db: Connection, ids: readonly IssueId[]): Map<IssueId, number> {
  // groups_by_issue
  const sql = 'SELECT count(*) AS count FROM groups WHERE issue_id = ?'
  const rows = db.getEach<{ readonly count: number }>(
    sql,
    ids.map((id) => [id]),
  )
  return new Map(ids.map((id, at) => [id, rows[at]?.count ?? 0]))
}

interface ShareRow extends SumsRow {
  readonly id: number
  readonly isFolded: number
  readonly facts: string
  readonly factsMs: number
}

/** Takes every number of the issue from its groups anew, of which there are several. */
export function recountIssue(db: Connection, id: IssueId): void {
  recountIssues(db, [id])
}

/** Recounts issues by sets, as `recountIssue` does. */
function recountIssues(db: Connection, ids: readonly IssueId[]): void {
  const sql = `SELECT g.id, g.folded_into IS NOT NULL AS isFolded, s.first_release AS firstRelease, s.first_release_ms AS firstReleaseMs,
      s.last_release AS lastRelease, s.last_release_ms AS lastReleaseMs, s.facts, s.facts_ms AS factsMs, s.kinds,
      s.routes
    FROM groups g JOIN group_shares s ON s.group_id = g.id WHERE g.issue_id = ?`
  const rows = db.allEach<ShareRow>(
    sql,
    ids.map((id) => [id]),
  )
  const counted = ids.map((id, at) => {
    const groups = ownGroups((rows[at] ?? []).map((row) => ({ ...row, isFolded: row.isFolded === 1 })))
    const [newest] = groups
    if (newest === undefined) throw new Error(`issue ${id} owns no group`)
    return { id, groups, newest }
  })
  const sums = `UPDATE issues SET
      (event_count, mirror_count, payload_count, first_seen_ms, last_seen_ms, group_count) =
        (SELECT sum(event_count), sum(mirror_count), sum(payload_count), min(first_seen_ms), max(last_seen_ms), count(*)
          FROM groups WHERE issue_id = :id),
      comment_count = (SELECT count(*) FROM activities WHERE issue_id = :id AND kind = 'commented'),
      first_release = :firstRelease, first_release_ms = :firstReleaseMs, own_last_release = :lastRelease,
      own_last_release_ms = :lastReleaseMs, kinds = :kinds, routes = :routes
    WHERE id = :id`
  db.runEach(
    sums,
    counted.map(({ id, groups }) => ({ id, ...ownSums(withSums(NO_SUMS, groups.map(readGroupSums))) })),
  )
  writeFactsOfIssues(
    db,
    counted.map(({ id, newest }) => ({
      id,
      facts: JSON.parse(newest.facts) as StoredFacts, // as shareOut and the group's batches wrote it
      atMs: newest.factsMs,
    })),
  )
  writeUserCounts(db, usersOfIssues(db, ids))
}
