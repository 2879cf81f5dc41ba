/** Composes what the stores keep of one grouped event: its columns, its group's facts, its digests. */

import { dayOf, type ProjectId, type Seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import type { RetentionDays } from '#model/file-name.ts'
import type { KnownRoutes } from '#model/known-routes.ts'
import type { Category } from '#model/recognised.ts'
import type { SharedParts } from '#model/shared-parts.ts'
import { OTLP_MECHANISM } from '#normalize/spans/otlp-exceptions.ts'
import { parseTime } from '#normalize/time.ts'
import type { StoredFacts } from '#ports/ingest.ts'
import { likelyCause } from '#recognise/hydration/details.ts'
import type { FrameCounts } from '#symbolicate/frames.ts'
import { personKeys, userKey } from '../person-keys.ts'
import { detailsOf } from './details.ts'
import { digestsOf } from './digests.ts'
import { isPassedOn } from './failed-fetch.ts'
import type { EventRow } from './fields.ts'
import { categoryOf, type RecognisedEvent, recogniseEvent } from './recognised.ts'
import { type RequestPlace, requestPlace, shownPlace } from './request-kind.ts'
import { staleEvent } from './stale-clicks.ts'
import type { EventOwn } from './sum.ts'
import { type EventSurroundings, errorSurroundings, spanIdOf, tagsOf } from './tags.ts'
import { type EventTitle, eventTitle } from './title.ts'

export interface FactsContext {
  readonly projectId: ProjectId
  readonly seq: Seq
  /** Milliseconds since 1970 UTC: time of receipt. */
  readonly receivedMs: number
  /** `sent_at` of its envelope, as it came. */
  readonly sentAt?: unknown
  /** `trace` of its envelope, as it came. */
  readonly trace?: unknown
  readonly retentionDays: RetentionDays
  /** Missed maps, as in `Symbolicated`. */
  readonly missedMaps?: readonly string[]
  readonly mapFrames?: FrameCounts
  /** Parts that several events share: what follows from them alone is found once. */
  readonly shared?: SharedParts
  readonly routes?: KnownRoutes
}

export interface EventFacts extends EventOwn {
  readonly row: EventRow
}

/** Pure. Everything in the answer is bounded and comes from the scrubbed event alone. */
export function eventFacts(event: ScrubbedEvent, known: RecognisedEvent, context: FactsContext): EventFacts {
  const { recognised, grouping } = known
  const place = shownPlace(event, context.routes)
  const title = withNamedFunction(eventTitle(event, recognised), place)
  const category = categoryOf(event, known, place)
  const found = digestsOf(event, grouping.mirror?.digest)
  const user = userKey(event.user)
  const around = errorSurroundings(event)
  const tags = tagsOf(event, {
    place,
    around,
    handled: title.handled,
    user,
    digest: found[0]?.digest ?? null,
    skew: recognised?.category === 'skew' ? recognised.kind : null,
    hydration: recognised?.category === 'hydration' ? likelyCause(event, recognised) : null,
  })
  const row = eventRow(event, { known, context, title, place, around, user, tags, category })
  // A mirror's message is made up, so that its digest cannot be told from it.
  const digests = row.isMirror ? found.map(({ digest }) => ({ digest, verified: null })) : found
  const stale = staleEvent(event, recognised, { kind: place.kind, trace: context.trace })
  const facts = groupFacts(event, title, category)
  const { formerHashes } = known
  const told = {
    row,
    facts,
    digests,
    stale,
    happenedMs: happenedMs(event, context),
    isOfSpan: isOfSpan(event),
  }
  const isEcho = row.isMirror && isPassedOn(event)
  if (!isEcho && formerHashes.length === 0) return told
  return {
    ...told,
    ...(isEcho && { isPassedOn: true as const }),
    ...(formerHashes.length > 0 && { formerHashes }),
  }
}

/** A server function of TanStack Start is called by its name once a span told it, as its route is. */
function withNamedFunction(title: EventTitle, { route }: RequestPlace): EventTitle {
  const method = FUNCTION_ID.exec(title.culprit)?.[1]
  return method === undefined || !FUNCTION_ROUTE.test(route ?? '')
    ? title
    : { ...title, culprit: `${method}${route}` }
}

const FUNCTION_ID = /^((?:[A-Z]{3,7} )?)\/_serverFn\/[\w-]{1,1000}$/
const FUNCTION_ROUTE = /^\/_serverFn\/[\w$]{1,150}$/

function isOfSpan({ exception }: ScrubbedEvent): boolean {
  return exception?.values.at(-1)?.mechanism?.type === OTLP_MECHANISM
}

const LATE_S_MAX = max('eventLateDaysMax') * 86_400
/** So much may be the way here, and the time that an SDK waits for more. */
const ON_THE_WAY_S = 2
/** Some SDKs say whole seconds. */
const SECOND_MS = 1_000

/**
 * When the event happened, never after its receipt. Finer than its row: clocks that are off by less than is corrected
 * there count too, a whole second is taken as its end, and a time too old for a row still says that the event is late,
 * unless it is so old that the sender's clock was never set.
 */
function happenedMs(event: ScrubbedEvent, { receivedMs, sentAt }: FactsContext): number {
  const past = event.problems.find(({ rule }) => rule === 'past_timestamp')
  if (past !== undefined) {
    const said = parseTime(past.found)
    return said !== null && said > event.received - LATE_S_MAX ? said * 1_000 : receivedMs
  }
  const sent = parseTime(sentAt)
  const behind = sent === null ? 0 : receivedMs / 1_000 - sent
  const corrected = Math.abs(behind) > ON_THE_WAY_S && Math.abs(behind) <= DRIFT_S ? behind * 1_000 : 0
  const said = Math.round(event.timestamp * 1e6) / 1e3
  const latest = said % SECOND_MS === 0 ? said + SECOND_MS - 1 : said
  return Math.min(latest + corrected, receivedMs)
}

const DRIFT_S = max('clockDriftMsMin') / 1_000

interface RowParts {
  readonly known: RecognisedEvent
  readonly context: FactsContext
  readonly title: EventTitle
  readonly place: RequestPlace
  readonly around: EventSurroundings
  readonly user: string | null
  readonly tags: EventRow['tags']
  readonly category: Category
}

function eventRow(event: ScrubbedEvent, parts: RowParts): EventRow {
  const { known, context, title, place, around, user, tags, category } = parts
  const { recognised, grouping } = known
  const skew = recognised?.category === 'skew' ? recognised : null
  return {
    seq: context.seq,
    projectId: context.projectId,
    groupHash: grouping.hash,
    eventId: event.event_id,
    // Seconds times a thousand would add digits that nobody measured.
    timestampMs: Math.round(event.timestamp * 1e6) / 1e3,
    receivedMs: context.receivedMs,
    day: dayOf(context.receivedMs),
    retentionDays: context.retentionDays,
    level: event.level,
    platform: event.platform,
    title: title.title,
    culprit: title.culprit,
    environment: event.environment ?? null,
    release: event.release ?? null,
    dist: event.dist ?? null,
    transaction: event.transaction ?? null,
    browser: around.browser?.shown ?? null,
    os: around.os?.shown ?? null,
    runtime: around.runtime?.shown ?? null,
    device: around.device,
    serverName: event.server_name ?? null,
    url: around.url,
    user,
    people: personKeys(event.user),
    handled: title.handled,
    traceId: around.traceId,
    spanId: spanIdOf(event),
    requestKind: place.kind,
    route: place.route,
    sdk: sdkOf(event),
    isMirror: grouping.mirror !== undefined,
    tags,
    missedMaps: missedText(context.missedMaps ?? []),
    category,
    skew: skew?.kind ?? null,
    skewSubject: skew?.subject ?? null,
    details: detailsOf(event, context.shared),
    mapFrames: framesText(context.mapFrames),
  }
}

const MISSED_MAPS_MAX = max('missedMapsMax')

/** Encodes missed maps as a row has them. */
export function missedText(missed: readonly string[]): string | null {
  if (missed.length === 0) return null
  const names = missed.map((debugId) => (debugId === '' ? '-' : debugId))
  return names.slice(0, MISSED_MAPS_MAX).join(' ')
}

/** Encodes frames as a row has them. */
export function framesText(frames: FrameCounts | undefined): string | null {
  if (frames === undefined) return null
  const needed = frames.resolved + frames.missed
  return needed === 0 ? null : `${frames.resolved}/${needed}`
}

/** Returns the facts kept with an event's group. */
export function storedFacts(
  event: ScrubbedEvent,
  known: RecognisedEvent = recogniseEvent(event),
): StoredFacts {
  const category = categoryOf(event, known, requestPlace(event))
  return groupFacts(event, eventTitle(event, known.recognised), category)
}

function groupFacts(event: ScrubbedEvent, title: EventTitle, category: Category): StoredFacts {
  return {
    category,
    title: title.title,
    type: title.type,
    value: title.value,
    filename: title.filename,
    function: title.function,
    culprit: title.culprit,
    level: event.level,
    platform: event.platform,
    logger: event.logger ?? null,
    handled: title.handled,
  }
}

function sdkOf(event: ScrubbedEvent): string | null {
  const { sdk } = event
  if (sdk === undefined || sdk.name === '') return null
  return sdk.version === '' ? sdk.name : `${sdk.name}/${sdk.version}`
}
