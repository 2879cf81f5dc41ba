import { dayOf, projectId, seq } from '#base/ids.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { eventIdOf } from './ids.ts'
import { NOW } from './times.ts'

/** A stored segment with its own span. */
export function aFragmentRow(change: Partial<FragmentRow> = {}): FragmentRow {
  const { seq: at = seq(1), timestampMs = NOW } = change
  return {
    ...{ seq: at, projectId: projectId(3), eventId: eventIdOf(at), receivedMs: timestampMs },
    ...{ day: dayOf(timestampMs), retentionDays: 30, timestampMs },
    ...{ traceId: 'a'.repeat(32), segmentId: 'b'.repeat(16), parentSpanId: null, hasRoot: true },
    ...{ name: 'GET /orders/[id]', op: 'http.server', status: 'ok', durationMs: 100, spanCount: 3 },
    ...{ requestKind: 'document', route: '/orders/[id]', method: 'GET', httpStatus: 200, end: 'answered' },
    ...{ action: null, weight: 1, lcp: null, inp: null, cls: null, fcp: null, ttfb: null },
    ...{ ops: ['http.server', 'db'], repeated: [], platform: 'node', environment: 'production' },
    ...{ release: 'shop@1.2.3', dist: null, browser: null, os: null, runtime: null, device: null },
    ...{
      serverName: null,
      user: null,
      people: [],
      sdk: 'sentry.javascript.node',
      tags: [],
      isSampledOut: false,
      queriesMs: 20,
      callsMs: 0,
      service: null,
    },
    ...change,
  }
}
