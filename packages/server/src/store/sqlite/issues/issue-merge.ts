/** Merging: groups change hands, and numbers follow them. */

import type { IssueId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { readCounts, sumCounts, writeCounts } from '#issues/counts.ts'
import { earlier, later } from '#issues/release-seen.ts'
import { max } from '#limits/limits.ts'
import type { ReleaseSeen, StoredFacts } from '#ports/ingest.ts'
import type { Actor } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { seen } from '../ingest/group-store.ts'
import { releaseParams, usersOfIssue, writeIssueFacts, writeUserCount } from '../ingest/issue-store.ts'
import { writeActivity } from './activity.ts'
import type { ChosenIssue } from './issues-write.ts'

/**
 * Gives all groups of the chosen issues to `into`, which keeps its state, number and assignee. Comments go along;
 * links to the merged issues lead to it from now on.
 */
export function mergeIssues(
  db: Connection,
  { chosen, into }: { readonly chosen: readonly ChosenIssue[]; readonly into: IssueId },
  actor: Actor,
): Result<IssueId> {
  const target = chosen.find(({ id }) => id === into)
  if (target === undefined) return refuse('not_found', 'The issue to merge into does not exist.')
  const merged = chosen.filter(({ id }) => id !== into)
  if (merged.length === 0) return ok(into)
  if (merged.some(({ projectId }) => projectId !== target.projectId)) {
    return refuse('invalid_input', 'Only issues of one project can be merged.', {
      ids: ['All must belong to one project.'],
    })
  }
  const ids = JSON.stringify(chosen.map(({ id }) => id))
  const countSql = `SELECT count(*) AS count FROM groups WHERE issue_id IN (SELECT value FROM json_each(?))`
  const groups = db.get<{ count: number }>(countSql, [ids])?.count ?? 0
  if (groups > max('groupsPerIssueMax')) {
    return refuse(
      'conflict',
      `An issue owns at most ${max('groupsPerIssueMax')} groups; these have ${groups}.`,
    )
  }
  shareOut(db, ids)
  for (const issue of merged) absorb(db, { from: issue.id, into })
  recountIssue(db, into)
  writeActivity(db, into, {
    kind: 'merged',
    atMs: actor.atMs,
    actor,
    detail: { issues: merged.map(({ shortId }) => shortId).join(', '), count: merged.length },
  })
  return ok(into)
}

/** What the rows of the issues say of their only groups becomes those groups' own. */
function shareOut(db: Connection, ids: string): void {
  // groups_by_issue; JSON of StoredFacts in the order of its fields.
  const sql = `INSERT OR IGNORE INTO group_shares (group_id, first_release, first_release_ms, last_release,
      last_release_ms, kinds, routes, facts, facts_ms)
    SELECT g.id, i.first_release, i.first_release_ms, i.last_release, i.last_release_ms, i.kinds, i.routes,
      json_object('title', i.title, 'type', i.type, 'value', i.value, 'filename', i.filename, 'function', i.function,
        'culprit', i.culprit, 'level', i.level, 'platform', i.platform, 'logger', i.logger,
        'handled', json(CASE i.handled WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END)),
      i.facts_ms
    FROM groups g JOIN issues i ON i.id = g.issue_id
    WHERE g.issue_id IN (SELECT value FROM json_each(?)) AND i.group_count = 1`
  db.run(sql, [ids])
}

function absorb(db: Connection, { from, into }: { readonly from: IssueId; readonly into: IssueId }): void {
  const window = `UPDATE issues SET window_hour = max(issues.window_hour, f.window_hour),
      window_events = iif(issues.window_hour >= f.window_hour, issues.window_events, 0)
        + iif(f.window_hour >= issues.window_hour, f.window_events, 0)
    FROM issues f WHERE issues.id = ? AND f.id = ?`
  db.run(window, [into, from])
  db.run('UPDATE groups SET issue_id = ? WHERE issue_id = ?', [into, from])
  db.run(`UPDATE activities SET issue_id = ? WHERE issue_id = ? AND kind = 'commented'`, [into, from])
  db.run('UPDATE issue_redirects SET issue_id = ? WHERE issue_id = ?', [into, from])
  const redirect = `INSERT INTO issue_redirects (id, project_id, number, issue_id)
    SELECT id, project_id, number, ? FROM issues WHERE id = ?`
  db.run(redirect, [into, from])
  db.run('DELETE FROM issue_text WHERE rowid = ?', [from])
  db.run('DELETE FROM issues WHERE id = ?', [from])
}

interface GroupTotals {
  readonly firstRelease: string | null
  readonly firstReleaseMs: number | null
  readonly lastRelease: string | null
  readonly lastReleaseMs: number | null
  readonly facts: string
  readonly factsMs: number
  readonly kinds: string
  readonly routes: string
}

/** Takes every number of the issue from its groups anew, of which there are several. */
function recountIssue(db: Connection, id: IssueId): void {
  const sql = `SELECT s.first_release AS firstRelease,
      s.first_release_ms AS firstReleaseMs, s.last_release AS lastRelease, s.last_release_ms AS lastReleaseMs,
      s.facts, s.facts_ms AS factsMs, s.kinds, s.routes
    FROM groups g JOIN group_shares s ON s.group_id = g.id WHERE g.issue_id = ? ORDER BY s.facts_ms DESC, g.id`
  const groups = db.all<GroupTotals>(sql, [id])
  const [newest] = groups
  if (newest === undefined) throw new Error(`issue ${id} owns no group`)
  let first: ReleaseSeen | null = null
  let last: ReleaseSeen | null = null
  let kinds = new Map<string, number>()
  let routes = new Map<string, number>()
  for (const group of groups) {
    first = earlier(first, seen(group.firstRelease, group.firstReleaseMs))
    last = later(last, seen(group.lastRelease, group.lastReleaseMs))
    kinds = sumCounts(kinds, readCounts(group.kinds), max('routesPerGroupMax'))
    routes = sumCounts(routes, readCounts(group.routes), max('routesPerGroupMax'))
  }
  const sums = `UPDATE issues SET
      (event_count, mirror_count, payload_count, first_seen_ms, last_seen_ms, group_count) =
        (SELECT sum(event_count), sum(mirror_count), sum(payload_count), min(first_seen_ms), max(last_seen_ms), count(*)
          FROM groups WHERE issue_id = :id),
      comment_count = (SELECT count(*) FROM activities WHERE issue_id = :id AND kind = 'commented'),
      first_release = :firstRelease, first_release_ms = :firstReleaseMs, last_release = :lastRelease,
      last_release_ms = :lastReleaseMs, kinds = :kinds, routes = :routes
    WHERE id = :id`
  db.run(sums, { id, ...releaseParams(first, last), kinds: writeCounts(kinds), routes: writeCounts(routes) })
  writeIssueFacts(db, id, {
    facts: JSON.parse(newest.facts) as StoredFacts, // as shareOut and the group's batches wrote it
    atMs: newest.factsMs,
  })
  writeUserCount(db, id, usersOfIssue(db, id))
}
