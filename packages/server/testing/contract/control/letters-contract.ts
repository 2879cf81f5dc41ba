/** Contract of stores of letters: queue, claim under a lease, open, settle. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { FIRST_OWNER } from './world.ts'

const EMAIL = FIRST_OWNER.email

export function lettersContract(open: ControlFactory): void {
  describe('letters', () => {
    const { stores, world } = openForEachTest(open)

    const aReset = (email: string, key = 'k1') => ({ email, key, expiresMs: NOW + HOUR })
    const claim = (lease: string, nowMs = NOW) =>
      stores.write.claimLetters({ nowMs, leaseMs: 1_000, lease, limit: 10, triesMax: 3 })
    const anInvitation = (codeHash: string, email = 'new@example.com') => ({
      ...{ orgId: world.org, email, role: 'member' as const, teams: [] },
      ...{ codeHash, expiresMs: NOW + HOUR },
    })
    const letterOf = async (codeHash: string) =>
      (await stores.read.invitations(world.scope, NOW)).find((one) => one.codeHash === codeHash)?.letter

    it('takes a reset of any address, and hands out those that somebody has', async () => {
      const { write } = stores
      value(await write.createReset(aReset('nobody@example.com', 'k0'), anActor()))
      value(await write.createReset(aReset(EMAIL.toUpperCase()), anActor()))
      assert.equal(await write.nextLetterMs(), NOW)
      const claimed = await claim('lease')
      assert.deepEqual(
        claimed.map(({ key, to, tries, invitation, expiresMs }) => [key, to, tries, invitation, expiresMs]),
        [['k1', { email: EMAIL, name: FIRST_OWNER.name }, 1, null, NOW + HOUR]],
      )
      assert.deepEqual(await claim('other'), [], 'under the lease')
      assert.equal(await write.nextLetterMs(), NOW + 1_000, 'that of nobody is gone')
    })

    it('lets a link work from when its letter is opened, in the log of the account’s organisation', async () => {
      const { read, write } = stores
      value(await write.createReset(aReset(EMAIL), anActor(NOW, { address: '192.0.2.9' })))
      const [letter] = await claim('lease')
      assert.ok(letter !== undefined)
      assert.equal(await write.openLetter({ id: letter.id, lease: 'another' }, 'hash', NOW), false)
      assert.equal(await read.passwordReset('hash', NOW), null)
      assert.equal(await write.openLetter(letter, 'hash', NOW), true)
      assert.equal((await read.passwordReset('hash', NOW))?.id, world.owner)
      assert.equal(await read.passwordReset('hash', NOW + HOUR), null)
      const [entry] = await read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual(
        [entry?.action, entry?.target, entry?.address, entry?.userId],
        ['password.reset_emailed', EMAIL, '192.0.2.9', null],
      )
      assert.equal(await write.settleLetter(letter, { state: 'sent', says: 'Taken.' }, NOW), true)
      assert.equal(await write.settleLetter(letter, { state: 'sent', says: 'Taken.' }, NOW), false)
      assert.equal(await write.nextLetterMs(), null)
      assert.equal(value(await write.usePasswordReset('hash', 'new', anActor())), world.owner)
    })

    it('tries again, with one link and one entry in the log for all tries', async () => {
      const { read, write } = stores
      value(await write.createReset(aReset(EMAIL), anActor()))
      const [first] = await claim('one')
      assert.ok(first !== undefined)
      await write.openLetter(first, 'first', NOW)
      const later = { state: 'waiting', says: 'Away.', nextMs: NOW + 5 } as const
      assert.equal(await write.settleLetter(first, later, NOW), true)
      assert.deepEqual(await claim('two'), [])
      const [second] = await claim('two', NOW + 5)
      assert.equal(second?.tries, 2)
      assert.ok(second !== undefined)
      await write.openLetter(second, 'second', NOW + 5)
      assert.equal(await read.passwordReset('first', NOW), null)
      assert.notEqual(await read.passwordReset('second', NOW), null)
      const entries = await read.audit(world.scope, { limit: 10, before: null })
      assert.equal(entries.filter(({ action }) => action === 'password.reset_emailed').length, 1)
    })

    it('sends no reset whose hour is over, and none after the password changed', async () => {
      const { write } = stores
      value(await write.createReset(aReset(EMAIL), anActor()))
      assert.deepEqual(await claim('late', NOW + HOUR), [])
      assert.equal(await write.nextLetterMs(), null)
      value(await write.createReset(aReset(EMAIL, 'k2'), anActor()))
      await write.setPassword(world.owner, 'new hash', null, anActor())
      assert.deepEqual(await claim('lease'), [])
    })

    it('keeps a few emailed links of an account, the newest, and the one an operator made', async () => {
      const { read, write } = stores
      await write.createPasswordReset(world.owner, 'by hand', NOW + HOUR, anActor())
      const most = max('resetsPerAccount')
      for (let index = 0; index <= most; index++) {
        value(await write.createReset(aReset(EMAIL, `k${index}`), anActor()))
        const [letter] = await claim(`lease ${index}`)
        assert.ok(letter !== undefined)
        await write.openLetter(letter, `hash ${index}`, NOW)
        await write.settleLetter(letter, { state: 'sent', says: '' }, NOW)
      }
      assert.equal(await read.passwordReset('hash 0', NOW), null)
      assert.notEqual(await read.passwordReset(`hash ${most}`, NOW), null)
      assert.notEqual(await read.passwordReset('by hand', NOW), null)
    })

    it('tells of a new device, which opens no link and outlives a change of the password', async () => {
      const { read, write } = stores
      const by = anActor(NOW, { address: '192.0.2.9' })
      await write.createDeviceLetter({ ...aReset(EMAIL), device: 'Safari on iOS' }, by)
      await write.setPassword(world.owner, 'new hash', null, anActor())
      const [letter] = await claim('lease')
      assert.deepEqual(letter?.signIn, { device: 'Safari on iOS', address: '192.0.2.9' })
      assert.deepEqual([letter.invitation, letter.to.email], [null, EMAIL])
      assert.equal(await write.openLetter(letter, 'hash', NOW), true)
      assert.equal(await read.passwordReset('hash', NOW), null)
      assert.equal(await write.settleLetter(letter, { state: 'sent', says: '' }, NOW), true)
      assert.equal(await write.nextLetterMs(), null)
    })

    it('emails an invitation with a link of its own, and shows what became of it', async () => {
      const { read, write } = stores
      const by = anActor(NOW, { label: 'Ada' })
      value(await write.createInvitation({ ...anInvitation('shown'), letterKey: 'k1' }, by))
      const waiting = { state: 'waiting', tries: 0, says: null, nextMs: NOW, settledMs: null }
      assert.deepEqual(await letterOf('shown'), waiting)
      const [letter] = await claim('lease')
      assert.deepEqual(letter?.invitation, { organisation: 'Acme', role: 'member', by: 'Ada' })
      assert.deepEqual(letter?.to, { email: 'new@example.com', name: '' })
      assert.ok(letter !== undefined)
      assert.equal(await write.openLetter(letter, 'emailed', NOW), true)
      await write.settleLetter(letter, { state: 'sent', says: 'Taken.' }, NOW + 1)
      const sent = { state: 'sent', tries: 1, says: 'Taken.', nextMs: null, settledMs: NOW + 1 }
      assert.deepEqual(await letterOf('shown'), sent)
      assert.equal((await read.invitation('shown', NOW))?.email, 'new@example.com')
      assert.equal((await read.invitation('emailed', NOW))?.codeHash, 'shown')
      assert.equal((await read.invitation('emailed', NOW + HOUR, 'expired'))?.codeHash, 'shown')
      value(await write.acceptInvitation('emailed', { name: 'New', passwordHash: 'hash' }, anActor()))
      assert.equal(await read.invitation('shown', NOW), null)
      assert.equal(await read.invitation('emailed', NOW), null)
    })

    it('sends nothing of an invitation that was revoked or replaced', async () => {
      const { write } = stores
      value(await write.createInvitation({ ...anInvitation('a'), letterKey: 'ka' }, anActor()))
      value(await write.createInvitation({ ...anInvitation('b'), letterKey: 'kb' }, anActor()))
      assert.deepEqual(
        (await claim('one')).map(({ key }) => key),
        ['kb'],
      )
      value(await write.revokeInvitation(world.org, 'b', anActor()))
      assert.equal(await write.nextLetterMs(), null)
    })

    it('ends what was lost too often, and says so of an invitation', async () => {
      const { write } = stores
      value(await write.createInvitation({ ...anInvitation('a'), letterKey: 'ka' }, anActor()))
      for (let tries = 0; tries < 3; tries++) await claim(`lease ${tries}`, NOW + tries * 1_000)
      assert.deepEqual(await claim('last', NOW + 3_000), [])
      assert.equal((await letterOf('a'))?.state, 'failed')
    })

    it('has room for so many, and refuses the rest without changing anything', async () => {
      const { write } = stores
      for (let index = 0; index < max('lettersWaitingMax'); index++)
        value(await write.createReset(aReset(`p${index}@example.com`, `k${index}`), anActor()))
      assert.equal(refusal(await write.createReset(aReset(EMAIL), anActor())), 'overloaded')
      // Nor do they hold up anybody's invitations.
      value(await write.createInvitation({ ...anInvitation('a'), letterKey: 'ka' }, anActor()))
    })

    it('hands out links to accounts before invitations that wait longer', async () => {
      const { write } = stores
      for (let index = 0; index < 3; index++) {
        const to = { ...anInvitation(`a${index}`, `p${index}@example.com`), letterKey: `ka${index}` }
        value(await write.createInvitation(to, anActor()))
      }
      value(await write.createReset(aReset(EMAIL), anActor()))
      assert.deepEqual(
        (await claim('lease')).map(({ key }) => key),
        ['k1', 'ka0', 'ka1', 'ka2'],
      )
    })
  })
}
