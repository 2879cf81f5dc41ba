/** The payload of an event as it was stored. */
import { isObject } from '#base/json.ts'
import type { EventRow } from '#process/batch.ts'
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

/** What the columns alone tell, where the payload was not kept. */
export function storedFromRow(row: EventRow): StoredEvent {
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
    logentry: { formatted: row.title },
    tags: row.tags,
    problems: [{ path: '', rule: 'missing', found: 'the payload of this event is not kept' }],
    scrubbedPaths: [],
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
