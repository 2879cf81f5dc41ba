/** The one log scale of the strips. */

/** Least value of the strips: one scale for all rows. */
export const STRIP_FROM_MS = 10
export const STRIP_TO_MS = 10_000
export const STRIP_TICKS = [
  { ms: 10, label: '10 ms' },
  { ms: 100, label: '0.1 s' },
  { ms: 1_000, label: '1 s' },
  { ms: 10_000, label: '10 s' },
] as const
