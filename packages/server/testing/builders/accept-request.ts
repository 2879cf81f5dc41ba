/** Builds requests of the accept step, and the text of an envelope to ask it with. */
import { SAMPLE_SHOP, SHOP_KEY } from '#accept/sample-directory.ts'
import type { AcceptRequest } from '#accept/types.ts'

export const EVENT_ID = '9ec79c33ec9942ab8353589fcb2e04dc'

export function aRequest(body: string | Uint8Array, change: Partial<AcceptRequest> = {}): AcceptRequest {
  return {
    projectRef: String(SAMPLE_SHOP),
    format: 'envelope',
    query: new URLSearchParams({ sentry_key: SHOP_KEY, sentry_client: 'sentry.javascript.node/11.12.0' }),
    sentryAuth: null,
    authorization: null,
    contentEncoding: null,
    contentType: null,
    origin: null,
    referer: null,
    userAgent: null,
    clientAddress: '203.0.113.7',
    body: typeof body === 'string' ? Buffer.from(body) : body,
    relay: null,
    ...change,
  }
}

export const envelopeText = (payload = '{"message":"hi"}') =>
  `{"event_id":"${EVENT_ID}"}\n{"type":"event"}\n${payload}`
