import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { RequestBodyReader } from './body.ts'

const ALL_BYTES_MAX = 100_000

describe('bodies', () => {
  const bodies = new RequestBodyReader(ALL_BYTES_MAX)
  const server = createServer((asked, answer) => {
    void bodies.read(asked, ALL_BYTES_MAX).then((body) => {
      if (body.ok) body.release()
      answer.writeHead(body.ok ? 200 : 503, { connection: 'close' }).end()
    })
  })
  before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Sends the beginning of a body; the answer comes when the server gives one. */
  function begin(bytes: number, sentBytes = bytes) {
    const { port } = server.address() as AddressInfo // a TCP server that listens has one
    const headers = { 'content-length': bytes }
    const sending = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false })
    const answered = new Promise<number | null>((resolve) => {
      sending.on('response', (answer) => resolve(answer.resume().statusCode ?? null))
      sending.on('error', () => resolve(null)) // gone by the end of the test
    })
    sending.write(Buffer.alloc(sentBytes))
    return { answered, sending }
  }

  async function heldBytes(bytes: number): Promise<void> {
    const end = performance.now() + 10_000
    while (bodies.heldBytes !== bytes) {
      assert.ok(performance.now() < end, `${bodies.heldBytes} bytes are held, ${bytes} were expected`)
      await new Promise(setImmediate)
    }
  }

  it('that are large and slow make room for small ones', async () => {
    const slow = begin(95_000, 90_000)
    await heldBytes(90_000)
    const other = begin(8_000, 7_000)
    await heldBytes(97_000)
    const small = begin(5_000)
    assert.equal(await small.answered, 200)
    assert.equal(await slow.answered, 503)
    other.sending.end(Buffer.alloc(1_000))
    assert.equal(await other.answered, 200)
    assert.equal(bodies.heldBytes, 0)
  })

  it('that are the largest themselves are refused', async () => {
    const slow = begin(50_000, 40_000)
    await heldBytes(40_000)
    assert.equal(await begin(70_000).answered, 503)
    slow.sending.end(Buffer.alloc(10_000))
    assert.equal(await slow.answered, 200)
    assert.equal(bodies.heldBytes, 0)
  })
})
