/** Contract of the accounts port: sessions of people who signed in. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { DAY, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'

export function signedInContract(open: ControlFactory): void {
  describe('AccountsRead and AccountsWrite: sessions', () => {
    const { stores, world } = openForEachTest(open)

    it('keeps a session for 30 days and 7 idle ones, and only its hash finds it', async () => {
      const { read, write } = stores
      const id = await write.createSession(world.owner, 'hash', 'Firefox', anActor())
      const found = await read.session('hash', NOW)
      assert.equal(found?.user.id, world.owner)
      assert.deepEqual(found?.session, {
        id,
        userId: world.owner,
        createdMs: NOW,
        seenMs: NOW,
        confirmedMs: NOW,
        address: '192.0.2.1',
        userAgent: 'Firefox',
      })
      assert.equal(await read.session('another', NOW), null)
      assert.notEqual(await read.session('hash', NOW + 7 * DAY - 1), null)
      assert.equal(await read.session('hash', NOW + 7 * DAY), null)
      assert.deepEqual(await read.sessions(world.owner, NOW + 7 * DAY), [])
      for (let day = 5; day < 30; day += 5) await write.touchSession(id, NOW + day * DAY)
      assert.equal((await read.session('hash', NOW + 26 * DAY))?.session.seenMs, NOW + 25 * DAY)
      assert.notEqual(await read.session('hash', NOW + 30 * DAY - 1), null)
      assert.equal(await read.session('hash', NOW + 30 * DAY), null)
    })

    it('notes the use of a session once a minute', async () => {
      const id = await stores.write.createSession(world.owner, 'hash', null, anActor())
      await stores.write.touchSession(id, NOW + 59_000)
      assert.equal((await stores.read.session('hash', NOW))?.session.seenMs, NOW)
      await stores.write.touchSession(id, NOW + 60_000)
      assert.equal((await stores.read.session('hash', NOW))?.session.seenMs, NOW + 60_000)
    })

    it('ends the oldest session when somebody begins too many', async () => {
      for (let index = 0; index <= max('sessionsPerUserMax'); index++) {
        await stores.write.createSession(world.owner, `hash ${index}`, null, anActor(NOW + index))
      }
      assert.equal(await stores.read.session('hash 0', NOW), null)
      assert.equal((await stores.read.sessions(world.owner, NOW)).length, max('sessionsPerUserMax'))
    })

    it('ends only sessions of their own user', async () => {
      const id = await stores.write.createSession(world.owner, 'hash', null, anActor())
      assert.equal(refusal(await stores.write.endSession(id, world.otherOwner, anActor())), 'not_found')
      value(await stores.write.endSession(id, world.owner, anActor()))
      assert.equal(await stores.read.session('hash', NOW), null)
      assert.equal(refusal(await stores.write.endSession(id, world.owner, anActor())), 'not_found')
    })

    it('ends every session but the kept one when the password changes', async () => {
      const { read, write } = stores
      const kept = await write.createSession(world.owner, 'one', null, anActor())
      await write.createSession(world.owner, 'two', null, anActor())
      await write.setPassword(world.owner, 'new hash', kept, anActor())
      assert.notEqual(await read.session('one', NOW), null)
      assert.equal(await read.session('two', NOW), null)
      assert.equal(await read.passwordHash(world.owner), 'new hash')
      await write.setPassword(world.owner, 'newer', null, anActor())
      assert.equal(await read.session('one', NOW), null)
    })
  })
}
