/** Requests that reach the main thread through a server that accepts beside it, and envelopes that are read there. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { SAMPLE_SHOP, SHOP_KEY, sampleDirectory } from '#accept/sample-directory.ts'
import { silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { max } from '#limits/limits.ts'
import { openTestIngest, shortOutcome, type TestIngest } from '#testing/worlds/accept.ts'
import { threadsInPlace } from '#testing/worlds/accept-threads.ts'
import { type RunningHttp, startHttp } from './server.ts'
import type { PageRequest } from './types.ts'

const MIB = 1024 * 1024

describe('a port that accept threads share', { skip: process.platform !== 'linux' }, () => {
  let ingest: TestIngest
  let http: RunningHttp
  let url = ''
  const folder = join(mkdtempSync(join(tmpdir(), 'errata-shared-port-')), 'accept')
  const left = Promise.withResolvers<void>()
  const pages = async ({ request: asked, clientAddress }: PageRequest): Promise<Response> => {
    const { pathname } = new URL(asked.url)
    if (pathname === '/endless') return new Response(endless(left.resolve))
    return Response.json({ pathname, clientAddress, headers: [...asked.headers.keys()] })
  }
  before(async () => {
    ingest = await openTestIngest()
    const accept = ingest.openAccept()
    http = await startHttp({
      engine: { accept, healthy: () => ({ ok: true, status: 'ok', detail: 'ok', reasons: [] }) },
      settings: { port: 0, portChosen: false, host: '127.0.0.1', trustedProxies: ['192.0.2.0/24'] },
      publicAddress: new PublicAddress({ url: null, port: 0 }),
      ...{ pages, log: silentLog },
      acceptThreads: threadsInPlace({
        ...{ accept, directory: sampleDirectory(), socketDirectory: folder, count: 3 },
      }),
    })
    url = `http://127.0.0.1:${http.port}`
  })
  after(async () => {
    await http.close()
    await ingest.close()
  })
  const envelopes = `/api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY}`
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${url}${envelopes}`, { method: 'POST', body, headers: { ...headers, connection: 'close' } })

  it('has its socket file in a folder that nobody else may enter', () => {
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.deepEqual(readdirSync(folder), ['main.sock'])
    assert.equal(statSync(join(folder, 'main.sock')).mode & 0o777, 0o600)
  })

  it('takes envelopes, packed or not, from whoever sends', async () => {
    const ids = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(32, '0'))
    const text = (id: string) => `{"event_id":"${id}"}\n{"type":"event"}\n{"message":"number ${id}"}\n`
    const answers = await Promise.all(
      ids.map((id, at) =>
        at % 2 === 0
          ? post(text(id))
          : post(new Uint8Array(gzipSync(text(id))), { 'content-encoding': 'gzip' }),
      ),
    )
    for (const [at, answer] of answers.entries()) assert.deepEqual(await answer.json(), { id: ids[at] })
    const found = ingest.envelopes()
    assert.deepEqual(found.map(({ eventId }) => eventId).sort(), ids)
    for (const { clientAddress, body, eventId } of found) {
      assert.equal(clientAddress, '127.0.0.1')
      assert.equal(Buffer.from(body).toString(), text(eventId ?? ''))
    }
  })

  it('counts what its threads refuse', async () => {
    assert.equal((await post('no envelope')).status, 400)
    assert.equal(
      (await post('{}\n{"type":"session"}\n{}', { origin: 'https://elsewhere.example' })).status,
      200,
    )
    const unknown = await fetch(`${url}${envelopes.replace(SHOP_KEY, 'f'.repeat(32))}`, {
      method: 'POST',
      body: '{}\n{"type":"session"}\n{}',
    })
    assert.equal(unknown.status, 403)
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome).sort(), [
      `${SAMPLE_SHOP} invalid invalid_envelope error 1`,
      `${SAMPLE_SHOP} invalid unknown_key session 1`,
    ])
  })

  it('passes pages on with the address of their client, whatever header claims to come from a thread', async () => {
    for (const forged of ['6.6.6.6', `${'0'.repeat(64)} 6.6.6.6 counted`, ' ', 'x'.repeat(5_000)]) {
      const answer = await fetch(`${url}/a%20page`, { headers: { 'x-errata-hop': forged } })
      const { pathname, clientAddress, headers } = (await answer.json()) as Record<string, unknown>
      assert.deepEqual([pathname, clientAddress], ['/a%20page', '127.0.0.1'])
      assert.ok(Array.isArray(headers) && !headers.includes('x-errata-hop'))
    }
  })

  it('answers nobody who reaches the socket file without its secret', async () => {
    for (const headers of [
      {},
      { 'x-errata-hop': `${'0'.repeat(64)} 127.0.0.1` },
      { 'x-errata-hop': 'é'.repeat(64) },
    ]) {
      const status = await new Promise((resolve, reject) =>
        request({ socketPath: join(folder, 'main.sock'), path: '/a-page', headers, agent: false })
          .on('response', (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end(),
      )
      assert.equal(status, 403)
    }
  })

  it('answers an upgrade as any other request', async () => {
    const answer = await exchange({ path: '/chat', headers: { connection: 'Upgrade', upgrade: 'websocket' } })
    assert.deepEqual(answer, { status: 200, method: 'GET' })
  })

  it('refuses a body of 20 MB that no page takes, whether or not it says how long it is, and waits for none', async () => {
    const headers = { 'content-length': 20 * MIB }
    const body = Buffer.alloc(20 * MIB)
    assert.equal((await exchange({ path: '/page', method: 'POST', headers, body })).status, 413)
    assert.equal((await exchange({ path: '/page', method: 'DELETE', body })).status, 413)
    const expecting = { 'content-length': 21 * MIB, expect: '100-continue' }
    assert.equal((await exchange({ path: '/page', method: 'POST', headers: expecting })).status, 413)
  })

  it('stops what is made for a client that leaves', async () => {
    const asked = request(`${url}/endless`)
    asked.on('error', () => {})
    asked.on('response', (answer) => answer.once('data', () => asked.destroy()))
    asked.end()
    await left.promise
  })

  it('takes an envelope that is read as it comes, with its attachments, by the main thread', async () => {
    const bytes = 3 * MIB
    const id = 'a'.repeat(32)
    const head = `{"event_id":"${id}"}\n{"type":"event"}\n{"message":"big"}\n{"type":"attachment","length":${bytes},"filename":"f"}\n`
    const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'f'), Buffer.from('\n')])
    for (const headers of [{ 'content-length': body.length }, {}]) {
      assert.equal((await exchange({ path: envelopes, method: 'POST', headers, body })).status, 200)
      const [record] = ingest.envelopes()
      assert.deepEqual([record?.eventId, record?.setAside?.[0]?.bytes], [id, bytes])
    }
  })

  it('closes once everything under way is answered, and leaves no socket file', async () => {
    const slow = request(`${url}${envelopes}`, { method: 'POST', agent: false })
    slow.write('{}\n{"type":"session"}\n')
    // Its header has arrived once a request behind it is answered.
    await fetch(`${url}/a-page`)
    const closing = http.close()
    slow.end('{}\n')
    const status = await new Promise((resolve, reject) =>
      slow.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject),
    )
    assert.equal(status, 200)
    await closing
    assert.throws(() => statSync(folder), /ENOENT/)
  })

  /** The body goes in pieces where there is no length; with `expect`, it is never sent. */
  function exchange({
    body,
    ...asked
  }: {
    readonly path: string
    readonly method?: string
    readonly headers?: Record<string, string | number>
    readonly body?: Uint8Array
  }): Promise<{ readonly status: number | undefined; readonly method: string }> {
    return new Promise((resolve, reject) => {
      const chunked = body !== undefined && asked.headers?.['content-length'] === undefined
      const headers = { ...asked.headers, ...(chunked && { 'transfer-encoding': 'chunked' }) }
      const sent = request({ ...asked, headers, port: http.port, host: '127.0.0.1', agent: false })
      sent.on('response', (answer) => {
        answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode, method: asked.method ?? 'GET' }))
      })
      sent.on('error', reject)
      if (asked.headers?.expect !== undefined) sent.flushHeaders()
      else sent.end(body)
    })
  }
})

