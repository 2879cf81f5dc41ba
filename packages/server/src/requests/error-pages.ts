/**
 * Next.js shows its own page when its proxy, or a function of the edge runtime, throws: a second segment of the same
 * trace, which answers 404 for `/_not-found` right after the one that failed. Nobody asked for it. Who asks for an
 * address that isn't there gets the same page without a failure before it.
 */
import { max } from '#limits/limits.ts'
import type { SegmentSeen } from '#ports/requests.ts'

const ROUTE = '/_not-found'
const SLACK_MS = max('failureSlackMs')

/** Whether another segment has to be looked at. */
export function mayBeErrorPage({ route, end }: Pick<SegmentSeen, 'route' | 'end'>): boolean {
  return route === ROUTE && end === 'answered'
}

/** When a segment that failed must have begun and ended, whole milliseconds, for the page at `atMs` to be its. */
export function failedBefore(atMs: number): { readonly beginsUntilMs: number; readonly endsFromMs: number } {
  return { beginsUntilMs: Math.floor(atMs), endsFromMs: Math.floor(atMs) - SLACK_MS }
}

/** A failure is sent no later than its page; of those that come together it is looked at first. */
export function errorPagesLast<T extends Pick<SegmentSeen, 'route' | 'end'>>(
  segments: readonly T[],
): readonly T[] {
  const pages = segments.filter(mayBeErrorPage)
  return pages.length === 0 ? segments : [...segments.filter((one) => !mayBeErrorPage(one)), ...pages]
}
