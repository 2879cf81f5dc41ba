/** A stored event read again with the source maps of today: as at its arrival, from what ran. */
import { assert } from '#base/errors.ts'
import { isObject } from '#base/json.ts'
import type { NormalizedEvent, ScrubbedEvent } from '#model/event.ts'
import type { MapLookup } from '#model/map-lookup.ts'
import type { Regrouped, Rewritten } from '#ports/late-maps.ts'
import { recognise } from '#recognise/recognise.ts'
import { type Scrubber, scrubEvent } from '#scrub/scrub.ts'
import { symbolicateEvent } from '#symbolicate/symbolicate.ts'
import { framesText, missedText, storedFacts } from './facts.ts'
import type { EventRow } from './fields.ts'
import { recogniseEvent } from './recognised.ts'
import { eventTitle } from './title.ts'

export interface ReadAgainContext {
  readonly maps: MapLookup
  readonly scrubber: Scrubber
}

/** Reads an event again for a viewer: frames that stay as they are say why. */
export function readAgain(
  event: ScrubbedEvent,
  { tellsWhy, ...context }: ReadAgainContext & { readonly tellsWhy: boolean },
): ScrubbedEvent {
  const { event: written } = symbolicateEvent(event, { maps: context.maps, tellsWhy })
  return written === event ? event : withScrubbedTraces(event, written, context.scrubber)
}

/** Reads a stored event again with the maps that are there now. `null` where no map changes anything of it. */
export function regroupEvent(payload: Uint8Array, context: ReadAgainContext): Regrouped | null {
  const stored = storedEvent(payload)
  const written = readAgain(stored, { ...context, tellsWhy: false })
  if (written === stored) return null
  const known = recogniseEvent(written)
  return { hash: known.grouping.hash, facts: storedFacts(written, known) }
}

/** A stored event as it would be stored today; `null` where no map changes anything of it. */
export function rewrittenEvent(payload: Uint8Array, { maps, scrubber }: ReadAgainContext): Rewritten | null {
  const stored = storedEvent(payload)
  const { event: written, missed, frames } = symbolicateEvent(stored, { maps })
  if (written === stored) return null
  const event = withScrubbedTraces(stored, written, scrubber)
  const { title, culprit } = storedTitle(event)
  return {
    payload: Buffer.from(JSON.stringify(event)),
    values: {
      title,
      culprit,
      missedMaps: missedText(missed),
      mapFrames: framesText(frames),
    } satisfies Partial<EventRow>,
  }
}

function storedEvent(payload: Uint8Array): ScrubbedEvent {
  // Written by our own process step from a scrubbed event.
  const stored: ScrubbedEvent = JSON.parse(Buffer.from(payload).toString('utf8'))
  assert(isObject(stored), 'a stored event is a JSON object')
  return stored
}

/** Title and culprit of an event, as its row has them. */
export function storedTitle(event: ScrubbedEvent): { readonly title: string; readonly culprit: string } {
  const { title, culprit } = eventTitle(event, recognise(event))
  return { title, culprit }
}

/** Maps bring lines of source with them; everything else of the event was scrubbed when it came. */
function withScrubbedTraces(
  event: ScrubbedEvent,
  written: NormalizedEvent,
  scrubber: Scrubber,
): ScrubbedEvent {
  const scrubbed = scrubEvent(written, scrubber, { clientAddress: null })
  const { exception, threads, stacktrace, raw_stacktrace: ran, scrubbedPaths } = scrubbed
  return {
    ...event,
    ...(exception && { exception }),
    ...(threads && { threads }),
    ...(stacktrace && { stacktrace }),
    ...(ran && { raw_stacktrace: ran }),
    scrubbedPaths: eachOnce(scrubbedPaths),
  }
}

/** Returns each scrubbed path once: what is resolved a second time is scrubbed in the same places. */
function eachOnce(paths: ScrubbedEvent['scrubbedPaths']): ScrubbedEvent['scrubbedPaths'] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
}
