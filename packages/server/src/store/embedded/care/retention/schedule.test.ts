import assert from 'node:assert/strict'
import { it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { startSchedule } from './schedule.ts'

it('runs every hour, and once more when the clock leapt ahead while it ran', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = manualClock(NOW)
  let runs = 0
  const ended: (() => void)[] = []
  const retention = {
    retain: () => {
      runs += 1
      return new Promise<never>((resolve) => {
        ended.push(() => resolve(undefined as never)) // the schedule reads nothing of it
      })
    },
    compact: async () => undefined as never, // nor of this
  }
  const stop = startSchedule({ retention, clock, log: silentLog })
  const look = () => t.mock.timers.tick(1_000)
  const end = async () => {
    ended.pop()?.()
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  look()
  assert.equal(runs, 0)
  clock.advance(max('retentionDelayMs'))
  look()
  assert.equal(runs, 1)
  clock.advance(60_000)
  await end()
  clock.advance(max('retentionStepMs') - 1)
  look()
  assert.equal(runs, 1, 'an hour from the end of the run')
  clock.advance(1)
  look()
  assert.equal(runs, 2)
  clock.jump(2 * DAY)
  await end()
  look()
  assert.equal(runs, 3, 'the clock leapt while it ran')
  stop()
})
