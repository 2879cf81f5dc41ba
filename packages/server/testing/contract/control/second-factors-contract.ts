/** Contract of stores of second factors: passkeys, authenticator, recovery codes, devices, and who must have one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { FIRST_OWNER } from './world.ts'

export function secondFactorsContract(open: ControlFactory): void {
  describe('second factors', () => {
    const { stores, world } = openForEachTest(open)

    const aPasskey = (credentialId: string) => ({
      ...{ userId: world.owner, name: `Laptop ${credentialId}`, credentialId, publicKey: 'a2V5' },
      ...{ counter: 0, transports: ['internal', 'hybrid'], host: 'errata.example.com' },
    })
    const actions = async () =>
      (await stores.read.audit(world.scope, { limit: 20, before: null })).map(({ action, target }) => [
        action,
        target,
      ])

    it('renames passkeys of the person alone', async () => {
      const { read, write } = stores
      value(await write.addPasskey(aPasskey('c1'), [], anActor()))
      const [passkey] = (await read.secondFactors(world.owner)).passkeys
      const change = { id: passkey?.id ?? 0, name: 'Desk' }
      assert.equal(refusal(await write.renamePasskey(world.otherOwner, change, anActor())), 'not_found')
      value(await write.renamePasskey(world.owner, change, anActor()))
      assert.deepEqual(
        (await read.secondFactors(world.owner)).passkeys.map(({ name }) => name),
        ['Desk'],
      )
      assert.deepEqual((await actions())[0], ['passkey.renamed', 'Desk'])
    })

    it('keeps passkeys, each credential once, and notes their use', async () => {
      const { read, write } = stores
      assert.equal(await read.hasSecondFactor(world.owner), false)
      assert.deepEqual(value(await write.addPasskey(aPasskey('c1'), ['h1', 'h2'], anActor())), {
        codesKept: true,
      })
      assert.deepEqual(value(await write.addPasskey(aPasskey('c2'), ['h3'], anActor())), { codesKept: false })
      assert.equal(refusal(await write.addPasskey(aPasskey('c1'), [], anActor())), 'conflict')
      const [first, second] = (await read.secondFactors(world.owner)).passkeys
      assert.deepEqual(first, { ...aPasskey('c1'), id: first?.id, createdMs: NOW, usedMs: null })
      assert.ok(first !== undefined && second !== undefined)
      await write.notePasskeyUse(second.id, 7, NOW + 5)
      assert.deepEqual(await read.passkey('c2'), { ...second, counter: 7, usedMs: NOW + 5 })
      assert.equal(await read.passkey('c3'), null)
      assert.equal((await read.secondFactors(world.owner)).recoveryCodesLeft, 2)
      assert.equal(await read.hasSecondFactor(world.owner), true)
      assert.deepEqual((await actions())[0], ['passkey.added', 'Laptop c2'])
    })

    it('takes recovery codes away with the last factor, and removes passkeys of their person alone', async () => {
      const { read, write } = stores
      value(await write.addPasskey(aPasskey('c1'), ['h1'], anActor()))
      const [passkey] = (await read.secondFactors(world.owner)).passkeys
      assert.ok(passkey !== undefined)
      assert.equal(refusal(await write.removePasskey(world.otherOwner, passkey.id, anActor())), 'not_found')
      value(await write.beginAuthenticator(world.owner, 'sealed'))
      value(await write.confirmAuthenticator(world.owner, { step: 9, codeHashes: ['h9'] }, anActor()))
      value(await write.removePasskey(world.owner, passkey.id, anActor()))
      assert.equal((await read.secondFactors(world.owner)).recoveryCodesLeft, 1)
      value(await write.removeAuthenticator(world.owner, anActor()))
      assert.equal((await read.secondFactors(world.owner)).recoveryCodesLeft, 0)
      assert.equal(refusal(await write.removeAuthenticator(world.owner, anActor())), 'not_found')
      assert.equal(refusal(await write.removePasskey(world.owner, passkey.id, anActor())), 'not_found')
    })

    it('has room for so many passkeys of a person', async () => {
      const { write } = stores
      for (let index = 0; index < max('passkeysPerPersonMax'); index++)
        value(await write.addPasskey(aPasskey(`c${index}`), [], anActor()))
      assert.equal(refusal(await write.addPasskey(aPasskey('more'), [], anActor())), 'conflict')
    })

    it('counts an authenticator once it was confirmed, and takes no code twice', async () => {
      const { read, write } = stores
      assert.equal(
        refusal(await write.confirmAuthenticator(world.owner, { step: 1, codeHashes: [] }, anActor())),
        'not_found',
      )
      value(await write.beginAuthenticator(world.owner, 'first'))
      value(await write.beginAuthenticator(world.owner, 'second'))
      assert.deepEqual((await read.secondFactors(world.owner)).authenticator, {
        sealedSecret: 'second',
        confirmedMs: null,
      })
      assert.equal(await write.useAuthenticatorStep(world.owner, 100), false)
      assert.equal(await read.hasSecondFactor(world.owner), false)
      const confirmed = { step: 100, codeHashes: ['h1'] }
      assert.deepEqual(value(await write.confirmAuthenticator(world.owner, confirmed, anActor())), {
        codesKept: true,
      })
      assert.equal(await read.hasSecondFactor(world.owner), true)
      assert.deepEqual(
        [
          await write.useAuthenticatorStep(world.owner, 100),
          await write.useAuthenticatorStep(world.owner, 101),
          await write.useAuthenticatorStep(world.owner, 101),
          await write.useAuthenticatorStep(world.owner, 100),
        ],
        [false, true, false, false],
      )
      assert.equal(refusal(await write.beginAuthenticator(world.owner, 'third')), 'conflict')
      assert.deepEqual((await actions())[0], ['authenticator.added', FIRST_OWNER.email])
    })

    it('lets each recovery code work once, for its person, until new ones are made', async () => {
      const { read, write } = stores
      await write.setRecoveryCodes(world.owner, ['h1', 'h2', 'h3'], anActor())
      assert.equal(await write.useRecoveryCode(world.otherOwner, 'h1', anActor()), false)
      assert.equal(await write.useRecoveryCode(world.owner, 'h1', anActor()), true)
      assert.equal(await write.useRecoveryCode(world.owner, 'h1', anActor()), false)
      assert.equal((await read.secondFactors(world.owner)).recoveryCodesLeft, 2)
      await write.setRecoveryCodes(world.owner, ['h4'], anActor())
      assert.equal(await write.useRecoveryCode(world.owner, 'h2', anActor()), false)
      assert.equal((await read.secondFactors(world.owner)).recoveryCodesLeft, 1)
      assert.deepEqual(
        (await actions()).slice(0, 2).map(([action]) => action),
        ['recovery.codes_created', 'recovery.code_used'],
      )
    })

    it('removes everything of who has lost everything, and ends their sessions', async () => {
      const { read, write } = stores
      value(await write.addPasskey(aPasskey('c1'), ['h1'], anActor()))
      value(await write.beginAuthenticator(world.owner, 'sealed'))
      await write.createSession(world.owner, 'cookie', null, anActor())
      await write.removeSecondFactors(world.owner, anActor())
      assert.equal(await read.hasSecondFactor(world.owner), false)
      assert.deepEqual(
        [
          (await read.secondFactors(world.owner)).authenticator,
          (await read.secondFactors(world.owner)).recoveryCodesLeft,
        ],
        [null, 0],
      )
      assert.equal(await read.session('cookie', NOW), null)
    })

    it('knows when a session was confirmed last', async () => {
      const { read, write } = stores
      const id = await write.createSession(world.owner, 'cookie', null, anActor())
      assert.equal((await read.session('cookie', NOW))?.session.confirmedMs, NOW)
      await write.confirmSession(id, world.otherOwner, anActor(NOW + 1))
      assert.equal((await read.session('cookie', NOW))?.session.confirmedMs, NOW, 'of another person')
      await write.confirmSession(id, world.owner, anActor(NOW + 2))
      assert.equal((await read.session('cookie', NOW))?.session.confirmedMs, NOW + 2)
      assert.deepEqual((await actions())[0], ['session.confirmed', FIRST_OWNER.email])
    })

    it('says of a membership whether its organisation asks for a second factor', async () => {
      const { read, write } = stores
      const required = async () =>
        (await read.memberships(world.owner)).flatMap(({ organisation, requiresSecondFactor }) =>
          organisation.id === world.org ? [requiresSecondFactor] : [],
        )
      assert.deepEqual(await required(), [false])
      value(await write.requireSecondFactor(world.org, true, anActor()))
      assert.deepEqual(await required(), [true])
      value(await write.requireSecondFactor(world.org, false, anActor()))
      assert.deepEqual(await required(), [false])
      assert.deepEqual((await actions())[0], ['organisation.second_factor', 'Acme'])
    })

    it('tells a new device from known ones, the first aside', async () => {
      const { write } = stores
      const note = (name: string, nowMs = NOW) => write.noteDevice(world.owner, name, nowMs)
      assert.deepEqual(
        [await note('Chrome on macOS'), await note('Chrome on macOS'), await note('Safari on iOS')],
        [false, false, true],
      )
      assert.equal(await note('Safari on iOS'), false)
      for (let index = 0; index < max('devicesPerPersonMax'); index++)
        await note(`Browser ${index}`, NOW + 1 + index)
      assert.equal(await note('Safari on iOS', NOW + 1_000), true, 'forgotten as the oldest')
    })
  })
}
