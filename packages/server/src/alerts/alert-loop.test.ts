import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turnOfEvents } from 'node:timers/promises'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { NOW } from '#testing/builders/times.ts'
import { AlertLoop } from './alert-loop.ts'
import { NOTHING_DONE } from './rules/evaluate.ts'

it('looks again as soon as its clock says, and on one that stands still after a minute', async (t) => {
  const waits: number[] = []
  t.mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => {
    waits.push(ms)
    if (waits.length === 1) run() // the first turn is taken, the second one is what it waits for
    return { unref() {} }
  })
  const store = { noteLookUps: async () => {}, evaluateDue: async () => NOTHING_DONE }
  const waitAt = async (rate: number): Promise<number | undefined> => {
    waits.length = 0
    const clock = { now: () => NOW, elapsed: () => 0, rate }
    const loop = new AlertLoop({ store, clock, log: silentLog, mail: true, onMessages() {} })
    loop.start()
    await turnOfEvents()
    await loop.close()
    return waits[1]
  }
  const looks = max('alertLookMs')
  assert.deepEqual(
    [await waitAt(1), await waitAt(100), await waitAt(0)],
    [looks, looks / 100, max('alertBeatMs')],
  )
})

it('takes turns of issues and of metrics, so that a crowd of one leaves time for the other', async () => {
  const looks: string[] = []
  const left = { issues: 3, metrics: 5 }
  const store = {
    noteLookUps: async () => {},
    evaluateDue: async (_: number, { waiting }: { readonly waiting?: string }) => {
      looks.push(waiting ?? 'all')
      if (waiting === 'none') return { ...NOTHING_DONE, metricsAfter: --left.metrics > 0 ? 1 : null }
      return { ...NOTHING_DONE, hasMore: --left.issues > 0 }
    },
  }
  const clock = { now: () => NOW, elapsed: () => 0, rate: 1 }
  const loop = new AlertLoop({ store, clock, log: silentLog, mail: true, onMessages() {} })
  await loop.runOnce()
  assert.deepEqual(looks, ['all', 'none', 'all', 'none', 'all', 'none', 'none', 'none'])
  await loop.runOnce()
  assert.deepEqual(looks.slice(8), ['all'], 'metrics are measured once a beat')
})
