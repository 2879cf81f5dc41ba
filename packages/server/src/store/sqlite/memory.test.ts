/** The one rule of what a commit remembers. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Memory } from './memory.ts'

describe('what a commit remembers', () => {
  it('is forgotten by age, at the end of a batch, until it is within its bound', () => {
    const memory = new Memory()
    const kept = memory.keep<string, number>({ most: 2 })
    for (const [at, key] of ['a', 'b'].entries()) kept.set(key, at)
    memory.end()
    assert.equal(kept.get('a'), 0)
    kept.set('c', 2)
    assert.equal(kept.has('b'), true, 'until the end of the batch')
    memory.end()
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => kept.has(key)),
      [true, false, true],
    )
  })

  it('is forgotten in the order of use, whichever was put first', () => {
    for (const used of ['a', 'b']) {
      const memory = new Memory()
      const kept = memory.keep<string, string>({ most: 1 })
      kept.set('a', 'A')
      kept.set('b', 'B')
      const [key] = ['a', 'b'].filter((one) => one !== used)
      // Of one batch the one that was put first goes first: ages begin with the next.
      const later = memory.keep<string, string>({ most: 2 })
      for (const one of ['a', 'b']) later.set(one, one)
      memory.end()
      later.get(used)
      later.set('c', 'c')
      memory.end()
      assert.deepEqual([later.has(used), later.has(key ?? '')], [true, false])
      assert.deepEqual([kept.has('a'), kept.has('b')], [false, true])
    }
  })

  it('of work that reads and throws is forgotten at once, and nothing of others', () => {
    const memory = new Memory()
    const kept = memory.keep<string, number>({ most: 9 })
    kept.set('before', 1)
    memory.end()
    const failing = () => {
      kept.set('used', 2)
      throw new Error('cannot be read')
    }
    assert.throws(() => memory.reading(failing), /cannot be read/)
    assert.deepEqual([kept.has('before'), kept.has('used')], [true, false])
    assert.equal(
      memory.reading(() => kept.get('before')),
      1,
    )
    assert.equal(kept.has('before'), true)
  })

  it('weighs values as they are at the end of the batch that changed them', () => {
    const memory = new Memory()
    const kept = memory.keep<string, Set<number>>({ most: 4, weightOf: ({ size }) => size })
    kept.set('a', new Set([1]))
    kept.set('b', new Set([1, 2]))
    memory.end()
    kept.get('b')?.add(3)
    memory.end()
    assert.deepEqual([kept.has('a'), kept.has('b')], [true, true], 'at its bound')
    kept.get('b')?.add(4)
    memory.end()
    assert.deepEqual([kept.has('a'), kept.has('b')], [false, true], 'above it')
  })

  it('is undone with the batch that failed: what that used is read anew, and nothing else', () => {
    const memory = new Memory()
    const kept = memory.keep<string, number[]>({ most: 10 })
    for (const key of ['changed', 'replaced', 'deleted', 'asked', 'other']) kept.set(key, [1])
    memory.end()
    kept.get('changed')?.push(2)
    kept.set('replaced', [2])
    kept.delete('deleted')
    kept.set('new', [1])
    assert.equal(kept.has('asked'), true)
    memory.undo()
    const known = ['changed', 'replaced', 'deleted', 'new', 'asked', 'other'].map((key) => kept.has(key))
    assert.deepEqual(known, [false, false, false, false, true, true])
    // Of a batch that is stored nothing is undone later.
    kept.set('changed', [3])
    memory.end()
    memory.undo()
    assert.deepEqual(kept.get('changed'), [3])
  })

  it('is read anew once others wrote, but what stays true', () => {
    const memory = new Memory()
    const rows = memory.keep<string, number>({ most: 2 })
    const names = memory.keep<string, number>({ most: 2, staysTrue: true })
    rows.set('a', 1)
    names.set('a', 1)
    memory.end()
    memory.forgetRows()
    assert.deepEqual([rows.has('a'), names.has('a')], [false, true])
    // What was forgotten weighs nothing.
    for (const key of ['a', 'b']) rows.set(key, 1)
    memory.end()
    assert.deepEqual([rows.has('a'), rows.has('b')], [true, true])
  })
})
