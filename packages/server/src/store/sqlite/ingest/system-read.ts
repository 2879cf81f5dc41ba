/** Numbers of the whole installation, for the operator. */
import { statSync } from 'node:fs'
import { bucketOf } from '#issues/outcome-buckets.ts'
import type { RefusedWithoutProject, SystemRead } from '#ports/ingest.ts'
import type { Connection } from '../connection.ts'
import { appliedOverflow, appliedSeq } from '../rows/applied-seq.ts'

type Row<Method extends keyof SystemRead> =
  Awaited<ReturnType<SystemRead[Method]>> extends readonly (infer One)[] ? One : never
type WithoutProject = Awaited<ReturnType<SystemRead['withoutProject']>>

export function systemRead(db: Connection): SystemRead {
  return {
    counters: async () => db.snapshot(() => counters(db)),
    recentOutcomes: async (sinceMs) =>
      db.all<Row<'recentOutcomes'>>(
        `SELECT minute_ms AS minuteMs, outcome, quantity FROM outcome_minutes WHERE minute_ms >= ?
          ORDER BY minute_ms, outcome`,
        [sinceMs],
      ),
    withoutProject: async ({ refusedSinceMs, lostSinceMs }) => ({
      refused: refusedWithoutProject(db, refusedSinceMs),
      lost: lostFromJournal(db, lostSinceMs),
    }),
    quarantined: async () =>
      db.all<Row<'quarantined'>>(
        `SELECT seq, project_id AS projectId, received_ms AS receivedMs, reason, bytes FROM quarantined
          ORDER BY seq DESC`,
      ),
  }
}

function refusedWithoutProject(db: Connection, sinceMs: number): WithoutProject['refused'] {
  // The primary key of outcomes: 0 stands for no project.
  const sql = `SELECT nullif(reason, '') AS reason, sum(quantity) AS quantity, max(newest) AS example FROM (
      SELECT reason, quantity, first_value(example) OVER (PARTITION BY reason
        ORDER BY example IS NULL, last_ms DESC) AS newest
      FROM outcomes WHERE project_id = 0 AND bucket_ms >= ? AND outcome <> 'accepted')
    GROUP BY reason ORDER BY quantity DESC, reason`
  return db.all<RefusedWithoutProject>(sql, [bucketOf(sinceMs)])
}

function lostFromJournal(db: Connection, sinceMs: number): WithoutProject['lost'] {
  const sql = `SELECT sum(quantity) AS quantity, max(last_ms) AS lastMs FROM outcomes
    WHERE project_id = 0 AND bucket_ms >= ? AND reason = 'journal_damaged' HAVING sum(quantity) > 0`
  return db.get<NonNullable<WithoutProject['lost']>>(sql, [bucketOf(sinceMs)]) ?? null
}

function counters(db: Connection): Awaited<ReturnType<SystemRead['counters']>> {
  // issues_for_list covers the sum.
  const sql = `SELECT (SELECT count(*) FROM organisations WHERE is_own = 0) AS organisations,
      (SELECT count(*) FROM projects) AS projects, (SELECT count(*) FROM issues) AS issues,
      (SELECT count(*) FROM groups) AS groups,
      (SELECT coalesce(sum(event_count), 0) FROM issues) AS eventsStored`
  type Counts = Omit<
    Awaited<ReturnType<SystemRead['counters']>>,
    'appliedSeq' | 'appliedOverflow' | 'controlBytes'
  >
  const zero = { organisations: 0, projects: 0, issues: 0, groups: 0, eventsStored: 0 }
  const counts = db.get<Counts>(sql) ?? zero
  return {
    ...counts,
    appliedSeq: appliedSeq(db),
    appliedOverflow: appliedOverflow(db),
    controlBytes: databaseBytes(db.path),
  }
}

/** The database and the log beside it. */
function databaseBytes(path: string): number {
  return ['', '-wal'].reduce((sum, ending) => {
    const stat = statSync(`${path}${ending}`, { throwIfNoEntry: false })
    return sum + (stat?.size ?? 0)
  }, 0)
}
