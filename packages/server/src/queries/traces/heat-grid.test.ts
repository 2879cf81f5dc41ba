import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heatGrid } from './heat-grid.ts'

test('a range is divided into round steps, few enough to be pointed at, and all of it is covered', () => {
  const startMs = Date.UTC(2026, 10, 28, 3, 7, 21)
  for (let length = 1_000; length < 92 * 86_400_000; length *= 1.7) {
    const { startMs: first, stepMs, slots } = heatGrid({ startMs, endMs: startMs + length })
    assert.ok(first <= startMs && startMs - first < stepMs, String(length))
    assert.ok(first + slots * stepMs >= startMs + length, String(length))
    assert.ok(slots >= 1 && slots <= 64, `${length}: ${slots}`)
    assert.equal(first % stepMs, 0)
  }
})
