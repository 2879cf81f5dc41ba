import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { requestOf } from './requests.ts'
import { pauseAfter, runClosed, runOpen } from './run-load.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A server of the test; answers where it listens and the bodies it got. */
async function listen(t: TestContext, answer: Answer) {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      bodies.push(body)
      answer(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // a TCP server that listens has one
  return { bodies, server, target: { host: '127.0.0.1', port, tls: false } }
}

function requests(count: number): readonly Buffer[] {
  const address = { host: 'localhost', project: '1', key: 'a'.repeat(32) }
  return Array.from({ length: count }, (_, number) => requestOf(address, Buffer.from(`body ${number}`)))
}

const numbered = (count: number) => Array.from({ length: count }, (_, number) => `body ${number}`)

describe('the closed loop', () => {
  it('sends every request once and counts the answers', async (t) => {
    const { bodies, target } = await listen(t, (_, response) => response.end('{}'))
    const result = await runClosed({ target, requests: requests(200), connections: 8 })
    assert.deepEqual(bodies.toSorted(), numbered(200).toSorted())
    assert.deepEqual([result.sent, result.accepted, result.byStatus], [200, 200, { 200: 200 }])
    assert.equal(result.latency.count, 200)
    assert.equal(result.reconnects, 0)
  })

  it('counts refusals by status and lists what was acknowledged', async (t) => {
    const { target } = await listen(t, (_, response, body) => {
      response.statusCode = Number(body.slice(5)) % 4 === 0 ? 429 : 200
      response.end()
    })
    const result = await runClosed({ target, requests: requests(40), connections: 4, listAcknowledged: true })
    assert.deepEqual(result.byStatus, { 200: 30, 429: 10 })
    assert.deepEqual(
      result.acknowledged?.toSorted((a, b) => a - b),
      Array.from({ length: 40 }, (_, number) => number).filter((number) => number % 4 !== 0),
    )
  })

  it('times what was acknowledged alone: a refusal is no fast answer', async (t) => {
    const { target } = await listen(t, (_, response, body) => {
      if (Number(body.slice(5)) % 4 === 0) setTimeout(() => response.end('{}'), 50)
      else response.writeHead(400).end()
    })
    const result = await runClosed({ target, requests: requests(40), connections: 4 })
    assert.equal(result.latency.count, result.accepted)
    assert.ok(result.latency.p50 >= 49, `p50 ${result.latency.p50} ms`)
  })

  it('connects anew where the server answers Connection: close', async (t) => {
    const { bodies, target } = await listen(t, (_, response) => {
      response.setHeader('connection', 'close')
      response.end('{}')
    })
    const result = await runClosed({ target, requests: requests(60), connections: 3 })
    assert.equal(result.accepted, 60)
    assert.equal(result.reconnects, 57)
    assert.equal(new Set(bodies).size, 60)
  })

  it('pauses a connection that was refused, and for far less than it is told to', async (t) => {
    const arrivedMs: number[] = []
    const { target } = await listen(t, (_, response) => {
      arrivedMs.push(performance.now())
      if (arrivedMs.length > 3) response.end('{}')
      else response.writeHead(arrivedMs.length === 2 ? 503 : 429, { 'retry-after': '60' }).end()
    })
    const result = await runClosed({ target, requests: requests(5), connections: 1 })
    assert.deepEqual(result.byStatus, { 200: 2, 429: 2, 503: 1 })
    // A timer counts whole milliseconds and may be one early.
    for (const place of [1, 2, 3]) {
      const waitedMs = (arrivedMs[place] ?? 0) - (arrivedMs[place - 1] ?? 0)
      assert.ok(waitedMs >= 98 && waitedMs < 60_000, `request ${place} came after ${waitedMs} ms`)
    }
    assert.ok(result.elapsedMs >= 3 * 98, 'a pause is time of the run')
  })

  for (const [status, retryAfterSeconds, pauseMs] of [
    [200, null, 0],
    [400, null, 0],
    [429, null, 100],
    [429, 60, 100],
    [503, 5, 100],
    [503, 0, 0],
    [0, null, 10],
  ] as const) {
    it(`pauses for ${pauseMs} ms after ${status} with Retry-After ${retryAfterSeconds}`, () => {
      assert.equal(pauseAfter({ status, retryAfterSeconds }), pauseMs)
    })
  }

  it('stops when the server is gone', async (t) => {
    const { server, target } = await listen(t, (_, response) => response.end('{}'))
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    const result = await runClosed({ target, requests: requests(10_000), connections: 4, stopAfterBroken: 8 })
    assert.equal(result.accepted, 0)
    assert.ok(result.sent <= 16, `${result.sent} sent`)
    assert.equal(result.byStatus.broken, result.sent)
  })
})

describe('the open loop', () => {
  it('keeps its timetable, with Connection: close too', async (t) => {
    const { bodies, target } = await listen(t, (_, response) => {
      response.setHeader('connection', 'close')
      response.end('{}')
    })
    const result = await runOpen({ target, requests: requests(100), connections: 20, rate: 500 })
    assert.equal(result.accepted, 100)
    assert.equal(new Set(bodies).size, 100)
    // The last is due after 198 ms: it cannot have been sent before.
    assert.ok(result.elapsedMs >= 198, `${result.elapsedMs} ms`)
  })

  it('times what was acknowledged alone, neither refusals nor broken connections', async (t) => {
    const { target } = await listen(t, (request, response, body) => {
      const kind = Number(body.slice(5)) % 3
      if (kind === 0) setTimeout(() => response.end('{}'), 50)
      else if (kind === 1) response.writeHead(429).end()
      else request.socket.destroy()
    })
    const result = await runOpen({ target, requests: requests(60), connections: 20, rate: 400 })
    assert.deepEqual(result.byStatus, { 200: 20, 429: 20, broken: 20 })
    assert.equal(result.latency.count, 20)
    assert.ok(result.latency.p50 >= 49, `p50 ${result.latency.p50} ms`)
  })

  it('charges a server that stalls for the requests that were due meanwhile', async (t) => {
    const stallMs = 300
    let isFirst = true
    const { target } = await listen(t, (_, response) => {
      const waits = isFirst
      isFirst = false
      if (waits) setTimeout(() => response.end('{}'), stallMs)
      else response.end('{}')
    })
    const result = await runOpen({ target, requests: requests(30), connections: 1, rate: 100 })
    assert.equal(result.accepted, 30)
    // Request 15 was due at 150 ms and could be sent at 300 at the earliest: half of them waited about that long.
    assert.ok(result.latency.p50 > 100, `p50 ${result.latency.p50} ms`)
    assert.ok(result.latency.max >= stallMs, `max ${result.latency.max} ms`)
  })
})
