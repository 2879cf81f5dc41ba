import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { type Log, silentLog } from '#base/log.ts'
import { systemRandom } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import type { Jobs } from '#ports/jobs.ts'
import type { ControlWriter } from '#store/sqlite/control-writer.ts'
import { openNewControl } from '#testing/new-control.ts'
import { JobLoop, type JobRunner } from './job-loop.ts'

const NOW = Date.UTC(2026, 10, 20)
const HOUR = 3_600_000

describe('the job loop', () => {
  let directory: string
  let store: ControlWriter
  let clock: ReturnType<typeof manualClock>
  let told: { message: string; fields: Record<string, unknown> | undefined }[]

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-jobs-'))
    clock = manualClock(NOW)
    store = openNewControl({ path: join(directory, 'control.sqlite'), clock, log: silentLog })
    told = []
  })
  afterEach(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const log: Log = {
    ...silentLog,
    warn: (message, fields) => void told.push({ message, fields }),
    info: (message, fields) => void told.push({ message, fields }),
  }
  const loopOf = (runners: readonly JobRunner[], jobs: Jobs = store) =>
    new JobLoop({ jobs, runners, clock, random: systemRandom, log })
  /** Due every hour by itself. */
  const hourly = (run: JobRunner['run'] = async () => clock.now() + HOUR): JobRunner => ({
    ...{ kind: 'test.hourly', firstDueMs: (nowMs) => nowMs + HOUR, run },
  })
  const asked = (run: JobRunner['run'] = async () => null): JobRunner => ({
    ...{ kind: 'test.asked', firstDueMs: () => null, run },
  })
  const ask = (key: string, payload: string) =>
    store.scheduleJob({ kind: 'test.asked', key, dueMs: clock.now(), payload, ifThere: 'move' })

  it('runs what was asked for, one after the other, with what each was told', async () => {
    const ran: string[] = []
    let underWay = 0
    const loop = loopOf([
      asked(async ({ key, payload }) => {
        assert.equal(++underWay, 1)
        await new Promise((resolve) => setImmediate(resolve))
        underWay--
        ran.push(`${key} ${payload}`)
        return null
      }),
    ])
    await ask('a', 'first')
    await ask('b', 'second')
    assert.equal(await loop.runDue(), 2)
    assert.deepEqual([ran, await loop.runDue(), told], [['a first', 'b second'], 0, []])
  })

  it('keeps its hour over restarts, however short the runs between them are', async () => {
    for (let minutes = 0; minutes < 60; minutes += 20) {
      assert.equal(await loopOf([hourly()]).runDue(), 0)
      clock.advance(HOUR / 3)
    }
    assert.equal(await loopOf([hourly()]).runDue(), 1)
    assert.equal(await loopOf([hourly()]).runDue(), 0)
  })

  it('runs again within the hour after the clock was set back', async () => {
    const loop = loopOf([hourly()])
    await loop.runDue()
    clock.jump(-1_000 * HOUR)
    assert.equal(await loop.runDue(), 0)
    clock.advance(HOUR)
    assert.equal(await loop.runDue(), 1)
  })

  it('tells of a failure and tries again, later each time', async () => {
    let left = 3
    const loop = loopOf([
      asked(async () => {
        if (left-- > 0) throw new TypeError('no such table')
        return null
      }),
    ])
    await ask('a', '')
    const waits: number[] = []
    for (let tries = 1; tries <= 3; tries++) {
      assert.equal(await loop.runDue(), 1)
      assert.deepEqual(told.at(-1)?.fields, { kind: 'test.asked', key: 'a', tries, reason: 'no such table' })
      const waitMs = ((await store.nextJobMs(['test.asked'])) ?? 0) - clock.now()
      waits.push(waitMs)
      clock.advance(waitMs - 1)
      assert.equal(await loop.runDue(), 0)
      clock.advance(1)
    }
    const firstMs = max('jobRetryMs')
    assert.deepEqual(waits, [firstMs, 2 * firstMs, 4 * firstMs])
    assert.deepEqual([await loop.runDue(), await store.nextJobMs(['test.asked'])], [1, null])
  })

  it('breaks off what is under way when it closes, and leaves it due for the next start', async () => {
    const begun = Promise.withResolvers<void>()
    const loop = loopOf([
      asked((_, stop) => {
        begun.resolve()
        return new Promise((_, reject) => stop.addEventListener('abort', () => reject(stop.reason)))
      }),
    ])
    await ask('a', 'not done')
    await ask('b', 'not begun')
    loop.start()
    await begun.promise
    await loop.close()
    const ran: string[] = []
    const next = loopOf([
      asked(async ({ key, tries }) => {
        ran.push(`${key} ${tries}`)
        return null
      }),
    ])
    assert.equal(await next.runDue(), 2)
    assert.deepEqual([ran, told], [['a 1', 'b 1'], []])
  })

  it('tells once that the store fails, and goes on when it is back', async () => {
    let isBroken = true
    const whole = Promise.withResolvers<void>()
    const fragile: Jobs = {
      ...store,
      claimJobs: (claim) => (isBroken ? Promise.reject(new Error('disk I/O error')) : store.claimJobs(claim)),
    }
    const run = async () => {
      whole.resolve()
      return null
    }
    const loop = loopOf([asked(run)], fragile)
    await ask('a', '')
    loop.start()
    await until(() => told.length > 0)
    isBroken = false
    await whole.promise
    await until(() => told.length > 1)
    await loop.close()
    assert.deepEqual(
      told.map(({ message }) => message),
      ['jobs cannot run: the store fails', 'jobs run again'],
    )
  })
})

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 60_000
  while (!holds()) {
    assert.ok(performance.now() < end, 'not within a minute')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
