import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { KeptValues } from './kept-values.ts'

describe('the values that a group keeps', () => {
  it('are known by key and value', () => {
    const kept = new KeptValues()
    assert.deepEqual([kept.place(1, 'eu'), kept.place(1, 'eu'), kept.place(2, 'eu')], ['new', 'known', 'new'])
    assert.deepEqual([kept.hasKey(1), kept.hasKey(2), kept.hasKey(3)], [true, true, false])
    assert.deepEqual([kept.count, [...kept.keys].sort()], [2, [1, 2]])
  })

  it('are as many of a key as it may have, however they are held', () => {
    for (const others of [0, 100]) {
      const kept = new KeptValues()
      for (let at = 0; at < others; at++) kept.add(2, `${at}`)
      const places: string[] = []
      for (let at = 0; at < max('facetValuesMax') + 1; at++) places.push(kept.place(1, `${at}`))
      assert.deepEqual(
        [places.at(-2), places.at(-1), kept.place(1, '0'), kept.count],
        ['new', 'none', 'known', others + max('facetValuesMax')],
      )
    }
  })

  it('are the same on both sides of the number up to which they are listed', () => {
    const kept = new KeptValues()
    const known = new Map<number, Set<string>>()
    for (let at = 0; at < 60; at++) {
      const [key, value] = [at % 7, `${at % 11}`]
      const values = known.get(key) ?? new Set()
      known.set(key, values)
      assert.equal(kept.place(key, value), values.has(value) ? 'known' : 'new')
      values.add(value)
      assert.equal(
        kept.count,
        [...known.values()].reduce((sum, { size }) => sum + size, 0),
      )
      for (let other = 0; other < 8; other++) assert.equal(kept.hasKey(other), known.has(other))
      assert.deepEqual([...kept.keys].sort(), [...known.keys()].sort())
    }
  })
})
