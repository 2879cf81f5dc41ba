/** Reads of issues, the groups they own, digests and facets. */
import type { Clock } from '#base/clock.ts'
import { assert } from '#base/errors.ts'
import { type EventId, type GroupHash, type IssueId, issueId, type ProjectId } from '#base/ids.ts'
import { newSince, readIssueRef } from '#issues/issue-names.ts'
import { trendRange } from '#issues/trend-range.ts'
import { max } from '#limits/limits.ts'
import { fileNameOf, type KindName } from '#model/file-name.ts'
import type { Activity, ActivityKind, GroupView, Issue, IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { PAYLOAD_COLUMNS, payloadSeen } from '../ingest/group-rows.ts'
import { readDetail } from '../rows/activity.ts'
import { READABLE, readableParams } from '../rows/readable.ts'
import { CountsInRange } from './counts-in-range.ts'
import { digestsRead } from './digests-read.ts'
import { facetsRead } from './facets-read.ts'
import { groupingRead } from './grouping-read.ts'
import {
  countByProject,
  countByStatus,
  countForReview,
  groupsFound,
  issueBeside,
  issueTotals,
  listIssues,
} from './issue-list.ts'
import { issuePeopleRead } from './issue-people.ts'
import { ISSUE_COLUMNS, ISSUE_TABLES, type IssueRow, readIssueRow } from './issue-rows.ts'
import { issueSharesRead } from './issue-shares.ts'
import { isIssueReadable, mirrorsRead } from './mirrors-read.ts'
import { issueTrends } from './trend.ts'

export function issuesRead(db: Connection, clock: Clock): IssuesRead {
  const since = () => newSince(clock.now())
  const counts = new CountsInRange(db)
  return {
    list: async (scope, filter, page) =>
      db.snapshot(() => listIssues({ db, counts }, scope, { ...page, filter, newSinceMs: since() })),
    totals: async (scope, filters) =>
      db.snapshot(() => issueTotals(db, scope, { filters, newSinceMs: since() })),
    beside: async (scope, filter, place) =>
      db.snapshot(() =>
        isIssueReadable(db, scope, place.id)
          ? issueBeside({ db, counts }, scope, { ...place, filter, newSinceMs: since() })
          : null,
      ),
    groupsFound: async (scope, filter, limit) =>
      db.snapshot(() => groupsFound(db, scope, { filter, limit, newSinceMs: since() })),
    countByStatus: async (scope, filter) =>
      db.snapshot(() => countByStatus(db, scope, { filter, newSinceMs: since() })),
    countForReview: async (scope, bounds) => countForReview(db, scope, { ...bounds, newSinceMs: since() }),
    countByProject: async (scope) => countByProject(db, scope, since()),
    issue: async (scope, ref) =>
      db.snapshot(() => {
        const id = idOfRef(db, scope, ref)
        return id === null ? null : issueById(db, scope, { id, newSinceMs: since() })
      }),
    issuesByRefs: async (scope, refs) => {
      assert(refs.length <= max('issuesPerChangeMax'), 'as many refs as one change may name')
      return db.snapshot(() => issuesByRefs(db, scope, { refs, newSinceMs: since() }))
    },
    groups: async (scope, id) => db.snapshot(() => groups(db, scope, id)),
    issueOfGroup: async (scope, project, hash) =>
      db.snapshot(() => {
        const id = idOfGroup(db, scope, { project, hash })
        return id === null ? null : issueById(db, scope, { id, newSinceMs: since() })
      }),
    trend: async (scope, id, range) =>
      db.snapshot(() => {
        const buckets = trendRange(range)
        const none = { startMs: buckets.startMs, stepMs: buckets.stepMs, counts: [] }
        return isIssueReadable(db, scope, id) ? (issueTrends(db, [id], buckets).get(id) ?? none) : none
      }),
    activity: async (scope, id, limit, kind) => activity(db, scope, { id, limit, kind: kind ?? null }),
    ...issuePeopleRead(db),
    ...digestsRead(db),
    ...mirrorsRead(db),
    ...groupingRead(db),
    ...facetsRead(db),
    ...issueSharesRead(db),
  }
}

function issueById(
  db: Connection,
  scope: ReadScope,
  { id, newSinceMs }: { readonly id: IssueId; readonly newSinceMs: number },
): Issue | null {
  const sql = `${READABLE} SELECT ${ISSUE_COLUMNS} FROM ${ISSUE_TABLES}
    WHERE i.id = :id AND i.project_id IN (SELECT id FROM readable)`
  const row = db.get<IssueRow>(sql, { ...readableParams(scope), id, newSince: newSinceMs })
  return row === undefined ? null : readIssueRow(row)
}

function issuesByRefs(
  db: Connection,
  scope: ReadScope,
  { refs, newSinceMs }: { readonly refs: readonly string[]; readonly newSinceMs: number },
): readonly Issue[] {
  const ids = new Set(refs.map((ref) => idOfRef(db, scope, ref)).filter((id) => id !== null))
  const sql = `${READABLE} SELECT ${ISSUE_COLUMNS} FROM ${ISSUE_TABLES}
    WHERE i.id IN (SELECT value FROM json_each(:ids)) AND i.project_id IN (SELECT id FROM readable)`
  const params = { ...readableParams(scope), ids: JSON.stringify([...ids]), newSince: newSinceMs }
  const found = new Map(db.all<IssueRow>(sql, params).map((row) => [row.id, readIssueRow(row)]))
  return [...ids].map((id) => found.get(id)).filter((issue) => issue !== undefined)
}

/** By id or short id; what was merged leads to what it was merged into. */
function idOfRef(db: Connection, scope: ReadScope, ref: string): IssueId | null {
  const named = readIssueRef(ref)
  if (named === null) return null
  if ('id' in named) {
    const sql = 'SELECT issue_id AS id FROM issue_redirects WHERE id = ?'
    return db.get<{ id: IssueId }>(sql, [named.id])?.id ?? issueId(named.id)
  }
  const sql = `${READABLE} SELECT coalesce(
      (SELECT i.id FROM issues i WHERE i.project_id = p.id AND i.number = :number),
      (SELECT r.issue_id FROM issue_redirects r WHERE r.project_id = p.id AND r.number = :number)) AS id
    FROM projects p WHERE p.id IN (SELECT id FROM readable) AND (lower(p.slug) = :slug
      OR EXISTS (SELECT 1 FROM former_slugs f WHERE f.project_id = p.id AND lower(f.slug) = :slug))
    ORDER BY lower(p.slug) = :slug DESC LIMIT 1`
  const params = { ...readableParams(scope), ...named }
  return db.get<{ id: IssueId | null }>(sql, params)?.id ?? null
}

function idOfGroup(
  db: Connection,
  scope: ReadScope,
  { project, hash }: { readonly project: ProjectId; readonly hash: GroupHash },
): IssueId | null {
  // The unique index on (project_id, hash).
  const sql = `${READABLE} SELECT issue_id AS id FROM groups
    WHERE project_id IN (SELECT id FROM readable) AND hash = :hash`
  const params = { ...readableParams(scope, [project]), hash: Buffer.from(hash, 'hex') }
  return db.get<{ id: IssueId }>(sql, params)?.id ?? null
}

/** Most frequent first. */
function groups(db: Connection, scope: ReadScope, id: IssueId): readonly GroupView[] {
  if (!isIssueReadable(db, scope, id)) return []
  // groups_by_issue
  const sql = `${READABLE} SELECT g.id, g.kind, lower(hex(g.hash)) AS hash, g.project_id AS projectId,
      g.folded_into IS NOT NULL AS isFolded, g.event_count AS eventCount,
      g.payload_count AS payloadCount, g.first_seen_ms AS firstSeenMs, g.last_seen_ms AS lastSeenMs,
      ${PAYLOAD_COLUMNS}
    FROM groups g WHERE g.issue_id = :id AND g.project_id IN (SELECT id FROM readable)
    ORDER BY g.event_count DESC, g.id`
  const files = `SELECT day, retention_days AS retentionDays, events, first_ms AS firstMs, last_ms AS lastMs
    FROM group_files WHERE group_id = ? ORDER BY day, retention_days`
  interface Row extends Omit<GroupView, 'files' | 'newestPayload' | 'isFolded'> {
    readonly isFolded: number
    readonly id: number
    readonly kind: KindName
    readonly payloadEventId: EventId | null
    readonly payloadMs: number | null
  }
  return db
    .all<Row>(sql, { ...readableParams(scope), id })
    .map(({ id: group, kind, isFolded, payloadEventId, payloadMs, ...row }) => ({
      ...row,
      isFolded: isFolded === 1,
      newestPayload: payloadSeen(payloadEventId, payloadMs),
      files: db.all<FileRow>(files, [group]).flatMap((file) => namedFile(kind, file)),
    }))
}

interface FileRow {
  readonly day: number
  readonly retentionDays: number
  readonly events: number | null
  readonly firstMs: number | null
  readonly lastMs: number | null
}

function namedFile(
  kind: KindName,
  { day, retentionDays, events, firstMs, lastMs }: FileRow,
): GroupView['files'] {
  const file = fileNameOf({ kind, day, retentionDays })
  if (file === null) return []
  const isCounted = events !== null && firstMs !== null && lastMs !== null
  return [{ ...file, holds: isCounted ? { events, firstMs, lastMs } : null }]
}

/** Newest first. */
function activity(
  db: Connection,
  scope: ReadScope,
  asked: { readonly id: IssueId; readonly limit: number; readonly kind: ActivityKind | null },
): readonly Activity[] {
  // activities_by_issue. Events may come late: what was seen first is known of the issue, not of what made it.
  const sql = `${READABLE} SELECT a.id, a.kind,
      CASE a.kind WHEN 'first_seen' THEN i.first_seen_ms ELSE a.at_ms END AS atMs, a.user_id AS userId, a.actor, a.detail,
      a.edited_ms AS editedMs
    FROM activities a JOIN issues i ON i.id = a.issue_id
    WHERE a.issue_id = :id AND i.project_id IN (SELECT id FROM readable) AND (:kind IS NULL OR a.kind = :kind)
    ORDER BY a.id DESC LIMIT :limit`
  type Row = Omit<Activity, 'detail'> & { readonly detail: string }
  return db
    .all<Row>(sql, { ...readableParams(scope), ...asked })
    .map((row) => ({ ...row, detail: readDetail(row.detail) }))
}
