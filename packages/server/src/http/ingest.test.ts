import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import * as zlib from 'node:zlib'
import { BLOG_KEY, SAMPLE_SHOP, SHOP_KEY } from '#accept/sample-directory.ts'
import { isObject } from '#base/json.ts'
import { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { EVENT_ID } from '#testing/builders/accept-request.ts'
import { ENVELOPE, TestServer } from '#testing/worlds/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await TestServer.open()
})
afterEach(() => server.close())

/** An envelope that is no attachment's, and larger than such a one may be. */
function tooLargeLog(): Buffer<ArrayBuffer> {
  const bytes = max('bodyBytesMax') + 1_000_000
  const head = `{}\n{"type":"log","item_count":1,"length":${bytes}}\n`
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 0x61)])
}

describe('the table of envelopes', () => {
  beforeEach(() => server.start())
  const rows: readonly [body: string, status: number, answer: RegExp, items: number][] = [
    ['{}', 200, /^\{\}$/, 0],
    [`{"event_id":"${EVENT_ID}"}\n`, 200, new RegExp(`^{"id":"${EVENT_ID}"}$`), 0],
    ['{}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}\n', 200, /"id"/, 1],
    ['{}\n{"type":"attachment","length":0}\n\n{"type":"attachment","length":0}', 200, /"id"/, 1],
    ['{}\n{"type":"attachment"}\nhelloworld', 200, /"id"/, 1],
    ['{}\n{"type":"attachment"}', 200, /"id"/, 1],
    [
      '{}\n{"type":"attachment","length":10,"filename":"h.txt"}\n\ufeffHello\r\n\n{"type":"event","length":41}\n{"message":"hello world","level":"error"}\n',
      200,
      /"id"/,
      1,
    ],
    ['{}\n{"type":"invalid_unknown"}\nhelloworld\n', 200, /^\{\}$/, 1],
    ['{}\n{"type":"event","length":50}\n{"message":"x"}\n', 400, /unexpected end of file/, 0],
    ['{}\n{"type":"event","length":5}\n{"message":"x"}\n', 400, /missing newline after payload/, 0],
    ['not json\n{"type":"event"}\n{}', 400, /invalid envelope header/, 0],
    ['{}\n{"nope":1}\nx', 400, /invalid item header/, 0],
    ['', 400, /empty request body/, 0],
  ]
  for (const [body, status, answer, stored] of rows) {
    it(`answers ${status} for ${JSON.stringify(body).slice(0, 80)}`, async () => {
      const response = await server.post(body)
      const text = await response.text()
      assert.equal(response.status, status, text)
      assert.match(text, answer)
      assert.equal(response.headers.get('content-type'), 'application/json')
      assert.equal(response.headers.get('retry-after'), null)
      assert.equal(server.ingest.envelopes().length, stored)
    })
  }
})

describe('addresses', () => {
  beforeEach(() => server.start())
  const query = `?sentry_key=${SHOP_KEY}`
  for (const path of [
    `/api/${SAMPLE_SHOP}/envelope/`,
    `/api/${SAMPLE_SHOP}/envelope`,
    `//api//${SAMPLE_SHOP}//envelope//`,
    `/API/${SAMPLE_SHOP}/Envelope/`,
  ]) {
    it(`take envelopes at ${path}`, async () => {
      assert.equal((await server.post(ENVELOPE, {}, server.address(path + query))).status, 200)
    })
  }
  for (const path of [
    `/api/${SAMPLE_SHOP}/store/`,
    `/api/${SAMPLE_SHOP}/store`,
    '/api/store/',
    '/api/store',
  ]) {
    it(`take one event at ${path}`, async () => {
      const response = await server.post(`{"event_id":"${EVENT_ID}"}`, {}, server.address(path + query))
      assert.deepEqual(await response.json(), { id: EVENT_ID })
    })
  }

  it('take an event of a very old browser and answer an image', async () => {
    const data = encodeURIComponent(zlib.deflateSync(`{"event_id":"${EVENT_ID}"}`).toString('base64'))
    const response = await fetch(server.address(`/api/${SAMPLE_SHOP}/store/${query}&sentry_data=${data}`))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'image/gif')
    assert.equal(Buffer.from(await response.arrayBuffer()).toString('latin1', 0, 3), 'GIF')
    assert.equal(server.ingest.envelopes()[0]?.eventId, EVENT_ID)
  })

  it('take the target in absolute form', async () => {
    const answer = await server.raw(
      `POST http://anything.example/api/${SAMPLE_SHOP}/envelope/${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${ENVELOPE.length}\r\n\r\n${ENVELOPE}`,
    )
    assert.match(answer, /^HTTP\/1\.1 200 /)
  })

  it('answer 404 as JSON for what is not there', async () => {
    for (const path of [`/api/${SAMPLE_SHOP}/nothing/`, '/api/', '/api/what']) {
      const response = await server.post('x', {}, server.address(path))
      assert.equal(response.status, 404)
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.equal(typeof (await fields(response)).detail, 'string')
    }
    assert.equal((await fetch(server.address('/api/0/projects/'))).status, 404)
  })

  it('answer 405 with Allow for another method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(server.envelopeUrl(), { method })
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), 'POST, OPTIONS')
    }
  })

  it('answer a preflight without authentication', async () => {
    const response = await fetch(server.address(`/api/${SAMPLE_SHOP}/envelope/`), { method: 'OPTIONS' })
    assert.equal(response.status, 204)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.match(response.headers.get('access-control-allow-headers') ?? '', /x-sentry-auth/)
    assert.match(response.headers.get('access-control-allow-methods') ?? '', /POST/)
  })

  it('leave every other path to the web app', async () => {
    assert.deepEqual(await (await fetch(server.address('/acme/issues?x=1'))).json(), {
      page: '/acme/issues',
      method: 'GET',
      clientAddress: '127.0.0.1',
    })
  })
})

