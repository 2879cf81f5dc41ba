import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, it } from 'node:test'
import {
  BLOG_KEY,
  SAMPLE_SHOP,
  type SampleChange,
  SHOP_DISABLED_KEY,
  SHOP_KEY,
} from '#accept/sample-directory.ts'
import { manualClock } from '#base/clock.ts'
import { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { EVENT_ID } from '#testing/builders/accept-request.ts'
import { TestServer } from '#testing/worlds/server.ts'
import { AddressLimiter } from './monitoring.ts'
import type { HttpOptions } from './server.ts'

const OWN = 'https://errata.example'

let server: TestServer
beforeEach(async () => {
  server = await TestServer.open()
})
afterEach(() => server.close())

const start = (
  change: SampleChange = {},
  trustedProxies: readonly string[] = [],
  options: Pick<HttpOptions, 'clock' | 'timeouts'> = {},
) =>
  server.start(change, {
    ...options,
    settings: { port: 0, portChosen: false, host: '127.0.0.1', trustedProxies },
    publicAddress: new PublicAddress({ url: OWN, port: 0 }),
  })

const send = (
  { o = 'acme', p = 'shop', key = SHOP_KEY, host = 'http://169.254.169.254', project = SAMPLE_SHOP } = {},
  headers: Record<string, string> = {},
) =>
  fetch(`http://127.0.0.1:${server.port}/monitoring?o=${o}&p=${p}`, {
    method: 'POST',
    body: `${JSON.stringify({ event_id: EVENT_ID, dsn: `${host.replace('://', `://${key}@`)}/${project}` })}\n{"type":"event"}\n{}`,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
  })

/** The answer as its bytes came, without what the server adds to every one. */
async function rawAnswer({ body, headers }: { body: string; headers: Record<string, string> }) {
  const sent = request({
    ...{ host: '127.0.0.1', port: server.port, path: '/monitoring?o=acme&p=shop', method: 'POST', headers },
  })
  sent.end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  assert.ok(response !== undefined)
  const lines = response.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
  )
  return {
    status: response.statusCode,
    headers: lines.filter((line) => !/^(date|connection|keep-alive|server):/i.test(line)),
    body: await text(response),
  }
}

