/** Merging: groups change hands, and numbers follow them. */

import type { IssueId } from '#base/ids.ts'
import { mergedWindow, ownGroups } from '#issues/issue-merging.ts'
import { type HourCount, NO_SUMS, withSums } from '#issues/issue-sums.ts'
import type { StoredFacts } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import { moveEntries } from '../inbox/inbox-rows.ts'
import { type SumsRow, sumsOf } from '../ingest/group-store.ts'
import { ownSums, usersOfIssue, writeIssueFacts, writeUserCount } from '../ingest/issue-store.ts'
import { countOf } from '../rows/account-rows.ts'
import { moveMarks } from '../rows/issue-marks.ts'
import { forgetText } from '../rows/issue-texts.ts'
import { moveLinks } from '../rows/tracker-rows.ts'

/**
 * Gives all groups of issues to `into`, which keeps its state, number and assignee. Comments go along; links to
 * the merged issues lead to it from now on.
 */
export function takeIn(db: Connection, merged: readonly IssueId[], into: IssueId): void {
  const ids = JSON.stringify([...merged, into])
  shareOut(db, ids)
  mergeWindows(db, ids, into)
  for (const from of merged) absorb(db, { from, into })
  recountIssue(db, into)
}

/** Gives what the rows of issues say of their only groups to those groups. `ids`: JSON. */
export function shareOut(db: Connection, ids: string): void {
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
  db.run(sql, [ids])
}

function mergeWindows(db: Connection, ids: string, into: IssueId): void {
  const sql = `SELECT window_hour AS hour, window_events AS events FROM issues
    WHERE id IN (SELECT value FROM json_each(?))`
  const { hour, events } = db.all<HourCount>(sql, [ids]).reduce(mergedWindow)
  db.run('UPDATE issues SET window_hour = ?, window_events = ? WHERE id = ?', [hour, events, into])
}

function absorb(db: Connection, { from, into }: { readonly from: IssueId; readonly into: IssueId }): void {
  db.run('UPDATE groups SET issue_id = ? WHERE issue_id = ?', [into, from])
  db.run(
    `UPDATE activities SET issue_id = ? WHERE issue_id = ? AND kind IN ('commented', 'comment_deleted')`,
    [into, from],
  )
  moveMarks(db, { from, into })
  moveEntries(db, { from, into })
  moveLinks(db, { from, into })
  db.run('UPDATE issue_redirects SET issue_id = ? WHERE issue_id = ?', [into, from])
  // alert_messages_of_incidents: what pagers have open of it ends with the issue that it is now.
  db.run('UPDATE alert_messages SET issue_id = ? WHERE issue_id = ? AND channel_id IS NOT NULL', [into, from])
  const redirect = `INSERT INTO issue_redirects (id, project_id, number, issue_id)
    SELECT id, project_id, number, ? FROM issues WHERE id = ?`
  db.run(redirect, [into, from])
  forgetText(db, from)
  db.run('DELETE FROM issues WHERE id = ?', [from])
}

/** The issue that is left without a group goes, and its comments and links go along. */
export function moveGroup(
  db: Connection,
  groupId: number,
  { from, into }: { readonly from: IssueId; readonly into: IssueId },
): void {
  shareOut(db, JSON.stringify([from, into]))
  const owned = countOf(db, 'SELECT count(*) AS count FROM groups WHERE issue_id = ?', [from])
  db.run('UPDATE groups SET issue_id = ? WHERE id = ?', [into, groupId])
  if (owned > 1) recountIssue(db, from)
  else {
    mergeWindows(db, JSON.stringify([from, into]), into)
    absorb(db, { from, into })
  }
  recountIssue(db, into)
}

interface ShareRow extends SumsRow {
  readonly id: number
  readonly isFolded: number
  readonly facts: string
  readonly factsMs: number
}

/** Takes every number of the issue from its groups anew, of which there are several. */
export function recountIssue(db: Connection, id: IssueId): void {
  const sql = `SELECT g.id, g.folded_into IS NOT NULL AS isFolded, s.first_release AS firstRelease, s.first_release_ms AS firstReleaseMs,
      s.last_release AS lastRelease, s.last_release_ms AS lastReleaseMs, s.facts, s.facts_ms AS factsMs, s.kinds,
      s.routes
    FROM groups g JOIN group_shares s ON s.group_id = g.id WHERE g.issue_id = ?`
  const groups = ownGroups(
    db.all<ShareRow>(sql, [id]).map((row) => ({ ...row, isFolded: row.isFolded === 1 })),
  )
  const [newest] = groups
  if (newest === undefined) throw new Error(`issue ${id} owns no group`)
  const sums = `UPDATE issues SET
      (event_count, mirror_count, payload_count, first_seen_ms, last_seen_ms, group_count) =
        (SELECT sum(event_count), sum(mirror_count), sum(payload_count), min(first_seen_ms), max(last_seen_ms), count(*)
          FROM groups WHERE issue_id = :id),
      comment_count = (SELECT count(*) FROM activities WHERE issue_id = :id AND kind = 'commented'),
      first_release = :firstRelease, first_release_ms = :firstReleaseMs, own_last_release = :lastRelease,
      own_last_release_ms = :lastReleaseMs, kinds = :kinds, routes = :routes
    WHERE id = :id`
  db.run(sums, { id, ...ownSums(withSums(NO_SUMS, groups.map(sumsOf))) })
  writeIssueFacts(db, id, {
    facts: JSON.parse(newest.facts) as StoredFacts, // as shareOut and the group's batches wrote it
    atMs: newest.factsMs,
  })
  writeUserCount(db, id, usersOfIssue(db, id))
}
