import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bytesText, countText, quantityText, roundUp, shareText, shortNumberText } from './number-text.ts'

describe('numbers as text', () => {
  test('a share is never "100 %" or "0 %" unless it is exactly so', () => {
    const cases: readonly (readonly [part: number, whole: number, text: string])[] = [
      [0, 10, '0 %'],
      [10, 10, '100 %'],
      [1, 1_000_000, '< 0.01 %'],
      [88_412, 88_415, '> 99.9 %'],
      [9_999_999, 10_000_000, '> 99.9 %'],
      [999, 1_000, '99.9 %'],
      [751, 1_000, '75.1 %'],
      [1, 2_000, '0.05 %'],
      [1, 3, '33.3 %'],
      [0, 0, '0 %'],
    ]
    for (const [part, whole, text] of cases) assert.equal(shareText(part, whole), text, `${part} of ${whole}`)
  })

  test('no share below the whole rounds up to it', () => {
    for (let part = 9_900; part < 10_000; part += 1) assert.notEqual(shareText(part, 10_000), '100 %')
    for (let part = 1; part < 100; part += 1) assert.notEqual(shareText(part, 1_000_000), '0 %')
  })

  test('what is not exact starts with ≈', () => {
    assert.equal(countText(1_890, 'approximate'), '≈ 1,890')
    assert.equal(countText(1_284_410), '1,284,410')
  })

  test('one is singular, all else plural', () => {
    assert.equal(quantityText(1, 'event'), '1 event')
    assert.equal(quantityText(0, 'event'), '0 events')
    assert.equal(quantityText(2, 'issue has', 'issues have'), '2 issues have')
  })

  test('large numbers are short where the place is short, and do not jump at the edge of a unit', () => {
    assert.equal(shortNumberText(9_999), '9,999')
    assert.equal(shortNumberText(38_040), '38 k')
    assert.equal(shortNumberText(999_949), '999.9 k')
    assert.equal(shortNumberText(999_950), '1 M')
    assert.equal(shortNumberText(1_240_000), '1.2 M')
  })

  test('an axis ends at a round number that holds its peak', () => {
    for (const peak of [0, 1, 2, 7, 99, 101, 1_284, 19_999, 123_456]) {
      assert.ok(roundUp(peak) >= peak, `${peak}`)
      assert.match(String(roundUp(peak)), /^\d0*$/)
    }
  })

  test('bytes are in powers of 1024', () => {
    assert.equal(bytesText(512), '512 B')
    assert.equal(bytesText(1_536), '1.5 KiB')
  })
})
