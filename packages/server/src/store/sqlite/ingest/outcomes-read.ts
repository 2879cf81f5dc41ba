/** What became of items, in buckets of 15 minutes of receipt. */
import { ErrataError } from '#base/errors.ts'
import type { KeyId, ProjectId } from '#base/ids.ts'
import { BUCKET_MS } from '#issues/batch-outcomes.ts'
import { max } from '#limits/limits.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { OutcomeExample, OutcomeGroup, OutcomeQuery, OutcomesRead } from '#ports/ingest.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { READABLE, readableParams } from '../projects/readable.ts'

export function outcomesRead(db: Connection): OutcomesRead {
  return {
    outcomes: async (scope, query) => outcomes(db, scope, query),
    outcomeExamples: async (scope, query) => outcomeExamples(db, scope, query),
  }
}

type Dimension = OutcomeQuery['groupBy'][number]

/** Every fragment a grouping may put into the query. */
const COLUMNS: Readonly<Record<Dimension, string>> = {
  outcome: 'o.outcome AS outcome',
  category: 'o.category AS category',
  reason: 'o.reason AS reason',
  project: 'o.project_id AS project',
  key: 'o.key_id AS key',
}
const DIMENSIONS: readonly Dimension[] = ['outcome', 'category', 'reason', 'project', 'key']

/** The primary key of outcomes: project, then bucket. */
const WHERE = `o.project_id IN (SELECT id FROM readable) AND o.bucket_ms >= :start AND o.bucket_ms < :end
  AND (:keys IS NULL OR o.key_id IN (SELECT value FROM json_each(:keys)))`

function whereParams(scope: ReadScope, query: OutcomeQuery): Readonly<Record<string, SqlValue>> {
  return {
    ...readableParams(scope, query.projects),
    start: Math.floor(query.startMs / BUCKET_MS) * BUCKET_MS,
    end: query.endMs,
    keys: query.keys === null ? null : JSON.stringify(query.keys),
  }
}

function outcomes(
  db: Connection,
  scope: ReadScope,
  query: OutcomeQuery,
): { readonly buckets: readonly number[]; readonly groups: readonly OutcomeGroup[] } {
  const buckets = bucketStarts(query)
  const by = DIMENSIONS.filter((dimension) => query.groupBy.includes(dimension))
  const columns = by.map((dimension) => `${COLUMNS[dimension]}, `).join('')
  const sql = `${READABLE}
SELECT ${columns}CAST((o.bucket_ms - :first) / :width AS INTEGER) AS bucket, sum(o.quantity) AS quantity
FROM outcomes o WHERE ${WHERE}
GROUP BY ${by.map((_, index) => `${index + 1}, `).join('')}bucket`
  const rows = db.all<OutcomeRow>(sql, {
    ...whereParams(scope, query),
    first: buckets[0] ?? 0,
    width: query.intervalMs ?? Number.MAX_SAFE_INTEGER,
  })
  return { buckets, groups: groupsOf(rows, by, buckets.length) }
}

interface OutcomeRow {
  readonly outcome?: OutcomeName
  readonly category?: string
  readonly reason?: string
  readonly project?: ProjectId
  readonly key?: KeyId
  readonly bucket: number
  readonly quantity: number
}

/** Largest first. */
function groupsOf(
  rows: readonly OutcomeRow[],
  by: readonly Dimension[],
  buckets: number,
): readonly OutcomeGroup[] {
  const groups = new Map<string, OutcomeGroup & { total: number; readonly series: number[] }>()
  for (const row of rows) {
    const key = JSON.stringify(by.map((dimension) => row[dimension]))
    let group = groups.get(key)
    if (group === undefined) {
      group = { ...dimensionsOf(row), total: 0, series: new Array<number>(buckets).fill(0) }
      groups.set(key, group)
    }
    group.total += row.quantity
    if (row.bucket < buckets) group.series[row.bucket] = (group.series[row.bucket] ?? 0) + row.quantity
  }
  return [...groups.values()].sort((a, b) => b.total - a.total)
}

function dimensionsOf({ outcome, category, reason, project, key }: OutcomeRow) {
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(category === undefined ? {} : { category }),
    ...(reason === undefined ? {} : { reason: reason === '' ? null : reason }),
    ...(project === undefined ? {} : { projectId: project }),
    ...(key === undefined ? {} : { keyId: key === 0 ? null : key }),
  }
}

function bucketStarts({ startMs, endMs, intervalMs }: OutcomeQuery): readonly number[] {
  if (intervalMs === null) return []
  if (intervalMs < BUCKET_MS || intervalMs % BUCKET_MS !== 0) {
    throw new ErrataError('bad_request', 'the interval must be a multiple of 15 minutes')
  }
  const first = Math.floor(startMs / intervalMs) * intervalMs
  const count = Math.max(0, Math.ceil((endMs - first) / intervalMs))
  if (count > max('trendBucketsMax')) {
    throw new ErrataError(
      'bad_request',
      `the range has ${count} intervals, more than ${max('trendBucketsMax')}`,
    )
  }
  return Array.from({ length: count }, (_, index) => first + index * intervalMs)
}

/** Largest first. `example` is the newest that was given. */
function outcomeExamples(db: Connection, scope: ReadScope, query: OutcomeQuery): readonly OutcomeExample[] {
  const sql = `${READABLE}
SELECT outcome, nullif(reason, '') AS reason, category, sum(quantity) AS quantity, min(first_ms) AS firstMs,
  max(last_ms) AS lastMs, max(newest_example) AS example
FROM (SELECT o.*, first_value(o.example) OVER (PARTITION BY o.outcome, o.reason, o.category
    ORDER BY o.example IS NULL, o.last_ms DESC) AS newest_example
  FROM outcomes o WHERE ${WHERE})
GROUP BY outcome, reason, category ORDER BY quantity DESC, outcome, category`
  return db.all<OutcomeExample>(sql, whereParams(scope, query))
}
