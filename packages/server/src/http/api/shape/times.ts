const LATEST_MS = 8.64e15

/** RFC 3339 in UTC with `Z`. What no calendar holds (a payload may say anything) becomes its nearest end. */
export function isoTimeText(ms: number): string {
  const known = Number.isFinite(ms) ? Math.max(-LATEST_MS, Math.min(LATEST_MS, ms)) : 0
  return new Date(known).toISOString()
}

export function isoTimeTextOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTimeText(ms)
}

/** Rounds a percentile, which is within 1 %: more digits than these say nothing. */
export function roundedMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100
}
