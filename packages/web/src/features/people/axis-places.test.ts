import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foldGaps, nearestPlace, placeOnParts } from './axis-places.ts'

const DAY_MS = 86_400_000
const span = (startMs: number, endMs = startMs) => ({ startMs, endMs })

describe('a person’s axis', () => {
  test('gives moments days apart as much room as each other, and the gap between them little', () => {
    const [first, second, third] = foldGaps([span(9 * DAY_MS), span(DAY_MS), span(0)])
    assert.deepEqual([first?.startMs, second?.startMs, third?.startMs], [0, DAY_MS, 9 * DAY_MS])
    const widths = [first, second, third].map((part) => (part?.to ?? 0) - (part?.from ?? 0))
    assert.ok(widths.every((width) => Math.abs(width - (widths[0] ?? 0)) < 1e-9))
    assert.deepEqual([first?.from, Math.round(third?.to ?? 0)], [0, 100])
    assert.equal(Math.round(((second?.from ?? 0) - (first?.to ?? 0)) * 10) / 10, 1.4)
  })

  test('gives a longer session more room, and keeps room for sessions however many there are', () => {
    const [short, long] = foldGaps([span(DAY_MS, DAY_MS + 60_000), span(0, 1_000)])
    assert.ok((long?.to ?? 0) - (long?.from ?? 0) > 2 * ((short?.to ?? 0) - (short?.from ?? 0)))
    const many = foldGaps(Array.from({ length: 200 }, (_, nth) => span((200 - nth) * DAY_MS)))
    assert.ok(many.reduce((sum, { from, to }) => sum + to - from, 0) > 69.9)
    assert.deepEqual(foldGaps([]), [])
  })

  test('places times within their session, in order', () => {
    const parts = foldGaps([span(DAY_MS, DAY_MS + 1_000), span(0)])
    const [moment, start, middle, end] = [0, DAY_MS, DAY_MS + 500, DAY_MS + 1_000].map((atMs) =>
      placeOnParts(parts, atMs),
    )
    const [first, second] = parts
    assert.equal(moment, ((first?.from ?? 0) + (first?.to ?? 0)) / 2)
    assert.equal(middle, ((second?.from ?? 0) + (second?.to ?? 0)) / 2)
    assert.ok((start ?? 0) > (second?.from ?? 0) && (end ?? 0) < (second?.to ?? 0))
    // Between two, and beyond the last.
    assert.equal(placeOnParts(parts, 5_000), start)
    assert.equal(placeOnParts(parts, 2 * DAY_MS), end)
    assert.equal(placeOnParts([], 1), 0)
  })

  test('finds the nearest entry, the first of two as near', () => {
    assert.equal(nearestPlace([90, 50, 10], 60), 1)
    assert.equal(nearestPlace([90, 50, 10], 70), 0)
    assert.equal(nearestPlace([90, 50, 10], 71), 0)
    assert.equal(nearestPlace([90, 50, 10], 69), 1)
    assert.equal(nearestPlace([], 1), -1)
  })
})
