/**
 * Requests that have two segments, of which one counts: pages that Next.js shows in place of one that failed, and pages
 * of its edge runtime.
 */
import { max } from '#limits/limits.ts'
import type { SegmentSeen } from '#ports/requests.ts'

/** A segment of the same project and trace that is counted, in whole milliseconds. */
export interface CountedBeside {
  /** Its key, as text: it has more digits than a number. */
  readonly span: string
  readonly kind: string
  readonly atMs: number
  readonly durationMs: number
  readonly end: string
  readonly route: string
}

type Told = Pick<
  SegmentSeen,
  'kind' | 'route' | 'end' | 'atMs' | 'durationMs' | 'sandbox' | 'isClockCorrected'
>

const ERROR_PAGE = '/_not-found'
const SLACK_MS = max('failureSlackMs')

/** True if the others of its trace have to be looked at. */
export function mayBeToldTwice(segment: Pick<Told, 'route' | 'sandbox'>): boolean {
  return mayBeErrorPage(segment) || segment.sandbox !== undefined
}

/** The one that counts for this one, too. */
export function toldAs(segment: Told, counted: readonly CountedBeside[]): CountedBeside | undefined {
  if (mayBeErrorPage(segment)) return counted.find((other) => hasFailedBefore(segment, other))
  if (segment.sandbox === undefined) return undefined
  const exact = counted.find((other) => isOtherHalf(segment, other, 0))
  if (exact !== undefined || segment.isClockCorrected !== true) return exact
  return counted.find((other) => other.route !== segment.route && isOtherHalf(segment, other, SLACK_MS))
}

/** True for a failed half; either half of a request may be the one that knows of the failure. */
export function isFailedHalf({ sandbox, end }: Pick<Told, 'end' | 'sandbox'>): boolean {
  return sandbox !== undefined && (end === 'failed' || end === 'failed-behind-200')
}

/**
 * Returns kind and route of a request whose two halves are known: outside a sandbox are the headers that tell
 * the kind, inside are the route and the handler that ran.
 */
export function placeOfHalves(
  half: Pick<Told, 'kind' | 'route' | 'sandbox'>,
  counted: Pick<Told, 'kind' | 'route'>,
): Pick<Told, 'kind' | 'route'> {
  const [outside, inside] = half.sandbox === 'outside' ? [half, counted] : [counted, half]
  return { kind: inside.kind === 'route-handler' ? inside.kind : outside.kind, route: inside.route }
}

/**
 * Orders halves by which one counts: the first to arrive; together, a failure before its page, and outside a
 * sandbox before inside.
 */
export function toldFirst<T extends Pick<Told, 'route' | 'sandbox'>>(segments: readonly T[]): readonly T[] {
  const isLater = (one: T) => mayBeErrorPage(one) || one.sandbox === 'inside'
  const later = segments.filter(isLater)
  return later.length === 0 ? segments : [...segments.filter((one) => !isLater(one)), ...later]
}

/**
 * When its proxy, or a function of the edge runtime, throws, Next.js answers 404 for `/_not-found` right after the
 * segment that failed, in its trace, or fails at that, where an answer was sent. Nobody asked for it. Who asks for an
 * address that isn't there gets the same page without a failure before it.
 */
function mayBeErrorPage({ route }: Pick<Told, 'route'>): boolean {
  return route === ERROR_PAGE
}

function hasFailedBefore({ kind, atMs }: Told, other: CountedBeside): boolean {
  const begin = Math.floor(atMs)
  const isBefore = other.atMs <= begin && other.atMs + other.durationMs >= begin - SLACK_MS
  return isBefore && other.kind === kind && other.end === 'failed'
}

/**
 * A server of one's own hands a page of the edge runtime to a sandbox. Outside of it the request has its headers and no
 * route, inside a route and no headers: what kind of request it is, is known outside alone. Where the edge runtime is
 * elsewhere, there is only the inside.
 *
 * Halves come in envelopes of their own. Where a clock is wrong, each is corrected by another time on the way, so that
 * they need not overlap any more: then a slack is allowed between an address and a pattern, which are never of one side.
 */
function isOtherHalf(
  { sandbox, route, atMs, durationMs }: Told,
  other: CountedBeside,
  slackMs: number,
): boolean {
  const begin = Math.floor(atMs)
  if (sandbox === 'inside') {
    const isAround = other.atMs <= begin + slackMs && other.atMs + other.durationMs >= begin - slackMs
    return isAround && isSamePage({ outside: other.route, inside: route })
  }
  const isWithin = other.atMs >= begin - slackMs && other.atMs <= begin + Math.ceil(durationMs) + slackMs
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
