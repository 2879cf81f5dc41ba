import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { createRelay, type RelayedEnvelope, type RelayOptions } from './relay.ts'
import { sendToDsn } from './send-to-dsn.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const DSN = `https://${KEY}@monitor.example:8443/a/b/42`
const EVENT = '{"type":"event"}\n{"message":"hi"}'

function aRelay(options: Partial<RelayOptions> = {}) {
  const sent: RelayedEnvelope[] = []
  const refused: string[] = []
  const relay = createRelay({
    allow: [DSN],
    send: async (envelope) => {
      sent.push(envelope)
      return Response.json(
        { id: '1' },
        { headers: { 'set-cookie': 'a=b', server: 'x', 'x-sentry-rate-limits': '60::key' } },
      )
    },
    onRefused: (refusal) => refused.push(refusal),
    ...options,
  })
  return { relay, sent, refused }
}

const post = (body: string | ReadableStream<Uint8Array> | null, headers: Record<string, string> = {}) =>
  new Request('https://shop.example/monitoring', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)
const envelope = (dsn: unknown) => `${JSON.stringify({ dsn })}\n${EVENT}`

describe('the relay', () => {
  it('passes on an envelope for an allowed DSN, byte for byte', async () => {
    const { relay, sent } = aRelay()
    const body = `${JSON.stringify({ dsn: DSN, other: 1 })}\n{"type":"replay_recording","length":4}\n\u0000\n\u0001x`
    const response = await relay(post(body))
    assert.equal(response.status, 200)
    assert.equal(new TextDecoder().decode(sent[0]?.body), body)
    assert.equal(sent[0]?.dsn.host, 'monitor.example')
  })

  it('ignores a secret and the default port', async () => {
    const { relay } = aRelay({ allow: [`https://${KEY}@monitor.example/42`] })
    assert.equal((await relay(post(envelope(`https://${KEY}:secret@MONITOR.example:443/42`)))).status, 200)
  })

  it('forwards who the browser is, and neither cookies, authorisation nor claims of an address', async () => {
    const { relay, sent } = aRelay()
    const headers = {
      cookie: 'session=secret',
      authorization: 'Bearer secret',
      'x-sentry-auth': 'Sentry sentry_key=1',
      'x-forwarded-for': '6.6.6.6',
      'x-sentry-forwarded-for': '6.6.6.6',
      'cf-connecting-ip': '6.6.6.6',
      'user-agent': 'Browser/1',
      origin: 'https://shop.example',
      referer: 'https://shop.example/cart',
      'sec-ch-ua-platform': '"Linux"',
      baggage: 'x=y',
    }
    await relay(post(envelope(DSN), headers), { clientAddress: '198.51.100.4' })
    await relay(post(envelope(DSN), headers))
    assert.deepEqual(Object.fromEntries(sent[0]?.headers ?? []), {
      'content-type': 'application/x-sentry-envelope',
      origin: 'https://shop.example',
      referer: 'https://shop.example/cart',
      'sec-ch-ua-platform': '"Linux"',
      'user-agent': 'Browser/1',
      'x-sentry-forwarded-for': '198.51.100.4',
    })
    assert.equal(sent[1]?.headers.get('x-sentry-forwarded-for'), null)
  })

  it('passes back status, body and limits, and nothing else', async () => {
    const { relay } = aRelay({
      send: async () =>
        Response.json(
          { detail: 'limited' },
          { status: 429, headers: { 'retry-after': '60', 'x-sentry-error': 'limited', 'set-cookie': 'a=b' } },
        ),
    })
    const response = await relay(post(envelope(DSN)))
    assert.equal(response.status, 429)
    assert.deepEqual(Object.fromEntries(response.headers), {
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'retry-after': '60',
      'x-sentry-error': 'limited',
    })
    assert.deepEqual(await response.json(), { detail: 'limited' })
  })

  const probes: readonly unknown[] = [
    'http://k@169.254.169.254/1',
    `http://${KEY}@169.254.169.254/42`,
    `http://${KEY}@localhost/42`,
    `http://${KEY}@[::1]/42`,
    `http://${KEY}@0x7f000001/42`,
    `https://${KEY}@monitor.example@evil.example/a/b/42`,
    `https://${KEY}@evil.example#@monitor.example:8443/a/b/42`,
    `https://${KEY}@evil.example\\@monitor.example:8443/a/b/42`,
    `https://${KEY}@monitor.example:8443/a/b/42#x`,
    `https://${KEY}@monitor.example:8443/a/b/42?x`,
    `https://${KEY}@monitor.example:8443/a/b%2f42`,
    `https://${KEY}@monitor.example:8443/a/../a/b/42/..%2f`,
    `https://${KEY}@monitor.example:8443/a/b/43`,
    `https://${KEY}@monitor.example:8443/a/b/%34%32`,
    `https://${KEY}@monitor.example:8443/a/42`,
    `https://${KEY}@monitor.example/a/b/42`,
    `http://${KEY}@monitor.example:8443/a/b/42`,
    `https://${KEY.replace('0', '1')}@monitor.example:8443/a/b/42`,
    `https://${KEY.toUpperCase()}@monitor.example:8443/a/b/42`,
    `https://monitor.example:8443/a/b/42`,
    ` ${DSN}`,
    'file:///etc/passwd',
    'not a dsn',
    '',
  ]
  for (const probe of probes) {
    it(`does not send for ${JSON.stringify(probe)}`, async () => {
      const { relay, sent, refused } = aRelay()
      const response = await relay(post(envelope(probe)))
      assert.equal(response.status, 403)
      assert.deepEqual([sent.length, refused], [0, ['not_allowed']])
    })
  }

  const refusals: readonly [name: string, request: () => Request, status: number, refusal: string][] = [
    ['GET', () => new Request('https://shop.example/monitoring'), 405, 'method'],
    ['no body', () => post(null), 400, 'empty'],
    ['an empty body', () => post(''), 400, 'empty'],
    ['no JSON', () => post(`what\n${EVENT}`), 400, 'invalid_header'],
    ['no DSN', () => post(`{}\n${EVENT}`), 400, 'missing_dsn'],
    ['a DSN that is no text', () => post(envelope(42)), 400, 'missing_dsn'],
    ['a compressed body', () => post(envelope(DSN), { 'content-encoding': 'gzip' }), 415, 'encoding'],
    ['a body over the limit', () => post(`${envelope(DSN)}${'x'.repeat(2_000)}`), 413, 'too_large'],
    ['a stream over the limit', () => post(endless(`${envelope(DSN)}`)), 413, 'too_large'],
    ['a first line over the limit', () => post(endless('{"dsn":"')), 413, 'too_large'],
    ['a body that breaks off', () => post(broken(envelope(DSN))), 400, 'broken_off'],
  ]
  for (const [name, request, status, refusal] of refusals) {
    it(`refuses ${name}`, async () => {
      const { relay, sent, refused } = aRelay({ bodyBytesMax: 1_000, lineBytesMax: 500 })
      const response = await relay(request())
      assert.equal(response.status, status)
      assert.deepEqual([sent.length, refused], [0, [refusal]])
      assert.equal(response.headers.get('retry-after'), null)
      if (status === 405) assert.equal(response.headers.get('allow'), 'POST')
    })
  }

  it('stops reading as soon as the first line is refused', async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(
          new TextEncoder().encode(pulled === 1 ? '{"dsn":"http://a@b/1"}\n' : 'x'.repeat(100)),
        )
      },
    })
    const { relay } = aRelay()
    assert.equal((await relay(post(body))).status, 403)
    assert.ok(pulled < 5)
  })

  it('answers 502 when the monitor cannot be reached', async () => {
    const { relay } = aRelay({ send: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1')) })
    const response = await relay(post(envelope(DSN)))
    assert.equal(response.status, 502)
    assert.doesNotMatch(await response.text(), /10\.0\.0\.1/)
  })

  it('refuses a configuration with what is no DSN', () => {
    assert.throws(() => aRelay({ allow: ['nope'] }), TypeError)
  })
})

