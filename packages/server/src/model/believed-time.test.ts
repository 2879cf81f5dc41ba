import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { believedMs, isClockAhead } from './believed-time.ts'

const KNOWN = Date.UTC(2026, 10, 16)
const DOUBT = max('clockDoubtMs')

describe('a clock', () => {
  it('is believed up to the doubt beyond what is known, and whenever it is behind', () => {
    for (const clock of [KNOWN + DOUBT, KNOWN, KNOWN - 10 * DOUBT]) {
      assert.equal(isClockAhead(clock, KNOWN), false)
      assert.equal(believedMs(clock, KNOWN), clock)
    }
  })

  it('that is further ahead counts as what is known', () => {
    assert.equal(isClockAhead(KNOWN + DOUBT + 1, KNOWN), true)
    assert.equal(believedMs(KNOWN + DOUBT + 1, KNOWN), KNOWN)
  })
})
