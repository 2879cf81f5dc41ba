/** Figures of a page that are kept while nothing changes: what comes in is in them with the next look. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { signIn } from '../support/person.ts'
import { OWNER, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

it('figures of requests are those of now, however often the overview was opened before', async () => {
  await using running = await startShop()
  const rosa = await signIn(running.url, OWNER)
  const { username, pathname, origin } = new URL(running.shop.dsn)
  const count = async () => {
    const data = await (await rosa.pageData('/shop')).text()
    return Number(/"requests":\{.*?"count":(\d+)/s.exec(data)?.[1] ?? 0)
  }
  for (const sent of [1, 2, 3]) {
    assert.equal(await count(), sent - 1)
    const answer = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
      method: 'POST',
      body: ['{}', '{"type":"transaction"}', JSON.stringify(aRequest())].join('\n'),
      headers: { 'content-type': 'application/x-sentry-envelope' },
    })
    assert.equal(answer.status, 200)
    // Well before the minute in which anything is read anew.
    await waitFor('the request', async () => (await count()) === sent, 20_000)
  }
})

function aRequest() {
  const end = Date.now() / 1_000
  return {
    ...{ type: 'transaction', event_id: randomBytes(16).toString('hex'), platform: 'node' },
    ...{ transaction: 'GET /cart', transaction_info: { source: 'route' }, release: 'shop@1.0.0' },
    ...{ start_timestamp: end - 0.05, timestamp: end, environment: 'production', spans: [] },
    sdk: { name: 'sentry.javascript.nextjs', version: '11.12.0' },
    contexts: {
      trace: {
        ...{ trace_id: randomBytes(16).toString('hex'), span_id: randomBytes(8).toString('hex') },
        ...{ op: 'http.server', status: 'ok', data: { 'http.response.status_code': 200 } },
      },
    },
  }
}
