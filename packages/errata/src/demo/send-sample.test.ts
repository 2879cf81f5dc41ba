import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { demoClock } from './fill-demo.ts'
import { sendSample } from './send-sample.ts'

const NEVER = new AbortController().signal

/** An endpoint that gives these answers one after the other, the last for ever. */
async function anEndpoint(t: TestContext, statuses: readonly number[], retryAfter = '0') {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (bytes) => {
      body += bytes
    })
    request.on('end', () => {
      const status = statuses[Math.min(bodies.length, statuses.length - 1)] ?? 200
      bodies.push(body)
      response.writeHead(status, { 'retry-after': retryAfter }).end(() => server.emit('answered'))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answered = once(server, 'answered')
  const close = () => new Promise((resolve) => server.close(resolve))
  t.after(close)
  const { port } = server.address() as AddressInfo // it listens at a port
  return { target: new URL(`http://127.0.0.1:${port}/api/1/envelope/`), bodies, answered, close }
}

describe('the sample', () => {
  it('is sent once where it is taken', async (t) => {
    const { target, bodies } = await anEndpoint(t, [200])
    await sendSample(target, 'an envelope', NEVER)
    assert.deepEqual(bodies, ['an envelope'])
  })

  it('waits where the endpoint has too much to do, and goes on', async (t) => {
    const { target, bodies } = await anEndpoint(t, [429, 503, 429, 200])
    await sendSample(target, 'an envelope', NEVER)
    assert.deepEqual(
      bodies,
      Array.from({ length: 4 }, () => 'an envelope'),
    )
  })

  it('says that nobody answers, as when Errata is stopped meanwhile', async (t) => {
    const { target, close } = await anEndpoint(t, [200])
    await close()
    await assert.rejects(
      sendSample(target, '', NEVER),
      /not filled to its end: the ingest endpoint is stopping/,
    )
  })

  it('waits no longer when Errata has stopped', { timeout: 10_000 }, async (t) => {
    const { target, bodies, answered } = await anEndpoint(t, [429], '30')
    const stopping = new AbortController()
    const sent = sendSample(target, '', stopping.signal)
    const refused = assert.rejects(sent, /not filled to its end: the ingest endpoint is stopping/)
    await answered
    stopping.abort()
    await refused
    assert.equal(bodies.length, 1)
  })

  it('says of a data directory that is a file what it is', (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'errata-demo-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const file = join(directory, 'a-file')
    writeFileSync(file, '')
    assert.throws(() => demoClock(file), /a-file is no directory; choose another with --data$/)
    assert.notEqual(demoClock(join(directory, 'none-yet')), null)
    assert.equal(demoClock(directory), null, 'something lies there')
  })

  it('says what stands in its way for good', async (t) => {
    const refused = await anEndpoint(t, [403])
    await assert.rejects(sendSample(refused.target, '', NEVER), /endpoint answered 403$/)
    assert.equal(refused.bodies.length, 1)
    const busy = await anEndpoint(t, [429])
    await assert.rejects(sendSample(busy.target, '', NEVER), /answered 429, the last of 20 times$/)
    assert.equal(busy.bodies.length, 20)
  })
})
