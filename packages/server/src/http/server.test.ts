import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { silentLog } from '#base/log.ts'
import { PublicAddress } from '#base/public-address.ts'
import { TestServer } from '#testing/worlds/server.ts'
import { startHttp } from './server.ts'

let server: TestServer
beforeEach(async () => {
  server = await TestServer.open()
})
afterEach(() => server.close())

describe('odd requests', () => {
  beforeEach(() => server.start())
  const targets: readonly [target: string, status: number][] = [
    ['/%', 400],
    ['/%zz', 400],
    ['/%00', 400],
    ['/a/%0d%0aSet-Cookie:x', 400],
    ['/../etc/passwd', 400],
    ['/a/%2e%2e/b', 400],
    ['/\\evil.example', 400],
    ['*', 400],
    ['evil.example:80', 400],
    ['//evil.example/x', 200],
    ['/a//b', 200],
    ['http://evil.example/x', 200],
    ['/%E2%82%AC', 200],
    ['/?x=%', 200],
  ]
  for (const [target, status] of targets) {
    it(`with target ${target} are answered ${status}`, async () => {
      const answer = await server.raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.doesNotMatch(answer, /"page":"\/\//)
    })
  }

  const pages: readonly [target: string, status: number][] = [
    ['/acme/%', 200],
    ['/acme/%zz?x=%', 200],
    ['/acme/%E0%A4%A', 200],
    ['/acme/%00', 200],
    ['/acme/%2e%2e/b', 200],
    ['/../etc/passwd', 400],
    ['/\\evil.example', 400],
    ['/api/0/%', 400],
    ['/api/%', 400],
    ['/scim/%', 400],
    ['/mcp/%', 400],
    ['/monitoring/%', 400],
    ['/apiary/%', 200],
  ]
  for (const header of ['Accept: text/html,*/*', 'Sec-Fetch-Site: same-origin'])
    for (const [target, status] of pages) {
      it(`with target ${target} and “${header}” are answered ${status}: a page, or what tools are told`, async () => {
        const head = `GET ${target} HTTP/1.1\r\nHost: a\r\n${header}\r\nConnection: close\r\n\r\n`
        const answer = await server.raw(head)
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
        const page = `"page":"${target.replace(/\?.*/, '').replaceAll('%', '%25')}"`
        assert.equal(answer.includes(page), status === 200, answer)
      })
    }

  it('that are no HTTP get an answer and a closed connection', async () => {
    assert.match(await server.raw('what is this\r\n\r\n'), /^HTTP\/1\.1 400 Bad Request/)
    assert.match(await server.raw('GET / HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /)
    assert.match(
      await server.raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`),
      /^HTTP\/1\.1 431 /,
    )
    for (const path of ['/', '/api/1/envelope/', '/monitoring', '/api/0/']) {
      const answer = await server.raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*\r\nconnection: close\r\n/i, path)
    }
    const smuggled =
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    assert.match(await server.raw(smuggled), /^HTTP\/1\.1 400 /)
  })

  it('never end the server', async () => {
    for (const method of ['TRACE', 'CONNECT', 'PROPFIND']) {
      await server.raw(`${method} / HTTP/1.1\r\nHost: \u00ff\u0001\r\nConnection: close\r\n\r\n`)
    }
    await server.raw('GET / HTTP/1.1\r\nHost: []]:999999\r\nConnection: close\r\n\r\n')
    await server.raw('POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')
    assert.equal((await fetch(server.address('/health'))).status, 200)
  })
})

describe('the server', () => {
  it('takes the next free port when nobody chose one, and says when a chosen one is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const taken = blocker.address()
    assert.ok(taken !== null && typeof taken === 'object')
    const settings = { host: '127.0.0.1', trustedProxies: [], port: taken.port }
    await server.start({}, { settings: { ...settings, portChosen: false } })
    assert.ok(server.port > taken.port)
    await assert.rejects(
      startHttp({
        engine: {
          accept: server.ingest.openAccept(),
          healthy: () => ({ ok: true, status: 'ok', detail: '', reasons: [] }),
        },
        settings: { ...settings, portChosen: true },
        publicAddress: new PublicAddress({ url: null, port: 0 }),
        pages: async () => new Response(),
        log: silentLog,
      }),
      /port \d+ is taken/,
    )
    blocker.close()
  })

  for (const [status, health] of [
    [503, { ok: false, status: 'broken', detail: 'broken: journal', reasons: ['journal'] }],
    [200, { ok: true, status: 'degraded', detail: 'degraded: day_missing', reasons: ['day_missing'] }],
  ] as const) {
    it(`answers /health with what is ${health.status}`, async () => {
      const engine = { accept: server.ingest.openAccept(), healthy: () => health }
      await server.start({}, { engine })
      const response = await fetch(server.address('/health'))
      assert.equal(response.status, status)
      assert.deepEqual(await response.json(), health)
      assert.equal((await fetch(server.address('/health'), { method: 'POST' })).status, 405)
    })
  }

  it('finishes what is under way when it closes', async () => {
    let release = () => {}
    const waiting = new Promise<void>((resolve) => {
      release = resolve
    })
    const started = Promise.withResolvers<void>()
    await server.start(
      {},
      {
        pages: async () => {
          started.resolve()
          await waiting
          return new Response('done')
        },
      },
    )
    const page = fetch(server.address('/slow'))
    await started.promise
    const closed = server.stop()
    release()
    assert.equal(await (await page).text(), 'done')
    await closed
    await assert.rejects(fetch(server.address('/slow')))
  })
})
