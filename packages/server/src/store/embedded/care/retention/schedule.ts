/** When retention and compaction run: every hour of the clock that is given, which may be faster than the machine's. */
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Retention } from './types.ts'

/** Real milliseconds between two looks at the clock. */
const LOOK_MS = 1_000

/**
 * Runs a step of each in turn, the first `retentionDelayMs` from now. Compaction finds work where a day has ended or
 * something was deleted, so that it works in the hour after midnight and is a glance at other times. Answers what ends
 * the schedule.
 */
export function startSchedule({
  retention,
  clock,
  log,
}: {
  readonly retention: Pick<Retention, 'retain' | 'compact'>
  readonly clock: Clock
  readonly log: Log
}): () => void {
  let dueMs = clock.now() + max('retentionDelayMs')
  let isRunning = false
  const run = async () => {
    await retention.retain()
    await retention.compact()
  }
  const timer = setInterval(() => {
    const nowMs = clock.now()
    // A clock that was set back must not leave the disk alone for so long.
    dueMs = Math.min(dueMs, nowMs + max('retentionStepMs'))
    if (isRunning || nowMs < dueMs) return
    isRunning = true
    const begunMs = clock.elapsed()
    run()
      .catch((cause: unknown) => log.warn('upkeep did not end', { reason: String(cause).slice(0, 200) }))
      .finally(() => {
        isRunning = false
        // Not from the clock's present: what it leapt over meanwhile is looked at.
        const tookMs = (clock.elapsed() - begunMs) * (clock.rate ?? 1)
        dueMs = nowMs + tookMs + max('retentionStepMs')
      })
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
