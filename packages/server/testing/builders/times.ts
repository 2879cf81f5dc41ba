/** The time of tests that choose one. */

/** A Monday, 12:00 UTC: a whole hour. */
export const NOW = Date.UTC(2026, 10, 16, 12)
export const HOUR = 3_600_000
export const DAY = 24 * HOUR
