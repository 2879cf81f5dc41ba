/** Digests: many lead to one group; one row a release. */
import { mayOverflow } from '#issues/digest-sums.ts'
import { max } from '#limits/limits.ts'
import type { DigestDelta, GroupDelta } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'

interface GroupDigests {
  readonly groupId: number
  /** The group begins with this batch, so that it has no digest yet. */
  readonly isNew: boolean
  readonly delta: GroupDelta
}

/** Lives as long as its connection; `discard` after a transaction that was undone. */
export class DigestStore {
  readonly #db: Connection
  readonly #fresh: BulkInsert
  #groups: GroupDigests[] = []

  constructor(db: Connection) {
    this.#db = db
    this.#fresh = new BulkInsert(db, INSERT)
  }

  add(group: GroupDigests): void {
    if (group.delta.digests.length > 0) this.#groups.push(group)
  }

  discard(): void {
    this.#groups = []
    this.#fresh.discard()
  }

  /** Writes what was added, when the rows of the groups are there. */
  finish(): void {
    const sums = this.#groups.flatMap(({ groupId, isNew, delta }) =>
      delta.digests.map((sum) => ({ groupId, isNew, params: digestParams(groupId, sum) })),
    )
    this.#groups = []
    const known = sums.filter(({ isNew }) => !isNew)
    const written = this.#db.runEach(
      UPDATE,
      known.map(({ params }) => params),
    )
    const updated = new Set(known.filter((_, at) => (written[at]?.changes ?? 0) > 0))
    const fresh = sums.filter((sum) => !updated.has(sum))
    for (const { params } of fresh) this.#insert(params)
    this.#fresh.flush()
    this.#trim(fresh)
  }

  #insert(params: ReturnType<typeof digestParams>): void {
    const { group, digest, release, environment, route, kind, event, trace, ...numbers } = params
    const { count, mirrors, verified, first, last } = numbers
    this.#fresh.add(group, digest, release, environment, route, kind, event, trace)
    this.#fresh.add(count, mirrors, verified, first, last)
  }

  /** Groups that may have more now than are kept. */
  #trim(inserted: readonly { readonly groupId: number; readonly isNew: boolean }[]): void {
    const counts = Map.groupBy(inserted, ({ groupId }) => groupId)
    const grown = [...counts].filter(([, of]) => mayOverflow(of.length, { isNew: of[0]?.isNew === true }))
    // digests_by_age
    const sql = `DELETE FROM digests WHERE id IN (
      SELECT id FROM digests WHERE group_id = ? ORDER BY last_seen_ms DESC, id DESC LIMIT -1 OFFSET ?)`
    this.#db.runEach(
      sql,
      grown.map(([groupId]) => [groupId, max('digestsPerGroupMax')]),
    )
  }
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
