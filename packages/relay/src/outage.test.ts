/** Errata is down, slow or overloaded: what browsers are answered, what is kept, and what is counted. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anEnvelope, Monitor, until } from '../testing/monitor.ts'
import { streamSource } from './body-source.ts'
import { createCore } from './exchange.ts'
import type { RelayDrop, RelayOptions } from './options.ts'
import { readOptions } from './settings.ts'

const PAUSES = { firstMs: 20, longestMs: 40, ageMsMax: 60_000 }

function aCore(dsn: string, options: Partial<RelayOptions> = {}, pauses: Partial<typeof PAUSES> = {}) {
  const drops: RelayDrop[] = []
  const core = createCore(
    readOptions({ dsn, timeoutMs: 300, onDropped: (drop) => drops.push(drop), ...options }),
    { ...PAUSES, ...pauses },
  )
  const send = (body: string) =>
    core.answer({
      method: 'POST',
      header: (name) => (name === 'user-agent' ? 'Browser/1' : null),
      body: streamSource(new Blob([body]).stream()),
      peer: '198.51.100.4',
    })
  return { send, drops }
}

const messages = (monitor: Monitor) =>
  monitor.taken.map(({ body }) => /"message":"(\w+)"/.exec(body.toString())?.[1])

describe('an outage', () => {
  it('is answered 202 at once, and what came meanwhile arrives afterwards, as it would have', async () => {
    await using monitor = await new Monitor().start()
    const { send, drops } = aCore(monitor.dsn)
    await monitor.stop()
    for (const message of ['one', 'two', 'three']) {
      const { status, body } = await send(anEnvelope(monitor.dsn, message))
      assert.deepEqual([status, body], [202, '{}'])
    }
    await monitor.start()
    await until('all have arrived', () => monitor.taken.length === 3)
    assert.deepEqual(messages(monitor).sort(), ['one', 'three', 'two'])
    for (const { headers } of monitor.taken) {
      assert.equal(headers['user-agent'], 'Browser/1')
      assert.equal(headers['x-forwarded-for'], '198.51.100.4')
    }
    assert.deepEqual(drops, [])
    assert.equal((await send(anEnvelope(monitor.dsn, 'four'))).status, 200)
  })

  it('is waited for once, by the one that finds it', async () => {
    await using monitor = await new Monitor().start()
    monitor.answer = 'silence'
    const { send } = aCore(monitor.dsn, {}, { firstMs: 60_000, longestMs: 60_000 })
    assert.equal((await send(anEnvelope(monitor.dsn))).status, 202)
    assert.equal(monitor.taken.length, 1)
    for (let sent = 0; sent < 20; sent++) assert.equal((await send(anEnvelope(monitor.dsn))).status, 202)
    assert.equal(monitor.taken.length, 1)
  })

  for (const status of [502, 503, 504]) {
    it(`is what a proxy’s ${status} means`, async () => {
      await using monitor = await new Monitor().start()
      monitor.answer = { status }
      const { send } = aCore(monitor.dsn)
      assert.equal((await send(anEnvelope(monitor.dsn))).status, 202)
      monitor.answer = { status: 200 }
      await until('it has arrived', () => monitor.taken.length > 1)
    })
  }

  it('is not what Errata’s own refusals mean: they go back to the browser', async () => {
    await using monitor = await new Monitor().start()
    monitor.answer = { status: 503, headers: { 'retry-after': '7' } }
    const { send } = aCore(monitor.dsn)
    const { status, headers } = await send(anEnvelope(monitor.dsn))
    assert.deepEqual([status, headers['retry-after']], [503, '7'])
  })

  it('is over with any answer, so that one envelope that Errata fails on is none', async () => {
    await using monitor = await new Monitor().start()
    const { send } = aCore(monitor.dsn)
    await monitor.stop()
    assert.equal((await send(anEnvelope(monitor.dsn, 'poison'))).status, 202)
    monitor.answer = { status: 500, headers: { 'x-sentry-error': 'internal' } }
    await monitor.start()
    await until('it has arrived', () => monitor.taken.length === 1)
    monitor.answer = { status: 200 }
    let status = 0
    while (status !== 200) ({ status } = await send(anEnvelope(monitor.dsn, 'other')))
    assert.equal(messages(monitor).filter((message) => message === 'poison').length, 1)
  })

  it('goes on while Errata is overloaded', async () => {
    await using monitor = await new Monitor().start()
    const { send } = aCore(monitor.dsn)
    await monitor.stop()
    assert.equal((await send(anEnvelope(monitor.dsn))).status, 202)
    monitor.answer = { status: 503, headers: { 'retry-after': '1' } }
    await monitor.start()
    await until('it was tried', () => monitor.taken.length > 1)
    monitor.answer = { status: 200 }
    const tries = monitor.taken.length
    await until('it was tried again', () => monitor.taken.length > tries)
  })

  it('keeps no more than its bound, asks SDKs to pause, and reports what it lost', async () => {
    await using monitor = await new Monitor().start()
    const { send, drops } = aCore(monitor.dsn, { bufferBytesMax: 5_000 })
    await monitor.stop()
    const answers: number[] = []
    for (let sent = 0; sent < 10; sent++) {
      const { status, headers } = await send(anEnvelope(monitor.dsn))
      answers.push(status)
      assert.equal(headers['retry-after'], status === 503 ? '30' : undefined)
    }
    assert.deepEqual(answers, [202, 202, 202, 202, 503, 503, 503, 503, 503, 503])
    assert.equal(drops.length, 6)
    assert.deepEqual(drops[0], { reason: 'queue_overflow', bytes: anEnvelope(monitor.dsn).length })
    await monitor.start()
    await until('envelopes and the report have arrived', () => monitor.taken.length === 5)
    const [header, item, payload = ''] = monitor.taken[4]?.body.toString().split('\n') ?? []
    assert.deepEqual(JSON.parse(header ?? ''), { dsn: monitor.dsn })
    assert.equal(JSON.parse(item ?? '').type, 'client_report')
    assert.deepEqual(JSON.parse(payload).discarded_events, [
      { reason: 'queue_overflow', category: 'error', quantity: 6 },
    ])
  })

  it('loses a large envelope, which was never whole here, and counts it', async () => {
    await using monitor = await new Monitor().start()
    const { send, drops } = aCore(monitor.dsn)
    await monitor.stop()
    const { status } = await send(`${anEnvelope(monitor.dsn)}${'\n'.repeat(400_000)}`)
    assert.deepEqual([status, drops.map(({ reason }) => reason)], [503, ['network_error']])
    await monitor.start()
    await until('the report has arrived', () => monitor.taken.length === 1)
    assert.match(
      monitor.taken[0]?.body.toString() ?? '',
      /"reason":"network_error","category":"error","quantity":1/,
    )
  })

  it('drops what has waited too long', async () => {
    await using monitor = await new Monitor().start()
    const { send, drops } = aCore(monitor.dsn, {}, { ageMsMax: 100 })
    await monitor.stop()
    assert.equal((await send(anEnvelope(monitor.dsn))).status, 202)
    await until('it is dropped', () => drops.length === 1)
    await monitor.start()
    await until('the report has arrived', () => monitor.taken.length === 1)
    assert.match(monitor.taken[0]?.body.toString() ?? '', /"reason":"queue_overflow","category":"error"/)
  })

  it('of one address is none of another’s', async () => {
    await using up = await new Monitor().start()
    await using down = await new Monitor().start()
    const { send } = aCore(up.dsn, { dsn: [up.dsn, down.dsn] }, { firstMs: 60_000, longestMs: 60_000 })
    await down.stop()
    assert.equal((await send(anEnvelope(down.dsn))).status, 202)
    assert.equal((await send(anEnvelope(up.dsn))).status, 200)
  })
})
