/** Where time comes from. Passed in, so that a test can hold it still. */
export interface Clock {
  /** Milliseconds since 1970 UTC; may jump when the machine's clock is set. */
  now(): number
  /** Milliseconds from an arbitrary start; never goes back. For durations. */
  elapsed(): number
  /** Milliseconds of `now` that pass for each of `elapsed`; 1 where it is not said. */
  readonly rate?: number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}

/** A clock that begins elsewhere and runs faster: plain data, so that every thread can have the same one. */
export interface ScaledClock {
  /** What it shows when the machine's clock shows `sinceMs`; both in milliseconds since 1970 UTC. */
  readonly startMs: number
  readonly sinceMs: number
  /** Milliseconds that pass on it for each real one. */
  readonly rate: number
}

/** The machine's clock, or the one described. Durations are always real: a time-out waits for a real disk. */
export function clockOf(scaled: ScaledClock | null): Clock {
  if (scaled === null) return systemClock
  const { startMs, sinceMs, rate } = scaled
  return {
    now: () => Math.floor(startMs + (Date.now() - sinceMs) * rate),
    elapsed: () => performance.now(),
    rate,
  }
}

/** A clock that moves only when told: `clock.advance(1_000)`, or `clock.jump(1_000)` where no time passes. */
export function manualClock(startMs: number): Clock & { advance(ms: number): void; jump(ms: number): void } {
  let current = startMs
  let elapsed = 0
  return {
    now: () => current,
    elapsed: () => elapsed,
    advance(ms) {
      current += ms
      elapsed += ms
    },
    jump(ms) {
      current += ms
    },
  }
}