it('counts an envelope that the main thread cannot be handed, and answers so that a page may read it', async (t) => {
  const ingest = await openTestIngest()
  const accept = ingest.openAccept()
  const socketDirectory = join(mkdtempSync(join(tmpdir(), 'errata-no-hop-')), 'accept')
  const threads = threadsInPlace({ accept, directory: sampleDirectory(), socketDirectory })
  const http = await startHttp({
    engine: { accept, healthy: () => ({ ok: true, status: 'ok', detail: 'ok', reasons: [] }) },
    settings: { port: 0, portChosen: false, host: '127.0.0.1', trustedProxies: [] },
    publicAddress: new PublicAddress({ url: null, port: 0 }),
    ...{ pages: async () => Response.json({}), log: silentLog },
    acceptThreads: {
      bodies: threads.bodies,
      socketDirectory,
      listen: (at) => threads.listen({ ...at, hop: { ...at.hop, socket: `${at.hop.socket}.nobody` } }),
      close: () => threads.close(),
    },
  })
  t.after(async () => {
    await http.close()
    await ingest.close()
  })
  const post = (path: string) =>
    fetch(`http://127.0.0.1:${http.port}${path}`, {
      method: 'POST',
      body: Buffer.alloc(3 * MIB, 'x'),
      headers: { origin: 'https://shop.example', connection: 'close' },
    })
  const envelopes = `/api/${SAMPLE_SHOP}/envelope/?sentry_key=${SHOP_KEY}`
  for (const path of [envelopes, `/monitoring?o=1&p=${SAMPLE_SHOP}`, '/a-page'])
    assert.equal((await post(path)).status, 503, path)
  const { headers } = await post(envelopes)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(headers.get('retry-after'), String(max('overloadedRetrySeconds')))
  const counted = new Map<string, number>()
  // Of one project there may be two records: outcomes are written as time passes.
  for (const { quantity, ...what } of await ingest.outcomes()) {
    const name = shortOutcome({ ...what, quantity: 0 })
    counted.set(name, (counted.get(name) ?? 0) + quantity)
  }
  assert.deepEqual([...counted].sort(), [
    [`${SAMPLE_SHOP} rate_limited overloaded error 0`, 2],
    ['null rate_limited overloaded error 0', 1],
  ])
})

/** A stream that never ends by itself. */
function endless(onLeft: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel: onLeft,
  })
}
