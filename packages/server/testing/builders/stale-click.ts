/** Halves of stale clicks as a batch brings them to the control store. */
import { createHash } from 'node:crypto'
import type { StaleClickSeen } from '#ports/skew.ts'
import { anEventId, SHOP } from './ids.ts'
import { NOW } from './times.ts'

export const OLD = 'web@1.0.0'
export const NEW = 'web@1.1.0'

const traceOf = (name: string) => createHash('md5').update(`trace ${name}`).digest('hex')

/** Builds a stale click from a browser's error. Another `name` is another trace. */
export function aStaleClick({
  name = 'a',
  ...change
}: Partial<StaleClickSeen> & { readonly name?: string } = {}): StaleClickSeen {
  return {
    ...{ projectId: SHOP, environment: 'production', release: OLD, side: 'browser', source: 'event' },
    ...{ failure: 'action', subject: '40f1c2', route: '/cart', traceId: traceOf(name), user: 7n },
    ...{ sdk: 'sentry.javascript.nextjs', httpStatus: null, eventId: anEventId(name) },
    group: null,
    ...{ atMs: NOW, receivedMs: NOW, ...change },
  }
}

/** Builds the same click as the server's span tells it. */
export function aStaleRequest(change: Parameters<typeof aStaleClick>[0] = {}): StaleClickSeen {
  return aStaleClick({
    ...{ release: NEW, side: 'server', source: 'span', user: null, httpStatus: 404, eventId: null },
    ...change,
  })
}
