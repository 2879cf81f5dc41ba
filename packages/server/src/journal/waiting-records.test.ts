import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { WaitingRecords } from './waiting-records.ts'

const LARGE = max('journalSmallBytesMax') + 1

function waitingWith(...sizes: readonly number[]) {
  const waiting = new WaitingRecords()
  for (const bytes of sizes) waiting.push({ record: { bytes } })
  const group = (bytesMax = max('journalSyncBytesMax')) =>
    waiting.take(waiting.turn().lane, bytesMax).map(({ record }) => record.bytes)
  return { waiting, group }
}

describe('records that wait for the disk', () => {
  it('go small ones first, then large ones, in turn', () => {
    const huge = max('journalSyncBytesMax') * 3
    const { waiting, group } = waitingWith(huge, huge, 10, LARGE, 20)
    assert.deepEqual(group(), [10, 20])
    waiting.push({ record: { bytes: 30 } })
    assert.deepEqual(group(), [huge])
    assert.deepEqual(group(), [30])
    assert.deepEqual(group(), [huge])
    assert.deepEqual(group(), [LARGE])
    assert.ok(waiting.isEmpty)
    assert.equal(waiting.bytes, 0)
  })

  it('never let small ones without end keep a large one out', () => {
    const { waiting, group } = waitingWith(LARGE)
    for (let n = 0; n < 10; n++) waiting.push({ record: { bytes: 1 } })
    assert.deepEqual([group(4), group(4), group(4)], [[1, 1, 1, 1], [LARGE], [1, 1, 1, 1]])
  })

  it('are those that room was made for, whatever came meanwhile', () => {
    const { waiting } = waitingWith(1)
    waiting.take('small', 1)
    waiting.push({ record: { bytes: 2 } })
    const { lane, firstBytes } = waiting.turn()
    waiting.push({ record: { bytes: LARGE } })
    assert.deepEqual(
      waiting.take(lane, 10).map(({ record }) => record.bytes),
      [firstBytes],
    )
  })
})
