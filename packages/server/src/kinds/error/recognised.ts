/** Recognises events, and derives group and category from it. */
import type { GroupHash } from '#base/ids.ts'
import { groupEvent } from '#group/group.ts'
import type { GroupedBy, Grouping, ScrubbedEvent } from '#model/event.ts'
import type { KnownDeploys } from '#model/known-deploys.ts'
import { type Category, type Recognised, type Skew, skewParts, unloadedParts } from '#model/recognised.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { isOfOneBuild } from '#model/tab-release.ts'
import { recognise } from '#recognise/recognise.ts'
import { needsDeploy } from '#recognise/unloaded.ts'
import { failedFetch } from './failed-fetch.ts'
import { withoutFrameworkFrames } from './framework-frames.ts'
import { groupByLine } from './line-groups.ts'
import { type RequestPlace, requestPlace } from './request-kind.ts'
import { groupByRouteFile } from './route-files.ts'
import { skewSide } from './stale-clicks.ts'
import { groupThrown } from './thrown-groups.ts'

/** Platforms whose events come from no page and no server. */
const DEVICES = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'dart', 'other'])

export interface KnownBuilds {
  readonly deploys: KnownDeploys | undefined
  /** Trace in the envelope's header, as it came. */
  readonly trace?: unknown
}

/** The event with what is known of builds: the same object where that decides nothing, as it is for nearly every event. */
export function withBuildsKnown(
  event: ScrubbedEvent,
  { deploys, trace }: KnownBuilds,
  recognised: Recognised | null = recognise(event),
): ScrubbedEvent {
  if (recognised?.category !== 'skew') return event
  if (isOfOwnTab(event, recognised, trace)) return { ...event, sameBuild: true }
  if (deploys === undefined || !needsDeploy(recognised)) return event
  const isKnown = deploys.isAnotherKnown(event.environment ?? null, event.release ?? null)
  return isKnown ? event : { ...event, noDeploy: true }
}

/**
 * A server function of TanStack Start that no build has: the trace is of a tab of the build that answered, or was begun by
 * the server, whom nobody asked whose page would be stale. A tab that traces nothing says so by TanStack's own header.
 */
function isOfOwnTab(event: ScrubbedEvent, { failure }: Skew, trace: unknown): boolean {
  if (failure !== 'action' || event.platform !== 'node' || !isOfTanStack(event)) return false
  if (!isOfOneBuild(trace, event.release ?? null)) return false
  const headers = event.request?.headers ?? []
  const has = (pattern: RegExp) => headers.some(([name]) => pattern.test(name))
  return !has(/^x-tsr-serverfn$/i) || has(/^(?:sentry-trace|baggage)$/i)
}

function isOfTanStack({ sdk }: ScrubbedEvent): boolean {
  return (sdk?.name ?? '').includes('tanstackstart')
}

export interface RecognisedEvent {
  readonly recognised: Recognised | null
  readonly grouping: Grouping
  /** Groups that it was of when frames of its framework counted, and lines did not: an issue that has one goes on. */
  readonly formerHashes: readonly GroupHash[]
}

/**
 * React's numbers are decoded after this, for who reads: a group is found by the text as it was sent, so that a table
 * that learns a number parts no issue.
 */
export function recogniseEvent(event: ScrubbedEvent, shared?: SharedParts): RecognisedEvent {
  const recognised = recognise(event)
  const by = recognised === null ? null : groupedBy(event, recognised)
  const trimmed = withoutFrameworkFrames(event)
  const grouping = groupEvent(trimmed, { shared, by })
  if (recognised !== null) return { recognised, grouping, formerHashes: [] }
  const withoutLine = groupedOtherwise(event, grouping)
  const known = groupByLine(trimmed, withoutLine) ?? withoutLine
  const isAsBefore = trimmed === event && known === withoutLine
  if (isAsBefore || known.mirror !== undefined) return { recognised, grouping: known, formerHashes: [] }
  const former = trimmed === event ? withoutLine : groupedOtherwise(event, groupEvent(event, { shared, by }))
  const hashes = [...new Set([former.hash, withoutLine.hash])]
  return { recognised, grouping: known, formerHashes: hashes.filter((hash) => hash !== known.hash) }
}

function groupedOtherwise(event: ScrubbedEvent, grouping: Grouping): Grouping {
  return (
    failedFetch(event, grouping) ??
    groupThrown(event, grouping) ??
    groupByRouteFile(event, grouping) ??
    grouping
  )
}

function groupedBy(event: ScrubbedEvent, recognised: Recognised): GroupedBy {
  if (recognised.category === 'client') return unloadedParts(recognised)
  if (recognised.category === 'skew') {
    return skewParts(skewSide(requestPlace(event).kind), event.release ?? null)
  }
  const parts = [
    { value: requestPlace(event).route, note: 'route: the text of a mismatch varies with the data' },
    { value: recognised.component, note: 'component that rendered something else' },
  ]
  return { name: 'hydration', parts }
}

/** A browser’s echo of a server failure is the server’s. */
export function categoryOf(
  event: ScrubbedEvent,
  { recognised, grouping }: RecognisedEvent,
  place: RequestPlace,
): Category {
  if (recognised !== null) return recognised.category
  if (grouping.mirror !== undefined) return 'server'
  if (place.kind === 'browser') return 'client'
  return place.kind === 'other' && DEVICES.has(event.platform) ? 'other' : 'server'
}