describe('sending to the configured DSN', () => {
  it('posts to its envelope endpoint with its key, and follows no redirect', async () => {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.cookie ?? 'no cookie'}`)
      request.resume()
      const isFirst = seen.length === 1
      response.writeHead(isFirst ? 200 : 307, isFirst ? {} : { location: '/elsewhere' }).end('{"id":"1"}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    const dsn = `http://${KEY}@127.0.0.1:${address.port}/prefix/42`
    const relay = createRelay({ allow: [dsn], send: sendToDsn() })
    const first = await relay(post(envelope(dsn), { cookie: 'a=b' }))
    assert.deepEqual([first.status, await first.text()], [200, '{"id":"1"}'])
    assert.equal((await relay(post(envelope(dsn)))).status, 502)
    assert.deepEqual(
      seen,
      Array(2).fill(`POST /prefix/api/42/envelope/?sentry_version=7&sentry_key=${KEY} no cookie`),
    )
    server.close()
    server.closeAllConnections()
  })

  it('gives up when the monitor is silent or says too much', async () => {
    const server = createServer((request, response) => {
      request.resume()
      if (request.url?.includes('/api/1/')) return
      response.end('x'.repeat(100_000))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    for (const project of [1, 2]) {
      const dsn: string = `http://${KEY}@127.0.0.1:${address.port}/${project}`
      const relay = createRelay({ allow: [dsn], send: sendToDsn({ timeoutMs: 200 }) })
      assert.equal((await relay(post(envelope(dsn)))).status, 502)
    }
    server.close()
    server.closeAllConnections()
  })
})

/** Never ends by itself. */
function endless(start: string): ReadableStream<Uint8Array> {
  let isFirst = true
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(isFirst ? start : 'x'.repeat(100)))
      isFirst = false
    },
  })
}

function broken(start: string): ReadableStream<Uint8Array> {
  let isFirst = true
  return new ReadableStream({
    pull(controller) {
      if (isFirst) controller.enqueue(new TextEncoder().encode(start))
      else controller.error(new Error('gone'))
      isFirst = false
    },
  })
}
