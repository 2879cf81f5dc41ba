/** Contract of the notices port: what the log shows of notices and their deliveries. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { ClaimedDelivery, Settlement } from '#ports/notices.ts'
import { aBatch, anEvent, NOW } from './builders.ts'
import type { ControlFactory, ControlStores } from './stores.ts'
import { addMember, aWorld, type World } from './world.ts'

const MINUTE = 60_000

export function noticeLogContract(open: ControlFactory): void {
  describe('NoticesRead: the log', () => {
    let stores: ControlStores
    let world: World
    let clock: ReturnType<typeof manualClock>

    beforeEach(async () => {
      clock = manualClock(NOW)
      stores = await open(clock)
      world = await aWorld(stores)
    })
    afterEach(() => stores.close())

    const log = () => stores.read.noticeLog(world.scope, world.shop, 100)
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
      await stores.write.openDueNotices({ nowMs: clock.now(), limit: 100, mail: true })
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
  })
}
