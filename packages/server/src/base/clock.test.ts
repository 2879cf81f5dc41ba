import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clockOf } from './clock.ts'

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