describe('POST /monitoring', () => {
  it('takes an envelope of any project of the installation, whatever host its DSN names', async () => {
    await start()
    const response = await send({}, { cookie: 'session=secret', 'user-agent': 'Browser/1' })
    assert.equal(response.status, 200)
    assert.deepEqual(await response.json(), { id: EVENT_ID })
    assert.equal(response.headers.get('access-control-allow-origin'), null)
    assert.equal((await send({ o: '1', p: '43', key: BLOG_KEY, project: 43 })).status, 200)
    const [record] = server.ingest.records()
    assert.ok(record?.type === 'envelope')
    assert.equal(record.clientAddress, null)
    assert.equal(record.userAgent, 'Browser/1')
    assert.doesNotMatch(JSON.stringify(record), /secret/)
  })

  it('keeps the client address where a trusted proxy says it', async () => {
    await start({}, ['127.0.0.1'])
    await send({}, { 'x-forwarded-for': '198.51.100.4' })
    await send()
    assert.deepEqual(
      server.ingest.records().map((record) => (record.type === 'envelope' ? record.clientAddress : null)),
      ['198.51.100.4', null],
    )
  })

  const refusals = [
    ['another project', { p: 'blog' }],
    ['another organisation', { o: 'rival' }],
    ['no organisation', { o: '' }],
    ['a disabled key', { key: SHOP_DISABLED_KEY }],
    ['a key of another project', { key: BLOG_KEY }],
    ['a project that does not exist', { project: 999, p: '999' }],
  ] as const
  for (const [name, change] of refusals) {
    it(`refuses ${name} with 403 and counts it`, async () => {
      await start()
      const response = await send(change)
      assert.equal(response.status, 403)
      assert.match(await response.text(), /^\{"detail":"/)
      assert.notEqual(response.headers.get('x-sentry-error'), null)
      assert.equal((await server.ingest.outcomes()).length, 1)
    })
  }

  it('takes its own pages, and other origins only as the project allows', async () => {
    await start({ shop: { options: { ...PROJECT_OPTIONS_DEFAULT, allowedDomains: ['shop.example'] } } })
    assert.equal((await send({}, { origin: OWN })).status, 200)
    assert.equal((await send({}, { origin: 'https://shop.example' })).status, 200)
    assert.equal((await send({}, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await send({}, { origin: `${OWN}.evil.example` })).status, 403)
  })

  it('passes rate limits back', async () => {
    await start({ shopKey: { rateLimit: { window: 60, count: 1 } } })
    await send()
    const response = await send()
    assert.equal(response.status, 429)
    assert.match(response.headers.get('x-sentry-rate-limits') ?? '', /:error:key:key_limit$/)
    assert.notEqual(response.headers.get('retry-after'), null)
  })

  const exact: readonly (readonly [
    name: string,
    sent: { readonly body?: string; readonly headers?: Record<string, string> },
    answer: readonly string[],
  ])[] = [
    ['an envelope', {}, ['200', `{"id":"${EVENT_ID}"}`]],
    ['nothing', { body: '' }, ['400', '{"detail":"empty request body"}', 'empty request body']],
    ['an empty line', { body: '\n{}' }, ['400', '{"detail":"empty request body"}', 'empty request body']],
    ['no JSON', { body: 'what' }, ['400', '{"detail":"invalid event envelope"}', 'invalid event envelope']],
    [
      'no DSN',
      { body: '{}\n{"type":"event"}\n{}' },
      ['400', '{"detail":"invalid event envelope: missing DSN"}', 'invalid event envelope: missing DSN'],
    ],
    [
      'what is no DSN',
      { body: '{"dsn":"http://a@b@c/1"}\n' },
      ['403', '{"detail":"the DSN is not allowed here"}', 'the DSN is not allowed here'],
    ],
    [
      'a first line over its limit',
      { body: `{"dsn":"${'x'.repeat(70_000)}"}` },
      ['413', '{"detail":"the envelope exceeds a limit"}', 'the envelope exceeds a limit'],
    ],
    [
      'a compressed body',
      { headers: { 'content-encoding': 'gzip' } },
      [
        '415',
        '{"detail":"the relay does not read this content encoding"}',
        'the relay does not read this content encoding',
      ],
    ],
  ]
  for (const [name, sent, [status = '', body = '', error]] of exact) {
    it(`answers ${name} with these bytes`, async () => {
      await start()
      const envelope = `{"event_id":"${EVENT_ID}","dsn":"http://${SHOP_KEY}@any/${SAMPLE_SHOP}"}\n{"type":"event"}\n{}`
      const answer = await rawAnswer({ body: sent.body ?? envelope, headers: sent.headers ?? {} })
      const shown = [
        ...['cache-control: no-store', 'content-type: application/json'],
        ...(error === undefined ? [] : [`x-sentry-error: ${error}`]),
        `content-length: ${body.length}`,
      ]
      assert.deepEqual([answer.status, answer.body, answer.headers], [Number(status), body, shown])
    })
  }

  it('is the only method', async () => {
    await start()
    for (const method of ['GET', 'PUT', 'OPTIONS', 'DELETE']) {
      const response = await fetch(`http://127.0.0.1:${server.port}/monitoring?o=acme&p=shop`, { method })
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), 'POST')
      assert.equal(response.headers.get('access-control-allow-origin'), null)
    }
  })

  it('does not authenticate by anything but the DSN', async () => {
    await start()
    const response = await fetch(
      `http://127.0.0.1:${server.port}/monitoring?o=acme&p=shop&sentry_key=${SHOP_KEY}`,
      {
        method: 'POST',
        body: '{}\n{"type":"event"}\n{}',
        headers: { 'x-sentry-auth': `Sentry sentry_key=${SHOP_KEY}` },
      },
    )
    assert.equal(response.status, 400)
  })
})

describe('the limit per address', () => {
  it('is one for a whole /64 of IPv6: nobody gets more by changing addresses within', async () => {
    // All within one minute, however long it takes, and no answer is held back for the others.
    const timeouts = { headerMs: 60_000, bodyMs: 60_000, checkMs: 10_000, refusalMs: 1 }
    await start({}, ['127.0.0.1'], { clock: manualClock(0), timeouts })
    const from = async (n: number, network = '1') =>
      (await send({ key: 'x' }, { 'x-forwarded-for': `2001:db8:0:${network}::${n.toString(16)}` })).status
    for (let n = 0; n < max('relayRequestsPerMinute'); n += 50)
      await Promise.all(Array.from({ length: 50 }, (_, at) => from(n + at + 1)))
    assert.equal(await from(0xffff), 429)
    assert.notEqual(await from(1, '2'), 429)
  })

  it('counts each address for itself, a minute at a time', async () => {
    await start()
    const clock = manualClock(0)
    const limiter = new AddressLimiter(clock, 2)
    assert.deepEqual([limiter.admit('a'), limiter.admit('a'), limiter.admit('a')], [null, null, 60])
    assert.equal(limiter.admit('b'), null)
    clock.advance(59_500)
    assert.equal(limiter.admit('a'), 1)
    clock.advance(500)
    assert.equal(limiter.admit('a'), null)
  })
})
