import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BeatWatch } from './beat-watch.ts'

describe('a watch of beats', () => {
  it('counts looks in a row without a new one', () => {
    const cell = { beats: 0 }
    const watch = new BeatWatch(() => cell.beats)
    assert.deepEqual([watch.look(), watch.look()], [1, 2])
    cell.beats = 1
    assert.deepEqual([watch.look(), watch.look()], [0, 1])
  })

  it('takes a thread that began again for one that lives', () => {
    const cell = { beats: 7 }
    const watch = new BeatWatch(() => cell.beats)
    cell.beats = 0
    assert.equal(watch.look(), 0)
  })

  it('counts on where numbers have no room left', () => {
    const cells = new Int32Array(new SharedArrayBuffer(4))
    cells[0] = 2 ** 31 - 1
    const watch = new BeatWatch(() => Atomics.load(cells, 0))
    Atomics.add(cells, 0, 1)
    assert.equal(watch.look(), 0)
  })
})
