/**
 * Gives memory back once a thread rests after work. V8 keeps what a burst made it take, because another burst may come;
 * a monitor that is quiet most of the day shall not hold half a gigabyte for the minute that was not.
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { max } from './limits.ts'
import type { Log } from './log.ts'

/** Of an interval: a thread that is busier does not rest. */
const RESTING_SHARE = 0.05

/** Decides when: after an interval of rest that follows one of work. */
export class RestAfterWork {
  #worked = false

  /** `busy`: share of the interval that just ended in which the thread worked, 0 to 1. */
  begins(busy: number): boolean {
    if (busy >= RESTING_SHARE) {
      this.#worked = true
      return false
    }
    const begins = this.#worked
    this.#worked = false
    return begins
  }
}

/** Watches the thread it is called in. Ends with the thread; keeps no process alive. */
export function giveMemoryBack(log: Log): void {
  const rest = new RestAfterWork()
  let last = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (!rest.begins(utilization)) return
    const before = process.memoryUsage.rss()
    const startMs = performance.now()
    collectGarbage()
    const freed = before - process.memoryUsage.rss()
    log.debug('gave memory back', { freedBytes: freed, ms: performance.now() - startMs })
  }, max('memoryRestMs')).unref()
}

/** A whole collection that hands empty pages to the system; tens of milliseconds. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
