import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nowAndThen } from './now-and-then.ts'

it('runs one at a time, tells of what fails, and has ended when nothing is under way', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const waiting: (() => void)[] = []
  const told: unknown[] = []
  const refusal = new Error('not now')
  let begun = 0
  const work = async () => {
    begun++
    if (begun === 1) throw refusal
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const end = nowAndThen(work, { everyMs: 10, failed: (cause) => void told.push(cause) })
  t.mock.timers.tick(10)
  await new Promise(setImmediate)
  assert.deepEqual([begun, told], [1, [refusal]])
  t.mock.timers.tick(10)
  t.mock.timers.tick(10)
  assert.equal(begun, 2)
  let hasEnded = false
  const ended = end().then(() => {
    hasEnded = true
  })
  await new Promise(setImmediate)
  assert.equal(hasEnded, false)
  waiting[0]?.()
  await ended
  t.mock.timers.tick(100)
  assert.equal(begun, 2)
})
