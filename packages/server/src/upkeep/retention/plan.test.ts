import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { day } from '#base/ids.ts'
import type { FileBytes } from '#ports/retention.ts'
import { filesBeyond } from './plan.ts'

const TODAY = day(20_000)

function filesOf(...days: readonly number[]): readonly FileBytes[] {
  return days.map((each) => ({ file: { kind: 'error', day: day(each), retentionDays: 90 }, bytes: 10 }))
}

function gone(files: readonly FileBytes[], maxBytes: number): readonly number[] {
  const usedBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  return filesBeyond(files, { usedBytes, maxBytes, today: TODAY }).map(({ file }) => file.day)
}

describe('files beyond the share of the disk', () => {
  it('are the oldest, and never those of the newest day', () => {
    assert.deepEqual(gone(filesOf(19_997, 19_998, 19_999), 15), [19_997, 19_998])
    assert.deepEqual(gone(filesOf(19_997, 19_998, TODAY), 0), [19_997, 19_998])
  })

  it('do not hold those of today because of a day that is not yet', () => {
    assert.deepEqual(gone(filesOf(19_998, TODAY, 20_400), 0), [19_998])
  })
})
