import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anEnvelope, Monitor } from '../testing/monitor.ts'
import type { RelayOptions } from './options.ts'
import type { RelayRefusal } from './refusals.ts'
import { createRelay } from './relay.ts'

const KEY = '0123456789abcdef0123456789abcdef'
const DSN = `https://${KEY}@monitor.example:8443/a/b/42`
const REST = '{"type":"event"}\n{"message":"hi"}'

/** A relay whose requests are looked at instead of sent. */
function aRelay(options: Partial<RelayOptions> = {}) {
  const sent: { readonly url: string; readonly headers: Headers; readonly body: unknown }[] = []
  const refused: RelayRefusal[] = []
  const relay = createRelay({
    dsn: DSN,
    fetch: async (url, init) => {
      sent.push({ url: String(url), headers: new Headers(init?.headers), body: init?.body })
      return Response.json({ id: '1' })
    },
    onRefused: (refusal) => refused.push(refusal),
    ...options,
  })
  return { relay, sent, refused }
}

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
const post = (body: Body, headers: Record<string, string> = {}) =>
  new Request('https://shop.example/monitoring?o=shop&p=web', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  })
const envelope = (dsn: unknown) => `${JSON.stringify({ dsn })}\n${REST}`

describe('the relay', () => {
  it('passes on an envelope for its DSN, byte for byte, to that DSN’s address with its key', async () => {
    await using monitor = await new Monitor().start()
    const relay = createRelay({ dsn: monitor.dsn })
    const body = `${JSON.stringify({ dsn: monitor.dsn, other: 1 })}\n{"type":"replay_recording","length":4}\n\u0000\n\u0001x`
    const response = await relay(post(body))
    assert.deepEqual([response.status, await response.text()], [200, '{"id":"1"}'])
    assert.equal(monitor.taken[0]?.body.toString(), body)
    assert.equal(monitor.taken[0]?.url, `/prefix/api/42/envelope/?sentry_version=7&sentry_key=${KEY}`)
    assert.equal(monitor.taken[0]?.headers['content-length'], String(Buffer.byteLength(body)))
  })

  it('takes several DSNs, each with its own address', async () => {
    const other = 'https://other@elsewhere.example/7'
    const { relay, sent } = aRelay({ dsn: [DSN, undefined, other] })
    for (const dsn of [DSN, other]) assert.equal((await relay(post(envelope(dsn)))).status, 200)
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).host),
      ['monitor.example:8443', 'elsewhere.example'],
    )
  })

  it('ignores a secret and the default port', async () => {
    const { relay } = aRelay({ dsn: `https://${KEY}@monitor.example/42` })
    assert.equal((await relay(post(envelope(`https://${KEY}:secret@MONITOR.example:443/42`)))).status, 200)
  })

  it('forwards who the browser is, and neither cookies, authorisation, traces nor claims of an address', async () => {
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
      host: 'shop.example',
      referer: 'https://shop.example/cart',
      'sec-ch-ua-platform': '"Linux"',
      'sentry-trace': '1-1-1',
      traceparent: '00-1-1-01',
      baggage: 'x=y',
    }
    await relay(post(envelope(DSN), headers), { clientAddress: '198.51.100.4' })
    await relay(post(envelope(DSN), headers), { clientAddress: null })
    const browser = {
      'content-type': 'application/x-sentry-envelope',
      origin: 'https://shop.example',
      referer: 'https://shop.example/cart',
      'sec-ch-ua-platform': '"Linux"',
      'user-agent': 'Browser/1',
    }
    assert.deepEqual(Object.fromEntries(sent[0]?.headers ?? []), {
      ...browser,
      'x-forwarded-for': '198.51.100.4',
      'x-sentry-forwarded-for': '198.51.100.4',
    })
    assert.deepEqual(Object.fromEntries(sent[1]?.headers ?? []), browser)
  })

  it('passes back status, body and limits, and nothing else', async () => {
    await using monitor = await new Monitor().start()
    monitor.answer = {
      status: 429,
      headers: {
        'content-type': 'application/json',
        'retry-after': '60',
        'set-cookie': 'a=b',
        server: 'x',
        'x-sentry-error': 'limited',
        'x-sentry-rate-limits': '60:error:key',
      },
      body: '{"detail":"limited"}',
    }
    const response = await createRelay({ dsn: monitor.dsn })(post(envelope(monitor.dsn)))
    assert.equal(response.status, 429)
    assert.deepEqual(Object.fromEntries(response.headers), {
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'retry-after': '60',
      'x-sentry-error': 'limited',
      'x-sentry-rate-limits': '60:error:key',
    })
    assert.deepEqual(await response.json(), { detail: 'limited' })
  })

  it('follows no redirect', async () => {
    await using monitor = await new Monitor().start()
    monitor.answer = { status: 307, headers: { location: '/elsewhere' } }
    assert.equal(
      (await createRelay({ dsn: monitor.dsn, bufferBytesMax: 0 })(post(envelope(monitor.dsn)))).status,
      503,
    )
    assert.equal(monitor.taken.length, 1)
  })

  it('grants no preflight', async () => {
    const { relay } = aRelay()
    const response = await relay(
      new Request('https://shop.example/monitoring', {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    )
    assert.deepEqual([response.status, Object.fromEntries(response.headers)], [204, { allow: 'POST' }])
  })

  it('refuses what cannot be meant, at start', () => {
    for (const wrong of [
      { dsn: 'nope' },
      { trustedHops: -1 },
      { bodyBytesMax: 1.5 },
      { origins: ['shop'] },
    ]) {
      assert.throws(() => aRelay(wrong), TypeError, JSON.stringify(wrong))
    }
  })

  it('answers as before when a callback fails', async () => {
    const { relay } = aRelay({
      onRefused: () => {
        throw new Error('of the app')
      },
    })
    assert.equal((await relay(post('{}\n'))).status, 400)
  })
})

