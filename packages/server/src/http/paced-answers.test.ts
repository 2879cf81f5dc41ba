import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { SAMPLE_SHOP } from '#accept/sample-directory.ts'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { ENVELOPE, TestServer } from '#testing/worlds/server.ts'

const HELD = { headerMs: 5_000, bodyMs: 5_000, checkMs: 50, refusalMs: 400 }

describe('answers that cost nothing', () => {
  const clock = manualClock(0)
  let server: TestServer
  before(async () => {
    server = await TestServer.open()
    const settings = { port: 0, portChosen: false, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] }
    const metrics = async () => []
    await server.start({}, { clock, settings, timeouts: HELD, metrics })
  })
  after(() => server.close())

  const asked: readonly [what: string, path: string, init: RequestInit, status: number][] = [
    ['a preflight', `/api/${SAMPLE_SHOP}/envelope/`, { method: 'OPTIONS' }, 204],
    ['an endpoint that does not exist', `/api/${SAMPLE_SHOP}/nothing/`, {}, 404],
    [
      'an unknown key',
      `/api/${SAMPLE_SHOP}/envelope/?sentry_key=${'0'.repeat(32)}`,
      { method: 'POST', body: ENVELOPE },
      403,
    ],
    ['a target that nobody can read', '/%zz', {}, 400],
    ['a relayed envelope without a DSN', '/monitoring?o=acme&p=shop', { method: 'POST', body: '{}\n' }, 400],
    ['the metrics, asked from elsewhere', '/metrics', {}, 403],
  ]
  for (const [at, [what, path, init, status]] of asked.entries()) {
    it(`such as that to ${what} come later for whoever asks all the time, and for nobody else`, async () => {
      clock.advance(1_000)
      const ask = (last: number) =>
        fetch(server.address(path), { ...init, headers: { 'x-forwarded-for': `192.0.${at}.${last}` } })
      const all = (count: number) => Promise.all(Array.from({ length: count }, () => ask(1)))
      for (let n = 0; n < max('cheapAnswersPerSecond'); n += 50)
        for (const answer of await all(50)) assert.equal(answer.status, status)
      const late = all(2)
      const first = await Promise.race([late.then(() => 'late'), ask(2).then(() => 'other')])
      assert.equal(first, 'other')
      for (const answer of await late) assert.equal(answer.status, status)
    })
  }
})
