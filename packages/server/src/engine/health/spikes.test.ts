import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { SpikeProtection } from '#accept/spike-protection.ts'
import { manualClock } from '#base/clock.ts'
import { projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { directoryWith } from '#testing/builders/records.ts'
import { watchSpikes } from './spikes.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-21T14:20:00Z')
const shop = projectId(7)

function watched(t: TestContext, answer: (asked: number) => Promise<number>) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const clock = manualClock(NOW)
  const spikes = new SpikeProtection({ clock, log: silentLog })
  const asked: number[] = []
  const [project] = directoryWith().projects
  assert.ok(project !== undefined)
  const directory = {
    organisations: [],
    keys: [],
    projects: [{ ...project, firstEventMs: NOW - 30 * 24 * HOUR }],
  }
  const hourlyVolume = async (_id: number, category: string, sinceMs: number) => {
    assert.equal(category, 'error')
    const admitted = await answer(asked.push(sinceMs))
    return Array.from({ length: 100 }, (_, index) => ({
      ...{ hourMs: sinceMs + index * HOUR, admitted },
      ...{ capped: 0, firstCappedMs: null },
    }))
  }
  watchSpikes({ spikes, projects: { hourlyVolume }, directory: () => directory, clock, log: silentLog })
  const typical = () => spikes.state(shop)?.typicalPerHour
  const tick = async () => {
    t.mock.timers.tick(10_000)
    await new Promise(setImmediate)
  }
  return { clock, asked, typical, tick }
}

it('the past of a project is read at the start and at the turn of each hour', async (t) => {
  const { clock, asked, typical, tick } = watched(t, async (count) => count * 100)
  await tick()
  assert.deepEqual([asked.length, typical()], [1, 100])
  await tick()
  assert.equal(asked.length, 1)
  clock.advance(HOUR)
  await tick()
  assert.deepEqual([asked.length, typical()], [2, 200])
  assert.equal(asked[0], Date.parse('2026-11-14T14:00:00Z'))
})

it('a past that could not be read is asked for again', async (t) => {
  const { asked, typical, tick } = watched(t, async (count) => {
    if (count === 1) throw new Error('the store is slow')
    return 100
  })
  await tick()
  await tick()
  assert.deepEqual([asked.length, typical()], [2, 100])
})
