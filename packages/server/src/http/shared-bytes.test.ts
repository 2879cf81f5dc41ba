import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SharedBytes } from './shared-bytes.ts'

it('bytes of bodies are bounded for all threads, and whoever holds more than a share has to give way', () => {
  const cells = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT))
  const [one, two, three] = [0, 1, 2].map((own) => new SharedBytes(cells, own, 300))
  assert.ok(one !== undefined && two !== undefined && three !== undefined)
  one.add(250)
  two.add(50)
  assert.deepEqual([one.isFull, one.isBeyondShare, two.isBeyondShare], [false, true, false])
  three.add(1)
  assert.deepEqual([one.isFull, two.isFull, three.isFull, three.isBeyondShare], [true, true, true, false])
  one.add(-250)
  assert.deepEqual([one.isFull, one.isBeyondShare], [false, false])
})
