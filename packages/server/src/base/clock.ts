/** Clock that is passed in, so that a test can hold it still. */
export interface Clock {
  /** Milliseconds since 1970 UTC; may jump when the machine's clock is set. */
  now(): number
  /** Milliseconds from an arbitrary start; never goes back. For durations. */
  elapsed(): number
  /** Milliseconds of `now` that pass for each of `elapsed`; 1 where it is not said. */
  readonly rate?: number
  /** Milliseconds of `now` that are meant to have passed, from an arbitrary start, where `rate` does not tell it. */
  passed?(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}

/** A clock that begins elsewhere and runs faster: plain data, so that every thread can have the same one. */
export interface ScaledClock {
  /** Time shown when the machine's clock shows `sinceMs`; both in milliseconds since 1970 UTC. */
  readonly startMs: number
  readonly sinceMs: number
  /** Milliseconds that pass on it for each real one. */
  readonly rate: number
}

/**
 * A clock that stays behind the machine's by what somebody says and catches up whenever they say less: 32 bits of
 * milliseconds, shared by all threads. At 0 it is the machine's.
 */
export interface LateClock {
  readonly behindMs: Int32Array<SharedArrayBuffer>
}

/** Other clocks than the machine's. */
export type DescribedClock = ScaledClock | LateClock

/** The machine's clock, or the one described. Durations are always real: a time-out waits for a real disk. */
export function clockOf(described: DescribedClock | null): Clock {
  if (described === null) return systemClock
  return 'behindMs' in described ? late(described) : scaledClock(described)
}

function scaledClock({ startMs, sinceMs, rate }: ScaledClock): Clock {
  return {
    now: () => Math.floor(startMs + (Date.now() - sinceMs) * rate),
    elapsed: () => performance.now(),
    rate,
  }
}

function late({ behindMs }: LateClock): Clock {
  const atFirst = Atomics.load(behindMs, 0)
  return {
    now: () => Date.now() - Atomics.load(behindMs, 0),
    elapsed: () => performance.now(),
    passed: () => performance.now() + atFirst - Atomics.load(behindMs, 0),
  }
}

/** Makes the state of a clock that is late; several threads may share it. `ms` at most 24 days. */
export function lateClock(ms: number): LateClock {
  const behindMs = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  behindMs[0] = ms
  return { behindMs }
}

/** From now on it shows at least `atMs`, and never more than the machine's: it goes forward alone. */
export function catchUp({ behindMs }: LateClock, atMs: number): void {
  const wanted = Math.max(0, Date.now() - Math.floor(atMs))
  if (wanted < Atomics.load(behindMs, 0)) Atomics.store(behindMs, 0, wanted)
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
