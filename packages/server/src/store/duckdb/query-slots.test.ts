import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { max } from '#limits/limits.ts'
import { openDriver } from './driver.ts'
import { QuerySlots } from './query-slots.ts'

async function slotsOf(t: TestContext, timeoutMs?: number): Promise<QuerySlots> {
  const directory = await mkdtemp(join(tmpdir(), 'errata-slots-'))
  const driver = await openDriver(directory)
  const slots = new QuerySlots(driver, timeoutMs)
  t.after(async () => {
    await slots.close()
    driver.close()
    await rm(directory, { recursive: true })
  })
  return slots
}

describe('query slots', () => {
  it('interrupt a query that takes too long, and serve the next one', async (t) => {
    const slots = await slotsOf(t, 500)
    const endless = 'SELECT count(*) FROM range(1000000000) a, range(1000) b'
    await assert.rejects(
      slots.read((query) => query(endless, [])),
      { code: 'store_timeout' },
    )
    assert.deepEqual(await slots.read((query) => query('SELECT $1', ['ok'])), [['ok']])
  })

  it('start no further statement of a read whose time is over', async (t) => {
    const slots = await slotsOf(t, 20)
    const reading = slots.read(async (query) => {
      for (;;) await query('SELECT 1', [])
    })
    await assert.rejects(reading, { code: 'store_timeout' })
  })

  it('let a few reads run at once; the others wait for their turn', async (t) => {
    const slots = await slotsOf(t)
    let running = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 20 }, () =>
        slots.read(async (query) => {
          most = Math.max(most, ++running)
          await query('SELECT 1', [])
          running--
        }),
      ),
    )
    assert.equal(most, max('telemetryQueriesMax'))
  })

  it('refuse what waits when they are closed, and wait for what runs', async (t) => {
    const slots = await slotsOf(t)
    const reads = Array.from({ length: 6 }, () => slots.read((query) => query('SELECT 1', [])))
    const settled = Promise.allSettled(reads)
    await slots.close()
    const outcomes = (await settled).map(({ status }) => status)
    assert.equal(outcomes.filter((status) => status === 'fulfilled').length, max('telemetryQueriesMax'))
    await assert.rejects(
      slots.read((query) => query('SELECT 1', [])),
      { code: 'stopping' },
    )
  })
})
