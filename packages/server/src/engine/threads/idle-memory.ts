/**
 * Takes less memory under load, and gives it back once a thread rests after work. V8 keeps what a burst made it take,
 * because another burst may come; a monitor that is quiet most of the day shall not hold half a gigabyte for the minute
 * that was not.
 */
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Log } from '#base/log.ts'
import { nowAndThen } from '#base/now-and-then.ts'
import { max } from '#limits/limits.ts'

/** Share of an interval above which a thread is not resting. */
const RESTING_SHARE = 0.05
/** Other threads come to rest within one interval, and their collections within two. */
const RESTS_MAX = 3

/** Counts intervals of rest that follow one of work. */
export class RestAfterWork {
  /** Since the last work; before any there is nothing to count. */
  #rests = RESTS_MAX

  /**
   * `busy`: share of the interval that just ended in which the thread worked, 0 to 1. Answers the how manieth interval
   * of rest it was since the last work, up to the third; 0 while there is work, and later.
   */
  after(busy: number): number {
    if (busy >= RESTING_SHARE) {
      this.#rests = 0
      return 0
    }
    return this.#rests === RESTS_MAX ? 0 : ++this.#rests
  }
}

/**
 * Watches the thread it is called in, and has heaps grow slowly; keeps no process alive. `returnFreed`: gives to the system
 * what the process has freed; called while this thread rests, until the other threads have collected too. What it answers is
 * awaited before a thread with a `returnFreed` ends.
 */
export function giveMemoryBack(
  log: Log,
  returnFreed: (() => Promise<void>) | null = null,
): () => Promise<void> {
  growHeapsSlowly()
  const rest = new RestAfterWork()
  let last = performance.eventLoopUtilization()
  const look = async () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    const rests = rest.after(utilization)
    if (rests === 0 || (rests > 1 && returnFreed === null)) return
    const before = process.memoryUsage.rss()
    const startMs = performance.now()
    if (rests === 1) collectGarbage()
    await returnFreed?.()
    const freed = before - process.memoryUsage.rss()
    log.debug('gave memory back', { freedBytes: freed, ms: performance.now() - startMs })
  }
  return nowAndThen(look, {
    everyMs: max('memoryRestMs'),
    failed: (cause) => log.warn('memory was not given back', { reason: String(cause) }),
  })
}

/**
 * Sets V8's heap growth for the whole process, not at the command line: a V8 without the flag would refuse to
 * start. On a machine with much memory V8 lets a heap grow to four times what lived in it before it collects
 * all of it again. A batch outlives the young generation, so that all of it, buffers included, then waits for
 * that: about 100 MB in five threads at full load (2 vCPU, 2026-11). Three times takes 5 to 8 % less CPU an event than
 * twice, and 10 to 30 MB more.
 */
function growHeapsSlowly(): void {
  setFlagsFromString('--heap-growing-percent=200')
}

/** A whole collection that hands empty pages to the system; tens of milliseconds. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
