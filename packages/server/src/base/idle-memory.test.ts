import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RestAfterWork } from './idle-memory.ts'

describe('a rest after work', () => {
  it('begins once, when a quiet interval follows a busy one', () => {
    const rest = new RestAfterWork()
    assert.deepEqual(
      [0.01, 0.6, 0.9, 0.02, 0, 0.04].map((busy) => rest.begins(busy)),
      [false, false, false, true, false, false],
    )
  })

  it('begins again after more work', () => {
    const rest = new RestAfterWork()
    assert.deepEqual(
      [0.5, 0, 0.05, 0].map((busy) => rest.begins(busy)),
      [false, true, false, true],
    )
  })
})
