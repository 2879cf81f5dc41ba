/** What an event is recognised as, and what follows from it: its group, its category. */
import type { GroupHash } from '#base/ids.ts'
import { groupEvent } from '#group/group.ts'
import type { GroupedBy, Grouping, ScrubbedEvent } from '#model/event.ts'
import type { KnownDeploys } from '#model/known-deploys.ts'
import { type Category, type Recognised, skewParts, unloadedParts } from '#model/recognised.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { recognise } from '#recognise/recognise.ts'
import { needsDeploy } from '#recognise/unloaded.ts'
import { failedFetch } from './failed-fetch.ts'
import { withoutFrameworkFrames } from './framework-frames.ts'
import { type RequestPlace, requestPlace } from './request-kind.ts'
import { groupByRouteFile } from './route-files.ts'
import { skewSide } from './stale-clicks.ts'
import { groupThrown } from './thrown-groups.ts'

/** Platforms whose events come from no page and no server. */
const DEVICES = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'dart', 'other'])

/** The event with what is known of deploys: the same object where that decides nothing, as it is for nearly every event. */
export function withDeploysKnown(
  event: ScrubbedEvent,
  deploys: KnownDeploys | undefined,
  recognised: Recognised | null = recognise(event),
): ScrubbedEvent {
  if (deploys === undefined) return event
  if (recognised?.category !== 'skew' || !needsDeploy(recognised)) return event
  const isKnown = deploys.isAnotherKnown(event.environment ?? null, event.release ?? null)
  return isKnown ? event : { ...event, noDeploy: true }
}

export interface RecognisedEvent {
  readonly recognised: Recognised | null
  readonly grouping: Grouping
  /** The group that it was of when frames of its framework counted: an issue that has it goes on. */
  readonly formerHash?: GroupHash
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
  if (recognised !== null) return { recognised, grouping }
  const known = groupedOtherwise(event, grouping)
  if (trimmed === event || known.mirror !== undefined) return { recognised, grouping: known }
  const { hash: formerHash } = groupedOtherwise(event, groupEvent(event, { shared, by }))
  return { recognised, grouping: known, ...(formerHash === known.hash ? {} : { formerHash }) }
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
