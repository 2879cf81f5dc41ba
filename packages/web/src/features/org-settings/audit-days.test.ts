import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayOf, shownDayText } from './audit-days.ts'

describe('a day that somebody types', () => {
  for (const [typed, day] of [
    ['22 Nov 2026', '2026-11-22'],
    [' 1 jan 2020 ', '2020-01-01'],
    ['31 Dec 2026', '2026-12-31'],
    ['2026-11-22', '2026-11-22'],
    ['29 Feb 2024', '2024-02-29'],
    ['29 Feb 2026', null],
    ['2026-02-30', null],
    ['22 Foo 2026', null],
    ['22 November 2026', null],
    ['11/22/2026', null],
    ['', null],
  ] as const)
    test(`"${typed}" is ${day}`, () => assert.equal(dayOf(typed), day))

  test('is shown as other times are', () => {
    assert.deepEqual(['2026-11-22', '2020-01-01'].map(shownDayText), ['22 Nov 2026', '1 Jan 2020'])
  })
})
