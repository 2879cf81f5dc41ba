/** A stop and a start, whatever the last thing was that came: nothing is told that is not so. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { acceptedErrors } from '../support/api.ts'
import { openMemoryGroup } from '../support/memory-group.ts'
import { anEvent, post, send } from '../support/send.ts'
import { keyIsKnown, newDataDirectory, serve, setUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const repeated = anEvent({ message: 'sent twice' })

/** Last records of a batch that store nothing of their own where the event is. */
const LAST: Readonly<Record<string, (dsn: string) => Promise<unknown>>> = {
  'an item without a store': (dsn) => envelope(dsn, { type: 'replay_event' }, {}),
  'a client report': (dsn) =>
    envelope(
      dsn,
      { type: 'client_report' },
      { discarded_events: [{ reason: 'sample_rate', category: 'error', quantity: 3 }] },
    ),
  'a session': (dsn) =>
    envelope(
      dsn,
      { type: 'session' },
      {
        ...{ sid: randomUUID(), init: true, status: 'ok', errors: 0, started: new Date().toISOString() },
        attrs: { release: 'shop@1.0.0' },
      },
    ),
  'an event that is no JSON': (dsn) => envelope(dsn, { type: 'event' }, 'no JSON'),
  'a duplicate': (dsn) => post(dsn, repeated),
  'a filtered event': (dsn) =>
    post(
      dsn,
      anEvent({
        message: 'NEXT_REDIRECT',
        more: { exception: { values: [{ type: 'Error', value: 'NEXT_REDIRECT' }] } },
      }),
    ),
  'an empty envelope': (dsn) => envelope(dsn, null, null),
  'refusals alone': (dsn) =>
    post(dsn.replace(/\/\/\w+@/, `//${'0'.repeat(32)}@`), anEvent({ message: 'refused' })),
  'a transaction': (dsn) => envelope(dsn, { type: 'transaction' }, aTransaction()),
  'a check-in': (dsn) =>
    fetch(`${new URL(dsn).origin}/api/1/cron/nightly/${new URL(dsn).username}/?status=ok`),
}

describe('a restart', () => {
  it('says nothing that is not so, whatever the last record was', async (t) => {
    const data = await newDataDirectory()
    let running = await serve({ data })
    t.after(() => running[Symbol.asyncDispose]())
    const { port } = running
    const shop = await setUp(data, running.url)
    await keyIsKnown(running.url, shop.dsn)
    await send(shop.dsn, repeated)
    let errors = 1
    for (const [what, sendLast] of Object.entries(LAST)) {
      // Side by side, so that some share a batch, in whatever order.
      const events = Array.from({ length: 4 }, (_, number) => anEvent({ message: `${what} ${number}` }))
      await Promise.all(events.flatMap((event) => [send(shop.dsn, event), sendLast(shop.dsn)]))
      await Promise.all([sendLast(shop.dsn), sendLast(shop.dsn)])
      errors += events.length
      await waitFor(`events beside ${what} are stored`, async () => (await acceptedErrors(shop)) === errors)
      assert.equal(await running.stop(), 0, what)
      running = await serve({ data, port })
      const health = await (await fetch(`${running.url}/health`)).json()
      assert.deepEqual([health.status, health.reasons ?? []], ['ok', []], what)
      assert.doesNotMatch(running.output(), /"level":"error"/, what)
      assert.equal(await acceptedErrors(shop), errors)
    }
  })

  it('says nothing that is not so after memory ran short, and takes all that comes', async (t) => {
    const group = openMemoryGroup(`errata-restart-${process.pid}`, 700 * MIB)
    if (group === null) return t.skip('needs root, and a control group of memory that it may make')
    const data = await newDataDirectory()
    let running = await serve({ data, group: group.processes })
    t.after(async () => {
      await running[Symbol.asyncDispose]()
      group.remove()
    })
    const { port } = running
    const shop = await setUp(data, running.url)
    await keyIsKnown(running.url, shop.dsn)
    const healthOf = async () => (await fetch(`${running.url}/health`)).json()
    const full = group.fill(Math.max(0, 640 * MIB - group.used()))
    let errors = 0
    const sendOne = async () => {
      const { status } = await post(shop.dsn, anEvent({ message: `under pressure ${errors}` }))
      if (status === 200) errors++
      return status
    }
    await waitFor('ingest is closed', async () => ((await sendOne()) === 503 ? true : null))
    // What was under way then is stopped with the process, before anything has calmed down.
    assert.equal(await running.stop(), 0)
    const gone = once(full, 'exit')
    full.kill('SIGKILL')
    await gone
    assert.doesNotMatch(running.output(), /"level":"error"/)
    running = await serve({ data, port, group: group.processes })
    await waitFor('it takes events', async () => ((await sendOne()) === 200 ? true : null))
    const health = await healthOf()
    assert.deepEqual([health.status, health.reasons ?? []], ['ok', []])
    assert.doesNotMatch(running.output(), /"level":"error"/)
    await waitFor('all of them are stored', async () => (await acceptedErrors(shop)) === errors)
  })
})

const MIB = 1_048_576

function envelope(dsn: string, header: object | null, payload: unknown): Promise<Response> {
  const { username, pathname, origin } = new URL(dsn)
  const item = header === null ? '' : `${JSON.stringify(header)}\n${JSON.stringify(payload)}\n`
  return fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: `{}\n${item}`,
  })
}

function aTransaction() {
  const [trace_id, span_id] = [randomUUID().replaceAll('-', ''), randomUUID().slice(0, 8).padEnd(16, '0')]
  const end = Date.now() / 1_000
  return {
    ...{
      type: 'transaction',
      event_id: randomUUID().replaceAll('-', ''),
      transaction: 'GET /',
      platform: 'node',
    },
    ...{ start_timestamp: end - 1, timestamp: end, spans: [] },
    contexts: { trace: { trace_id, span_id, op: 'http.server', status: 'ok' } },
  }
}