describe('a public address with a path', () => {
  it('is answered with the path and without', async () => {
    const publicAddress = new PublicAddress({ url: 'https://x.example/a/b', port: 0 })
    await server.start({}, { publicAddress })
    for (const prefix of ['', '/a/b']) {
      const response = await server.post(
        ENVELOPE,
        {},
        server.address(`${prefix}/api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY}`),
      )
      assert.equal(response.status, 200)
    }
    assert.equal((await fields(await fetch(server.address('/a/b/acme/')))).page, '/acme/')
  })
})

describe('answers', () => {
  it('carry CORS headers and the reason, errors included', async () => {
    await server.start()
    const cases = [
      await server.post('', {}),
      await server.post(ENVELOPE, {}, server.address(`/api/${SAMPLE_SHOP}/envelope/`)),
      await server.post(ENVELOPE, {}, server.address(`/api/${SAMPLE_SHOP}/envelope/?sentry_key=${BLOG_KEY}`)),
      await server.post(ENVELOPE, { 'content-encoding': 'gzip' }),
      await fetch(server.envelopeUrl()),
    ]
    assert.deepEqual(
      cases.map(({ status }) => status),
      [400, 401, 403, 400, 405],
    )
    for (const response of cases) {
      const { detail } = await fields(response)
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.match(response.headers.get('access-control-expose-headers') ?? '', /x-sentry-rate-limits/)
      assert.equal(response.headers.get('x-sentry-error'), detail)
      assert.equal(response.headers.get('retry-after'), null)
    }
  })

  it('to what is over a limit are 429 with both headers', async () => {
    await server.start({ shopKey: { rateLimit: { window: 60, count: 1 } } })
    await server.post(ENVELOPE)
    const refused = await server.post(ENVELOPE)
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('x-sentry-rate-limits') ?? '', /^\d+:error:key:key_limit$/)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
    const partly = await server.post(`${ENVELOPE}\n{"type":"session"}\n{}`)
    assert.equal(partly.status, 200)
    assert.notEqual(partly.headers.get('x-sentry-rate-limits'), null)
    assert.equal(partly.headers.get('retry-after'), null)
  })

  it('refuse a foreign origin with 403', async () => {
    await server.start({
      shop: { options: { ...PROJECT_OPTIONS_DEFAULT, allowedDomains: ['shop.example'] } },
    })
    assert.equal((await server.post(ENVELOPE, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await server.post(ENVELOPE, { origin: 'https://shop.example' })).status, 200)
  })
})

