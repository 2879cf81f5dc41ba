import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catchUp, clockOf, lateClock } from './clock.ts'

describe('a scaled clock', () => {
  it('passes as many milliseconds as its rate says for each real one, from where it begins', () => {
    const sinceMs = Date.now() - 1_000
    const now = clockOf({ startMs: 5_000_000, sinceMs, rate: 60 }).now()
    const passed = now - 5_000_000
    assert.ok(passed >= 60_000 && passed < 60_000 + 60 * 5_000, `${passed} ms passed in one second`)
    assert.ok(Number.isInteger(now))
  })

  it('shows the same time in every thread that is given its description', () => {
    const description = { startMs: 0, sinceMs: Date.now(), rate: 0 }
    assert.equal(clockOf(description).now(), clockOf({ ...description }).now())
  })

  it('is the machine’s clock without a description', () => {
    assert.ok(Math.abs(clockOf(null).now() - Date.now()) < 1_000)
  })
})

describe('a clock that is behind', () => {
  const HOUR = 3_600_000

  it('is behind by what was said, catches up as told, and never goes back or ahead of the machine’s', () => {
    const late = lateClock(24 * HOUR)
    const clock = clockOf(late)
    const behind = () => Math.round((Date.now() - clock.now()) / HOUR)
    assert.equal(behind(), 24)
    catchUp(late, Date.now() - 10 * HOUR)
    assert.equal(behind(), 10)
    catchUp(late, Date.now() - 20 * HOUR)
    assert.equal(behind(), 10)
    catchUp(late, Date.now() + 5 * HOUR)
    assert.equal(behind(), 0)
    assert.ok(clock.now() <= Date.now())
  })

  it('counts what it catches up as time that passed, and shares it with every thread that has its description', () => {
    const late = lateClock(24 * HOUR)
    const [clock, elsewhere] = [clockOf(late), clockOf(structuredClone(late))]
    const before = clock.passed?.() ?? 0
    catchUp(late, Date.now() - 4 * HOUR)
    assert.equal(Math.round(((clock.passed?.() ?? 0) - before) / HOUR), 20)
    assert.equal(Math.round((Date.now() - elsewhere.now()) / HOUR), 4)
  })
})
