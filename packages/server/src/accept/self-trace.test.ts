import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { type Log, silentLog } from '#base/log.ts'
import { systemRandom } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { NOW } from '#testing/builders/times.ts'
import { createSelfTrace, type SelfRequest } from './self-trace.ts'

const TRACE = 'ab'.repeat(16)
const PARENT = 'cd'.repeat(8)

function aRequest(change: Partial<SelfRequest> = {}): SelfRequest {
  return {
    ...{ requestKind: 'document', method: 'GET', route: '/:org/issues', action: null, status: 200 },
    ...{ traceId: TRACE, parentSpanId: null, atMs: NOW, ms: 40, ...change },
  }
}

interface SentSpan {
  readonly span_id: string
  readonly parent_span_id?: string
  readonly name: string
  readonly status: string
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly attributes: Readonly<Record<string, { readonly value: unknown }>>
}

/** Returns the sent envelopes as their spans, and the warnings beside them. */
function traced({ answers = 200 } = {}) {
  const sent: (readonly SentSpan[])[] = []
  const warnings: string[] = []
  const log: Log = { ...silentLog, warn: (text) => void warnings.push(text) }
  const trace = createSelfTrace({
    accept: {
      async accept({ body, query }) {
        assert.equal(query.get('sentry_key'), 'key')
        const { items } = JSON.parse(Buffer.from(body).toString().split('\n')[2] ?? '')
        sent.push(items)
        return { status: answers, eventId: null, error: null, rateLimits: null, retryAfter: null }
      },
    },
    target: () => ({ projectId: 7, publicKey: 'key' }),
    ...{ reportDsn: null, release: 'errata@1', clock: manualClock(NOW), random: systemRandom, log },
  })
  return { trace, sent, warnings }
}

describe('requests of Errata itself', () => {
  it('go out together, later, with their patterns, kinds and ends', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const { trace, sent } = traced()
    trace.record(aRequest())
    trace.record(
      aRequest({
        requestKind: 'action',
        method: 'POST',
        action: 'issues.resolve',
        status: 500,
        parentSpanId: PARENT,
      }),
    )
    assert.equal(sent.length, 0, 'nothing while pages are being answered')
    context.mock.timers.tick(5_000)
    const [[page, action] = []] = sent
    assert.equal(sent.length, 1)
    assert.deepEqual(
      [page?.name, page?.span_id, page?.parent_span_id, page?.status],
      ['GET /:org/issues', TRACE.slice(0, 16), undefined, 'ok'],
    )
    assert.equal(Math.round(((page?.end_timestamp ?? 0) - (page?.start_timestamp ?? 0)) * 1_000), 40)
    assert.equal(page?.attributes['errata.request_kind']?.value, 'document')
    assert.deepEqual(
      [action?.parent_span_id, action?.status, action?.attributes['errata.action']?.value],
      [PARENT, 'error', 'issues.resolve'],
    )
  })

  it('are a bounded sample when there are many, and say of how many', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const { trace, sent } = traced()
    const kept = max('selfRequestsPerBatch')
    for (let index = 0; index < 4 * kept; index++) trace.record(aRequest())
    context.mock.timers.tick(5_000)
    assert.equal(sent[0]?.length, kept)
    assert.equal(sent[0]?.[0]?.attributes['sentry.sample_rate']?.value, 0.25)
    trace.record(aRequest())
    context.mock.timers.tick(5_000)
    assert.equal(sent[1]?.[0]?.attributes['sentry.sample_rate']?.value, 1)
  })

  it('are dropped when the process ends, and a refusal is a line in the log', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const closed = traced()
    closed.trace.record(aRequest())
    closed.trace.close()
    const refused = traced({ answers: 503 })
    refused.trace.record(aRequest())
    context.mock.timers.tick(5_000)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(closed.sent.length, 0)
    assert.deepEqual(refused.warnings, ['own requests not recorded'])
  })
})
