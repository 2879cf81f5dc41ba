/** Reads of deploy skew: sums of clicks, and what is known of deploys. */

import { max } from '#limits/limits.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { KnownBuild, SkewQuery, SkewRead, StaleExample, StaleSlot, StaleSum } from '#ports/skew.ts'
import { SLOT_MS } from '#skew/clicks.ts'
import type { Connection } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function skewRead(db: Connection): SkewRead {
  return {
    staleSums: async (scope, query) => db.snapshot(() => staleSums(db, scope, query)),
    knownBuilds: async (scope, projects) => knownBuildsOf(db, [readableParams(scope, projects)]).flat(),
  }
}

interface SumRow extends Omit<StaleSum, 'example' | 'slots'> {
  readonly id: number
  readonly example: string
}

interface SlotRow {
  readonly id: number
  readonly slot: number
  readonly count: number
  readonly users: Uint8Array
  readonly isExact: number
}

function staleSums(
  db: Connection,
  scope: ReadScope,
  { projects, startMs, endMs }: SkewQuery,
): readonly StaleSum[] {
  const params = {
    ...readableParams(scope, projects),
    ...{ start: Math.floor(startMs / SLOT_MS), end: Math.ceil(endMs / SLOT_MS) },
  }
  // stale_series_by_use: of those clicked in since then, the slots by their primary key. A last click lies in a last slot.
  const used = `stale_series s INDEXED BY stale_series_by_use`
  const within = 's.project_id IN (SELECT id FROM readable) AND s.last_ms >= :startMs'
  const slots = db.all<SlotRow>(
    `${READABLE} SELECT s.id, t.slot, t.count, t.users, t.users_exact AS isExact
      FROM ${used} CROSS JOIN stale_slots t ON t.series_id = s.id
      WHERE ${within} AND t.slot >= :start AND t.slot < :end ORDER BY t.slot`,
    { ...params, startMs: params.start * SLOT_MS },
  )
  const bySeries = Map.groupBy(slots, ({ id }) => id)
  const rows = db.all<SumRow>(
    `${READABLE} SELECT s.id, s.project_id AS projectId, s.environment, s.release, s.from_release AS fromRelease,
        s.failure, s.route, s.example, s.first_ms AS firstMs, s.last_ms AS lastMs
      FROM ${used} WHERE ${within} AND s.id IN (SELECT value FROM json_each(:found))
      ORDER BY s.project_id, s.environment, s.release, s.from_release, s.failure, s.route`,
    {
      ...readableParams(scope, projects),
      ...{ startMs: params.start * SLOT_MS, found: JSON.stringify([...bySeries.keys()]) },
    },
  )
  return rows.flatMap(({ id, example: text, ...row }) => {
    const own = bySeries.get(id)
    if (own === undefined) return []
    const example: StaleExample = JSON.parse(text)
    return [{ ...row, example, slots: own.map(readStaleSlot) }]
  })
}

function readStaleSlot({ slot, count, users, isExact }: SlotRow): StaleSlot {
  return { startMs: slot * SLOT_MS, count, users: { isExact: isExact === 1, state: users } }
}

/** Returns known builds of what each `readable` names. */
export function knownBuildsOf(
  db: Connection,
  asked: readonly { readonly org: number; readonly readable: string }[],
): readonly (readonly KnownBuild[])[] {
  // release_projects_by_project, deploys_by_release, the primary key of release_environments
  // Spans and sessions make a release as well: its first error may be the click in a tab that outlived it.
  const sql = `${READABLE}
SELECT rp.project_id AS projectId, d.environment, r.version, d.finished_ms AS atMs, 1 AS isDeploy
FROM release_projects rp JOIN releases r ON r.id = rp.release_id JOIN deploys d ON d.release_id = r.id
WHERE rp.project_id IN (SELECT id FROM readable)
UNION ALL
SELECT rp.project_id, coalesce(e.environment, ''), r.version,
  coalesce(r.released_ms, min(r.created_ms, coalesce(rp.first_event_ms, r.created_ms))), 0
FROM release_projects rp JOIN releases r ON r.id = rp.release_id
  LEFT JOIN release_environments e ON e.release_id = rp.release_id AND e.project_id = rp.project_id
WHERE rp.project_id IN (SELECT id FROM readable)
ORDER BY 4 DESC LIMIT ${max('skewBuildsReadMax')}`
  const rows = db.allEach<Omit<KnownBuild, 'isDeploy'> & { readonly isDeploy: number }>(sql, asked)
  return rows.map((builds) => builds.map((row) => ({ ...row, isDeploy: row.isDeploy === 1 })))
}
