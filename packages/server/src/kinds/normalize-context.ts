/** Context of an envelope for the readers of its items. */
import type { NormalizeContext } from '#normalize/normalize.ts'
import type { EnvelopeContext } from './item.ts'

export function normalizeContext(envelope: EnvelopeContext): NormalizeContext {
  return {
    eventId: envelope.eventId,
    receivedMs: envelope.receivedMs,
    sentAt: envelope.header.sent_at ?? null,
    clientAddress: envelope.clientAddress,
    userAgent: envelope.userAgent,
    sdk: envelope.header.sdk,
    client: envelope.client,
  }
}
