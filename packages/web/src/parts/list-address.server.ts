import type { ListPlace } from '@errata/server/queries'
import type { ListAddress } from './list-address.ts'
import { rangeOf } from './ranges.ts'

/** The list of an address as the queries are asked for it. */
export function listPlace(address: ListAddress, nowMs: number): ListPlace {
  const { query, projects, environments, sort, tab } = address
  const range = { startMs: nowMs - rangeOf(address.range).ms, endMs: nowMs }
  return { query, projects, environments, sort, tab, range }
}