describe('what the relay refuses', () => {
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

  const own = { 'sec-fetch-site': 'same-origin' }
  const refusals: readonly [name: string, request: () => Request, status: number, refusal: string][] = [
    ['GET', () => new Request('https://shop.example/monitoring'), 405, 'method'],
    ['no body', () => post(null), 400, 'empty'],
    ['an empty body', () => post(''), 400, 'empty'],
    ['no JSON', () => post(`what\n${REST}`), 400, 'invalid_header'],
    ['no DSN', () => post(`{}\n${REST}`), 400, 'missing_dsn'],
    ['a DSN that is no text', () => post(envelope(42)), 400, 'missing_dsn'],
    ['an unknown encoding', () => post(envelope(DSN), { 'content-encoding': 'rot13' }), 415, 'encoding'],
    [
      'what is not in its encoding',
      () => post(envelope(DSN), { 'content-encoding': 'gzip' }),
      415,
      'encoding',
    ],
    [
      'a form',
      () => post(envelope(DSN), { 'content-type': 'multipart/form-data; boundary=x' }),
      415,
      'content_type',
    ],
    ['another site', () => post(envelope(DSN), { 'sec-fetch-site': 'cross-site' }), 403, 'cross_origin'],
    ['a sister site', () => post(envelope(DSN), { 'sec-fetch-site': 'same-site' }), 403, 'cross_origin'],
    [
      'another origin',
      () => post(envelope(DSN), { origin: 'https://evil.example', host: 'shop.example' }),
      403,
      'cross_origin',
    ],
    [
      'a sandboxed page',
      () => post(envelope(DSN), { origin: 'null', host: 'shop.example' }),
      403,
      'cross_origin',
    ],
    ['a body over the limit', () => post(`${envelope(DSN)}${'x'.repeat(2_000)}`, own), 413, 'too_large'],
    ['an announced size over the limit', () => post('x', { 'content-length': '2000' }), 413, 'too_large'],
    ['a stream over the limit', () => post(endless(`${envelope(DSN)}`)), 413, 'too_large'],
    ['a body that breaks off', () => post(broken(envelope(DSN))), 400, 'broken_off'],
  ]
  for (const [name, request, status, refusal] of refusals) {
    it(`refuses ${name}`, async () => {
      const { relay, sent, refused } = aRelay({ bodyBytesMax: 1_000 })
      const response = await relay(request())
      assert.equal(response.status, status)
      assert.deepEqual([sent.length, refused], [0, [refusal]])
      assert.equal(response.headers.get('retry-after'), null)
      if (status === 405) assert.equal(response.headers.get('allow'), 'POST')
    })
  }

  it('refuses everything where no DSN is configured', async () => {
    for (const dsn of [undefined, '', []]) {
      const { relay, refused } = aRelay({ dsn })
      assert.equal((await relay(post(envelope(DSN)))).status, 404)
      assert.deepEqual(refused, ['not_configured'])
    }
  })

  it('refuses a first line that does not end', async () => {
    const { relay, sent, refused } = aRelay()
    assert.equal((await relay(post(endless('{"dsn":"')))).status, 413)
    assert.deepEqual([sent.length, refused], [0, ['too_large']])
  })

  it('refuses a body that somebody read before', async () => {
    const { relay, refused } = aRelay()
    const request = post(envelope(DSN))
    await request.text()
    assert.equal((await relay(request)).status, 500)
    assert.deepEqual(refused, ['body_parsed'])
  })

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
})

describe('a large envelope', () => {
  /** More than is kept, in pieces; `sent` says how many the relay has taken so far. */
  function large(dsn: string, pieces: number) {
    const state = { sent: 0 }
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (state.sent > pieces) return controller.close()
        const text = state.sent === 0 ? anEnvelope(dsn) : 'x'.repeat(64 * 1024)
        state.sent++
        controller.enqueue(new TextEncoder().encode(text))
      },
    })
    return { state, stream }
  }

  it('goes on before it has come whole', async () => {
    let taken = -1
    const { state, stream } = large(DSN, 100)
    const { relay } = aRelay({
      fetch: async (_url, init) => {
        taken = state.sent
        return Response.json({ size: await sizeOf(init?.body) })
      },
    })
    const response = await relay(post(stream))
    assert.deepEqual(await response.json(), { size: anEnvelope(DSN).length + 100 * 64 * 1024 })
    assert.ok(taken > 0 && taken < 10, `${taken} pieces had been read`)
  })

  it('arrives byte for byte', async () => {
    await using monitor = await new Monitor().start()
    const { stream } = large(monitor.dsn, 40)
    assert.equal((await createRelay({ dsn: monitor.dsn })(post(stream))).status, 200)
    assert.equal(monitor.taken[0]?.body.toString(), anEnvelope(monitor.dsn) + 'x'.repeat(40 * 64 * 1024))
  })

  it('is refused where it grows over the limit, and never arrives', async () => {
    await using monitor = await new Monitor().start()
    const { stream } = large(monitor.dsn, 40)
    const relay = createRelay({ dsn: monitor.dsn, bodyBytesMax: 1024 * 1024 })
    assert.equal((await relay(post(stream))).status, 413)
    assert.deepEqual(monitor.taken, [])
  })
})

async function sizeOf(body: unknown): Promise<number> {
  assert.ok(body instanceof ReadableStream)
  let size = 0
  for await (const chunk of body) size += chunk.length
  return size
}

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
