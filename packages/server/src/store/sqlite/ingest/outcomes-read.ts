/** Reads outcomes in buckets of 15 minutes of receipt. */
import {
  bucketOf,
  bucketStarts,
  dimensionsOf,
  type OutcomeDimension,
  type OutcomePart,
  outcomeGroups,
} from '#issues/outcome-buckets.ts'
import type { OutcomeExample, OutcomeGroup, OutcomeQuery, OutcomesRead } from '#ports/ingest.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { Connection, SqlValue } from '../connection.ts'
import { READABLE, readableParams } from '../rows/readable.ts'

export function outcomesRead(db: Connection): OutcomesRead {
  return {
    outcomes: async (scope, query) => outcomes(db, scope, query),
    outcomeExamples: async (scope, query) => outcomeExamples(db, scope, query),
  }
}

/** Every fragment a grouping may put into the query. */
const COLUMNS: Readonly<Record<OutcomeDimension, string>> = {
  outcome: 'o.outcome AS outcome',
  category: 'o.category AS category',
  reason: 'o.reason AS reason',
  project: 'o.project_id AS project',
  key: 'o.key_id AS key',
}

/** The primary key of outcomes: project, then bucket. */
const WHERE = `o.project_id IN (SELECT id FROM readable) AND o.bucket_ms >= :start AND o.bucket_ms < :end
  AND (:keys IS NULL OR o.key_id IN (SELECT value FROM json_each(:keys)))`

function whereParams(scope: ReadScope, query: OutcomeQuery): Readonly<Record<string, SqlValue>> {
  return {
    ...readableParams(scope, query.projects),
    start: bucketOf(query.startMs),
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
  const by = dimensionsOf(query)
  const columns = by.map((dimension) => `${COLUMNS[dimension]}, `).join('')
  const sql = `${READABLE}
SELECT ${columns}CAST((o.bucket_ms - :first) / :width AS INTEGER) AS bucket, sum(o.quantity) AS quantity
FROM outcomes o WHERE ${WHERE}
GROUP BY ${by.map((_, index) => `${index + 1}, `).join('')}bucket`
  const rows = db.all<OutcomePart>(sql, {
    ...whereParams(scope, query),
    first: buckets[0] ?? 0,
    width: query.intervalMs ?? Number.MAX_SAFE_INTEGER,
  })
  return { buckets, groups: outcomeGroups(rows, by, buckets.length) }
}

/** Largest first, of what was not stored. `example` is the newest that was given: few rows have one, and only those are looked at for it. */
function outcomeExamples(db: Connection, scope: ReadScope, query: OutcomeQuery): readonly OutcomeExample[] {
  // A single max() makes SQLite take the other columns from its row.
  const sql = `${READABLE},
given (outcome, reason, category, example, last_ms) AS MATERIALIZED (
  SELECT o.outcome, o.reason, o.category, o.example, max(o.last_ms) FROM outcomes o
  WHERE ${WHERE} AND o.outcome <> 'accepted' AND o.example IS NOT NULL GROUP BY 1, 2, 3)
SELECT o.outcome, nullif(o.reason, '') AS reason, o.category, sum(o.quantity) AS quantity, min(o.first_ms) AS firstMs,
  max(o.last_ms) AS lastMs, (SELECT g.example FROM given g
    WHERE g.outcome = o.outcome AND g.reason = o.reason AND g.category = o.category) AS example
FROM outcomes o WHERE ${WHERE} AND o.outcome <> 'accepted'
GROUP BY o.outcome, o.reason, o.category ORDER BY quantity DESC, o.outcome, o.category`
  return db.all<OutcomeExample>(sql, whereParams(scope, query))
}
