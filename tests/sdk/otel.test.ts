/** Unmodified OpenTelemetry for Node, in a process of its own: both of its exporters over HTTP. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const SENDER = fileURLToPath(new URL('./senders/otel-node.mjs', import.meta.url))
const run = promisify(execFile)
const CALLER = 'b1b1b1b1b1b1b1b1'

interface SpanShape {
  readonly op: string
  readonly description: string
  readonly children: readonly SpanShape[]
}

/** Sends what the app in front of it sends with a Sentry SDK: the call that the service answers. */
async function sendCaller({ dsn }: SetUp, traceId: string): Promise<void> {
  const { protocol, host, username, pathname } = new URL(dsn)
  const now = Date.now() / 1_000
  const span = {
    ...{ trace_id: traceId, span_id: CALLER, name: 'GET /orders', status: 'ok', is_segment: true },
    ...{ start_timestamp: now - 1, end_timestamp: now + 1 },
    attributes: { 'sentry.op': { type: 'string', value: 'http.server' } },
  }
  const payload = JSON.stringify({ version: 2, items: [span] })
  const header = { type: 'span', item_count: 1, length: Buffer.byteLength(payload) }
  const url = `${protocol}//${host}/api${pathname}/envelope/?sentry_key=${username}`
  const body = `{}\n${JSON.stringify(header)}\n${payload}\n`
  assert.equal((await fetch(url, { method: 'POST', body })).status, 200)
}

async function spansOf(shop: SetUp, traceId: string): Promise<{ text: string; roots: readonly SpanShape[] }> {
  const answer = await fetch(
    `${shop.url}/api/0/organizations/${shop.organisation}/events-trace/${traceId}/`,
    {
      headers: { authorization: `Bearer ${shop.token}` },
    },
  )
  const text = await answer.text()
  return { text, roots: answer.ok ? (JSON.parse(text) as SpanShape[]) : [] } // asserted below
}

const shapeOf = ({ op, children }: SpanShape): unknown => [op, children.map(shapeOf)]

describe('a service with OpenTelemetry', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  before(async () => {
    running = await startShop()
  })
  after(() => running?.[Symbol.asyncDispose]())

  for (const [exporter, traceId] of [
    ['@opentelemetry/exporter-trace-otlp-http', 'a1'.repeat(16)],
    ['@opentelemetry/exporter-trace-otlp-proto', 'a2'.repeat(16)],
  ] as const) {
    it(`joins the waterfall of the app that calls it, sent by ${exporter}`, async () => {
      const { shop } = running
      await sendCaller(shop, traceId)
      const traceparent = `00-${traceId}-${CALLER}-01`
      await run(process.execPath, [SENDER, exporter, shop.dsn, traceparent], { timeout: 120_000 })
      const wanted = JSON.stringify([['http.server', [['http.server', [['db', []]]]]]])
      const found = await waitFor('spans of both', async () => {
        const { roots, text } = await spansOf(shop, traceId)
        return JSON.stringify(roots.map(shapeOf)) === wanted ? text : null
      })
      assert.doesNotMatch(found, /hunter2secret/)
      assert.match(found, /"sdk_name":"opentelemetry"/)
    })
  }
})
