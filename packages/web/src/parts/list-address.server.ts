import type { ListPlace } from '@errata/server/queries'
import type { ListAddress } from './list-address.ts'
import { rangeOf } from './ranges.ts'

const HOUR_MS = 3_600_000

/** The list of an address as the queries are asked for it. */
export function listPlace(address: ListAddress, nowMs: number): ListPlace {
  const { query, projects, environments, sort, tab } = address
  // Counts are kept by the hour: one that began is of the range, for what matches as for the whole.
  const startMs = Math.floor((nowMs - rangeOf(address.range).ms) / HOUR_MS) * HOUR_MS
  const range = { startMs, endMs: nowMs }
  return { query, projects, environments, sort, tab, range }
}
