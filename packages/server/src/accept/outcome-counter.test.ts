import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import type { CountedOutcome } from '#model/outcome.ts'
import { NOW } from '#testing/builders/times.ts'
import { OutcomeCounter } from './outcome-counter.ts'

/** Long enough for whatever waits for nothing. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

describe('counted outcomes', () => {
  it('are in the journal once a flush resolves, whoever else flushes and waits', async () => {
    const written: CountedOutcome[] = []
    const syncs: (() => void)[] = []
    const journal = {
      append: (record: { readonly type: string; readonly outcomes?: readonly CountedOutcome[] }) =>
        new Promise<never>((resolve) => {
          syncs.push(() => {
            written.push(...(record.outcomes ?? []))
            resolve(undefined as never) // nobody asks for its number
          })
        }),
    }
    const counter = new OutcomeCounter({ journal, clock: manualClock(NOW), log: silentLog })
    const count = (reason: 'cors' | 'too_large') =>
      counter.count({
        ...{ outcome: 'invalid', reason, category: 'error', quantity: 1, projectId: null, keyId: null },
      })
    count('cors')
    const first = counter.flush()
    await settled()
    count('too_large')
    // Of two that wait for the first, one takes what was counted since; neither may end before it is written.
    const ended: string[] = []
    const waiting = [
      counter.flush().then(() => ended.push('second')),
      counter.flush().then(() => ended.push('third')),
    ]
    syncs.shift()?.()
    await first
    await settled()
    assert.deepEqual([ended, written.length], [[], 1])
    syncs.shift()?.()
    await Promise.all(waiting)
    assert.deepEqual(
      written.map(({ reason }) => reason),
      ['cors', 'too_large'],
    )
    assert.equal(syncs.length, 0, 'nothing is left to write')
  })
})
