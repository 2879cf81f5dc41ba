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

/** `null` where nothing got worse, or too little is known. */
export function worseThan(now: RequestFigures, before: RequestFigures): 'slower' | 'fails more' | null {
  if (!canCompare(now, before)) return null
  const [failing, failed] = [now.failed / now.count, before.failed / before.count]
  if (failing >= failed * FAILING_RATIO && failing - failed >= FAILING_SHARE_MIN) return 'fails more'
  const [slow, fast] = [now.p75Ms, before.p75Ms]
  if (slow === null || fast === null) return null
  return slow >= fast * SLOWER_RATIO && slow - fast >= SLOWER_MS_MIN ? 'slower' : null
}
