import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { sendSample } from './send-sample.ts'

/** An endpoint that gives these answers one after the other, the last for ever. */
async function anEndpoint(t: TestContext, statuses: readonly number[]) {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (bytes) => {
      body += bytes
    })
    request.on('end', () => {
      const status = statuses[Math.min(bodies.length, statuses.length - 1)] ?? 200
      bodies.push(body)
      response.writeHead(status, { 'retry-after': '0' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo // it listens at a port
  return { target: new URL(`http://127.0.0.1:${port}/api/1/envelope/`), bodies }
}

describe('the sample', () => {
  it('is sent once where it is taken', async (t) => {
    const { target, bodies } = await anEndpoint(t, [200])
    await sendSample(target, 'an envelope')
    assert.deepEqual(bodies, ['an envelope'])
  })

  it('waits where the endpoint has too much to do, and goes on', async (t) => {
    const { target, bodies } = await anEndpoint(t, [429, 503, 429, 200])
    await sendSample(target, 'an envelope')
    assert.deepEqual(
      bodies,
      Array.from({ length: 4 }, () => 'an envelope'),
    )
  })

  it('says what stands in its way for good', async (t) => {
    const refused = await anEndpoint(t, [403])
    await assert.rejects(sendSample(refused.target, ''), /endpoint answered 403$/)
    assert.equal(refused.bodies.length, 1)
    const busy = await anEndpoint(t, [429])
    await assert.rejects(sendSample(busy.target, ''), /answered 429, the last of 20 times$/)
    assert.equal(busy.bodies.length, 20)
  })
})
