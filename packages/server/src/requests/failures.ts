/**
 * Failures that a request's own span does not know of: a Suspense boundary that fails after the status was sent, a
 * component that fails on the server and then works in the browser. Their error events say of which trace, route and
 * kind of request they are; a failure belongs to the segment of those that it is nearest to in time.
 */
import { max } from '#limits/limits.ts'
import type { Level, RequestKind } from '#model/event.ts'

/** Fields that an error event must have to stand for a failed request. */
export interface ErrorSaying {
  readonly isMirror: boolean
  readonly handled: boolean | null
  readonly level: Level
  readonly traceId: string | null
  readonly route: string | null
  readonly requestKind: RequestKind
  readonly tags: readonly (readonly [key: string, value: string])[]
}

/** SvelteKit's hook, which has what nobody caught: handed on to the app's own function, it is said to be handled. */
const HOOK = 'auto.function.sveltekit.handle_error'

/** Browsers only repeat what a server said; what an app handled is no failure of the request. */
export function isServerFailure(error: ErrorSaying): boolean {
  const { isMirror, level, traceId, route, requestKind, tags } = error
  const handled = error.handled === true && tags.some(([, value]) => value === HOOK) ? false : error.handled
  const isSerious = level === 'error' || level === 'fatal'
  const isServed = requestKind !== 'browser' && requestKind !== 'other'
  return !isMirror && handled === false && isSerious && isServed && traceId !== null && route !== null
}

/**
 * True for a failure on a server that a browser may have seen. What an app handled counts too: a framework's hook that
 * reports an error with the SDK's own call says that it was handled.
 */
export function mayBeMirrored({
  isMirror,
  level,
  traceId,
  route,
  requestKind,
}: Omit<ErrorSaying, 'handled' | 'tags'>): boolean {
  const isSerious = level === 'error' || level === 'fatal'
  const isServed = requestKind !== 'browser' && requestKind !== 'other'
  return !isMirror && isSerious && isServed && (traceId !== null || route !== null)
}

/** Address under which TanStack Start calls its functions. */
export const FUNCTIONS = '/_serverFn/*'

/** By what a failure and its request are joined: a request names its function, an error only once a request did. */
export function joinedRoute(route: string): string {
  return route.startsWith('/_serverFn/') ? FUNCTIONS : route
}

export interface SegmentTimes {
  readonly atMs: number
  readonly durationMs: number
  /** How it ended by what its own span says. */
  readonly ended: string | null
}

const SLACK_MS = max('failureSlackMs')

/**
 * How far from a segment a failure happened; `null` where it can’t be of that segment. Of those that it lies in, one that
 * says itself that it failed is nearest, then the one that began last: a page of React Router asks for the data of its
 * routes one by one, all at once. The same for whoever asks, so that the order of arrival decides nothing.
 */
export function failureDistance({ atMs, durationMs, ended }: SegmentTimes, failedMs: number): number | null {
  const start = Math.floor(atMs)
  const failed = Math.floor(failedMs)
  const outside = Math.max(start - failed, failed - start - Math.ceil(durationMs), 0)
  // No segment takes 10⁹ ms: what this adds is less than one millisecond outside.
  if (outside > SLACK_MS) return null
  const distance = outside + Math.abs(failed - start) / 1e9
  return outside === 0 && ended === 'failed' ? distance - 1 : distance
}
