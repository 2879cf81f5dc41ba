import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { roughSpan } from './alert-words.ts'

describe('a time in words', () => {
  for (const [minutes, text] of [
    [0.2, '1 min'],
    [60, '1 h'],
    [99, '99 min'],
    [100, '2 h'],
    [2_800, '47 h'],
    [3_935, '3 d'],
  ] as const) {
    it(`is ${text} for ${minutes} minutes`, () => {
      assert.equal(roughSpan(minutes), text)
    })
  }
})
