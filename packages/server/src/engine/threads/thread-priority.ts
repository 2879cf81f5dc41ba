/** Which thread goes first where there are more of them than cores. */
import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import type { Log } from '#base/log.ts'

/** Added to what the process has, as `nice` adds. A thread of 5 more gets a third of another's time while both have work. */
const YIELDING = 5
/** Goes last. */
const NICE_MAX = 19

/**
 * Lets the other threads go first. What is acknowledged and shown cannot wait; what is processed has been acknowledged,
 * and all of it is processed in the end. Linux alone gives a thread a priority of its own; elsewhere nothing happens.
 */
export function yieldToOthers(log: Log): void {
  if (process.platform !== 'linux') return
  try {
    // `PID/task/TID`, of whoever asks: a thread begins with the priority of the one that started it.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, Math.min(NICE_MAX, getPriority(thread) + YIELDING))
  } catch (cause) {
    log.debug('kept the usual priority', { reason: cause instanceof Error ? cause.message : String(cause) })
  }
}
