/** The stage of digests: many lead to one group; one row a release. */
import { mayOverflow } from '#issues/digest-sums.ts'
import { max } from '#limits/limits.ts'
import type { DigestDelta } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import type { WritingStage } from '../stage.ts'
import type { GroupsStory } from './groups-of-batch.ts'

interface DigestSum {
  readonly groupId: number
  /** The group begins with this batch, so that it has no digest yet. */
  readonly isNew: boolean
  readonly params: ReturnType<typeof digestParams>
}

export const DIGEST_STAGE: WritingStage<readonly DigestSum[], Pick<GroupsStory, 'countedGroups'>> = {
  name: 'digests',
  pick({ countedGroups }) {
    const sums = countedGroups.flatMap(({ groupId, isNew, delta }) =>
      delta.digests.map((sum) => ({ groupId, isNew, params: digestParams(groupId, sum) })),
    )
    return sums.length === 0 ? null : sums
  },
  save(db, sums) {
    const known = sums.filter(({ isNew }) => !isNew)
    const written = db.runEach(
      UPDATE,
      known.map(({ params }) => params),
    )
    const updated = new Set(known.filter((_, at) => (written[at]?.changes ?? 0) > 0))
    const fresh = sums.filter((sum) => !updated.has(sum))
    insertDigests(db, fresh)
    trimDigests(db, fresh)
  },
}

function insertDigests(db: Connection, fresh: readonly DigestSum[]): void {
  const rows = new BulkInsert(db, INSERT)
  for (const { params } of fresh) {
    const { group, digest, release, environment, route, kind, event, trace, ...numbers } = params
    const { count, mirrors, verified, first, last } = numbers
    rows.add(group, digest, release, environment, route, kind, event, trace)
    rows.add(count, mirrors, verified, first, last)
  }
  rows.flush()
}

/** Trims groups that may have more now than are kept. */
function trimDigests(db: Connection, inserted: readonly DigestSum[]): void {
  const counts = Map.groupBy(inserted, ({ groupId }) => groupId)
  const grown = [...counts].filter(([, of]) => mayOverflow(of.length, { isNew: of[0]?.isNew === true }))
  // digests_by_age
  const sql = `DELETE FROM digests WHERE id IN (
    SELECT id FROM digests WHERE group_id = ? ORDER BY last_seen_ms DESC, id DESC LIMIT -1 OFFSET ?)`
  db.runEach(
    sql,
    grown.map(([groupId]) => [groupId, max('digestsPerGroupMax')]),
  )
}

function digestParams(groupId: number, sum: DigestDelta) {
  return {
    group: groupId,
    digest: sum.digest,
    release: sum.release ?? '',
    environment: sum.environment,
    route: sum.route,
    kind: sum.requestKind,
    event: sum.eventId,
    trace: sum.traceId,
    count: sum.count,
    mirrors: sum.mirrorCount,
    verified: sum.verified === null ? null : sum.verified ? 1 : 0,
    first: sum.firstMs,
    last: sum.lastMs,
    shown: sum.hasPayload ? 1 : 0,
  }
}

/**
 * `digestAfter` in one statement, for the hot path. The unique index on (group_id, digest, release). The right-hand
 * sides see the row as it was.
 */
const UPDATE = `UPDATE digests SET
    environment = iif(:shown AND :last >= last_seen_ms, :environment, environment),
    route = iif(:shown AND :last >= last_seen_ms, :route, route),
    request_kind = iif(:shown AND :last >= last_seen_ms, :kind, request_kind),
    event_id = iif(:shown AND :last >= last_seen_ms, :event, event_id),
    trace_id = iif(:shown AND :last >= last_seen_ms, :trace, trace_id),
    count = count + :count, mirror_count = mirror_count + :mirrors,
    verified = coalesce(max(verified, :verified), verified, :verified),
    first_seen_ms = min(first_seen_ms, :first), last_seen_ms = max(last_seen_ms, :last)
  WHERE group_id = :group AND digest = :digest AND release = :release`

const INSERT = {
  insert: `INSERT INTO digests (group_id, digest, release, environment, route, request_kind, event_id, trace_id,
    count, mirror_count, verified, first_seen_ms, last_seen_ms)`,
  columns: 13,
}
