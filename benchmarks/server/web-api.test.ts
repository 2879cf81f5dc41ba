import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { leftOutLater, untilDrained } from './web-api.ts'

type Outcomes = Readonly<Record<string, number>>

const SHOP = { token: 't', organisation: 'bench', project: 'web', projectId: '1', key: 'a' }

/** A server whose outcomes are those of `stages`, one an answer; the last stays. */
async function serveOutcomes(t: TestContext, stages: readonly Outcomes[]) {
  let asked = 0
  const server = createServer((_, response) => {
    const stage = stages[Math.min(asked++, stages.length - 1)] ?? {}
    const groups = Object.entries(stage).map(([name, quantity]) => {
      const [outcome = '', reason = ''] = name.split('/')
      return { by: { outcome, reason }, totals: { 'sum(quantity)': quantity } }
    })
    response.end(JSON.stringify({ groups }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // a TCP server that listens has one
  return { host: '127.0.0.1', port }
}

describe('the wait until everything is drained', () => {
  it('does not take what was refused for what was acknowledged', async (t) => {
    const refused = { 'rate_limited/overload_backlog': 10, 'invalid/unknown_key': 2, 'filtered/cors': 1 }
    const place = await serveOutcomes(t, [
      { 'accepted/none': 90, ...refused },
      { 'accepted/none': 100, ...refused },
    ])
    const { counted } = await untilDrained(place, SHOP, { expected: 100 })
    assert.equal(counted.accepted, 100)
  })

  it('does not wait for what was left out after it was acknowledged', async (t) => {
    const place = await serveOutcomes(t, [
      { 'accepted/none': 95, 'invalid/duplicate': 4, 'filtered/web-crawlers': 1 },
    ])
    const { counted } = await untilDrained(place, SHOP, { expected: 100 })
    assert.equal(leftOutLater(counted.other), 5)
  })

  it('says what was counted when a loss lets it wait for too long', async (t) => {
    const place = await serveOutcomes(t, [{ 'accepted/none': 90, 'rate_limited/overload_backlog': 10 }])
    await assert.rejects(
      untilDrained(place, SHOP, { expected: 100, withinMs: 0 }),
      /90 of 100 are visible, and .*overload_backlog/,
    )
  })
})
