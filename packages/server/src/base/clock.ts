/** Where time comes from. Passed in, so that a test can hold it still. */
export interface Clock {
  /** Milliseconds since 1970 UTC; may jump when the machine's clock is set. */
  now(): number
  /** Milliseconds from an arbitrary start; never goes back. For durations. */
  elapsed(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}

/** A clock that moves only when told: `clock.advance(1_000)`. */
export function manualClock(startMs: number): Clock & { advance(ms: number): void } {
  let current = startMs
  return {
    now: () => current,
    elapsed: () => current - startMs,
    advance(ms) {
      current += ms
    },
  }
}
