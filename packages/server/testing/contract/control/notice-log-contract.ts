/** Contract of the notices port: what the log shows of notices and their deliveries. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { ClaimedDelivery, Settlement } from '#ports/notices.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import type { ControlFactory } from './stores.ts'
import { addMember } from './world.ts'

const MINUTE = 60_000

export function noticeLogContract(open: ControlFactory): void {
  describe('NoticesRead: the log', () => {
    const { stores, world, clock } = openForEachTest(open)

    const log = () => stores.read.noticeLog(world.scope, world.shop, { limit: 100, before: null })
    const claim = () =>
      stores.write.claimDeliveries({
        ...{ channel: 'mail', nowMs: clock.now(), leaseMs: MINUTE, lease: `lease ${clock.now()}` },
        ...{ limit: 100, triesMax: 10 },
      })
    const settle = (delivery: ClaimedDelivery | undefined, settlement: Settlement) =>
      stores.write.settleDelivery(delivery ?? assert.fail('nothing claimed'), settlement, clock.now())

    /** A notice that is being mailed to `count` people, in the order they joined. */
    async function mailedTo(count: number): Promise<readonly ClaimedDelivery[]> {
      const { org, team, shop } = world
      for (let index = 1; index < count; index++) {
        await addMember(stores, { org, email: `member${index}@example.com`, role: 'viewer', teams: [team] })
      }
      await stores.write.applyBatch(aBatch(1, [anEvent({ projectId: shop })]))
      await stores.write.evaluateDue(clock.now(), { metrics: false, mail: true })
      return claim()
    }

    it('says the earliest next try of those that wait, whichever was tried most', async () => {
      const [first, second] = await mailedTo(2)
      const later = { state: 'waiting' as const, says: 'Busy.', nextMs: NOW + 10 * MINUTE }
      await settle(first, { ...later, nextMs: NOW + MINUTE })
      await settle(second, later)
      clock.advance(MINUTE)
      await settle((await claim())[0], { ...later, says: 'Still busy.', nextMs: NOW + 20 * MINUTE })
      const [group] = (await log())[0]?.deliveries ?? []
      assert.deepEqual(
        [group?.count, group?.tries, group?.says, group?.nextMs],
        [2, 2, 'Still busy.', NOW + 10 * MINUTE],
      )
    })

    it('says when the newest was settled, whichever was tried most', async () => {
      const [first, second] = await mailedTo(2)
      await settle(first, { state: 'waiting', says: 'Busy.', nextMs: NOW + 1 })
      clock.advance(1)
      await settle((await claim())[0], { state: 'sent', says: 'Taken.' })
      clock.advance(1)
      await settle(second, { state: 'sent', says: 'Taken.' })
      const [group] = (await log())[0]?.deliveries ?? []
      assert.deepEqual([group?.count, group?.tries, group?.settledMs], [2, 2, NOW + 2])
    })

    it('names receivers whose mail failed, some of many, and no others', async () => {
      const [first, second, ...others] = await mailedTo(max('noticeReceiversMax') + 4)
      await settle(first, { state: 'sent', says: 'Taken.' })
      await settle(second, { state: 'failed', says: 'No such person.' })
      const groups = async () =>
        (await log())[0]?.deliveries.map(({ state, receivers }) => [state, receivers])
      const named = second?.to.channel === 'mail' ? second.to.email : ''
      assert.deepEqual(await groups(), [
        ['failed', [named]],
        ['sending', []],
        ['sent', []],
      ])
      for (const other of others) await settle(other, { state: 'failed', says: 'No such person.' })
      const [failed] = (await log())[0]?.deliveries ?? []
      assert.equal(failed?.count, max('noticeReceiversMax') + 3)
      assert.equal(failed?.receivers.length, max('noticeReceiversMax'))
    })

    it('is read page by page, and by nobody outside the scope', async () => {
      for (let seq = 1; seq <= 5; seq++) {
        clock.advance(MINUTE)
        await stores.write.applyBatch(aBatch(seq, [anEvent({ projectId: world.shop, group: `${seq}` })]))
        await stores.write.evaluateDue(clock.now(), { metrics: false, mail: true })
      }
      const whole = (await log()).map(({ id }) => id)
      assert.equal(whole.length, 5)
      const page = async (before: number | null, scope = world.scope) =>
        (await stores.read.noticeLog(scope, world.shop, { limit: 2, before })).map(({ id }) => id)
      assert.deepEqual(await page(null), whole.slice(0, 2))
      assert.deepEqual(await page(whole[1] ?? 0), whole.slice(2, 4))
      assert.deepEqual(await page(whole[3] ?? 0), whole.slice(4))
      assert.deepEqual(await page(whole[4] ?? 0), [])
      assert.deepEqual(await page(whole[1] ?? 0, world.otherScope), [])
    })
  })
}
