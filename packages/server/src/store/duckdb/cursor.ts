/** The cursor of an event list: the place after which the next page begins, opaque to whoever holds it. */

import { ErrataError } from '#base/errors.ts'
import { parseJsonOrNull } from '#base/json.ts'
import type { OrderKey } from './conditions.ts'

export function writeCursor({ timestampMs, eventId, seq }: OrderKey): string {
  return Buffer.from(JSON.stringify([timestampMs, eventId, seq])).toString('base64url')
}

/** Reads a cursor that comes back from outside; `bad_request` for anything that is none of ours. */
export function readCursor(cursor: string): OrderKey {
  const fields = cursor.length > 512 ? null : parseJsonOrNull(Buffer.from(cursor, 'base64url').toString())
  if (Array.isArray(fields) && fields.length === 3) {
    const [timestampMs, eventId, seq]: readonly unknown[] = fields
    if (Number.isFinite(timestampMs) && typeof eventId === 'string' && Number.isSafeInteger(seq)) {
      return { timestampMs: Number(timestampMs), eventId, seq: Number(seq) }
    }
  }
  throw new ErrataError('bad_request', 'the cursor is not one that this list gave')
}

/** Negative when `a` comes before `b` in the order of events (older first). */
export function compareKeys(a: OrderKey, b: OrderKey): number {
  if (a.timestampMs !== b.timestampMs) return a.timestampMs - b.timestampMs
  if (a.eventId !== b.eventId) return a.eventId < b.eventId ? -1 : 1
  return a.seq - b.seq
}
