import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCounts, sumCounts, writeCounts } from './counts.ts'

const counts = (...entries: readonly (readonly [string, number])[]) => new Map(entries)

describe('counts by name', () => {
  it('are read as they were written, whatever they are called', () => {
    for (const one of [counts(), counts(['other', 2]), counts(['__proto__', 1], ['b', 2], ['a', 3])])
      assert.deepEqual([...readCounts(writeCounts(one))], [...one])
    assert.equal(writeCounts(counts()), '{}')
  })

  it('add up, and names that are new come while there is room', () => {
    const first = counts(['a', 1], ['b', 2])
    assert.deepEqual(
      [...sumCounts(first, counts(['b', 3], ['c', 4], ['d', 5]), 3)],
      [
        ['a', 1],
        ['b', 5],
        ['c', 4],
      ],
    )
    assert.deepEqual([...sumCounts(first, counts(['c', 4]), 2)], [...first])
    assert.deepEqual(
      [...first],
      [
        ['a', 1],
        ['b', 2],
      ],
    )
  })

  it('are what they were where nothing is added', () => {
    const first = counts(['a', 1])
    assert.deepEqual([...sumCounts(first, counts(), 3)], [['a', 1]])
    assert.deepEqual([...sumCounts(counts(), first, 3)], [['a', 1]])
  })
})
