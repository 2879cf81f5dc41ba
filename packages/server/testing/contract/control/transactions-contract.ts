/** Contract of transactions that may wait: turns, what undoes them, and rows by sets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { AUDIT } from '#model/tables/accounts.ts'
import { CHANNELS } from '#model/tables/channels.ts'
import { OUTCOME_MINUTES } from '#model/tables/installation.ts'
import { ENVIRONMENTS } from '#model/tables/projects.ts'
import type { Rows, Tx } from '#ports/control.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import type { ControlFactory } from './stores.ts'

/** Lets everything else that can run do so. */
const letOthersRun = () => new Promise((resolve) => setImmediate(resolve))

export function transactionsContract(open: ControlFactory): void {
  describe('Control: transactions', () => {
    const { stores, world } = openForEachTest(open)

    const hide = (tx: Tx, name: string) =>
      tx.rows(ENVIRONMENTS).insert([{ projectId: world.shop, name, isHidden: true }])
    const kept = () =>
      stores.write.write(async (tx) =>
        (await tx.rows(ENVIRONMENTS).find({ projectId: world.shop }, 100)).map(({ name }) => name),
      )

    it('are undone when their work throws in the middle, and the next one goes on', async () => {
      const failing = stores.write.write(async (tx) => {
        await hide(tx, 'qa')
        await letOthersRun()
        throw new Error('no further')
      })
      await assert.rejects(failing, /no further/)
      await stores.write.write(async (tx) => hide(tx, 'staging'))
      assert.deepEqual(await kept(), ['staging'])
    })

    it('let nobody in while they wait: neither another one nor what is done in one go', async () => {
      const order: string[] = []
      const slow = stores.write.write(async (tx) => {
        await hide(tx, 'first')
        await letOthersRun()
        order.push('first')
        await letOthersRun()
        throw new Error('undone')
      })
      const between = stores.write.appliedSeq().then(() => {
        order.push('seq')
      })
      const last = stores.write.write(async (tx) => {
        order.push('last')
        return (await tx.rows(ENVIRONMENTS).find({ projectId: world.shop }, 9)).length
      })
      await assert.rejects(slow, /undone/)
      await between
      assert.equal(await last, 0)
      assert.deepEqual(order, ['first', 'seq', 'last'])
    })

    it('are over when they have ended: a statement throws then, whoever kept it', async () => {
      const keptRows: Rows<typeof ENVIRONMENTS>[] = []
      const late = (tx: Tx) => {
        const rows = tx.rows(ENVIRONMENTS)
        keptRows.push(rows)
        return rows.count({ projectId: world.shop })
      }
      assert.equal(await stores.write.write(late), 0)
      await assert.rejects(
        stores.write.write(async (tx) => late(tx).then(() => assert.fail('stop'))),
        /stop/,
      )
      const row = { projectId: world.shop, name: 'late', isHidden: true }
      for (const rows of keptRows) {
        await assert.rejects(rows.insert([row]), /a statement came behind its transaction/)
        await assert.rejects(rows.find({ projectId: world.shop }, 1), /a statement came behind/)
      }
      assert.deepEqual(await kept(), [])
    })

    it('ask for no turn of their own, which they would wait for themselves', async () => {
      const nested = stores.write.write(async (tx) => {
        await hide(tx, 'outer')
        await stores.write.write(async () => {})
      })
      await assert.rejects(nested, /asks for no turn of its own/)
      assert.deepEqual(await kept(), [])
    })

    it('end when they wait for something that does not come', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const keptTx: Tx[] = []
      const stuck = stores.write.write(async (tx) => {
        keptTx.push(tx)
        await hide(tx, 'stuck')
        await new Promise(() => {})
      })
      const after = kept()
      await letOthersRun()
      t.mock.timers.tick(max('controlTurnMs') - 1)
      await letOthersRun()
      t.mock.timers.tick(1)
      await assert.rejects(stuck, /did not end within/)
      assert.deepEqual(await after, [])
      const rows = keptTx.map((tx) => tx.rows(ENVIRONMENTS).count({ projectId: world.shop }))
      await assert.rejects(Promise.all(rows), /came too late for its transaction/)
    })

    it('have rows with values as the program has them', async () => {
      const channel = {
        ...{ orgId: world.org, kind: 'slack', name: 'ops', settings: { url: 'https://x' }, secrets: {} },
        ...{ createdBy: 'Ann', createdMs: NOW, changedMs: NOW },
      }
      const [first, second] = await stores.write.write((tx) =>
        tx.rows(CHANNELS).insert([channel, { ...channel, name: 'web' }]),
      )
      assert.ok(first !== undefined && second !== undefined && second > first)
      const changed = await stores.write.write(async (tx) => {
        const rows = tx.rows(CHANNELS)
        await rows.update([
          { id: first, lastDelivered: false, lastMs: NOW },
          { id: second, lastDelivered: true, lastMs: NOW + 1 },
        ])
        return rows.find({ orgId: world.org, name: ['ops', 'web', 'nobody'] }, 9)
      })
      const rest = { lastSays: null, settings: { url: 'https://x' }, secrets: {} }
      assert.deepEqual(changed, [
        { id: first, ...channel, ...rest, lastDelivered: false, lastMs: NOW },
        { id: second, ...channel, ...rest, name: 'web', lastDelivered: true, lastMs: NOW + 1 },
      ])
      const left = await stores.write.write(async (tx) => {
        const rows = tx.rows(CHANNELS)
        assert.equal(await rows.change({ orgId: world.org, kind: 'slack' }, { lastSays: 'fine' }), 2)
        assert.equal((await rows.one({ id: second }))?.lastSays, 'fine')
        assert.equal(await rows.change({ id: 999 }, { lastSays: null }), 0)
        assert.equal(await rows.remove({ id: first }), 1)
        assert.equal(await rows.remove({ id: [first, 999] }), 0)
        return [await rows.count({ orgId: world.org }), await rows.one({ orgId: world.otherOrg })]
      })
      assert.deepEqual(left, [1, null])
    })

    it('make one row of those of a key, and find what is null', async () => {
      const minute = { minuteMs: NOW, outcome: 'accepted', quantity: 3 }
      const sums = await stores.write.write(async (tx) => {
        const rows = tx.rows(OUTCOME_MINUTES)
        await rows.merge([minute, { ...minute, quantity: 4 }, { ...minute, outcome: 'filtered' }])
        await rows.merge([])
        await rows.merge([minute])
        return rows.find({ minuteMs: NOW }, 9)
      })
      assert.deepEqual(
        sums.map(({ outcome, quantity }) => [outcome, quantity]),
        [
          ['accepted', 10],
          ['filtered', 3],
        ],
      )
      const entry = { atMs: NOW, actor: 'x', action: 'x', target: 'x', detail: { a: 1 } }
      const found = await stores.write.write(async (tx) => {
        await tx.rows(AUDIT).insert([{ ...entry, orgId: null }])
        return tx.rows(AUDIT).find({ orgId: null }, 9)
      })
      assert.deepEqual(found.at(-1)?.detail, { a: 1 })
    })

    it('are asked by what an index finds, and by nothing else', async () => {
      const slow = stores.write.write((tx) => tx.rows(ENVIRONMENTS).find({ isHidden: true }, 9))
      await assert.rejects(slow, /is asked by the beginning of its key or of an index/)
      const mixed = stores.write.write((tx) =>
        tx.rows(ENVIRONMENTS).insert([
          { projectId: world.shop, name: 'a' },
          { projectId: world.shop, name: 'b', isHidden: true },
        ]),
      )
      await assert.rejects(mixed, /all rows of environments say the same columns/)
    })
  })
}
