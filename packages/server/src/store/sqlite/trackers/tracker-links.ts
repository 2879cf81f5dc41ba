/** Links of issues to those of trackers, and what trackers say of them. */
import type { IssueId, OrgId, ProjectId } from '#base/ids.ts'
import { ok, type Result, refuse } from '#base/result.ts'
import { whatFollowsSteps } from '#issues/follows/steps.ts'
import { resolve } from '#issues/issue-changes.ts'
import type { Actor, IssueChange } from '#ports/scope.ts'
import type {
  RemoteIssue,
  RemoteState,
  TrackerKind,
  TrackerLink,
  TrackersRead,
  TrackersWrite,
} from '#ports/trackers.ts'
import { afterNews, refuseLinks, TRACKER_REFUSALS } from '#trackers/rules/links.ts'
import { nameOfTracker } from '#trackers/rules/names.ts'
import { changeIssues } from '../changes/change-issues.ts'
import type { Connection } from '../connection.ts'
import { choose } from '../issues/chosen-issues.ts'
import { writeActivity } from '../rows/activity.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { trackerRow } from './trackers.ts'

interface LinkRow extends Omit<TrackerLink, 'tracker'> {
  readonly trackerId: number
  readonly kind: TrackerKind
  readonly name: string
}

export function trackerLinksRead(db: Connection): Pick<TrackersRead, 'trackerLinks'> {
  return {
    trackerLinks: async (scope, issue) => {
      // tracker_links' unique key begins with the issue
      const sql = `${READABLE} SELECT l.id, l.issue_id AS issueId, l.ref, l.url, l.title, l.state,
          l.checked_ms AS checkedMs, l.created_by AS createdBy, l.created_ms AS createdMs, t.id AS trackerId, t.kind,
          t.name
        FROM tracker_links l JOIN trackers t ON t.id = l.tracker_id JOIN issues i ON i.id = l.issue_id
        WHERE l.issue_id = :issue AND i.project_id IN (SELECT id FROM readable) ORDER BY l.id`
      return db
        .all<LinkRow>(sql, { ...readableParams(scope), issue })
        .map(({ trackerId, kind, name, ...link }) => ({ ...link, tracker: { id: trackerId, kind, name } }))
    },
  }
}

export function trackerLinksWrite(
  db: Connection,
): Pick<TrackersWrite, 'linkIssue' | 'unlinkIssue' | 'takeNews'> {
  return {
    linkIssue: async (change, asked, actor) => db.transaction(() => link(db, { change, ...asked }, actor)),
    unlinkIssue: async (change, id, actor) => db.transaction(() => unlink(db, { change, id }, actor)),
    takeNews: async (tracker, news, nowMs) => db.transaction(() => take(db, tracker, { news, nowMs })),
  }
}

interface Linking {
  readonly change: IssueChange
  readonly trackerId: number
  readonly remote: RemoteIssue
  readonly isNew: boolean
}

function link(
  db: Connection,
  { change, trackerId, remote, isNew }: Linking,
  actor: Actor,
): Result<{ readonly id: number }> {
  const [issue] = choose(db, change)
  if (issue === undefined) return TRACKER_REFUSALS.noIssue()
  const tracker = trackerRow(db, change.orgId, trackerId)
  if (tracker === null) return TRACKER_REFUSALS.noTracker()
  const links = db.all<{ trackerId: number; ref: string }>(
    'SELECT tracker_id AS trackerId, ref FROM tracker_links WHERE issue_id = ?',
    [issue.id],
  )
  if (links.some((one) => one.trackerId === trackerId && one.ref === remote.ref))
    return TRACKER_REFUSALS.linked()
  const refused = refuseLinks(links.length)
  if (refused !== null) return refused
  const sql = `INSERT INTO tracker_links (issue_id, tracker_id, ref, url, title, state, remote_ms, checked_ms, created_by,
      created_ms)
    VALUES (:issue, :tracker, :ref, :url, :title, :state, :remote, :now, :by, :now) RETURNING id`
  const { ref, url, title, state, changedMs } = remote
  const row = db.get<{ id: number }>(sql, {
    ...{ issue: issue.id, tracker: trackerId, ref, url, title, state, remote: changedMs },
    ...{ now: Math.floor(actor.atMs), by: actor.label },
  })
  if (row === undefined) return refuse('conflict', 'The link could not be kept.')
  const detail = { ref, url, tracker: tracker.name, kind: tracker.kind, isNew }
  writeActivity(db, issue.id, { kind: 'linked', atMs: actor.atMs, actor, detail })
  return ok(row)
}

