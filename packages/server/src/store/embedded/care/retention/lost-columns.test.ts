import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileStem } from '#model/file-name.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { aWorld, type Opened, store } from '#testing/worlds/retention.ts'

describe('files that have one side alone', () => {
  it('are none whose sides come or go at this moment', async (t) => {
    const world = await aWorld(t)
    const wrong: string[] = []
    const steps = new Set<string>()
    const opened: { now: Opened | null } = { now: null }
    const look = async (step: string) => {
      if (opened.now === null) return
      steps.add(step)
      const { missingColumns, missingPayloads } = await opened.now.retention.missing()
      wrong.push(...missingColumns.map((file) => `${step}: columns of ${fileStem(file)}`))
      wrong.push(...missingPayloads.map((file) => `${step}: payloads of ${fileStem(file)}`))
    }
    opened.now = await world.open({ onStep: look, onCommitStep: look })
    const days = [NOW - DAY, NOW].map((receivedMs) => ({ from: world.shop, receivedMs }))
    await store(opened.now, days, 1)
    world.clock.advance(91 * DAY)
    await store(opened.now, [{ from: world.shop, receivedMs: NOW + 91 * DAY }])
    assert.equal((await opened.now.retention.retain()).files, 2)
    for (const step of ['payloads', 'columns', 'control', 'remove:columns', 'remove:payloads'])
      assert.ok(steps.has(step), step)
    assert.deepEqual(wrong, [])
  })
})