describe('bodies', () => {
  beforeEach(() => server.start())

  it('may be chunked and arrive in many pieces', async () => {
    const chunks = [...ENVELOPE].map((character) => `1\r\n${character}\r\n`).join('')
    const answer = await server.raw(
      `POST /api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}0\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.ok(answer.endsWith(`{"id":"${EVENT_ID}"}`))
  })

  it('may have an empty Content-Encoding', async () => {
    const answer = await server.raw(
      `POST /api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY} HTTP/1.1\r\nHost: x\r\nContent-Encoding:\r\nConnection: close\r\nContent-Length: ${ENVELOPE.length}\r\n\r\n${ENVELOPE}`,
    )
    assert.match(answer, /^HTTP\/1\.1 200 /)
  })

  it('are waited for with 100 Continue', async () => {
    const answer = await server.raw(
      `POST /api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${ENVELOPE.length}\r\n\r\n${ENVELOPE}`,
      EVENT_ID,
    )
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  it('too large to be sent are refused before they are, whole and at once, and the connection ends', async () => {
    const startedMs = performance.now()
    // Nothing is closed from this side: the answer ends because the server ends it.
    const answer = await server.raw(
      `POST /api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${max('largeBodyBytesMax') + 1}\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.match(answer, /access-control-allow-origin: \*/i)
    assert.match(answer, /connection: close/i)
    assert.match(answer, /exceeds/)
    assert.ok(performance.now() - startedMs < max('drainTimeoutMs') / 2)
  })

  it('that were asked for and are refused all the same are drained like any other', async () => {
    const answer = await server.raw(
      `POST /api/${SAMPLE_SHOP}/envelope/ HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${ENVELOPE.length}\r\n\r\n${ENVELOPE}` +
        `POST /api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${ENVELOPE.length}\r\n\r\n${ENVELOPE}`,
    )
    assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 100', 'HTTP/1.1 401', 'HTTP/1.1 200'])
  })

  for (const connection of ['keep-alive', 'close']) {
    for (const framing of ['content-length', 'chunked'] as const) {
      it(`beyond the limit are answered 413, not reset (${connection}, ${framing})`, async () => {
        const body = tooLargeLog()
        const { status, headers } = await sendWhole(body, { connection, framing })
        assert.equal(status, 413)
        assert.equal(headers['access-control-allow-origin'], '*')
        assert.deepEqual(
          (await server.ingest.outcomes()).map(({ reason }) => reason),
          ['too_large'],
        )
      })
    }
  }

  it('refused early leave the connection usable', async () => {
    const head = (path: string, bytes: number) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`
    const large = tooLargeLog()
    const good = `/api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY}`
    const answer = await server.raw(
      Buffer.concat([
        Buffer.from(head(good, large.length)),
        large,
        Buffer.from(
          `${head(`/api/${SAMPLE_SHOP}/envelope/`, ENVELOPE.length)}${ENVELOPE}${head(good, ENVELOPE.length)}${ENVELOPE}`,
        ),
      ]),
      EVENT_ID,
    )
    assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 401', 'HTTP/1.1 200'])
  })

  const unread: readonly (readonly [
    name: string,
    query: string,
    headers: string,
    status: number,
    reason: string,
  ])[] = [
    ['of an unknown key', `?sentry_key=${'0'.repeat(32)}`, 'Content-Encoding: gzip', 403, 'unknown_key'],
    ['of a key that is none', '?sentry_key=short', 'Content-Type: application/json', 400, 'malformed_dsn'],
  ]
  for (const [name, query, header, status, reason] of unread) {
    it(`${name} are refused before they are sent, where nobody would look at them, and counted`, async () => {
      const bytes = max('inflateSyncBytesMax') + 1
      const head = `POST /api/${SAMPLE_SHOP}/envelope/${query} HTTP/1.1\r\nHost: x\r\n${header}\r\nContent-Length: ${bytes}\r\n\r\n`
      const startedMs = performance.now()
      assert.match(await server.raw(head, '\r\n\r\n'), new RegExp(`^HTTP/1.1 ${status} `))
      assert.ok(performance.now() - startedMs < max('bodyTimeoutMs') / 2)
      const outcomes = await server.ingest.outcomes()
      assert.deepEqual(
        outcomes.map((one) => [one.reason, one.category, one.quantity]),
        [[reason, 'error', 1]],
      )
    })
  }

  it('that say what they hold are read, so that they are counted as that', async () => {
    const client = '{}\n{"type":"transaction"}\n{}\n'
    const url = server.address(`/api/${SAMPLE_SHOP}/envelope/?sentry_key=${'0'.repeat(32)}`)
    assert.equal((await server.post(client, {}, url)).status, 403)
    assert.deepEqual(
      (await server.ingest.outcomes()).map(({ category }) => category),
      ['transaction'],
    )
  })

  it('that break off are counted', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      `POST /api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n{"event_id"`,
    )
    await once(socket, 'connect')
    const counted = new Promise<void>((resolve) => server.ingest.journal.onSynced(resolve))
    setImmediate(() => socket.destroy())
    await counted
    assert.deepEqual(
      (await server.ingest.outcomes()).map(({ reason }) => reason),
      ['broken_off'],
    )
  })

  it('from an unfinished request end with 408', async () => {
    await server.start({}, { timeouts: { headerMs: 100, bodyMs: 100, checkMs: 50 } })
    assert.match(await server.raw('POST /api/'), /^HTTP\/1\.1 408 /)
    assert.match(
      await server.raw(
        `POST /api/${SAMPLE_SHOP}/envelope/ HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{}`,
      ),
      /^HTTP\/1\.1 408 /,
    )
  })
})

async function fields(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response.json()
  assert.ok(isObject(value))
  return value
}

interface Sent {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** Sends all of a body before it looks at the answer, as many clients do. */
function sendWhole(
  body: Buffer,
  options: {
    readonly framing: 'content-length' | 'chunked'
    readonly connection: string
  },
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const framing: Record<string, string | number> =
      options.framing === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }
    const headers = { ...framing, connection: options.connection }
    const request = httpRequest(server.envelopeUrl(), { method: 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
        }),
      )
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}
