/** Takes secrets out of spans, by the rules of events: names, attributes, links, and what a transaction says beside them. */
import type { JsonObject } from '#base/json.ts'
import type { EventRequest, NormalizedEvent } from '#model/event.ts'
import type { Fragment, ScrubbedFragment, Span } from '#model/span.ts'
import { type Scrubber, type ScrubContext, type SpanTexts, scrubEvent, type WithSpans } from './scrub.ts'

/** Never throws on a normalised fragment. Ids and times of spans stay; everything else is read. */
export function scrubFragment(
  fragment: Fragment,
  scrubber: Scrubber,
  { clientAddress }: ScrubContext,
): ScrubbedFragment {
  const scrubbed = scrubEvent(eventOf(fragment), scrubber, { clientAddress })
  const { request, contexts = {}, user, tags, problems, transaction, scrubbedPaths, spans } = scrubbed
  const kept = {
    ...fragment,
    segmentName: fragment.segmentName === null ? null : (transaction ?? null),
    spans: spans === fragment.spans ? spans : fragment.spans.map((span, at) => withTexts(span, spans?.[at])),
    serverName: scrubbed.server_name ?? null,
    user: user === undefined ? null : user,
    tags,
    contexts: request === undefined ? contexts : { ...contexts, request },
    problems,
    scrubbedPaths,
  }
  return kept as unknown as ScrubbedFragment // the brand says that this function did it
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Returns the parts of a fragment that may hold a secret, in the places where an event has the same. */
function eventOf(fragment: Fragment): NormalizedEvent & WithSpans {
  const { request, ...contexts } = fragment.contexts
  const { id, platform, problems, tags, user, release, environment, serverName, segmentName } = fragment
  const event: Writable<NormalizedEvent & WithSpans> = {
    event_id: id,
    timestamp: 0,
    received: 0,
    level: 'info',
    platform,
    tags,
    problems,
  }
  if (user !== null) event.user = user
  if (release !== null) event.release = release
  if (environment !== null) event.environment = environment
  if (serverName !== null) event.server_name = serverName
  if (segmentName !== null) event.transaction = segmentName
  if (request !== undefined) event.request = request as EventRequest // as `readTransaction` put it there
  event.contexts = contexts as Readonly<Record<string, JsonObject>> // all others are those of the wire
  event.spans = fragment.spans
  return event
}

/** The span itself where nothing was taken out of it: nearly always. */
function withTexts(span: Span, texts: SpanTexts | undefined): Span {
  const { name = '', attributes, links } = texts ?? {}
  if (name === span.name && attributes === span.attributes && links === span.links) return span
  return {
    ...span,
    name,
    ...(attributes === undefined ? {} : { attributes }),
    ...(links === undefined ? {} : { links }),
  }
}
