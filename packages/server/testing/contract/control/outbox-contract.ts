/** Contract of the outbox: whoever sends, a delivery is claimed under a lease, goes out again under the same key, and ends. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { NewMessage } from '#ports/messages.ts'
import type { SenderName } from '#ports/outbox.ts'
import type { NewTracker, RemoteIssue } from '#ports/trackers.ts'
import { anActor } from '../../builders/actor.ts'
import { anAlert } from '../../builders/alert-message.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { channelChanges } from './channel-changes.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'
import { commit, FIRST_OWNER } from './world.ts'

const LEASE_MS = 60_000
const TRIES = 3
const SENDERS = ['alertMails', 'alertCalls', 'mails', 'webhooks', 'letters', 'trackerCalls'] as const

export function outboxContract(open: ControlFactory): void {
  describe('Outbox', () => {
    const { stores, world } = openForEachTest(open)
    /** Time at which everything is due. */
    const due = NOW + HOUR
    beforeEach(async () => {
      await queueAll()
    })

    /** Puts one of each sort on its way. */
    async function queueAll(): Promise<void> {
      const { write } = stores
      const { org, shop, scope } = world
      value(
        await write.setWebhook(org, shop, { url: 'https://a.example/', secret: 's'.repeat(43) }, anActor()),
      )
      const batch = aBatch(1, [anEvent({ projectId: shop, group: 'a' })])
      const [issue] = await commit(stores, scope, batch)
      assert.ok(issue !== undefined)
      await write.evaluateDue(NOW, { metrics: false, mail: true })
      value(
        await write.createReset(
          { email: FIRST_OWNER.email, key: 'k1', expiresMs: NOW + 48 * HOUR },
          anActor(),
        ),
      )
      const hook = {
        kind: 'webhook',
        name: 'Hook',
        settings: {},
        secrets: { url: 'https://b.example/' },
      } as const
      const { id: channelId } = value(await channelChanges(write).createChannel(org, hook, anActor()))
      const targets = [
        { to: 'channel', channelId },
        { to: 'user', userId: world.owner },
      ] as const
      const message: Omit<NewMessage, 'target'> = {
        ...{ orgId: org, firingId: null, projectId: shop, projects: null, issueId: null, occasion: null },
        ...{ message: anAlert(), heldUntilMs: null },
      }
      await write.queueMessages(
        targets.map((target) => ({ ...message, target })),
        NOW,
      )
      const tracker: NewTracker = {
        ...{ kind: 'github', name: 'Shop', settings: { place: 'acme/shop' }, secrets: { token: 'hidden' } },
        ...{ resolvesHere: true, closesThere: true },
      }
      const { id: trackerId } = value(await write.createTracker(org, tracker, anActor()))
      const change = { orgId: org, projects: scope.projects, ids: [issue.id] }
      const remote: RemoteIssue = {
        ...{ ref: 'acme/shop#12', url: 'https://github.com/acme/shop/issues/12', title: 'Tea' },
        ...{ state: 'open', changedMs: NOW },
      }
      value(await write.linkIssue(change, { trackerId, remote, isNew: false }, anActor()))
      value(await write.resolve(change, anActor()))
    }

    /** Claims for the receivers that something of the sender waits for, as its lane does. */
    const claim = async (sender: SenderName, nowMs: number) => {
      const only = (await stores.write.waitingFor(sender)).map(({ receiver }) => receiver)
      const given = { nowMs, leaseMs: LEASE_MS, lease: `lease ${nowMs}`, limit: only.length, triesMax: TRIES }
      return stores.write.claimFor(sender, { ...given, only })
    }
    const settle = (sender: SenderName, lease: string, id: number, nowMs: number) => {
      const settlement = { state: 'sent', says: 'ok', tookMs: 1 } as const
      return sender === 'trackerCalls'
        ? stores.write.settleTrackerWork({ id, lease }, settlement, nowMs)
        : stores.write.settleFor(sender, { id, lease }, settlement, nowMs)
    }
    const claimedBy = async (sender: SenderName, nowMs: number) => {
      const [one] = await claim(sender, nowMs)
      return one ?? assert.fail(`nothing of ${sender}`)
    }

    for (const sender of SENDERS) {
      it(`has ${sender} wait for a receiver, and claimed once until the lease ends`, async () => {
        const [waits] = await stores.write.waitingFor(sender)
        assert.ok(waits !== undefined && waits.dueMs <= due)
        const one = await claimedBy(sender, due)
        assert.deepEqual([one.tries, one.receiver], [1, waits.receiver])
        const again = await claim(sender, due + LEASE_MS - 1)
        assert.ok(again.every(({ id }) => id !== one.id))
        const [later] = (await claim(sender, due + LEASE_MS)).filter(({ id }) => id === one.id)
        assert.deepEqual([later?.tries, later?.lease], [2, `lease ${due + LEASE_MS}`])
        if ('key' in one) assert.equal(later !== undefined && 'key' in later && later.key, one.key)
      })

      it(`settles ${sender} for whoever holds the lease, once`, async () => {
        const one = await claimedBy(sender, due)
        assert.equal(await settle(sender, 'another', one.id, due), false)
        assert.equal(await settle(sender, one.lease, one.id, due), true)
        assert.equal(await settle(sender, one.lease, one.id, due), false)
        const left = await claim(sender, due + 10 * LEASE_MS)
        assert.ok(left.every(({ id }) => id !== one.id))
      })

      it(`gives ${sender} up after so many tries that nobody settled`, async () => {
        const tries: number[] = []
        const { id } = await claimedBy(sender, due)
        for (let at = 1; at < TRIES + 2; at++) {
          const again = (await claim(sender, due + at * LEASE_MS)).find((one) => one.id === id)
          if (again !== undefined) tries.push(again.tries)
        }
        assert.deepEqual(tries, [2, 3])
      })

      it(`has what a process that ended had claimed of ${sender} due at once`, async () => {
        const one = await claimedBy(sender, due)
        await stores.write.endLeases(due + 1)
        const ids = (await claim(sender, due + 1)).map(({ id }) => id)
        assert.deepEqual(ids, [one.id])
      })
    }

    it('tells owners in the inbox of calls that were given up, and of no test', async () => {
      const kinds = async () => {
        const page = { limit: 50, before: null, kind: null, isUnreadOnly: false }
        const entries = await stores.read.inbox(world.owner, [world.scope], page)
        return entries.map(({ kind }) => kind).filter((kind) => kind === 'delivery')
      }
      const { write } = stores
      const place = [world.org, world.shop] as const
      const test = { key: 'f'.repeat(32), lease: 'a test', channel: 'webhook' } as const
      const begun = value(await write.beginTest(...place, test, anActor()))
      const settlement = { state: 'failed', says: 'The connection was refused.' } as const
      await write.settleTest(...place, { ...begun, channel: 'webhook', settlement }, anActor())
      assert.deepEqual(await kinds(), [], 'whoever tests sees the result')
      for (let at = 0; at <= TRIES; at++) await claim('webhooks', due + at * LEASE_MS)
      assert.deepEqual(await kinds(), ['delivery'])
    })
  })
}
