import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  crashFreeText,
  crashFreeTone,
  differenceText,
  floorOf,
  isYoung,
  labelledParts,
} from './crash-free.ts'

const NOW = 1_000 * 3_600_000

describe('release health in words', () => {
  for (const [share, text] of [
    [null, '–'],
    [1, '100 %'],
    [0.99999, '99.99 %'],
    [0.984, '98.40 %'],
    [0, '0.00 %'],
  ] as const) {
    test(`says ${share} as ${text}`, () => assert.equal(crashFreeText(share), text))
  }

  test('judges nothing in the first hour, nor below a hundred sessions', () => {
    assert.equal(isYoung(1_000, { sessions: 5_000, nowMs: NOW + 1 }), true)
    assert.equal(isYoung(998, { sessions: 99, nowMs: NOW }), true)
    assert.equal(isYoung(998, { sessions: 100, nowMs: NOW }), false)
    assert.equal(crashFreeTone(0.5, { of: 'sessions', isYoung: true }), 'young')
  })

  test('has a goal of its own for sessions and for users', () => {
    assert.equal(crashFreeTone(0.985, { of: 'sessions', isYoung: false }), 'bad')
    assert.equal(crashFreeTone(0.985, { of: 'people', isYoung: false }), 'normal')
  })

  test('compares in points', () => {
    assert.equal(differenceText(0.984, 0.9962), '1.22 points lower than')
    assert.equal(differenceText(0.9962, 0.984), '1.22 points higher than')
    assert.equal(differenceText(0.984, 0.984), 'the same as')
  })

  test('labels no bucket of a short time twice', () => {
    assert.deepEqual(labelledParts(1), [0])
    assert.deepEqual(labelledParts(2), [0, 0.5])
    assert.deepEqual(labelledParts(3), [0, 1 / 3, 2 / 3])
    assert.deepEqual([labelledParts(4), labelledParts(33)], [null, null])
  })

  test('begins the axis below what is drawn and below the goal', () => {
    assert.equal(floorOf([1, null, 0.999]), 0.98)
    assert.equal(floorOf([0.98, 1]), 0.95)
    assert.equal(floorOf([0.1]), 0)
    assert.equal(floorOf([]), 0.98)
  })
})
