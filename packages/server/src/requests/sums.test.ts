import assert from 'node:assert/strict'
import { it } from 'node:test'
import { VITALS } from '#model/span.ts'
import { addVital, emptyVitalSum } from './sums.ts'
import { VITAL_THRESHOLDS } from './vitals.ts'

for (const vital of VITALS)
  it(`counts ${vital} as good up to its first threshold, as poor beyond its second`, () => {
    const [good, poor] = VITAL_THRESHOLDS[vital]
    const step = good / 1_000
    const counted = [good - step, good, good + step, poor - step, poor, poor + step].map((value) => {
      const sum = emptyVitalSum()
      addVital(sum, { vital, value, weight: 1 })
      return sum.good === 1 ? 'good' : sum.poor === 1 ? 'poor' : 'between'
    })
    assert.deepEqual(counted, ['good', 'good', 'between', 'between', 'between', 'poor'])
  })
