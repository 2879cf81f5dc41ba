import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { ENVELOPE, TestServer } from '#testing/worlds/server.ts'

const ASKED = 'GET /page HTTP/1.1\r\nHost: a\r\n\r\n'
const LAST = 'GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

describe('requests that one connection sends ahead of their answers', () => {
  let server: TestServer
  let running = 0
  let most = 0
  let answered = 0
  before(async () => {
    server = await TestServer.open()
    const pages = async () => {
      running++
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      answered++
      return new Response(`page ${answered}\n`)
    }
    await server.start({}, { pages, timeouts: { headerMs: 5_000, bodyMs: 5_000, checkMs: 50, stillMs: 200 } })
  })
  after(() => server.close())

  it('are handled one at a time, and answered in their order', async () => {
    const text = await server.raw(ASKED.repeat(max('pipelinedRequestsMax')) + LAST)
    assert.equal(most, 1)
    const order = [...text.matchAll(/page (\d+)/g)].map(([, number]) => Number(number))
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    )
    assert.equal(order.length, max('pipelinedRequestsMax') + 1)
  })

  it('are all answered, however many a client sends: it is not read further meanwhile', async () => {
    const sent = 20 * max('pipelinedRequestsMax')
    const padding = `X-Padding: ${'x'.repeat(400)}\r\n`
    const text = await server.raw(ASKED.replace('\r\n\r\n', `\r\n${padding}\r\n`).repeat(sent) + LAST)
    assert.equal([...text.matchAll(/page \d+/g)].length, sent + 1)
  })

  it('are all answered where each has a body, which reads the connection on', async () => {
    const path = new URL(server.envelopeUrl())
    const head = `POST ${path.pathname}${path.search} HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(ENVELOPE)}\r\n`
    const sent = 10 * max('pipelinedRequestsMax')
    const text = await server.raw(`${head}\r\n${ENVELOPE}`.repeat(sent) + LAST)
    assert.equal([...text.matchAll(/HTTP\/1\.1 200/g)].length, sent + 1)
  })

  it('are not handled beyond a bound that no client comes to: the connection is closed', async () => {
    const before = answered
    const text = await server.raw(ASKED.repeat(max('pipelinedRequestsAtOnceMax') + 2))
    assert.equal(text, '')
    assert.ok(answered - before <= 1)
  })

  it('are taken with their bodies, and with those that ask whether to send one', async () => {
    const path = new URL(server.envelopeUrl())
    const head = `POST ${path.pathname}${path.search} HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(ENVELOPE)}\r\n`
    const text = await server.raw(
      `${head}\r\n${ENVELOPE}${head}Expect: 100-continue\r\n\r\n${ENVELOPE}${LAST}`,
    )
    assert.deepEqual(
      [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['200', '100', '200', '200'],
    )
  })

  it('end with a connection over which nothing moves', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {}) // it may be reset
    await once(socket, 'connect')
    socket.resume()
    await once(socket, 'close')
  })
})
