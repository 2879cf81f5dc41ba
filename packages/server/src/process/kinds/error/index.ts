/** Errors and messages: normalise, scrub, group, then what the stores keep of it. */

import { isObject } from '#base/json.ts'
import { groupEvent } from '#group/group.ts'
import { normalizeEvent } from '#normalize/normalize.ts'
import { scrubEvent } from '#scrub/scrub.ts'
import { type ItemAnswer, type ItemInput, onlyOutcome } from '../../item.ts'
import { readLenientJson } from '../../lenient-json.ts'
import { eventFacts } from './facts.ts'

/** Old clients send these through the event endpoint; they have no store of their own yet. */
const OTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ['transaction', 'transaction'],
  ['feedback', 'feedback'],
  ['csp', 'security'],
])
const ENCODER = new TextEncoder()

export function readErrorEvent({ payload, envelope }: ItemInput): ItemAnswer {
  const raw = readLenientJson(payload)
  if (raw === undefined) return refused('invalid_json', `event of ${payload.length} bytes that is no JSON`)
  const other = isObject(raw) && typeof raw.type === 'string' ? OTHER_TYPES.get(raw.type) : undefined
  if (other !== undefined) return refused('unsupported_kind', 'event item of another type', other)
  const normalized = normalizeEvent(raw, {
    eventId: envelope.eventId,
    receivedMs: envelope.receivedMs,
    sentAt: envelope.header.sent_at ?? null,
    clientAddress: envelope.clientAddress,
    userAgent: envelope.userAgent,
    sdk: envelope.header.sdk,
    client: envelope.client,
  })
  if (!normalized.ok) return refused(normalized.reason, `event of ${payload.length} bytes`)
  const event = scrubEvent(normalized.event, envelope.scrubber, { clientAddress: envelope.clientAddress })
  const { row, facts, digests } = eventFacts(event, groupEvent(event), {
    projectId: envelope.projectId,
    seq: envelope.seq,
    receivedMs: envelope.receivedMs,
    retentionDays: envelope.retentionDays,
  })
  const stored = ENCODER.encode(JSON.stringify(event))
  return { events: [{ row, keyId: envelope.keyId, facts, digests, payload: stored }], outcomes: [] }
}

function refused(reason: string, example: string, category = 'error'): ItemAnswer {
  return onlyOutcome({ outcome: 'invalid', reason, category, quantity: 1, example })
}
