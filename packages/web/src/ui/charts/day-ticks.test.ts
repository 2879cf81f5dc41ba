import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dateText } from '../time-text.ts'
import { dayTicks } from './day-ticks.ts'

const DAY = 86_400_000
const END = Date.UTC(2026, 10, 28, 20, 23)

describe('days below a chart', () => {
  const ticks = (days: number, endMs = END) => {
    const range = { startMs: endMs - days * DAY, endMs }
    return dayTicks(range, 'utc').map((part) => range.startMs + part * days * DAY)
  }
  const texts = (days: number) => ticks(days).map((atMs) => dateText(Math.round(atMs), 'utc'))

  it('stand where they begin, as far from each other', () => {
    assert.deepEqual(texts(7), ['24 Nov', '26 Nov', '28 Nov'])
    assert.deepEqual(texts(14), ['18 Nov', '21 Nov', '24 Nov', '27 Nov'])
    assert.deepEqual(texts(3), ['26 Nov', '27 Nov', '28 Nov'])
    for (const days of [3, 7, 14, 30, 90, 365])
      for (const atMs of ticks(days)) assert.equal(Math.round(atMs) % DAY, 0, `${days}: ${atMs}`)
  })

  it('are at most five, and keep clear of both ends', () => {
    for (const days of [2.1, 3, 5, 7, 13.5, 14, 30, 90, 365]) {
      const parts = dayTicks({ startMs: END - days * DAY, endMs: END }, 'utc')
      assert.ok(parts.length >= 1 && parts.length <= 5, `${days}: ${parts.length}`)
      assert.ok(parts.every((part) => part === 0 || (part >= 0.04 && part <= 0.88)))
    }
    const whole = Date.UTC(2026, 10, 28)
    assert.equal(dayTicks({ startMs: whole - 7 * DAY, endMs: whole }, 'utc')[0], 0)
  })
})
