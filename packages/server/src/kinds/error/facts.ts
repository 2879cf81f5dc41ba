/** Composes what the stores keep of one grouped event: its columns, its group's facts, its digests. */

import { dayOf, type ProjectId, type Seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { EventUser, Grouping, ScrubbedEvent } from '#model/event.ts'
import type { RetentionDays } from '#model/file-name.ts'
import { personName } from '#model/person-name.ts'
import type { StoredFacts } from '#ports/ingest.ts'
import { FILTERED } from '#scrub/filtered.ts'
import { digestsOf } from './digests.ts'
import type { EventRow } from './fields.ts'
import { type RequestPlace, requestPlace } from './request-kind.ts'
import type { EventOwn } from './sum.ts'
import { type Surroundings, spanIdOf, surroundingsOf, tagsOf } from './tags.ts'
import { type EventTitle, eventTitle } from './title.ts'

export interface FactsContext {
  readonly projectId: ProjectId
  readonly seq: Seq
  /** Milliseconds since 1970 UTC: time of receipt. */
  readonly receivedMs: number
  readonly retentionDays: RetentionDays
  /** As `Symbolicated` has it. */
  readonly missedMaps?: readonly string[]
}

export interface EventFacts extends EventOwn {
  readonly row: EventRow
}

/** Pure. Everything in the answer is bounded and comes from the scrubbed event alone. */
export function eventFacts(event: ScrubbedEvent, grouping: Grouping, context: FactsContext): EventFacts {
  const title = eventTitle(event)
  const place = requestPlace(event)
  const found = digestsOf(event, grouping.mirror?.digest)
  const user = userKey(event.user)
  const around = surroundingsOf(event)
  const tags = tagsOf(event, {
    place,
    around,
    handled: title.handled,
    user,
    digest: found[0]?.digest ?? null,
  })
  const row = rowOf(event, { grouping, context, title, place, around, user, tags })
  // A mirror's message is made up, so that its digest cannot be told from it.
  const digests = row.isMirror ? found.map(({ digest }) => ({ digest, verified: null })) : found
  return { row, facts: groupFacts(event, title), digests }
}

interface RowParts {
  readonly grouping: Grouping
  readonly context: FactsContext
  readonly title: EventTitle
  readonly place: RequestPlace
  readonly around: Surroundings
  readonly user: string | null
  readonly tags: EventRow['tags']
}

function rowOf(event: ScrubbedEvent, parts: RowParts): EventRow {
  const { grouping, context, title, place, around, user, tags } = parts
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
  }
}

const MISSED_MAPS_MAX = max('missedMapsMax')

/** As a row has it. */
export function missedText(missed: readonly string[]): string | null {
  if (missed.length === 0) return null
  const names = missed.map((debugId) => (debugId === '' ? '-' : debugId))
  return names.slice(0, MISSED_MAPS_MAX).join(' ')
}

/** What is kept of an event's group. */
export function storedFacts(event: ScrubbedEvent): StoredFacts {
  return groupFacts(event, eventTitle(event))
}

function groupFacts(event: ScrubbedEvent, title: EventTitle): StoredFacts {
  return {
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

/** The most lasting of what an SDK says of a person; `null` when it says nothing. */
export function userKey(user: EventUser | undefined): string | null {
  return (
    personKey('id', user?.id) ??
    personKey('email', user?.email) ??
    personKey('username', user?.username) ??
    personKey('ip', user?.ip_address)
  )
}

/** Everything that an SDK says of who a person is. Mail addresses are compared without regard to case. */
export function personKeys(user: EventUser | undefined): readonly string[] {
  return [
    personKey('id', user?.id),
    personKey('email', user?.email)?.toLowerCase() ?? null,
    personKey('username', user?.username),
    personKey('ip', user?.ip_address),
  ].filter((key) => key !== null)
}

function personKey(name: string, value: string | undefined): string | null {
  const plain = value?.trim() ?? ''
  return plain === '' || plain === FILTERED ? null : personName(name, plain)
}

function sdkOf(event: ScrubbedEvent): string | null {
  const { sdk } = event
  if (sdk === undefined || sdk.name === '') return null
  return sdk.version === '' ? sdk.name : `${sdk.name}/${sdk.version}`
}
