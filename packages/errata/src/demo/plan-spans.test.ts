import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import payloads from './payloads.json' with { type: 'json' }
import { DEMO_DAYS, type DemoItem, makeEnvelope, planEvents, RELEASES, traceOf } from './plan-events.ts'
import { planSpans, TRACED_DAYS } from './plan-spans.ts'

const NOW = Date.UTC(2026, 10, 22, 12, 20)
const DAY = 86_400_000

/** A generator that answers the same in every run. */
function steady(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

interface SentSpan {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id?: string
  readonly name: string
  readonly status: string
  readonly is_segment: boolean
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly attributes: Readonly<Record<string, { readonly value: string | number | boolean }>>
}

const spansOf = ({ payload }: DemoItem) => (payload.items ?? []) as readonly SentSpan[] // as planned
const attribute = ({ attributes }: SentSpan, name: string) => attributes[name]?.value
const median = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

describe('traces of the sample organisation', () => {
  const random = steady()
  const events = planEvents(payloads, { nowMs: NOW, random })
  const plan = planSpans(events, { nowMs: NOW, random })
  const spans = plan.flatMap(spansOf)
  const segments = spans.filter(({ is_segment }) => is_segment)
  const servers = segments.filter((span) => attribute(span, 'sentry.op') === 'http.server')

  it('are a few thousand spans of the last days, sent when they have ended, oldest first', () => {
    assert.ok(spans.length > 2_000 && spans.length < 9_000, String(spans.length))
    assert.ok(plan.length < 2_500, String(plan.length))
    assert.ok(TRACED_DAYS <= DEMO_DAYS)
    for (const [index, { atMs }] of plan.entries()) {
      assert.ok(atMs <= NOW && atMs > NOW - TRACED_DAYS * DAY && atMs >= (plan[index - 1]?.atMs ?? 0))
    }
    for (const item of plan) {
      for (const span of spansOf(item)) {
        assert.ok(span.end_timestamp >= span.start_timestamp && span.end_timestamp * 1_000 <= item.atMs)
      }
    }
  })

  it('are the same for the same clock and numbers', () => {
    const again = steady()
    const told = planEvents(payloads, { nowMs: NOW, random: again })
    assert.deepEqual(planSpans(told, { nowMs: NOW, random: again }), plan)
  })

  it('hang together: each parent is a span of the same trace', () => {
    const known = new Set(spans.map(({ trace_id, span_id }) => `${trace_id} ${span_id}`))
    for (const { trace_id, parent_span_id, name } of spans) {
      if (parent_span_id !== undefined) assert.ok(known.has(`${trace_id} ${parent_span_id}`), name)
    }
    const joined = plan.filter(({ type, payload }) => {
      const { trace_id, parent_span_id } = type === 'transaction' ? traceOf(payload) : {}
      return known.has(`${trace_id} ${parent_span_id}`)
    })
    assert.ok(joined.length > 50)
    assert.ok(joined.every(({ project }) => project === 'warehouse'))
  })

  it('name what was largest, what moved, what was clicked and what blocked, on devices of several systems', () => {
    const namesOf = (op: RegExp) =>
      new Set(spans.filter((span) => op.test(String(attribute(span, 'sentry.op')))).map(({ name }) => name))
    for (const op of [/^ui\.webvital\.lcp$/, /^ui\.webvital\.cls$/, /^ui\.interaction\./])
      assert.ok(namesOf(op).size > 2, String(op))
    const scripts = spans.map((span) => attribute(span, 'browser.script.source_url')).filter(Boolean)
    assert.ok(new Set(scripts).size > 1 && scripts.length > 10, String(scripts.length))
    assert.ok(spans.some((span) => attribute(span, 'resource.render_blocking_status') === 'blocking'))
    const pages = segments.filter((span) => attribute(span, 'sentry.op') === 'pageload')
    assert.ok(new Set(pages.map((span) => attribute(span, 'os.name'))).size > 2)
    assert.ok(pages.every((span) => attribute(span, 'os.name') !== undefined))
  })

  it('have requests of every kind, in several releases', () => {
    const header = (name: string) =>
      servers.filter((span) => attribute(span, `http.request.header.${name}`) !== undefined).length
    assert.ok(header('rsc') > 20 && header('next-router-prefetch') > 10 && header('next-action') > 10)
    assert.ok(header('sec-fetch-dest') > 50)
    assert.ok(spans.some(({ name }) => name === 'executing api route (app) /api/suggest'))
    const names = new Set(segments.map((span) => attribute(span, 'sentry.release')))
    assert.ok(names.has(`shop@${RELEASES.at(-1)?.[1]}`) && names.size >= 2)
  })

  it('hold the newest errors of the server and their mirrors: an error leads to the span it happened in', () => {
    const known = new Set(spans.map(({ trace_id, span_id }) => `${trace_id} ${span_id}`))
    const newest = events
      .filter(({ type, project }) => type === 'event' && project === 'storefront')
      .slice(-4)
    assert.equal(newest.length, 4)
    for (const { payload } of newest) {
      const { trace_id, span_id } = traceOf(payload)
      assert.ok(known.has(`${trace_id} ${span_id}`), String(payload.transaction))
    }
  })

  it('have failures behind a status of 200', () => {
    const hidden = servers.filter(
      (span) => span.status === 'error' && attribute(span, 'http.response.status_code') === 200,
    )
    assert.ok(hidden.length > 0 && hidden.length < servers.length / 10, String(hidden.length))
  })

  it('have a route that the newest release made slower', () => {
    const lasted = (isNewest: boolean) =>
      median(
        servers
          .filter((span) => span.status === 'ok' && attribute(span, 'http.route') === '/orders/[id]')
          .filter((span) => attribute(span, 'http.request.header.next-router-prefetch') === undefined)
          .filter(
            (span) => (attribute(span, 'sentry.release') === `shop@${RELEASES.at(-1)?.[1]}`) === isNewest,
          )
          .map((span) => span.end_timestamp - span.start_timestamp),
      )
    assert.ok(lasted(true) > 1.4 * lasted(false), `${lasted(true)} against ${lasted(false)}`)
  })

  it('go out as containers that say what they hold', () => {
    const [batch] = plan.filter(({ type }) => type === 'span')
    assert.ok(batch !== undefined)
    const header: unknown = JSON.parse(makeEnvelope(batch).split('\n')[1] ?? '')
    assert.deepEqual(header, {
      ...{ type: 'span', item_count: spansOf(batch).length },
      content_type: 'application/vnd.sentry.items.span.v2+json',
    })
  })
})
