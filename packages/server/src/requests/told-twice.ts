/**
 * Requests that have two segments, of which one counts: pages that Next.js shows in place of one that failed, and pages
 * of its edge runtime.
 */
import { max } from '#limits/limits.ts'
import type { SegmentSeen } from '#ports/requests.ts'

/** A segment of the same project, trace and kind that is counted, in whole milliseconds. */
export interface CountedBeside {
  readonly atMs: number
  readonly durationMs: number
  readonly end: string
  readonly route: string
}

type Told = Pick<SegmentSeen, 'route' | 'end' | 'atMs' | 'durationMs' | 'sandbox'>

const ERROR_PAGE = '/_not-found'
const SLACK_MS = max('failureSlackMs')

/** Whether the others of its trace have to be looked at. */
export function mayBeToldTwice(segment: Pick<Told, 'route' | 'end' | 'sandbox'>): boolean {
  return mayBeErrorPage(segment) || segment.sandbox !== undefined
}

export function isToldTwice(segment: Told, counted: readonly CountedBeside[]): boolean {
  if (mayBeErrorPage(segment)) return counted.some((other) => hasFailedBefore(segment, other))
  return segment.sandbox !== undefined && counted.some((other) => isOtherHalf(segment, other))
}

/**
 * What counts of two halves is what comes first; of those that come together, a failure before its page, and what is
 * outside of a sandbox before what is inside.
 */
export function toldFirst<T extends Pick<Told, 'route' | 'end' | 'sandbox'>>(
  segments: readonly T[],
): readonly T[] {
  const isLater = (one: T) => mayBeErrorPage(one) || one.sandbox === 'inside'
  const later = segments.filter(isLater)
  return later.length === 0 ? segments : [...segments.filter((one) => !isLater(one)), ...later]
}

/**
 * When its proxy, or a function of the edge runtime, throws, Next.js answers 404 for `/_not-found` right after the
 * segment that failed, in its trace. Nobody asked for it. Who asks for an address that isn't there gets the same page
 * without a failure before it.
 */
function mayBeErrorPage({ route, end }: Pick<Told, 'route' | 'end'>): boolean {
  return route === ERROR_PAGE && end === 'answered'
}

function hasFailedBefore({ atMs }: Told, other: CountedBeside): boolean {
  const begin = Math.floor(atMs)
  return other.end === 'failed' && other.atMs <= begin && other.atMs + other.durationMs >= begin - SLACK_MS
}

/**
 * A server of one's own hands a page of the edge runtime to a sandbox. Outside of it the request has its headers and no
 * route, inside a route and no headers. Where the edge runtime is elsewhere, there is the inside alone.
 */
function isOtherHalf({ sandbox, route, atMs, durationMs }: Told, other: CountedBeside): boolean {
  const begin = Math.floor(atMs)
  if (sandbox === 'inside') {
    const isAround = other.atMs <= begin && other.atMs + other.durationMs >= begin
    return isAround && isSamePage({ outside: other.route, inside: route })
  }
  const isWithin = other.atMs >= begin && other.atMs <= begin + Math.ceil(durationMs)
  return isWithin && isSamePage({ outside: route, inside: other.route })
}

/** An address, which may begin with the app's base path, and a pattern. */
function isSamePage({ outside, inside }: { readonly outside: string; readonly inside: string }): boolean {
  const parts = outside.split('/').filter((part) => part !== '')
  const pattern = inside.split('/').filter((part) => part !== '')
  if (parts.length < pattern.length) return false
  const end = parts.slice(parts.length - pattern.length)
  return pattern.every((part, at) => part === end[at] || /^[[:]/.test(part))
}
