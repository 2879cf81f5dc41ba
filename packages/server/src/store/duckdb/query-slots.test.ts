import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { orgId, userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { openDriver } from './driver.ts'
import { QuerySlots } from './query-slots.ts'

async function slotsOf(t: TestContext, timeoutMs?: number, patienceMs?: number): Promise<QuerySlots> {
  const directory = await mkdtemp(join(tmpdir(), 'errata-slots-'))
  const driver = await openDriver(directory)
  const slots = new QuerySlots(driver, timeoutMs, patienceMs)
  t.after(async () => {
    await slots.close()
    driver.close()
    await rm(directory, { recursive: true })
  })
  return slots
}

function byOrg(org: number, user = 1) {
  return { by: { orgId: orgId(org), userId: userId(user) } }
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
      Array.from({ length: 20 }, (_, index) =>
        slots.read(async (query) => {
          most = Math.max(most, ++running)
          await query('SELECT 1', [])
          running--
        }, byOrg(index)),
      ),
    )
    assert.equal(most, max('telemetryQueriesMax'))
  })

  it('leave one to others, however many reads of an organisation take long', async (t) => {
    const slots = await slotsOf(t)
    const { promise: searched, resolve: end } = Promise.withResolvers<void>()
    const order: string[] = []
    const slow = Array.from({ length: 8 }, (_, index) =>
      slots.read(async () => {
        order.push(`slow ${index}`)
        await searched
      }, byOrg(1)),
    )
    const colleague = slots.read(async () => void order.push('colleague'), byOrg(1, 2))
    assert.deepEqual(await slots.read((query) => query('SELECT 1', []), byOrg(2)), [[1]])
    assert.equal(order.length, max('telemetryQueriesMax') - 1)
    end()
    await Promise.all([...slow, colleague])
    assert.ok(order.indexOf('colleague') < max('telemetryQueriesMax') + 2, `takes turns: ${order}`)
  })

  it('keep short reads of an organisation apart from the long ones of a colleague', async (t) => {
    const slots = await slotsOf(t, 60_000, 1)
    const { promise: searched, resolve: end } = Promise.withResolvers<void>()
    let begun = 0
    const slow = Array.from({ length: 6 }, () =>
      slots.read(async () => {
        begun++
        await searched
      }, byOrg(1)),
    )
    for (const colleague of [2, 3, 4]) {
      const read = slots.read((query) => query('SELECT 1', []), byOrg(1, colleague))
      assert.deepEqual(await read, [[1]])
    }
    assert.ok(begun <= 2, `${begun}: one beside the slots and one in them`)
    end()
    await Promise.all(slow)
    assert.equal(begun, 6)
  })

  it('let no more than a few long reads go on beside the others, whoever asks', async (t) => {
    const slots = await slotsOf(t, 60_000, 1)
    const { promise: searched, resolve: end } = Promise.withResolvers<void>()
    let begun = 0
    const slow = Array.from({ length: 20 }, (_, index) =>
      slots.read(async () => {
        begun++
        await searched
      }, byOrg(index)),
    )
    const most = max('telemetryQueriesMax') + max('telemetryQueriesLongMax')
    while (begun < most) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(slots.waitOf(byOrg(19).by), 'others')
    assert.equal(begun, most)
    end()
    await Promise.all(slow)
  })

  it('say what a read waits for: reads of the same person, of their organisation, or of others', async (t) => {
    const slots = await slotsOf(t)
    const { promise: searched, resolve: end } = Promise.withResolvers<void>()
    const slow = (org: number, user: number) => slots.read(() => searched, byOrg(org, user))
    const all = [slow(1, 1), slow(1, 1)]
    assert.equal(slots.waitOf(byOrg(1, 1).by), null)
    all.push(slow(1, 1), slow(1, 2))
    assert.equal(slots.waitOf(byOrg(1, 1).by), 'own')
    assert.equal(slots.waitOf(byOrg(1, 2).by), 'organisation')
    all.push(slow(2, 1), slow(3, 1))
    assert.equal(slots.waitOf(byOrg(3, 1).by), 'others')
    assert.equal(slots.waitOf(byOrg(2, 1).by), null)
    end()
    await Promise.all(all)
    assert.equal(slots.waitOf(byOrg(1, 1).by), null)
  })

  it('refuse what waits when they are closed, and wait for what runs', async (t) => {
    const slots = await slotsOf(t)
    const reads = Array.from({ length: 6 }, (_, index) =>
      slots.read((query) => query('SELECT 1', []), byOrg(index)),
    )
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
