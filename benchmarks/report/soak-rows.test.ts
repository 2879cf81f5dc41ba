import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SoakReport, SoakSample } from '../measures/soak.ts'
import { diskGrowth, memoryGrowth, soakRows } from './soak-rows.ts'

/** Samples of a day, one an hour. */
function day(
  of: (hour: number) => { readonly memoryMb: number; readonly diskMb: number },
): readonly SoakSample[] {
  return Array.from({ length: 24 }, (_, hour) => {
    const { memoryMb, diskMb } = of(hour)
    return { hour: hour + 0.5, acknowledged: hour, memoryMb, diskBytes: diskMb * 1e6, journalBytes: 0 }
  })
}

/** The row that accounts for every event, of a soak that had 100 acknowledged and 10 refused. */
function accountOf(of: Pick<SoakReport, 'stored' | 'counted'>) {
  const given = { speed: 1, rate: 20, acknowledged: 100, refused: { 429: 10 }, samples: [], diskAtEnd: {} }
  const row = soakRows({ ...given, ...of }, 24, null).find(({ goal }) => goal === '0')
  return [row?.result, row?.met]
}

describe('what a soak says', () => {
  it('finds a lost event, however many were refused', () => {
    const counted = { 'rate_limited/overload_backlog': 10 }
    assert.deepEqual(accountOf({ stored: 100, counted }), ['0', true])
    assert.deepEqual(accountOf({ stored: 90, counted }), ['10', false])
  })

  it('takes no event for lost that was left out after it was acknowledged', () => {
    const counted = { 'rate_limited/overload_backlog': 10, 'invalid/duplicate': 7, 'filtered/localhost': 3 }
    assert.deepEqual(accountOf({ stored: 90, counted }), ['0', true])
  })

  it('judges the most memory of the whole day, and none that was not measured', () => {
    const given = { speed: 1, rate: 20, acknowledged: 0, refused: {}, stored: 0, counted: {}, diskAtEnd: {} }
    const rowOf = (samples: readonly SoakSample[]) => {
      const row = soakRows({ ...given, samples }, 24, null).find(
        ({ measure }) => measure === 'memory at most',
      )
      return [row?.result, row?.met]
    }
    assert.deepEqual(rowOf(day((hour) => ({ memoryMb: hour === 1 ? 551 : 400, diskMb: 1 }))), [
      '551 MB',
      false,
    ])
    assert.deepEqual(rowOf(day(() => ({ memoryMb: 550, diskMb: 1 }))), ['550 MB', true])
    assert.deepEqual(rowOf([]), ['not measured', null])
  })

  it('finds memory that keeps growing, and none that only warms up', () => {
    const growing = day((hour) => ({ memoryMb: 300 + 10 * hour, diskMb: 1 }))
    const warming = day((hour) => ({ memoryMb: Math.min(300, 100 + 50 * hour), diskMb: 1 }))
    assert.ok(Number(memoryGrowth(growing, 24)) > 1.2)
    assert.equal(memoryGrowth(warming, 24), 1)
  })

  it('takes a disk that grows all day and falls at midnight for level', () => {
    const sawtooth = day((hour) => ({ memoryMb: 1, diskMb: 30 * (hour % 12) + 10 }))
    assert.equal(diskGrowth(sawtooth, 24, 300), 1)
    const endless = day((hour) => ({ memoryMb: 1, diskMb: 30 * hour + 10 }))
    assert.ok(Number(diskGrowth(endless, 24, 300)) > 1.5)
  })

  it('does not judge a disk that retention had no reason to touch', () => {
    const small = day((hour) => ({ memoryMb: 1, diskMb: hour }))
    assert.match(String(diskGrowth(small, 24, 300)), /not judged/)
  })
})
