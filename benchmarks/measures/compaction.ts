/**
 * What the data directory takes once its days are over and compaction has rewritten them: the product runs on with a
 * clock that shows the day after, until its files no longer change.
 */
import type { Product } from '../server/build.ts'
import { directoryBytes } from '../server/directory-bytes.ts'
import { startSimulated } from '../server/start-simulated.ts'

const DAY_MS = 86_400_000
/** Simulated milliseconds a real one: the schedule's first step is due within a second. */
const RATE = 60
const POLL_MS = 500
/** Nothing has changed for so long: compaction is over, or had nothing to do. */
const QUIET_MS = 5_000
const WITHIN_MS = 600_000

export interface Compacted {
  readonly total: number
  readonly parts: Readonly<Record<string, number>>
}

export async function compactedBytes(product: Product, data: string): Promise<Compacted> {
  const clock = { startMs: Date.now() + DAY_MS, sinceMs: Date.now(), rate: RATE }
  await using errata = await startSimulated(product, { data, clock })
  const end = performance.now() + WITHIN_MS
  let [last, sinceMs] = [-1, performance.now()]
  while (performance.now() - sinceMs < QUIET_MS) {
    if (performance.now() > end) throw new Error(`compaction does not end within ${WITHIN_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const { total } = directoryBytes(data)
    if (total !== last) [last, sinceMs] = [total, performance.now()]
  }
  await errata.stop()
  return directoryBytes(data)
}
