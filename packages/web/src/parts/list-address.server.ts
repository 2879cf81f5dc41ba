import type { IssueListPlace } from '@errata/server/queries'
import { customRange, type ListAddress } from './list-address.ts'
import { rangeOf } from './ranges.ts'

const HOUR_MS = 3_600_000
/** Nothing is kept for longer. */
const PAST_MS_MAX = 400 * 24 * HOUR_MS

/** The list of an address as the queries are asked for it. */
export function listPlace(address: ListAddress, nowMs: number): IssueListPlace {
  const { query, projects, environments, sort, tab } = address
  // Counts are kept by the hour: one that began is of the range, for what matches as for the whole.
  const startMs = Math.floor((nowMs - rangeOf(address.range).ms) / HOUR_MS) * HOUR_MS
  const custom = customRange(address)
  const range =
    custom === null
      ? { startMs, endMs: nowMs }
      : {
          startMs: Math.min(
            Math.floor(Math.max(custom.startMs, nowMs - PAST_MS_MAX) / HOUR_MS) * HOUR_MS,
            nowMs - HOUR_MS,
          ),
          endMs: Math.min(Math.max(custom.endMs ?? nowMs, nowMs - PAST_MS_MAX + HOUR_MS), nowMs),
        }
  return { query, projects, environments, sort, tab, range }
}
