/** The payload of an event as it was stored. */

import type { GroupHash } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { storedTitle } from '#kinds/error/read-again.ts'
import { recogniseEvent } from '#kinds/error/recognised.ts'
import type { GroupingComponent, ScrubbedEvent } from '#model/event.ts'
import { type HydrationDetails, hydrationDetails } from '#recognise/hydration/details.ts'
import { recognise } from '#recognise/recognise.ts'
import type { StoredEvent } from '../types.ts'

const decoder = new TextDecoder()

/** The bytes are our own commit's; a broken block is an error of the segments, not seen here. */
export function readStoredEvent(bytes: Uint8Array): StoredEvent {
  const event: unknown = JSON.parse(decoder.decode(bytes))
  if (!isObject(event)) throw new Error('a stored event is not a JSON object')
  const lists = { tags: listOf(event.tags), problems: listOf(event.problems) }
  // Written by our own process step from a ScrubbedEvent.
  return { ...event, ...lists, scrubbedPaths: listOf(event.scrubbedPaths) } as unknown as StoredEvent // see above
}

/**
 * Why the event belongs to its issue, which owns these groups. Nothing where something else decided than what it says:
 * a bound on new issues, or a version of the grouping that is not told any more.
 */
export function explanationOf(
  event: StoredEvent,
  groups: readonly GroupHash[],
): readonly GroupingComponent[] {
  const { hash, explanation } = recogniseEvent(asScrubbed(event)).grouping
  return groups.includes(hash) ? explanation : []
}

/** Returns the differences between server and browser, for a mismatch of the two. */
export function hydrationOf(event: StoredEvent): HydrationDetails | null {
  const recognised = recognise(asScrubbed(event))
  return recognised?.category === 'hydration' ? hydrationDetails(asScrubbed(event), recognised) : null
}

/** It was scrubbed before it was stored. */
export function asScrubbed(event: StoredEvent): ScrubbedEvent {
  return event as ScrubbedEvent // see above
}

/** The row of an event that reads otherwise today. */
export function withTitle(row: EventRow, event: StoredEvent): EventRow {
  return { ...row, ...storedTitle(asScrubbed(event)) }
}

const WHY = {
  not_kept:
    'the payload was not kept: its issue had more events in that hour than the project keeps payloads of',
  missing: 'the payload is not there any more',
} as const

/** Builds an event from its columns if there is no payload. */
export function storedFromRow(row: EventRow, why: keyof typeof WHY): StoredEvent {
  return {
    event_id: row.eventId,
    timestamp: row.timestampMs / 1000,
    received: row.receivedMs / 1000,
    level: row.level,
    platform: row.platform,
    ...(row.transaction === null ? {} : { transaction: row.transaction }),
    ...(row.serverName === null ? {} : { server_name: row.serverName }),
    ...(row.release === null ? {} : { release: row.release }),
    ...(row.dist === null ? {} : { dist: row.dist }),
    ...(row.environment === null ? {} : { environment: row.environment }),
    ...(row.url === null ? {} : { request: { url: row.url } }),
    ...storedUser(row),
    logentry: { formatted: row.title },
    tags: row.tags,
    problems: [{ path: '', rule: 'missing', found: WHY[why] }],
    scrubbedPaths: [],
  }
}

const PERSON_FIELDS = [
  ['id:', 'id'],
  ['email:', 'email'],
  ['username:', 'username'],
  ['ip:', 'ip_address'],
] as const

function storedUser({ people, user }: EventRow): Pick<StoredEvent, 'user'> {
  const names = new Set(user === null ? people : [user, ...people])
  const fields = [...names].flatMap((name) => {
    const known = PERSON_FIELDS.find(([start]) => name.startsWith(start))
    return known === undefined ? [] : [[known[1], name.slice(known[0].length)] as const]
  })
  // The foremost name comes first and is spelled as it was sent.
  return fields.length === 0 ? {} : { user: Object.fromEntries(fields.toReversed()) }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
