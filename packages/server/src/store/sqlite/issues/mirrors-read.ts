/** Reads an issue's mirrors, and for a mirror the missing half. */
import type { IssueId } from '#base/ids.ts'
import { missingHalf } from '#issues/mirror-folding.ts'
import { max } from '#limits/limits.ts'
import type { FoldedHalf, FoldedHalves, LoneMirror, MirrorsRead } from '#ports/mirrors.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function mirrorsRead(db: Connection): MirrorsRead {
  return {
    mirrorsOf: async (scope, id) =>
      db.snapshot(() => ({ folded: foldedHalves(db, scope, id), lone: loneMirror(db, scope, id) })),
  }
}

const FOLDED = `FROM groups g WHERE g.issue_id = :id AND g.folded_into IS NOT NULL`

function foldedHalves(db: Connection, scope: ReadScope, id: IssueId): FoldedHalves | null {
  if (!isIssueReadable(db, scope, id)) return null
  const params = { ...readableParams(scope), id }
  // groups_by_issue
  const sums = `${READABLE} SELECT
      coalesce(sum(g.event_count) FILTER (WHERE g.project_id IN (SELECT id FROM readable)), 0) AS events,
      count(*) FILTER (WHERE g.project_id IN (SELECT id FROM readable)) AS total,
      coalesce(sum(g.event_count) FILTER (WHERE g.project_id NOT IN (SELECT id FROM readable)), 0) AS eventsElsewhere
    ${FOLDED}`
  const halves = `${READABLE} SELECT g.project_id AS projectId, p.slug AS projectSlug, lower(hex(g.hash)) AS hash,
      s.facts ->> 'title' AS title, g.event_count AS eventCount, g.first_seen_ms AS firstSeenMs,
      g.last_seen_ms AS lastSeenMs, m.matched AS match, m.confidence, m.distance_ms AS distanceMs
    FROM groups g JOIN projects p ON p.id = g.project_id JOIN mirrors m ON m.group_id = g.id
      JOIN group_shares s ON s.group_id = g.id
    WHERE g.issue_id = :id AND g.folded_into IS NOT NULL AND g.project_id IN (SELECT id FROM readable)
    ORDER BY g.event_count DESC, g.id LIMIT :limit`
  const sum = db.get<Omit<FoldedHalves, 'halves'>>(sums, params)
  const limit = max('mirrorHalvesShown')
  return {
    ...{ events: 0, total: 0, eventsElsewhere: 0, ...sum },
    halves: db.all<FoldedHalf>(halves, { ...params, limit }),
  }
}

/** True if the scope may read the issue. */
export function isIssueReadable(db: Connection, scope: ReadScope, id: IssueId): boolean {
  const sql = `${READABLE} SELECT 1 FROM issues WHERE id = :id AND project_id IN (SELECT id FROM readable)`
  return db.get(sql, { ...readableParams(scope), id }) !== undefined
}

interface LoneRow {
  readonly dueMs: number | null
  readonly keptApartMs: number | null
  readonly keptApartBy: string | null
  readonly isFull: number
  readonly hasDigest: number
  readonly hasTrace: number
  readonly value: string
}

function loneMirror(db: Connection, scope: ReadScope, id: IssueId): LoneMirror | null {
  const sql = `${READABLE} SELECT m.due_ms AS dueMs, m.kept_apart_ms AS keptApartMs, m.kept_apart_by AS keptApartBy,
      m.is_full AS isFull, EXISTS (SELECT 1 FROM digests d WHERE d.group_id = g.id) AS hasDigest,
      EXISTS (SELECT 1 FROM mirror_sightings s WHERE s.group_id = g.id AND s.trace IS NOT NULL) AS hasTrace,
      i.value
    FROM groups g JOIN mirrors m ON m.group_id = g.id JOIN issues i ON i.id = g.issue_id
    WHERE g.issue_id = :id AND g.folded_into IS NULL AND i.event_count = i.mirror_count
      AND i.project_id IN (SELECT id FROM readable) ORDER BY g.id LIMIT 1`
  const row = db.get<LoneRow>(sql, { ...readableParams(scope), id })
  if (row === undefined) return null
  const { dueMs: waitsUntilMs, keptApartMs, keptApartBy } = row
  return {
    waitsUntilMs,
    missing: missingHalf({
      isKeptApart: keptApartMs !== null,
      isFull: row.isFull === 1,
      hasDigest: row.hasDigest === 1,
      hasTrace: row.hasTrace === 1,
      value: row.value,
      isSilent: isSilent(db, scope),
    }),
    keptApart: keptApartMs === null ? null : { atMs: keptApartMs, actor: keptApartBy ?? '' },
  }
}

function isSilent(db: Connection, { orgId }: ReadScope): boolean {
  // server_failures_by_place
  const sql = `SELECT 1 FROM projects p WHERE p.org_id = ?
    AND EXISTS (SELECT 1 FROM server_failures f WHERE f.project_id = p.id) LIMIT 1`
  return db.get(sql, [orgId]) === undefined
}
