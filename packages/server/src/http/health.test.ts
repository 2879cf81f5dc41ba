import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { TestServer } from '#testing/worlds/server.ts'

describe('/health', () => {
  const clock = manualClock(0)
  let server: TestServer
  let looked = 0
  before(async () => {
    server = await TestServer.open()
    const accept = server.ingest.openAccept()
    const healthy = () => {
      looked++
      return { ok: true, status: 'ok', detail: 'ok', reasons: [] } as const
    }
    const settings = { port: 0, portChosen: false, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] }
    await server.start({}, { engine: { accept, healthy }, clock, settings, timeouts: HELD })
  })
  after(() => server.close())

  const ask = (from: string, init: RequestInit = {}) =>
    fetch(server.address('/health'), { ...init, headers: { 'x-forwarded-for': from } })
  const askOften = (from: string, times: number) =>
    Promise.all(Array.from({ length: times }, () => ask(from)))

  it('looks at what works a few times a second at most, however often it is asked', async () => {
    const before = looked
    for (const answer of await askOften('192.0.2.1', 20)) {
      assert.equal(answer.status, 200)
      assert.equal((await answer.text()).includes('"status":"ok"'), true)
    }
    assert.equal(looked, before + 1)
    clock.advance(max('healthKeptMs'))
    await ask('192.0.2.1')
    assert.equal(looked, before + 2)
  })

  it('answers later, and truly, whoever asks all the time; others at once', async () => {
    clock.advance(2_000)
    const at = performance.now()
    await askOften('192.0.2.2', max('healthAnswersPerSecond'))
    const late = askOften('192.0.2.2', 2)
    const first = await Promise.race([late.then(() => 'late'), ask('192.0.2.3').then(() => 'other')])
    assert.equal(first, 'other')
    assert.deepEqual(
      (await late).map(({ status }) => status),
      [200, 200],
    )
    assert.ok(performance.now() - at >= HELD.refusalMs - 1)
  })

  it('has no body for HEAD, and is read alone', async () => {
    clock.advance(2_000)
    const head = await ask('192.0.2.4', { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [200, ''])
    assert.equal((await ask('192.0.2.4', { method: 'DELETE' })).status, 405)
  })
})

const HELD = { headerMs: 5_000, bodyMs: 5_000, checkMs: 50, refusalMs: 300 }
