/** Mirrors that wait in vain: the request that they are of has come, and nothing in it failed. Within the caller's transaction. */
import { max } from '#limits/limits.ts'
import type { RequestKind } from '#model/event.ts'
import { MIRRORS_JOB } from '#ports/mirrors.ts'
import type { SegmentSeen } from '#ports/requests.ts'
import type { Connection } from '../connection.ts'
import { scheduleJob } from '../jobs/jobs.ts'
import { traceIdKey } from '../rows/trace-key.ts'

export interface MirrorWaits {
  /** Groups that began to wait. */
  readonly begun: readonly number[]
  readonly segments: readonly SegmentSeen[]
}

/** Request kinds that render a page; its own API fails as another request. */
const RENDERS: readonly RequestKind[] = ['document', 'page-data']
const GRACE_MS = max('mirrorGraceMs')

/** Whether any of it may tell that a mirror waits in vain. */
export function mayEndWaits({ begun, segments }: MirrorWaits): boolean {
  return begun.length > 0 || segments.some(isOfPage)
}

function isOfPage({ kind }: SegmentSeen): boolean {
  return RENDERS.includes(kind)
}

/**
 * Shortens the wait of mirrors whose server answered well. Not where the mirror has a digest: a server that made one
 * knows of its failure, and tells of it later.
 */
export function endWaits(db: Connection, { begun, segments }: MirrorWaits, nowMs: number): void {
  const traces = segments.filter(isOfPage).map(({ traceId }) => traceIdKey(traceId))
  // mirrors_due
  if (db.get('SELECT 1 FROM mirrors WHERE due_ms IS NOT NULL LIMIT 1') === undefined) return
  const dueMs = Math.floor(nowMs) + GRACE_MS
  const params = { due: dueMs, begun: JSON.stringify(begun), traces: JSON.stringify(traces.map(String)) }
  const ids = db.all<{ id: number }>(IN_VAIN, params).map(({ id }) => id)
  if (ids.length === 0) return
  db.run('UPDATE mirrors SET due_ms = ? WHERE group_id IN (SELECT value FROM json_each(?))', [
    dueMs,
    JSON.stringify(ids),
  ])
  scheduleJob(db, { kind: MIRRORS_JOB, key: '', dueMs, ifThere: 'sooner' })
}

/** Segments of servers in a mirror's trace and organisation, by the primary key of `counted_spans`. */
const OF_TRACE = `FROM mirror_sightings s JOIN groups g ON g.id = s.group_id JOIN projects p ON p.id = g.project_id
    JOIN projects o ON o.org_id = p.org_id
    JOIN counted_spans c ON c.project_id = o.id AND c.trace = s.trace
    JOIN request_series r ON r.id = c.series_id
  WHERE s.group_id = m.group_id AND r.kind <> 'browser'`
const RENDERED = `r.kind IN (${RENDERS.map((kind) => `'${kind}'`).join(', ')})`

// mirror_sightings_by_trace
const IN_VAIN = `SELECT m.group_id AS id FROM mirrors m
  WHERE m.group_id IN (
      SELECT value FROM json_each(:begun)
      UNION SELECT group_id FROM mirror_sightings
        WHERE trace IN (SELECT CAST(value AS INTEGER) FROM json_each(:traces)))
    AND m.due_ms > :due
    AND NOT EXISTS (SELECT 1 FROM digests d WHERE d.group_id = m.group_id)
    AND EXISTS (SELECT 1 ${OF_TRACE} AND ${RENDERED} AND c.ended = 'answered')
    AND NOT EXISTS (SELECT 1 ${OF_TRACE} AND (c.is_behind = 1 OR c.ended IN ('failed', 'failed-behind-200')))`
