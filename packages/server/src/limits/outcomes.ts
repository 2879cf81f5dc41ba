/** How refusals and drops are counted. */
import { type Limit, limit } from './limit.ts'

export const OUTCOME_LIMITS = {
  outcomeFlushMs: limit(250, 'ms', 'Refusals are counted in memory this long before they enter the journal.'),
  outcomeKeysMax: limit(
    2_000,
    'count',
    'Distinct refusals held between two flushes; the rest count as reason “other”.',
  ),
  outcomeRowsPerBucketMax: limit(
    1_000,
    'count',
    'Reasons and categories that SDKs report of themselves, apart per project and 15 minutes; they choose them freely.',
  ),
  outcomeDaysMax: limit(90, 'days', 'Outcomes are kept as long as events.'),
} satisfies Readonly<Record<string, Limit>>
