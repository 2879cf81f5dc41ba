/** Finds what got slower, or fails more, with a release, by enough to say so. */
import type { RequestFigures } from '#ports/requests.ts'

/** Fewer requests than this tell nothing. */
export const COMPARED_COUNT_MIN = 30
const SLOWER_RATIO = 1.3
const SLOWER_MS_MIN = 20
const FAILING_RATIO = 2
const FAILING_SHARE_MIN = 0.01

/** Whether there are enough of both to say anything. */
export function canCompare(now: RequestFigures, before: RequestFigures): boolean {
  return now.count >= COMPARED_COUNT_MIN && before.count >= COMPARED_COUNT_MIN
}

/** Compares a route's figures with earlier ones. `null` where nothing got worse, or too little is known. */
export function worseThan(now: RequestFigures, before: RequestFigures): 'slower' | 'fails more' | null {
  if (!canCompare(now, before)) return null
  const [failing, failed] = [now.failed / now.count, before.failed / before.count]
  if (failing >= failed * FAILING_RATIO && failing - failed >= FAILING_SHARE_MIN) return 'fails more'
  const [slow, fast] = [now.p75Ms, before.p75Ms]
  if (slow === null || fast === null) return null
  return slow >= fast * SLOWER_RATIO && slow - fast >= SLOWER_MS_MIN ? 'slower' : null
}

/** Less is within what sketches know. */
const CHANGE_MIN = 0.03

/**
 * By which part the 75th percentile is above that of before, or below; `null` where too little is known, or where chance may
 * have made the difference: the bounds of both lie apart.
 */
export function changedP75(now: RequestFigures, before: RequestFigures | null): number | null {
  if (before === null || !canCompare(now, before)) return null
  const [high, low] = [now.p75Ms, before.p75Ms]
  if (high === null || low === null || low <= 0 || now.p75Bounds === null || before.p75Bounds === null)
    return null
  const isApart = now.p75Bounds[0] > before.p75Bounds[1] || now.p75Bounds[1] < before.p75Bounds[0]
  const change = high / low - 1
  return isApart && Math.abs(change) >= CHANGE_MIN ? change : null
}
