import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import type { Accept } from '#accept/types.ts'
import { type Log, silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import { type RunningHttp, startHttp } from './server.ts'
import type { ApiHandler, PageHandler } from './types.ts'

let http: RunningHttp

async function start(
  pages: PageHandler,
  options: { api?: ApiHandler; log?: Log; url?: string } = {},
): Promise<void> {
  http = await startHttp({
    engine: { accept: NO_INGEST, healthy: () => ({ ok: true, status: 'ok', detail: 'ok', reasons: [] }) },
    settings: { port: 0, portChosen: false, host: '127.0.0.1', trustedProxies: [] },
    publicAddress: new PublicAddress({ url: options.url ?? null, port: 0 }),
    pages,
    log: options.log ?? silentLog,
    ...(options.api === undefined ? {} : { api: options.api }),
    timeouts: { headerMs: 5_000, bodyMs: 5_000, checkMs: 5_000, refusalMs: 1 },
  })
}
afterEach(() => http.close())

/** Nothing here sends envelopes. */
const NO_INGEST: Accept = {
  accept: () => Promise.reject(new Error('not an ingest request')),
  acceptLarge: () => Promise.reject(new Error('not an ingest request')),
  refuseUnread: () => ({ refused: null, seen: null }),
  countRefusal() {},
  setDirectory() {},
  changeDirectory() {},
  flush: async () => {},
}

const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${http.port}${path}`, init)

describe('a page', () => {
  it('gets the request with the public address, headers and body, and answers with its own headers', async () => {
    await start(
      async ({ request, clientAddress }) => {
        const text = `${request.method} ${request.url} ${request.headers.get('errata-page')} ${clientAddress} ${await request.text()}`
        const headers = new Headers({ 'content-type': 'text/plain', 'x-own': '1' })
        headers.append('set-cookie', 'a=1; Path=/')
        headers.append('set-cookie', 'b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT')
        return new Response(text, { status: 201, headers })
      },
      { url: 'https://errata.example/base' },
    )
    const response = await get('/acme/issues?q=%20x&y', {
      method: 'POST',
      body: 'name=value',
      headers: { 'errata-page': 'data' },
    })
    assert.equal(response.status, 201)
    assert.equal(
      await response.text(),
      'POST https://errata.example/acme/issues?q=%20x&y data 127.0.0.1 name=value',
    )
    assert.equal(response.headers.get('x-own'), '1')
    assert.deepEqual(response.headers.getSetCookie(), [
      'a=1; Path=/',
      'b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT',
    ])
  })

  it('is not told a Host that the client made up', async () => {
    await start(async ({ request }) => new Response(new URL(request.url).origin))
    const socket = connect(http.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    assert.match(text, new RegExp(`http://localhost:${http.port}`))
  })

  it('answers HEAD with headers alone', async () => {
    let isCancelled = false
    const cancel = () => {
      isCancelled = true
    }
    await start(async ({ request }) => {
      assert.equal(request.method, 'GET')
      const body = new ReadableStream({ cancel })
      return new Response(body, { headers: { 'x-own': '1' } })
    })
    const response = await get('/', { method: 'HEAD' })
    assert.equal(response.headers.get('x-own'), '1')
    assert.equal(await response.text(), '')
    assert.equal(isCancelled, true)
  })

  it('streams what it answers, piece by piece', async () => {
    const gate = Promise.withResolvers<void>()
    await start(async () => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(Buffer.from('first'))
          await gate.promise
          controller.enqueue(Buffer.from('second'))
          controller.close()
        },
      })
      return new Response(body)
    })
    const reader = (await get('/')).body?.getReader()
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'first')
    gate.resolve()
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'second')
    assert.equal((await reader?.read())?.done, true)
  })

  it('sends a large answer whole to a client that is slow', async () => {
    const size = 8 * 1024 * 1024
    await start(async () => {
      let left = size
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.enqueue(Buffer.alloc(65_536))
          left -= 65_536
          if (left <= 0) controller.close()
        },
      })
      return new Response(body)
    })
    assert.equal((await (await get('/')).arrayBuffer()).byteLength, size)
  })

  it('is told when the client goes away', async () => {
    const aborted = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<void>()
    await start(async ({ request }) => {
      request.signal.addEventListener('abort', () => aborted.resolve())
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(Buffer.alloc(65_536)),
        cancel: () => cancelled.resolve(),
      })
      return new Response(body)
    })
    const socket = connect(http.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    socket.destroy()
    await Promise.all([aborted.promise, cancelled.promise])
  })

  it('refuses a body over the limit with 413', async () => {
    await start(async () => new Response('not reached'))
    const response = await get('/', { method: 'POST', body: 'x'.repeat(max('formBytesMax') + 1) })
    assert.equal(response.status, 413)
  })

  it('takes a long form from who shows a session alone', async () => {
    await start(async ({ request }) => new Response(String((await request.arrayBuffer()).byteLength)))
    const post = (length: number, cookie = '') =>
      get('/', { method: 'POST', body: 'x'.repeat(length), headers: { cookie } })
    const session = 'errata=any'
    assert.equal((await post(max('formBytesMax') + 1, 'other=any')).status, 413)
    assert.equal(await (await post(max('longFormBytesMax'), session)).text(), String(max('longFormBytesMax')))
    assert.equal((await post(max('longFormBytesMax') + 1, session)).status, 413)
  })

  it('that fails is a plain 500, logged once, without its message', async () => {
    const logged: string[] = []
    await start(() => Promise.reject(new Error('secret detail')), {
      log: { ...silentLog, error: (message) => logged.push(message) },
    })
    const response = await get('/')
    assert.equal(response.status, 500)
    assert.equal(await response.text(), 'Internal Server Error')
    assert.equal(logged.length, 1)
  })

  it('whose stream fails half way is cut off, not ended as if whole', async () => {
    const gate = Promise.withResolvers<void>()
    await start(async () => {
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(Buffer.from('half'))
          await gate.promise
          controller.error(new Error('broken'))
        },
      })
      return new Response(body)
    })
    const reader = (await get('/')).body?.getReader()
    assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), 'half')
    gate.resolve()
    await assert.rejects(reader?.read() ?? Promise.resolve())
    assert.equal((await get('/health')).status, 200)
  })

  it('gets no method it could not understand', async () => {
    await start(async () => new Response('page'))
    assert.equal((await get('/', { method: 'PROPFIND' })).status, 405)
  })
})

