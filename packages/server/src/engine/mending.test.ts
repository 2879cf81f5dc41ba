import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MendingEnd } from '#artifacts/mending.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { Mending } from './mending.ts'

/** Runs that end when they are told. */
function aMending(isNeeded = true) {
  const runs: { readonly stop: AbortSignal; readonly end: PromiseWithResolvers<MendingEnd> }[] = []
  const told: string[] = []
  const run = (stop: AbortSignal) => {
    const end = Promise.withResolvers<MendingEnd>()
    runs.push({ stop, end })
    return end.promise
  }
  const log = { ...silentLog, warn: (message: string) => void told.push(message) }
  return { runs, told, mending: new Mending(run, { isNeeded: () => isNeeded, log }) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('looking at late maps', () => {
  it('is done at the start where anything was ever uploaded', async () => {
    const [none, some] = [aMending(false), aMending()]
    none.mending.start()
    some.mending.start()
    assert.deepEqual([none.runs.length, some.runs.length], [0, 1])
  })

  it('is done once more where maps were ready meanwhile, and never twice at once', async () => {
    const { runs, mending } = aMending()
    for (let time = 0; time < 3; time++) mending.wake()
    assert.equal(runs.length, 1)
    runs[0]?.end.resolve('done')
    await turn()
    assert.equal(runs.length, 2)
    runs[1]?.end.resolve('done')
    await turn()
    assert.equal(runs.length, 2)
    mending.wake()
    assert.equal(runs.length, 3)
  })

  it('is done again by the clock where events had to wait', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { runs, mending } = aMending()
    mending.wake()
    runs[0]?.end.resolve('later')
    await turn()
    assert.equal(runs.length, 1)
    t.mock.timers.tick(max('mendLaterMs'))
    assert.equal(runs.length, 2)
    runs[1]?.end.resolve('done')
    await turn()
    t.mock.timers.tick(2 * max('mendLaterMs'))
    assert.equal(runs.length, 2)
  })

  it('tells that it failed, and can be asked again', async () => {
    const { runs, told, mending } = aMending()
    mending.wake()
    runs[0]?.end.reject(new Error('the disk is full'))
    await turn()
    assert.equal(told.length, 1)
    mending.wake()
    assert.equal(runs.length, 2)
    const closed = mending.close()
    assert.equal(runs[1]?.stop.aborted, true)
    runs[1]?.end.reject(new Error('stopped'))
    await closed
    assert.equal(told.length, 1, 'an end is no failure')
    mending.wake()
    assert.equal(runs.length, 2)
  })
})
