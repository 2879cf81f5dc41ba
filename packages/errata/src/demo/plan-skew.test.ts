import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DemoItem, momentOf, RELEASES, releaseName } from './plan-events.ts'
import { planOldTabs, planSkew, STALE } from './plan-skew.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const HOUR = 3_600_000

/** A generator that answers the same in every run. */
function steady(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

interface SentEvent {
  readonly release: string
  readonly contexts: { readonly trace: { readonly trace_id: string } }
}

const sent = ({ payload }: DemoItem) => payload as unknown as SentEvent // what planSkew makes of an event

describe('stale tabs of the sample organisation', () => {
  const plan = planSkew({ nowMs: NOW, random: steady() })
  const errors = plan.filter(({ type }) => type === 'event')
  const requests = plan.filter(({ type }) => type === 'span')

  it('fail as often as each deploy says, and never in a tab of the release itself', () => {
    const clicks = STALE.reduce(
      (sum, { actions, chunks, stylesheets }) => sum + actions + chunks + stylesheets,
      0,
    )
    assert.equal(errors.length, clicks)
    assert.ok(errors.every((item) => sent(item).release !== releaseName(RELEASES.length - 1)))
    assert.ok(
      errors.every(({ atMs }) => atMs < NOW - HOUR / 2 && atMs > momentOf(RELEASES[1][0], NOW) - HOUR),
    )
  })

  it('are in use less and less, until the newest events', () => {
    const views = planOldTabs({ nowMs: NOW, random: steady() }).map(({ atMs }) => atMs)
    const startMs = momentOf(RELEASES.at(-1)?.[0] ?? 0, NOW)
    const within = (from: number, to: number) =>
      views.filter((atMs) => atMs >= startMs + from * HOUR && atMs < startMs + to * HOUR).length
    assert.ok(views.every((atMs) => atMs > startMs - HOUR && atMs < NOW))
    assert.ok(within(0, 6) > within(6, 12) && within(6, 12) > within(12, 18))
  })

  it('have a request of the same trace for each action', () => {
    const traces = new Set(errors.map((item) => sent(item).contexts.trace.trace_id))
    assert.equal(requests.length, STALE.at(-1)?.actions)
    assert.ok(
      requests.every(({ payload }) =>
        traces.has(JSON.stringify(payload).match(/"trace_id":"(\w+)"/)?.[1] ?? ''),
      ),
    )
  })

  it('are half over after the half-life', () => {
    const newest = STALE.at(-1)
    const startMs = momentOf(RELEASES.at(-1)?.[0] ?? 0, NOW)
    const after = errors.filter(({ atMs }) => atMs > startMs - HOUR).map(({ atMs }) => atMs - startMs)
    const early = after.filter((ms) => ms < (newest?.halfLifeHours ?? 0) * HOUR).length
    assert.ok(Math.abs(early / after.length - 0.5) < 0.08, String(early / after.length))
  })
})