/** Removes a link; what waits to be closed there is not closed any more: `claimTrackerWork` finds no link. */
function unlink(
  db: Connection,
  { change, id }: { readonly change: IssueChange; readonly id: number },
  actor: Actor,
): Result<null> {
  const [issue] = choose(db, change)
  if (issue === undefined) return TRACKER_REFUSALS.noIssue()
  type Row = { ref: string; url: string; name: string; kind: TrackerKind }
  const sql = `SELECT l.ref, l.url, t.name, t.kind FROM tracker_links l JOIN trackers t ON t.id = l.tracker_id
    WHERE l.id = ? AND l.issue_id = ?`
  const row = db.get<Row>(sql, [id, issue.id])
  if (row === undefined) return TRACKER_REFUSALS.noLink()
  db.run('DELETE FROM tracker_links WHERE id = ?', [id])
  const { ref, url, name: tracker, kind } = row
  writeActivity(db, issue.id, {
    kind: 'unlinked',
    atMs: actor.atMs,
    actor,
    detail: { ref, url, tracker, kind },
  })
  return ok(null)
}

interface Told {
  readonly news: RemoteIssue
  readonly nowMs: number
}

function take(db: Connection, tracker: number, { news, nowMs }: Told): readonly IssueId[] {
  db.run('UPDATE trackers SET heard_ms = ? WHERE id = ?', [nowMs, tracker])
  // tracker_links_by_ref
  const sql = 'SELECT id FROM tracker_links WHERE tracker_id = ? AND ref = ? ORDER BY id'
  const links = db.all<{ id: number }>(sql, [tracker, news.ref])
  return links.flatMap(({ id }) => noteRemote(db, id, { news, nowMs }))
}

interface StoredLink {
  readonly issueId: IssueId
  readonly ref: string
  readonly url: string
  readonly title: string
  readonly state: RemoteState
  readonly remoteMs: number | null
  readonly projectId: ProjectId
  readonly orgId: OrgId
  readonly kind: TrackerKind
  readonly resolvesHere: number
}

/**
 * Writes what a tracker says of a link, and what follows. The link is written first: what resolves the issue
 * then finds it closed, and closes nothing. Returns the issue that is resolved by it. Call it inside of a
 * transaction.
 */
export function noteRemote(
  db: Connection,
  id: number,
  { news, nowMs }: { readonly news: RemoteIssue | 'missing'; readonly nowMs: number },
): readonly IssueId[] {
  const sql = `SELECT l.issue_id AS issueId, l.ref, l.url, l.title, l.state, l.remote_ms AS remoteMs,
      i.project_id AS projectId, t.org_id AS orgId, t.kind, t.resolves_here AS resolvesHere
    FROM tracker_links l JOIN trackers t ON t.id = l.tracker_id JOIN issues i ON i.id = l.issue_id WHERE l.id = ?`
  const before = db.get<StoredLink>(sql, [id])
  const after = before === undefined ? null : afterNews(before, news)
  if (before === undefined || after === null) return []
  const { title, url, state, remoteMs } = after.link
  const write = `UPDATE tracker_links SET title = ?, url = ?, state = ?, remote_ms = ?, checked_ms = ? WHERE id = ?`
  db.run(write, [title, url, state, remoteMs, nowMs, id])
  if (!after.isClosed || before.resolvesHere === 0) return []
  const { orgId, projectId, issueId } = before
  const change = { orgId, projects: [projectId], ids: [issueId] }
  const chosen = choose(db, change)
  const step = (issue: Parameters<typeof resolve>[0]) =>
    issue.status === 'resolved' ? null : resolve(issue, { atMs: nowMs, resolvedIn: null })
  const actor = { ...NOBODY, label: nameOfTracker(before.kind, before.ref), atMs: nowMs }
  const changes = whatFollowsSteps(chosen, step, actor)
  changeIssues(db, changes)
  return changes.map(({ id: resolved }) => resolved)
}

const NOBODY = { userId: null, tokenId: null, address: null } as const
