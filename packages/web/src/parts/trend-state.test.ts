import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { barsOf } from '#ui/charts/bars.ts'
import { toneAt } from '#ui/charts/trend-tones.ts'
import { trendState } from './trend-state.ts'

const HOUR = 3_600_000
const BEGAN_MS = 2 * HOUR
const bars = barsOf({ startMs: 0, stepMs: HOUR, counts: [1, 1, 1, 1] }, 30)

/** Tones of four bars of an hour, the third of which begins with the state. */
function tonesOf(status: string, substatus: string | null, statusChangedMs = BEGAN_MS) {
  const state = trendState({ status, substatus, statusChangedMs })
  return bars.counts.map((_, index) => toneAt(bars, index, state))
}

describe('the trend of an issue', () => {
  const rows: readonly (readonly [status: string, substatus: string | null, tone: 'bar' | 'bad' | 'warn'])[] =
    [
      ['unresolved', 'regressed', 'bad'],
      ['unresolved', 'escalating', 'warn'],
      ['unresolved', 'new', 'bar'],
      ['unresolved', 'ongoing', 'bar'],
      ['unresolved', null, 'bar'],
      ['resolved', 'regressed', 'bar'],
      ['archived', 'escalating', 'bar'],
    ]
  for (const [status, substatus, tone] of rows)
    it(`is ${tone} from its last change on when it is ${status}, ${substatus}`, () => {
      assert.deepEqual(tonesOf(status, substatus), ['bar', 'bar', tone, tone])
    })

  it('has its colour in the bar that it began in, before its end and not at it', () => {
    assert.deepEqual(tonesOf('unresolved', 'regressed', BEGAN_MS - 1), ['bar', 'bad', 'bad', 'bad'])
    assert.deepEqual(tonesOf('unresolved', 'regressed', BEGAN_MS + 1), ['bar', 'bar', 'bad', 'bad'])
    assert.deepEqual(tonesOf('unresolved', 'regressed', 4 * HOUR), ['bar', 'bar', 'bar', 'bar'])
  })
})
