import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { MINUTE_MS } from '#base/durations.ts'
import type { Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import { asking, FACTS, openShop, PASSWORD, type Shop, unwrap } from '#testing/worlds/api.ts'

const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.code)

describe('second factors', () => {
  let shop: Shop
  let secret = ''
  let recovery: readonly string[] = []
  before(async () => {
    shop = await openShop({ mail: true })
  })
  after(() => shop.close())

  const member = async () => ({ viewer: await shop.people.member.viewer(), ...FACTS })
  const appCode = () =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: shop.clock.now() })
  const signIn = () => shop.commands.signIn(FACTS, { email: shop.people.member.email, password: PASSWORD })

  it('keep the secret of an app sealed, and give recovery codes once it is confirmed', async () => {
    const { commands } = shop
    unwrap(await commands.beginAuthenticator(await member()))
    const { app } = await commands.security(await member())
    assert.ok(app.state === 'begun')
    secret = app.secret
    const stored = (await shop.reader.secondFactors((await member()).viewer.user.id)).authenticator
    assert.ok(stored !== null && !stored.sealedSecret.includes(secret))
    assert.equal(codeOf(await commands.confirmAuthenticator(await member(), '000000')), 'invalid_input')
    recovery = unwrap(await commands.confirmAuthenticator(await member(), appCode())).codes ?? []
    assert.equal(recovery.length, max('recoveryCodes'))
    assert.equal((await commands.security(await member())).app.state, 'on')
  })

  it('are asked for after the right password, by a ticket that works once', async () => {
    const { commands, clock } = shop
    const waiting = await signIn()
    assert.ok(!waiting.ok && waiting.ticket !== undefined)
    assert.equal(waiting.code, 'second_factor_needed')
    const { ticket } = waiting
    assert.equal(
      codeOf(await commands.finishSignIn(FACTS, { ticket, code: appCode() })),
      'invalid_input',
      'used',
    )
    clock.advance(MINUTE_MS)
    const code = appCode()
    unwrap(await commands.finishSignIn(FACTS, { ticket, code }))
    assert.equal(codeOf(await commands.finishSignIn(FACTS, { ticket, code })), 'link_expired')
  })

  it('take a recovery code once, and few wrong ones', async () => {
    const { commands } = shop
    const waiting = await signIn()
    assert.ok(!waiting.ok && waiting.ticket !== undefined)
    const finish = (code: string) => commands.finishSignIn(FACTS, { ticket: waiting.ticket ?? '', code })
    unwrap(await finish(recovery[0] ?? ''))
    const again = await signIn()
    assert.ok(!again.ok)
    const answers: string[] = []
    for (let tries = 0; tries <= max('signInTriesPerAccount'); tries++)
      answers.push(
        codeOf(await commands.finishSignIn(FACTS, { ticket: again.ticket ?? '', code: recovery[0] ?? '' })),
      )
    assert.deepEqual([answers[0], answers.at(-1)], ['invalid_input', 'too_many_attempts'])
  })

  it('are gone when the command line removes them', async () => {
    unwrap(await shop.commands.removeSecondFactors(FACTS, shop.people.member.email))
    unwrap(await signIn())
  })

  it('let nothing dangerous happen ten minutes after the password, tokens aside', async () => {
    const { commands, clock, people, reader } = shop
    clock.advance(max('confirmedMs'))
    const owner = asking(await people.owner.viewer(), await people.owner.scope())
    const userId = (await people.viewer.viewer()).user.id
    const token = { name: 'ci', scopes: ['org:read'], personal: true }
    const refused = [
      await commands.run('deleteProject', owner, shop.vault.id),
      await commands.run('removeMember', owner, { user: userId }),
      await commands.run('setRole', owner, { user: userId, role: 'owner' }),
      await commands.createToken(owner, token),
      await commands.run('invite', owner, { email: 'x@acme.test', role: 'owner', teams: [] }),
      await commands.beginAuthenticator(owner),
      await commands.run('removeProvider', owner, 'oidc'),
    ]
    assert.deepEqual(refused.map(codeOf), Array(refused.length).fill('confirm_needed'))
    assert.equal(codeOf(await commands.run('setRole', owner, { user: userId, role: 'member' })), 'ok')
    assert.equal(codeOf(await commands.confirmByPassword(owner, 'not it')), 'invalid_input')
    unwrap(await commands.confirmByPassword(owner, PASSWORD))
    const confirmed = asking(await people.owner.viewer(), await people.owner.scope())
    assert.equal(codeOf(await commands.createToken(confirmed, token)), 'ok')
    assert.ok((await reader.session('none', clock.now())) === null)
  })

  it('tell by mail of a device that the account never had', async () => {
    const { commands, control, clock } = shop
    const credentials = { email: shop.people.viewer.email, password: PASSWORD }
    const from = (userAgent: string) => commands.signIn({ ...FACTS, userAgent }, credentials)
    const letters = () =>
      control.claimLetters({ nowMs: clock.now(), leaseMs: 1, lease: 'l', limit: 10, triesMax: 3 })
    await letters()
    unwrap(await from('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'))
    const told = await letters()
    assert.deepEqual(
      told.map(({ to, signIn: found }) => [to.email, found?.device]),
      [[credentials.email, 'Firefox on Linux']],
    )
  })
})
