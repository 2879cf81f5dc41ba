/** When the backlog's age holds ingest back: by time that passed, and never by a clock that was set. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { openJournal } from '#journal/writer.ts'
import { max } from '#limits/limits.ts'
import { watchPressure } from './pressure.ts'

const HOUR_MS = 3_600_000

it('closes for nobody when the clock is set forward, and for all when processing stands still', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const data = mkdtempSync(join(tmpdir(), 'errata-pressure-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const clock = manualClock(1_795_000_000_000)
  const journal = await openJournal({
    ...{ directory: join(data, 'journal'), clock, appliedSeq: seq(0), log: silentLog },
  })
  t.after(() => journal.close())
  const { overload, timer } = await watchPressure({ data, journal, clock, log: silentLog })
  t.after(() => clearInterval(timer))
  const age = () => {
    t.mock.timers.tick(max('pressurePollMs'))
    const gauge = overload.view().gauges.find(({ name }) => name === 'backlog_age')
    return [gauge?.value, gauge?.state]
  }
  await journal.append({ type: 'outcomes', receivedMs: clock.now(), outcomes: [] })
  clock.jump(2 * HOUR_MS)
  clock.advance(900)
  assert.deepEqual(age(), [900, 'ok'])
  clock.advance(max('backlogAgeMsHard'))
  assert.deepEqual(age(), [max('backlogAgeMsHard') + 900, 'hard'])
})
