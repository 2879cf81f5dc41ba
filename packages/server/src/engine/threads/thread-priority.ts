/** Which thread goes first where there are more of them than cores. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Log } from '#base/log.ts'

/** As `nice`: 0 is usual, 19 goes last. A thread of 5 gets a third of the time of a usual one while both have work. */
const YIELDING = 5

/**
 * Lets the other threads go first. What is acknowledged and shown cannot wait; what is processed has been acknowledged,
 * and all of it is processed in the end. Linux alone gives a thread a priority of its own; elsewhere nothing happens.
 */
export function yieldToOthers(log: Log): void {
  if (process.platform !== 'linux') return
  try {
    // `PID/task/TID`, of whoever asks.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), YIELDING)
  } catch (cause) {
    log.debug('kept the usual priority', { reason: cause instanceof Error ? cause.message : String(cause) })
  }
}
