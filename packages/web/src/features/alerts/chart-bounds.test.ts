import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boundsOf } from './chart-bounds.ts'

describe('a chart of a measure', () => {
  it('stands on zero where values are far from each other', () => {
    const { base, top } = boundsOf([null, 0.5, 12, 30], 100)
    assert.equal(base, 0)
    assert.ok(top >= 30 && top <= 60, String(top))
  })

  it('shows how high values differ, up to what none exceeds', () => {
    const { base, top } = boundsOf([99.5, 98, 100, 95], 100)
    assert.equal(top, 100)
    assert.ok(base < 95 && base >= 93, String(base))
  })

  it('has room where all values are the same, or none is known', () => {
    for (const values of [[5, 5], [], [null], [0]]) {
      const { base, top } = boundsOf(values, undefined)
      assert.ok(top > base && base <= (values[0] ?? 0) && top >= (values[0] ?? 0), `${base} ${top}`)
    }
    const whole = boundsOf([100, 100], 100)
    assert.ok(whole.top === 100 && whole.base < 100)
  })
})
