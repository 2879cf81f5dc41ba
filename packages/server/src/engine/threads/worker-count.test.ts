import assert from 'node:assert/strict'
import { it } from 'node:test'
import { workerCount } from './worker-count.ts'

for (const [cores, workers] of [
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [64, 2],
] as const) {
  it(`of process threads is ${workers} with ${cores} cores`, () => {
    assert.equal(workerCount(cores), workers)
  })
}