describe('the web API', () => {
  it('is asked below /api/0/ alone, and answers 404 for what it does not know', async () => {
    const asked: string[] = []
    await start(async () => new Response('page'), {
      api: async (request, { clientAddress }) => {
        const { pathname } = new URL(request.url)
        asked.push(`${pathname} ${clientAddress}`)
        return pathname === '/api/0/' ? Response.json({ version: '0' }) : null
      },
    })
    assert.deepEqual(await (await get('/api/0/')).json(), { version: '0' })
    const unknown = await get('/api/0/nothing/')
    assert.equal(unknown.status, 404)
    assert.deepEqual(await unknown.json(), { detail: 'The requested resource does not exist' })
    await get('/api/01/')
    assert.deepEqual(asked, ['/api/0/ 127.0.0.1', '/api/0/nothing/ 127.0.0.1'])
  })
})

describe('many pages at once', () => {
  const SESSION = { cookie: 'errata=a-session' }

  /** Pages that are not answered before `open`; `asked` are their paths. */
  async function startGated(): Promise<{ readonly asked: string[]; open(): void }> {
    const gate = Promise.withResolvers<void>()
    const asked: string[] = []
    const page: PageHandler = async ({ request }) => {
      asked.push(new URL(request.url).pathname)
      await gate.promise
      return new Response('page')
    }
    await start(page, { api: ({ url }) => page({ request: new Request(url), clientAddress: null }) })
    return { asked, open: () => gate.resolve() }
  }

  it('are answered a few at a time, and beyond its bound a session is refused, in its own words', async () => {
    const { asked, open } = await startGated()
    const pages = Array.from({ length: max('pagesPerSessionMax') }, () => get('/', { headers: SESSION }))
    const [document, data] = await Promise.all([
      get('/', { headers: { ...SESSION, accept: 'text/html' } }),
      get('/', { headers: SESSION }),
    ])
    assert.equal(document.status, 429)
    assert.equal(document.headers.get('retry-after'), String(max('pagesRetrySeconds')))
    assert.match(await document.text(), /<p>Too many pages are being loaded/)
    assert.equal(data.status, 429)
    const message = 'Too many pages are being loaded from here at once. Try again in a moment.'
    const error = { code: 'rate_limited', message, retryAfterSeconds: max('pagesRetrySeconds') }
    assert.deepEqual(await data.json(), { detail: message, code: 'rate_limited', error })
    assert.equal(asked.length, max('pagesRunningMax'))
    open()
    for (const page of await Promise.all(pages)) assert.equal(page.status, 200)
  })

  it('wait beside calls of the web API, and files of the build beside neither', async () => {
    const { asked, open } = await startGated()
    const pages = Array.from({ length: max('pagesRunningMax') }, () => get('/page'))
    const [file, call] = [get('/assets/a.js'), get('/api/0/')]
    while (asked.length <= max('pagesRunningMax')) await new Promise((resolve) => setImmediate(resolve))
    assert.ok(asked.includes('/assets/a.js'))
    assert.ok(!asked.includes('/api/0/'))
    open()
    await Promise.all([...pages, file, call])
    assert.ok(asked.includes('/api/0/'))
  })

  it('are forgotten when whoever waits goes away', async () => {
    const { asked, open } = await startGated()
    const pages = Array.from({ length: max('pagesRunningMax') }, () => get('/page'))
    while (asked.length < max('pagesRunningMax')) await new Promise((resolve) => setImmediate(resolve))
    const socket = connect(http.port, '127.0.0.1')
    socket.write('GET /left HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'connect')
    assert.equal((await get('/health')).status, 200)
    socket.destroy()
    await once(socket, 'close')
    assert.equal((await get('/health')).status, 200)
    open()
    await Promise.all([...pages, get('/last')])
    assert.ok(!asked.includes('/left'))
  })

  it('are given a turn on the thread, which comes', async () => {
    await start(async ({ turn }) => {
      assert.ok(turn)
      await turn()
      return new Response('after the turn')
    })
    assert.equal(await (await get('/')).text(), 'after the turn')
  })
})

it('a long page is sent compressed', async () => {
  const text = 'the same again, '.repeat(500)
  await start(async () => new Response(text, { headers: { 'content-type': 'text/html' } }))
  const answer = await get('/', { headers: { 'accept-encoding': 'br' } })
  assert.equal(answer.headers.get('content-encoding'), 'br')
  assert.equal(await answer.text(), text)
})

it('connections that send no whole header are closed beyond their bound, and others are not', async () => {
  await start(async () => new Response('page'))
  const open = () => {
    const socket = connect(http.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n'))
    return socket
  }
  const half = Array.from({ length: max('connectionsSilentMax') + 1 }, open)
  let isClosed = false
  for (const socket of half) socket.once('close', () => (isClosed = true))
  // They have a second in which to speak: whoever comes later has the oldest of them closed.
  while (!isClosed) {
    const later = open()
    await once(later, 'connect')
    later.destroy()
    await once(later, 'close')
  }
  assert.equal((await get('/')).status, 200)
  for (const socket of half) socket.destroy()
})
