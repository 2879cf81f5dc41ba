/** Contract of the notices port: tests of mail and webhook. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'

const WEBHOOK = { url: 'https://hooks.example.com/errata', secret: 's'.repeat(43) }

export function noticeTestsContract(open: ControlFactory): void {
  describe('NoticesWrite: tests', () => {
    const { stores, world, clock } = openForEachTest(open)

    const log = () => stores.read.noticeLog(world.scope, world.shop, { limit: 100, before: null })
    const claim = () =>
      stores.write.claimDeliveries({
        ...{ channel: 'webhook', nowMs: clock.now(), leaseMs: 60_000, lease: 'a lease of the loop' },
        ...{ limit: 100, triesMax: 3 },
      })

    it('records tests with what came of them', async () => {
      const key = 'f'.repeat(32)
      const settlement = { state: 'failed' as const, says: 'The connection was refused.' }
      const test = { key, channel: 'webhook' as const, lease: 'a lease' }
      const { org, otherOrg, shop } = world
      assert.equal(refusal(await stores.write.beginTest(otherOrg, shop, test, anActor())), 'not_found')
      const begun = value(await stores.write.beginTest(org, shop, test, anActor(NOW)))
      assert.equal((await log())[0]?.deliveries[0]?.state, 'sending')
      await stores.write.settleTest(org, shop, { ...begun, channel: 'webhook', settlement }, anActor(NOW))
      const [entry] = await log()
      assert.deepEqual([entry?.kind, entry?.deliveries[0]?.says], ['test', settlement.says])
      const [audited] = await stores.read.audit(world.scope, { limit: 1, before: null })
      assert.equal(audited?.action, 'notices.tested')
    })

    it('has no more tests on the way than it may, and sends none again that nobody settled', async () => {
      const { org, shop, blog } = world
      const begin = (project: ProjectId, count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, index) =>
            stores.write.beginTest(
              org,
              project,
              { key: `key ${project} ${index}`, channel: 'webhook', lease: 'a lease' },
              anActor(clock.now()),
            ),
          ),
        )
      value(await stores.write.setWebhook(org, shop, WEBHOOK, anActor()))
      const tests = [...(await begin(shop, 20)), ...(await begin(blog, 20))]
      const begun = tests.filter(({ ok }) => ok)
      assert.equal(begun.length, max('noticeTestsAtOnceMax'))
      assert.ok(tests.every((test) => test.ok || test.code === 'too_many_attempts'))
      assert.deepEqual(await claim(), [])
      clock.advance(max('noticeLeaseMs'))
      assert.deepEqual(await claim(), [])
      assert.equal((await log())[0]?.deliveries[0]?.state, 'failed')
      assert.ok((await begin(shop, 1)).every(({ ok }) => ok))
    })
  })
}
