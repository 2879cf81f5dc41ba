import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOfLate, type RecentEvents, withMoreEvents } from './recent-events.ts'

const DAY = 86_400_000

function after(...sent: readonly (readonly [day: number, events: number])[]): RecentEvents | null {
  return sent.reduce<RecentEvents | null>(
    (known, [day, events]) => withMoreEvents(known, { events, atMs: day * DAY + 5 }),
    null,
  )
}

test('events are counted for the newest day and the one before it', () => {
  assert.deepEqual(after([9, 1], [9, 2]), { day: 9, events: 3, before: 0 })
  assert.deepEqual(after([9, 3], [10, 4]), { day: 10, events: 4, before: 3 })
  assert.deepEqual(after([9, 3], [11, 4]), { day: 11, events: 4, before: 0 })
  assert.deepEqual(after([9, 3], [8, 4]), { day: 9, events: 3, before: 4 }, 'late ones count for their day')
  assert.deepEqual(after([9, 3], [7, 4]), { day: 9, events: 3, before: 0 })
})

test('today and yesterday are of late', () => {
  const known = after([9, 3], [10, 4])
  const of = (day: number) => eventsOfLate(known, day * DAY)
  assert.deepEqual([of(9), of(10), of(11), of(12)], [7, 7, 4, 0])
  assert.equal(eventsOfLate(null, DAY), 0)
})
