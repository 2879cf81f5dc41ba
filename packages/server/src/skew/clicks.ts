/**
 * When two halves are of one stale click. A browser and a server each tell of it in errors or spans, in any order: a
 * click takes one of each, and the nearest in time. Who tells twice at once tells of one click.
 */
import type { GroupHash, ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { SKEW_KINDS, type StaleFailure } from '#model/recognised.ts'
import type { StaleClickSeen, StaleExample, StaleSeries } from '#ports/skew.ts'

const TRACE_MS = max('staleTraceMs')
export const TOGETHER_MS = max('staleTogetherMs')
const REPEAT_MS = max('staleRepeatMs')
export const SLOT_MS = max('staleSlotMs')
const ROUTE_CHARS_MAX = max('routeCharsMax')
const NAME_CHARS_MAX = 200

/** A group whose events tell of stale clicks. */
export interface ToldGroup {
  readonly projectId: ProjectId
  readonly hash: GroupHash
}

/** A click with everything that is known of it. */
export interface StaleClick extends StaleSeries, StaleExample {
  /** Sum of `CHANNELS` that told of it. */
  readonly channels: number
  readonly user: bigint | null
  /** Group of the tab's events; `null` if only spans tell of the click. */
  readonly tabGroup: ToldGroup | null
  readonly serverGroup: ToldGroup | null
  /** Day of receipt of who told first. */
  readonly receivedMs: number
}

const CHANNELS = { browser: { event: 1, span: 2 }, server: { event: 4, span: 8 } } as const
const OF_BROWSERS = 1 + 2
const OF_SERVERS = 4 + 8

function channelOf({ side, source }: StaleClickSeen): number {
  return CHANNELS[side][source]
}

/** The click that the half belongs to; `null`: it is the first of its own. */
export function clickOf<T extends StaleClick>(seen: StaleClickSeen, near: readonly T[]): T | null {
  let best: T | null = null
  let bestMs = Number.POSITIVE_INFINITY
  for (const click of near) {
    const apart = Math.abs(click.atMs - seen.atMs)
    if (apart < bestMs && isSame(seen, click, apart)) [best, bestMs] = [click, apart]
  }
  return best
}

function isSame(seen: StaleClickSeen, click: StaleClick, apart: number): boolean {
  const kind = kindOf(seen)
  if (kind !== kindOf(click)) return false
  const isOtherSide = (click.channels & (seen.side === 'browser' ? OF_BROWSERS : OF_SERVERS)) === 0
  // A page and its server may be two projects: their trace alone says that it is one click.
  if (seen.projectId !== click.projectId)
    return (
      isOtherSide && isSameTrace(seen, click) && mayBeOne(seen.subject, click.subject) && apart <= TRACE_MS
    )
  // One click may miss several files at once.
  if (kind === 'chunk' && isSameTrace(seen, click) && apart <= REPEAT_MS) return true
  if (!mayBeOne(seen.subject, click.subject)) return false
  const isRepeat = (click.channels & channelOf(seen)) !== 0
  if (isSameTrace(seen, click)) return apart <= (isRepeat ? REPEAT_MS : TRACE_MS)
  if (isRepeat || seen.subject === null || click.subject === null) return false
  const isUserKnown = seen.user !== null && seen.user === click.user
  const isNobodyElse = seen.user === null || click.user === null
  // Requests of an action carry the trace of their page; files are asked for without.
  const mayBeApart = kind === 'chunk' || seen.traceId === null || click.traceId === null
  return apart <= TOGETHER_MS && (isUserKnown || (mayBeApart && isOtherSide && isNobodyElse))
}

function kindOf({ failure }: Pick<StaleClickSeen, 'failure'>) {
  return failure === 'crawler' ? failure : SKEW_KINDS[failure]
}

function isSameTrace(seen: StaleClickSeen, click: StaleClick): boolean {
  return seen.traceId !== null && seen.traceId === click.traceId
}

/** `12` of webpack is `/static/js/12.a1b2.js` of whoever was asked for it. */
function mayBeOne(one: string | null, other: string | null): boolean {
  if (one === null || other === null || one === other) return true
  return isNumberOf(one, other) || isNumberOf(other, one)
}

function isNumberOf(name: string, path: string): boolean {
  if (name.includes('/') || !path.includes('/')) return false
  const file = path.slice(path.lastIndexOf('/') + 1)
  return file.startsWith(`${name}.`) || file.startsWith(`${name}-`)
}

export function firstHalf(seen: StaleClickSeen): StaleClick {
  const isBrowser = seen.side === 'browser'
  const group = seen.group === null ? null : { projectId: seen.projectId, hash: seen.group }
  return {
    ...{ tabGroup: isBrowser ? group : null, serverGroup: isBrowser ? null : group },
    ...{ projectId: seen.projectId, environment: shortName(seen.environment) },
    release: isBrowser ? '' : shortName(seen.release),
    fromRelease: shortName(isBrowser ? seen.release : (seen.tabRelease ?? null)),
    ...{ failure: seen.failure, route: (seen.route ?? '').slice(0, ROUTE_CHARS_MAX) },
    ...{ channels: channelOf(seen), user: seen.user, subject: seen.subject, traceId: seen.traceId },
    ...{ eventId: seen.eventId, httpStatus: seen.httpStatus, sdk: seen.sdk },
    ...{ atMs: Math.floor(seen.atMs), receivedMs: seen.receivedMs },
  }
}

/**
 * The click with another half. Which page and which failure the browser knows best, when it was the server, whose clock
 * is right; so that the order of arrival changes nothing. Of two projects it is the browser's, and no event of the other
 * is told of there.
 */
export function withHalf(click: StaleClick, seen: StaleClickSeen): StaleClick {
  const half = firstHalf(seen)
  const isBrowser = seen.side === 'browser'
  const [hadBrowser, hadServer] = [(click.channels & OF_BROWSERS) !== 0, (click.channels & OF_SERVERS) !== 0]
  const tellsPage = isBrowser && !hadBrowser
  const tellsTime = !isBrowser && !hadServer
  const isSameProject = half.projectId === click.projectId
  const [ownEvent, halfEvent] = isBrowser
    ? [isSameProject ? click.eventId : null, half.eventId]
    : [click.eventId, isSameProject ? half.eventId : null]
  return {
    ...click,
    projectId: tellsPage ? half.projectId : click.projectId,
    tabGroup: click.tabGroup ?? half.tabGroup,
    serverGroup: click.serverGroup ?? half.serverGroup,
    channels: click.channels | half.channels,
    environment: click.environment || half.environment,
    release: click.release || half.release,
    fromRelease: tellsPage ? half.fromRelease || click.fromRelease : click.fromRelease || half.fromRelease,
    failure: failureOf(click.failure, half.failure),
    route: (tellsPage ? half.route || click.route : click.route || half.route) || '',
    atMs: tellsTime ? half.atMs : click.atMs,
    user: click.user ?? half.user,
    subject: longer(click.subject, half.subject),
    traceId: (tellsPage ? (half.traceId ?? click.traceId) : (click.traceId ?? half.traceId)) ?? null,
    eventId: isBrowser ? (halfEvent ?? ownEvent) : (ownEvent ?? halfEvent),
    httpStatus: click.httpStatus ?? half.httpStatus,
    sdk: tellsPage ? (half.sdk ?? click.sdk) : (click.sdk ?? half.sdk),
  }
}

/** The one that says more. */
const TELLING: readonly StaleFailure[] = [
  ...(['key', 'stylesheet', 'action', 'chunk', 'page-data', 'reload', 'crawler'] as const),
]

function failureOf(one: StaleFailure, other: StaleFailure): StaleFailure {
  return TELLING.indexOf(one) <= TELLING.indexOf(other) ? one : other
}

function longer(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return other.length > one.length ? other : one
}

function shortName(name: string | null): string {
  return (name ?? '').slice(0, NAME_CHARS_MAX)
}

export function seriesOf({
  projectId,
  environment,
  release,
  fromRelease,
  failure,
  route,
}: StaleSeries): StaleSeries {
  return { projectId, environment, release, fromRelease, failure, route }
}

/**
 * Returns the series to use if a project has as many as it may: the first of these that exists, or the last.
 */
export function seriesWhenFull(series: StaleSeries): readonly StaleSeries[] {
  const { projectId, failure } = series
  return [
    { ...series, route: '' },
    { projectId, failure, environment: '', release: '', fromRelease: '', route: '' },
  ]
}

export function slotOf(atMs: number): number {
  return Math.floor(atMs / SLOT_MS)
}

/** Returns the click as text: hashes have more digits than a number. */
export function clickText(click: StaleClick): string {
  return JSON.stringify({ ...click, user: click.user === null ? null : String(click.user) })
}

export function readClick(text: string): StaleClick {
  const { user, ...click }: Omit<StaleClick, 'user'> & { readonly user: string | null } = JSON.parse(text)
  return { ...click, user: user === null ? null : BigInt(user) }
}

export function exampleOf({ eventId, traceId, subject, httpStatus, sdk, atMs }: StaleClick): StaleExample {
  return { eventId, traceId, subject, httpStatus, sdk, atMs }
}

/** Returns a series' example after a click counts in it. */
export function newerExample(before: StaleExample, click: StaleClick): StaleExample {
  return click.atMs >= before.atMs ? exampleOf(click) : before
}

/** Times between which the other half of a click may be. */
export function nearTimes({ atMs }: Pick<StaleClickSeen, 'atMs'>): {
  readonly from: number
  readonly until: number
} {
  return { from: Math.floor(atMs) - TOGETHER_MS, until: Math.ceil(atMs) + TOGETHER_MS }
}
