/** Digests: many lead to one group; one row a release. */
import { max } from '#base/limits.ts'
import type { DigestSighting } from '#process/batch.ts'
import type { GroupDelta } from './batch-groups.ts'
import type { Connection } from './connection.ts'

interface DigestDelta {
  newest: DigestSighting
  count: number
  mirrorCount: number
  verified: boolean | null
  firstMs: number
  lastMs: number
}

/** `isNew`: the group begins with this batch, so that it has no digest yet. */
export function writeDigests(
  db: Connection,
  {
    groupId,
    isNew,
    delta,
  }: { readonly groupId: number; readonly isNew: boolean; readonly delta: GroupDelta },
): void {
  const most = max('digestsPerGroupMax')
  const sums = digestDeltas(delta)
  let inserted = 0
  for (const sum of sums) {
    const params = digestParams(groupId, sum)
    if (!isNew && db.run(UPDATE, params).changes > 0) continue
    db.run(INSERT, params)
    inserted++
  }
  if (inserted === 0 || (isNew && inserted <= most)) return
  // digests_by_age
  const trim = `DELETE FROM digests WHERE id IN (
    SELECT id FROM digests WHERE group_id = ? ORDER BY last_seen_ms DESC, id DESC LIMIT -1 OFFSET ?)`
  db.run(trim, [groupId, most])
}

function digestDeltas({ events }: GroupDelta): readonly DigestDelta[] {
  const sums = new Map<string, DigestDelta>()
  for (const { digests } of events) {
    for (const sighting of digests) {
      const key = `${sighting.digest}:${sighting.release ?? ''}`
      const sum = sums.get(key)
      if (sum === undefined) sums.set(key, first(sighting))
      else add(sum, sighting)
    }
  }
  return [...sums.values()]
}

function first(sighting: DigestSighting): DigestDelta {
  const atMs = Math.floor(sighting.atMs)
  return {
    newest: sighting,
    count: 1,
    mirrorCount: sighting.isMirror ? 1 : 0,
    verified: sighting.verified,
    firstMs: atMs,
    lastMs: atMs,
  }
}

function add(sum: DigestDelta, sighting: DigestSighting): void {
  const atMs = Math.floor(sighting.atMs)
  if (atMs >= sum.lastMs) sum.newest = sighting
  sum.count++
  if (sighting.isMirror) sum.mirrorCount++
  if (sighting.verified !== null) sum.verified = sum.verified === true || sighting.verified
  sum.firstMs = Math.min(sum.firstMs, atMs)
  sum.lastMs = Math.max(sum.lastMs, atMs)
}

function digestParams(groupId: number, sum: DigestDelta) {
  const { newest } = sum
  return {
    group: groupId,
    digest: newest.digest,
    release: newest.release ?? '',
    environment: newest.environment,
    route: newest.route,
    kind: newest.requestKind,
    event: newest.eventId,
    trace: newest.traceId,
    count: sum.count,
    mirrors: sum.mirrorCount,
    verified: sum.verified === null ? null : sum.verified ? 1 : 0,
    first: sum.firstMs,
    last: sum.lastMs,
  }
}

/**
 * The unique index on (group_id, digest, release). The right-hand sides see the row as it was. What was verified once
 * stays so.
 */
const UPDATE = `UPDATE digests SET
    environment = iif(:last >= last_seen_ms, :environment, environment),
    route = iif(:last >= last_seen_ms, :route, route),
    request_kind = iif(:last >= last_seen_ms, :kind, request_kind),
    event_id = iif(:last >= last_seen_ms, :event, event_id),
    trace_id = iif(:last >= last_seen_ms, :trace, trace_id),
    count = count + :count, mirror_count = mirror_count + :mirrors,
    verified = coalesce(max(verified, :verified), verified, :verified),
    first_seen_ms = min(first_seen_ms, :first), last_seen_ms = max(last_seen_ms, :last)
  WHERE group_id = :group AND digest = :digest AND release = :release`

const INSERT = `INSERT INTO digests (group_id, digest, release, environment, route, request_kind, event_id, trace_id,
    count, mirror_count, verified, first_seen_ms, last_seen_ms)
  VALUES (:group, :digest, :release, :environment, :route, :kind, :event, :trace,
    :count, :mirrors, :verified, :first, :last)`
