/** Segments, vitals and sorts of spans as a batch brings them to the control store. */
import { createHash } from 'node:crypto'
import { DAY_MS } from '#base/durations.ts'
import type { SegmentHint, SegmentSeen, SpanCost, VitalSeen } from '#ports/requests.ts'
import { anEventId, SHOP } from './ids.ts'
import { NOW } from './times.ts'

const hex = (name: string, chars: number) => createHash('md5').update(name).digest('hex').slice(0, chars)

/** `name`: another one is another segment of another trace. */
export function aSegment({
  name = 'a',
  ...change
}: Partial<SegmentSeen> & { readonly name?: string } = {}): SegmentSeen {
  return {
    ...{ projectId: SHOP, environment: 'production', release: 'web@1.0.0', route: '/orders/[id]' },
    ...{ kind: 'document', traceId: hex(`trace ${name}`, 32), segmentId: hex(`segment ${name}`, 16) },
    ...{ fragmentId: anEventId(name), atMs: NOW, receivedMs: NOW, durationMs: 100, end: 'answered' },
    ...{ weight: 1, ...change },
  }
}

/** Builds what spans tell of the segment that they came apart from. */
export function aHint({
  name = 'a',
  ...change
}: Partial<SegmentHint> & { readonly name?: string } = {}): SegmentHint {
  const { projectId, traceId, segmentId, receivedMs } = aSegment({ name })
  return {
    projectId,
    traceId,
    segmentId,
    receivedMs,
    kind: 'route-handler',
    work: null,
    httpStatus: null,
    action: null,
    ...change,
  }
}

export function aVital({
  name = 'a',
  ...change
}: Partial<VitalSeen> & { readonly name?: string } = {}): VitalSeen {
  return {
    ...{ projectId: SHOP, environment: 'production', release: 'web@1.0.0', route: '/orders/[id]' },
    ...{ kind: 'browser', traceId: hex(`trace ${name}`, 32), spanId: hex(`span ${name}`, 16) },
    ...{ atMs: NOW, receivedMs: NOW, vital: 'lcp', value: 1_200, weight: 1, ...change },
  }
}

export function aCost(change: Partial<SpanCost> = {}): SpanCost {
  return {
    ...{
      projectId: SHOP,
      route: '/orders/[id]',
      kind: 'document',
      day: Math.floor(NOW / DAY_MS),
      op: 'db',
      description: 'SELECT ?',
    },
    ...{ count: 1, totalMs: 10, failed: 0, repeatedIn: 0 },
    slowest: { ms: 10, traceId: hex('trace', 32), spanId: hex('span', 16) },
    ...change,
  }
}
