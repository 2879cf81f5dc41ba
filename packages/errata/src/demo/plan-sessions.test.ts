import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEMO_DAYS, RELEASES } from './plan-events.ts'
import { planSessions } from './plan-sessions.ts'

const NOW = Date.UTC(2026, 10, 22, 12, 20)
const DAY = 86_400_000

/** A generator that answers the same in every run. */
function steady(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

interface Entry {
  readonly started: string
  readonly exited: number
  readonly crashed: number
}
interface Counted {
  readonly attrs: { readonly release: string; readonly environment: string }
  readonly aggregates: readonly Entry[]
}

describe('sessions of the sample organisation', () => {
  const plan = planSessions({ project: 'storefront', package: 'shop' }, { nowMs: NOW, random: steady() })
  const items = plan.map(({ payload, atMs }) => ({ ...(payload as unknown as Counted), atMs })) // as planned
  const newest = `shop@${RELEASES.at(-1)?.[1]}`
  const sum = (of: readonly Entry[], name: 'exited' | 'crashed') =>
    of.reduce((total, entry) => total + entry[name], 0)

  it('began before they are sent, within the days of the sample', () => {
    for (const { aggregates, atMs } of items) {
      assert.ok(atMs <= NOW && atMs >= NOW - DEMO_DAYS * DAY)
      assert.ok(aggregates.length > 0 && aggregates.every(({ started }) => Date.parse(started) <= atMs))
    }
  })

  it('are of every release that its events have, the newest in lead', () => {
    const names = new Set(items.map(({ attrs }) => attrs.release))
    assert.deepEqual([...names].sort(), RELEASES.map(([, name]) => `shop@${name}`).sort())
    const lately = items.filter(({ atMs }) => atMs > NOW - DAY)
    const entries = (of: typeof items) => of.flatMap(({ aggregates }) => aggregates).length
    const share = entries(lately.filter(({ attrs }) => attrs.release === newest)) / entries(lately)
    assert.ok(share > 0.7 && share < 1, String(share))
  })

  it('crash more in the newest release', () => {
    const rate = (isNewest: boolean) => {
      const entries = items
        .filter(({ attrs }) => (attrs.release === newest) === isNewest)
        .flatMap(({ aggregates }) => aggregates)
      return sum(entries, 'crashed') / sum(entries, 'exited')
    }
    assert.ok(rate(true) > 2 * rate(false), `${rate(true)} against ${rate(false)}`)
  })
})
