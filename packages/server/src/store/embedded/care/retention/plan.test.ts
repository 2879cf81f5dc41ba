import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { type Day, day, seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { RetentionDays } from '#model/file-name.ts'
import type { FileBytes } from '#ports/care.ts'
import { daysLeft, droppableDeletions, expiredFiles, filesBeyond } from './plan.ts'

const TODAY = day(20_000)

function aFile(of: Day, bytes = 100, retentionDays: RetentionDays = 90): FileBytes {
  return { file: { kind: 'error', day: of, retentionDays }, bytes }
}

const daysOf = (files: readonly FileBytes[]) => files.map(({ file }) => TODAY - file.day)

/** With 100 bytes a day, the disk is full on the day whose bytes it has no room for. */
const LASTS = [
  [0, 1],
  [99, 1],
  [100, 2],
  [101, 2],
  [199, 2],
  [200, 3],
  [201, 3],
] as const

describe('how long the disk lasts', () => {
  /** 100 bytes a day, of each of the last seven. */
  const week = Array.from({ length: 7 }, (_, ago) => aFile(day(TODAY - 1 - ago)))

  for (const [freeBytes, days] of LASTS)
    it(`lasts ${days} days with ${freeBytes} bytes free and 100 a day`, () => {
      assert.equal(daysLeft(week, freeBytes, TODAY), days)
    })

  it('lasts for ever where each day frees what the next one brings', () => {
    const kept = Array.from({ length: 31 }, (_, ago) => aFile(day(TODAY - ago), 100, 30))
    assert.equal(daysLeft(kept, 0, TODAY), null)
    assert.equal(daysLeft(kept.slice(0, -1), 99, TODAY), 1, 'but not where tomorrow frees nothing')
  })

  it('counts what goes with its age on the day it goes, not the day before or after', () => {
    // Kept for 30 days, 10 bytes a day: of 30 days ago it is gone tomorrow, and what comes today with the 31st day.
    const sooner = [aFile(day(TODAY - 30), 300, 30)]
    assert.deepEqual(
      [0, 9, 10].map((free) => daysLeft(sooner, free, TODAY)),
      [31, 31, null],
    )
    // Of 29 days ago it is gone the day after tomorrow.
    const later = [aFile(day(TODAY - 29), 290, 30)]
    assert.deepEqual(
      [9, 10, 19, 20].map((free) => daysLeft(later, free, TODAY)),
      [1, 31, 31, null],
    )
  })

  it('is not told beyond what is shown', () => {
    const shown = max('diskDaysShownMax')
    assert.equal(daysLeft([aFile(TODAY, 1, 365)], shown - 1, TODAY), shown)
    assert.equal(daysLeft([aFile(TODAY, 1, 365)], shown, TODAY), null)
  })

  it('measures the seven days before today, neither today nor the eighth', () => {
    const eighth = aFile(day(TODAY - 8), 100_000)
    const today = aFile(TODAY, 100_000)
    assert.equal(daysLeft([eighth, ...week, today], 200, TODAY), 3)
    assert.equal(daysLeft([aFile(day(TODAY - 7), 700)], 100, TODAY), 2)
  })
})

describe('what goes', () => {
  it('goes by age on the day after its last, not on it', () => {
    const files = [29, 30, 31].map((ago) => aFile(day(TODAY - ago), 1, 30))
    assert.deepEqual(daysOf(expiredFiles(files, TODAY)), [31])
  })

  it('goes by size until there is as much as may be, not a byte less', () => {
    const files = [3, 2, 1, 0].map((ago) => aFile(day(TODAY - ago)))
    const goneAt = (maxBytes: number) =>
      daysOf(filesBeyond(files, { usedBytes: 400, maxBytes, today: TODAY }))
    assert.deepEqual([goneAt(401), goneAt(400), goneAt(399)], [[], [], [3]])
    assert.deepEqual([goneAt(300), goneAt(299)], [[3], [3, 2]])
    assert.deepEqual(goneAt(0), [3, 2, 1], 'never of the newest day')
  })

  it('goes of deletions when they are a day old and every file is clean of them', () => {
    const nowMs = TODAY * DAY_MS + 5_000
    const deletion = (createdMs: number) => ({ kind: 'tombstone', id: 7, createdMs }) as const
    const { file } = aFile(day(TODAY - 2))
    const state = (tombstone: number) => ({
      ...{ file, compactedMs: 0, payloadBytes: 1, columnSeq: seq(1), marks: { tombstone, person: 0 } },
    })
    const dropped = (createdMs: number, clean: number) =>
      droppableDeletions([deletion(createdMs)], [{ file, state: state(clean) }], nowMs).length
    const times = [nowMs - DAY_MS - 1, nowMs - DAY_MS, nowMs - DAY_MS + 1]
    assert.deepEqual(
      times.map((createdMs) => dropped(createdMs, 7)),
      [1, 1, 0],
    )
    assert.deepEqual(
      [6, 7, 8].map((clean) => dropped(nowMs - DAY_MS, clean)),
      [0, 1, 1],
    )
  })
})
