import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { NOBODY } from '#issues/group-users.ts'
import { DurationSketch } from '#requests/sketch.ts'
import { oldestSlots, SlotAdditions, slotAfter, slotsOf, sumOfSlots, widthOf } from './slots.ts'

/** A time in the middle of a slot of any width. */
const AT = 1_000 * 24 * HOUR_MS + 7 * MINUTE_MS
const place = { key: 'm1', width: 1, slot: 5 } as const

function aRow(
  change: { readonly count?: number; readonly failed?: number; readonly sketch?: Uint8Array } = {},
) {
  return { slot: 5, count: 0, failed: 0, people: NOBODY, sketch: null, ...change }
}

function sketchOf(...values: readonly number[]): DurationSketch {
  const sketch = new DurationSketch()
  for (const value of values) sketch.add(value)
  return sketch
}

describe('slots', () => {
  it('are as wide as windows need', () => {
    const widths = [59, 60, 61, 1_439, 1_440, 1_441].map(widthOf)
    assert.deepEqual(widths, [1, 1, 15, 15, 15, 60])
  })

  it('of a window end with the one that has begun, and are as many as it is long', () => {
    const length = (minutes: number) => {
      const { first, last } = slotsOf(AT, minutes)
      return last - first + 1
    }
    assert.deepEqual([length(1), length(60), length(90), length(100), length(10_080)], [1, 60, 6, 7, 168])
    assert.equal(slotsOf(AT, 60).last, Math.floor(AT / MINUTE_MS))
  })

  it('are added up, and failures that move away leave none below nothing', () => {
    const additions = new SlotAdditions()
    const added = additions.at(place)
    added.count = 2
    added.failed = -3
    const { count, failed } = slotAfter(aRow({ count: 5, failed: 1 }), added)
    assert.deepEqual([count, failed, slotAfter(null, added).failed], [7, 0, 0])
  })

  it('join the durations that were there', () => {
    const added = new SlotAdditions().at(place)
    added.sketch = sketchOf(10, 20)
    const { sketch } = slotAfter(aRow({ sketch: sketchOf(30).toBytes() }), added)
    assert.equal(sumOfSlots([aRow({ sketch: sketch ?? assert.fail('none') })]).sketch.count, 3)
  })

  it('count people of several slots once, those of a slot that counts roughly too', () => {
    const people = (users: readonly bigint[]) => {
      const added = new SlotAdditions().at(place)
      for (const user of users) added.users.add(user)
      return slotAfter(null, added)
    }
    assert.equal(sumOfSlots([people([1n, 2n]), people([2n, 3n]), people([])]).users, 3)
    const many = Array.from({ length: 5_000 }, (_, index) => BigInt(index + 1) * 0x9e3779b97f4a7c15n)
    const crowd = people(many.map((one) => BigInt.asUintN(64, one)))
    assert.ok(!crowd.people.users.isExact)
    assert.ok(sumOfSlots([crowd]).users > 4_500)
  })

  it('are kept for two of the longest windows of their width', () => {
    const kept = oldestSlots(AT).map(({ width, slot }) => Math.floor(AT / (width * MINUTE_MS)) - slot)
    assert.deepEqual(kept, [2 * 60 + 60, 2 * 96 + 4, 2 * 168 + 1])
  })
})
