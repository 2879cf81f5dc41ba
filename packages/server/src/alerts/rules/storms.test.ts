import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anIssueRule, aRule } from '#testing/builders/alert-rule.ts'
import { NOW } from '#testing/builders/times.ts'
import { CALM, Storms, stormOver } from './storms.ts'

const MOST = max('alertStormFirings')
const storms = (told: number, stormMs: number | null = null) =>
  new Storms(new Map([[1, told]]), new Map([[1, { ...CALM, sinceMs: NOW, stormMs }]]), NOW)

describe('a storm', () => {
  it('gathers what comes beyond the most that are told by themselves', () => {
    const found = (told: number, count: number) => {
      const one = storms(told)
      return Array.from({ length: count }, () => one.join(1))
    }
    assert.deepEqual(found(MOST - 2, 4), [false, false, true, true])
    assert.deepEqual(found(MOST, 1), [true])
    assert.equal(storms(MOST).join(2), false, 'each rule by itself')
  })

  it('gathers all until it is told of', () => {
    assert.equal(storms(0, NOW - 1).join(1), true)
  })

  it('is over when its time is', () => {
    const rule = aRule(anIssueRule({ on: 'new' }))
    const over = (stormMs: number | null) =>
      rule.kind === 'issue' && stormOver(rule, { ...CALM, sinceMs: 0, stormMs }, NOW).length > 0
    const lasts = max('alertStormMs')
    assert.deepEqual([over(NOW - lasts + 1), over(NOW - lasts), over(NOW - lasts - 1)], [false, true, true])
    assert.equal(over(null), false)
  })
})
