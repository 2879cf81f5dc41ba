import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import payloads from './payloads.json' with { type: 'json' }
import { type DemoItem, mirroredBy, planEvents } from './plan-events.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const DAY = 86_400_000

/** A generator that answers the same in every run. */
function steady(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

interface SentEvent {
  readonly platform: string
  readonly release?: string
  readonly user: { readonly id: string }
  readonly contexts: { readonly trace: { readonly trace_id: string } }
  readonly request?: { readonly url?: string; readonly headers?: Readonly<Record<string, string>> }
  readonly exception: { readonly values: readonly { readonly value: string }[] }
}

const sent = ({ payload }: DemoItem) => payload as unknown as SentEvent // what planEvents makes of an event

describe('the sample organisation', () => {
  const plan = planEvents(payloads, { nowMs: NOW, random: steady() })
  const events = plan.filter(({ type }) => type === 'event')

  it('happens on each of the 14 days, oldest first and never in the future', () => {
    const days = new Set(plan.map(({ atMs }) => Math.floor((NOW - atMs) / DAY)))
    assert.deepEqual([...days].sort((a, b) => a - b).slice(0, 14), [...Array(14).keys()])
    assert.ok(plan.every(({ atMs }, index) => atMs <= NOW && atMs >= (plan[index - 1]?.atMs ?? 0)))
  })

  it('shows each mirror right behind the failure it mirrors: same request, same person, same release', () => {
    const mirrored = payloads.filter((payload) => mirroredBy(payload, payloads) !== null)
    assert.equal(mirrored.length, 2)
    const mirrors = events.filter((item) => (sent(item).exception?.values[0]?.value ?? '').includes('#441'))
    assert.equal(
      mirrors.length,
      mirrored.reduce((sum, { count }) => sum + count, 0),
    )
    for (const mirror of mirrors) {
      const { contexts, user, release } = sent(mirror)
      const cause = events.find(
        (item) =>
          sent(item).platform === 'node' && sent(item).contexts.trace.trace_id === contexts.trace.trace_id,
      )
      assert.ok(cause !== undefined)
      assert.ok(mirror.atMs >= cause.atMs && mirror.atMs - cause.atMs < 1_000)
      assert.deepEqual([sent(cause).user.id, sent(cause).release], [user.id, release])
    }
  })

  it('has the newest failures mirrored, so that both stand side by side in a list by last seen', () => {
    const newest = events.slice(-4).map((item) => sent(item).contexts.trace.trace_id)
    assert.equal(newest[0], newest[1])
    assert.equal(newest[2], newest[3])
    assert.deepEqual(
      events.slice(-4).map((item) => sent(item).platform),
      ['node', 'javascript', 'node', 'javascript'],
    )
  })

  it('is visited at its own address, by people each of whom keeps to a browser', () => {
    assert.ok(!JSON.stringify(payloads).includes('127.0.0.1:97'))
    const agents = new Map<string, Set<string>>()
    for (const { request, user } of events.map(sent)) {
      const agent = request?.headers?.['User-Agent'] ?? request?.headers?.['user-agent'] ?? ''
      if (!agent.startsWith('Mozilla/') || agent.includes('Googlebot')) continue
      assert.match(request?.url ?? '', /^https:\/\/shop\.example\//)
      agents.set(user.id, (agents.get(user.id) ?? new Set()).add(agent))
    }
    assert.ok([...agents.values()].every(({ size }) => size === 1))
    assert.equal(new Set([...agents.values()].flatMap((each) => [...each])).size, 4)
  })

  it('has what crawlers broke, and reports of what browsers could not send', () => {
    const crawled = events.filter((item) =>
      /Googlebot/.test(sent(item).request?.headers?.['User-Agent'] ?? ''),
    )
    assert.ok(crawled.length > 0 && crawled.every(({ project }) => project === 'storefront'))
    assert.equal(plan.filter(({ type }) => type === 'client_report').length, 14)
  })
})
