import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ageText,
  agoText,
  beforeText,
  clockText,
  dateText,
  durationText,
  exactText,
  isoText,
  momentText,
  offsetText,
  spanText,
  stepText,
  untilText,
} from './time-text.ts'

const NOW = Date.UTC(2026, 10, 20, 12, 4, 31, 229)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('times as text', () => {
  test('an age has the largest unit alone', () => {
    const cases: readonly (readonly [ms: number, text: string])[] = [
      [0, 'now'],
      [9_999, 'now'],
      [10_000, '10 s'],
      [59_999, '59 s'],
      [MINUTE, '1 min'],
      [HOUR - 1, '59 min'],
      [HOUR, '1 h'],
      [DAY - 1, '23 h'],
      [DAY, '1 d'],
      [30 * DAY, '30 d'],
      [31 * DAY, '1 mo'],
      [364 * DAY, '11 mo'],
      [800 * DAY, '2 y'],
    ]
    for (const [ms, text] of cases) assert.equal(ageText(NOW - ms, NOW), text)
  })

  test('a time in the future reads now, because a clock is off and not the event', () => {
    assert.equal(agoText(NOW + HOUR, NOW), 'now')
    assert.equal(untilText(NOW + 7 * DAY - HOUR, NOW), 'in 7 d')
    assert.equal(untilText(NOW + 90 * DAY, NOW), 'in 90 d')
    assert.equal(untilText(NOW + 4 * MINUTE, NOW), 'in 4 min')
    assert.equal(untilText(NOW - HOUR, NOW), 'now')
    assert.equal(agoText(NOW - 4 * MINUTE, NOW), '4 min ago')
  })

  test('the exact time names its zone on the server', () => {
    assert.equal(exactText(NOW, 'utc'), '20 Nov 2026, 12:04:31 UTC')
    assert.equal(clockText(NOW, 'utc'), '12:04:31')
    assert.equal(dateText(NOW, 'utc'), '20 Nov')
  })

  test('a time that no calendar holds is said to be unknown, and never throws', () => {
    assert.equal(exactText(Number.NaN, 'utc'), 'unknown time')
    assert.equal(isoText(Number.NaN), undefined)
    assert.equal(isoText(9e15), undefined)
    assert.equal(isoText(NOW), '2026-11-20T12:04:31.229Z')
  })

  test('an offset has a sign, but nothing is not less than nothing', () => {
    assert.equal(offsetText(-410), '−0.41 s')
    assert.equal(offsetText(-1), '0.00 s')
    assert.equal(offsetText(0), '0.00 s')
    assert.equal(offsetText(-180_000), '−3 min')
  })

  test('durations and steps have the unit that fits', () => {
    assert.equal(durationText(0.2), '< 1 ms')
    assert.equal(durationText(404), '404 ms')
    assert.equal(durationText(999.6), '1.00 s')
    assert.equal(durationText(1_420), '1.42 s')
    assert.equal(durationText(99_990), '99.99 s')
    assert.equal(durationText(600_060), '10 min')
    assert.equal(durationText(3_599_900), '1 h')
    assert.equal(durationText(150_400), '2 min 30 s')
    assert.equal(durationText(2 * HOUR + 5 * MINUTE), '2 h 5 min')
    assert.equal(durationText(86_402_000), '1 d')
    assert.equal(durationText(99 * HOUR), '4 d 3 h')
    assert.equal(stepText(15 * MINUTE), '15 min')
    assert.equal(stepText(HOUR), 'h')
    assert.equal(stepText(3 * HOUR), '3 h')
    assert.equal(stepText(DAY), 'd')
    assert.equal(spanText(90_000), '1 min')
  })
})

test('a time before another has its largest unit', () => {
  assert.equal(beforeText(2 * 86_400_000), '2 d before')
  assert.equal(beforeText(9_000), 'just before')
})

test('when something ends is a time of day today, and a date otherwise', () => {
  const at = (text: string) => Date.parse(`${text}Z`)
  const now = at('2026-11-20T12:04:00')
  assert.equal(momentText(at('2026-11-20T23:30:00'), now, 'utc'), '23:30 UTC')
  assert.equal(momentText(at('2026-11-21T00:30:00'), now, 'utc'), '21 Nov')
  assert.equal(momentText(at('2027-11-20T12:00:00'), now, 'utc'), '20 Nov')
})
