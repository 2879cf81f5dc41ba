import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { RuleState } from '#model/alert-rule.ts'
import { reachesReceiver, stateAfter, type Thresholds, worseOf } from './metric-state.ts'

const ABOVE: Thresholds = { direction: 'above', critical: 10, warning: 5, resolved: 3 }
const BELOW: Thresholds = { direction: 'below', critical: 95, warning: 99, resolved: 99.5 }

describe('the state of a metric rule', () => {
  const table: readonly [Thresholds, RuleState, number | null, RuleState][] = [
    [ABOVE, 'ok', 5, 'ok'],
    [ABOVE, 'ok', 5.1, 'warning'],
    [ABOVE, 'ok', 11, 'critical'],
    [ABOVE, 'critical', 6, 'warning'],
    [ABOVE, 'critical', 4, 'warning'],
    [ABOVE, 'warning', 4, 'warning'],
    [ABOVE, 'warning', 3, 'ok'],
    [ABOVE, 'critical', null, 'ok'],
    [BELOW, 'ok', 99, 'ok'],
    [BELOW, 'ok', 98.9, 'warning'],
    [BELOW, 'warning', 94, 'critical'],
    [BELOW, 'warning', 99.2, 'warning'],
    [BELOW, 'warning', 99.5, 'ok'],
    [{ ...ABOVE, warning: null, resolved: null }, 'critical', 10, 'ok'],
    [{ ...ABOVE, warning: null }, 'critical', 9, 'critical'],
  ]
  for (const [when, before, value, after] of table)
    it(`${before} with ${value} ${when.direction} ${when.warning}/${when.critical} is ${after}`, () => {
      assert.equal(stateAfter(before, when, value), after)
    })

  const values = fc.array(fc.option(fc.double({ min: 0, max: 20, noNaN: true })), {
    minLength: 1,
    maxLength: 60,
  })

  it('never leaves a state between two thresholds, and is never better than its value', () => {
    fc.assert(
      fc.property(values, (all) => {
        let state: RuleState = 'ok'
        for (const value of all) {
          const after = stateAfter(state, ABOVE, value)
          if (value === null) assert.equal(after, 'ok')
          else if (value > 10) assert.equal(after, 'critical')
          else if (value > 5) assert.equal(after, 'warning')
          else if (value > 3) assert.equal(after === 'ok', state === 'ok')
          else assert.equal(after, 'ok')
          state = after
        }
      }),
    )
  })

  it('is the same for a metric and its mirror image', () => {
    const mirrored: Thresholds = { direction: 'below', critical: -10, warning: -5, resolved: -3 }
    fc.assert(
      fc.property(values, (all) => {
        let [one, other]: [RuleState, RuleState] = ['ok', 'ok']
        for (const value of all) {
          one = stateAfter(one, ABOVE, value)
          other = stateAfter(other, mirrored, value === null ? null : -value)
          assert.equal(one, other)
        }
      }),
    )
  })

  it('keeps the worst value, and reaches who asked for it', () => {
    assert.deepEqual([worseOf(ABOVE, 3, 7), worseOf(BELOW, 3, 7), worseOf(ABOVE, null, 7)], [7, 3, 7])
    assert.deepEqual(
      [
        reachesReceiver('warning', 'critical'),
        reachesReceiver('warning', 'warning'),
        reachesReceiver('ok', 'warning'),
      ],
      [false, true, false],
    )
  })
})
