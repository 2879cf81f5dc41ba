import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { chooseSuggestions } from './suggested-values.ts'

const most = max('facetValuesPerProjectMax')
const perBatch = max('facetValuesNewPerBatchMax')
const values = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `v${at}`, count: 2, lastMs: at }))

describe('new values of a tag key', () => {
  it('are all suggested while there is room', () => {
    const fresh = values(perBatch + 5)
    assert.deepEqual(chooseSuggestions(fresh, most - fresh.length), { chosen: fresh, other: 0 })
  })

  it('beyond the room are the newest of the batch, and the others are counted', () => {
    const { chosen, other } = chooseSuggestions(values(perBatch + 5), most)
    assert.deepEqual([chosen.length, chosen[0]?.name, other], [perBatch, `v${perBatch + 4}`, 10])
  })

  it('at the same time go by how often they came', () => {
    const fresh = values(perBatch).map((value) => ({ ...value, lastMs: 1 }))
    const { chosen } = chooseSuggestions([{ name: 'rare', count: 1, lastMs: 1 }, ...fresh], most)
    assert.deepEqual(chosen, fresh)
  })
})
