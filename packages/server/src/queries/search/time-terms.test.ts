import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { timeBounds } from './time-terms.ts'

const NOW = Date.UTC(2026, 10, 23, 12)
const MIDNIGHT = Date.UTC(2026, 10, 1)
const since = (fromMs: number) => ({ fromMs, untilMs: null })
const before = (untilMs: number) => ({ fromMs: null, untilMs })

describe('times of a search', () => {
  const read: readonly [text: string, bounds: ReturnType<typeof timeBounds>][] = [
    ['-24h', since(NOW - DAY_MS)],
    ['+7d', before(NOW - 7 * DAY_MS)],
    ['-2w', since(NOW - 14 * DAY_MS)],
    ['<-7d', before(NOW - 7 * DAY_MS)],
    ['>=-1h', since(NOW - HOUR_MS)],
    ['2026-11-01', { fromMs: MIDNIGHT, untilMs: MIDNIGHT + DAY_MS }],
    ['>2026-11-01', since(MIDNIGHT + 1)],
    ['<=2026-11-01T00:00:00Z', before(MIDNIGHT + 1)],
    ['>=2026-11-01T02:00+02:00', since(MIDNIGHT)],
    ['2026-11-01T00:00', { fromMs: MIDNIGHT, untilMs: MIDNIGHT + 60_000 }],
    ...['24h', '>24h', '>+24h', '-24', '-1y', '2026-11-31', '2026-13-01', '11/01/2026', ''].map(
      (text): [string, null] => [text, null],
    ),
  ]
  for (const [text, bounds] of read)
    it(`reads ${text}`, () => assert.deepEqual(timeBounds(text, { nowMs: NOW, isAge: false }), bounds))

  it('compares an age as a length of time', () => {
    const age = (text: string) => timeBounds(text, { nowMs: NOW, isAge: true })
    assert.deepEqual(age('-24h'), since(NOW - DAY_MS))
    assert.deepEqual(age('<24h'), since(NOW - DAY_MS))
    assert.deepEqual(age('>24h'), before(NOW - DAY_MS))
  })
})
