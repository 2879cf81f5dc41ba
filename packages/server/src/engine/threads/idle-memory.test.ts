import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RestAfterWork } from './idle-memory.ts'

describe('a rest after work', () => {
  const after = (...busy: number[]) => {
    const rest = new RestAfterWork()
    return busy.map((share) => rest.after(share))
  }

  it('is counted from the quiet interval that follows a busy one, three times', () => {
    assert.deepEqual(after(0.01, 0.6, 0.9, 0.02, 0, 0.04, 0, 0), [0, 0, 0, 1, 2, 3, 0, 0])
  })

  it('begins anew after more work', () => {
    assert.deepEqual(after(0.5, 0, 0.05, 0, 0, 0.3), [0, 1, 0, 1, 2, 0])
  })
})
