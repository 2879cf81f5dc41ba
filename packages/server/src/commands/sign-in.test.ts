import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Result } from '#base/result.ts'
import { max } from '#limits/limits.ts'
import {
  type ApiWorld,
  asking,
  FACTS,
  openShop,
  openWorld,
  PASSWORD,
  type Shop,
  URL_HERE,
  unwrap,
} from '#testing/worlds/api.ts'

const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.code)
const DAY_MS = 86_400_000

describe('setting up', () => {
  let world: ApiWorld
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())
  const input = {
    email: 'ada@example.com',
    password: PASSWORD,
    organisation: 'Setup',
    project: 'Errata',
    platform: 'node',
  }

  it('asks for the code that the server printed', async () => {
    const { commands } = world
    const code = commands.setupCode()
    assert.match(code ?? '', /^([0-9a-f]{4}-){7}[0-9a-f]{4}$/)
    assert.equal(await world.queries.needsSetup(), true)
    for (const wrong of ['', '0000', `${code}0`]) {
      assert.equal(codeOf(await commands.setup(FACTS, { ...input, code: wrong })), 'setup_code_wrong')
    }
    assert.equal(await world.queries.needsSetup(), true)
  })

  it('refuses what breaks a rule, by field', async () => {
    const { commands } = world
    const refused = await commands.setup(FACTS, {
      ...input,
      code: commands.setupCode(),
      email: 'ada',
      password: 'short',
      organisation: ' ',
    })
    assert.ok(!refused.ok)
    assert.deepEqual(Object.keys(refused.fields ?? {}).sort(), ['email', 'organisation', 'password'])
  })

  it('makes owner, organisation, project and the project of Errata itself, once', async () => {
    const { commands } = world
    const code = commands.setupCode()
    const made = unwrap(await commands.setup(FACTS, { ...input, code: ` ${code?.toUpperCase()} ` }))
    assert.deepEqual([made.organisation, made.project], ['setup-2', 'errata'])
    assert.match(made.dsn, /^http:\/\/[0-9a-f]{32}@localhost:9000\/\d+$/)
    assert.equal(commands.setupCode(), null)
    const viewer = await world.access.authenticateSession(made.signedIn.cookie, world.clock.now())
    assert.equal(viewer?.user.isOperator, true)
    assert.ok(viewer !== null)
    const [scope] = world.access.scopes(viewer)
    assert.ok(scope !== undefined)
    const projects = await world.queries.projects(scope)
    const own = world.access.ownScope(viewer)
    assert.ok(own !== null)
    assert.deepEqual(
      [projects, await world.queries.projects(own)].flat().map(({ slug, isSelf }) => [slug, isSelf]),
      [
        ['errata', false],
        ['errata-2', true],
      ],
    )
    assert.equal(codeOf(await commands.setup(FACTS, { ...input, code })), 'conflict')
    assert.equal(codeOf(await commands.setup(FACTS, { ...input, code: null })), 'conflict')
  })
})

describe('the public address', () => {
  const input = { email: 'ada@example.com', password: PASSWORD, organisation: 'A', project: 'B' }
  const setUpAt = async (
    t: TestContext,
    at: { readonly set: string | null; readonly used: string | null },
  ) => {
    const world = await openWorld({ url: at.set })
    t.after(() => world.close())
    const code = world.commands.setupCode()
    const made = unwrap(await world.commands.setup(FACTS, { ...input, code, url: at.used }))
    const viewer = await world.access.authenticateSession(made.signedIn.cookie, world.clock.now())
    assert.ok(viewer !== null)
    return { world, dsn: made.dsn, asking: { ...FACTS, viewer } }
  }

  it('is the one in the browser that sets up, where none was set', async (t) => {
    const { world, dsn } = await setUpAt(t, { set: null, used: 'http://192.0.2.7:9000' })
    assert.match(dsn, /^http:\/\/[0-9a-f]{32}@192\.0\.2\.7:9000\/\d+$/)
    assert.equal(await world.reader.publicUrl(), 'http://192.0.2.7:9000')
  })

  it('follows the port where the browser used this machine’s own name', async (t) => {
    const { world } = await setUpAt(t, { set: null, used: 'http://localhost:9000' })
    assert.equal(await world.reader.publicUrl(), null)
  })

  it('stays what was set', async (t) => {
    const {
      world,
      dsn,
      asking: owner,
    } = await setUpAt(t, {
      set: 'https://set.example',
      used: 'http://192.0.2.7:9000',
    })
    assert.match(dsn, /@set\.example\//)
    assert.equal(await world.reader.publicUrl(), null)
    assert.equal(codeOf(await world.commands.setPublicAddress(owner, 'https://a.example')), 'conflict')
  })

  it('is the one that a command named: the server that starts later was given none', async (t) => {
    const world = await openWorld({ url: 'https://named.example' })
    t.after(() => world.close())
    const made = await world.commands.setup(FACTS, { ...input, code: null, url: 'https://named.example' })
    assert.match(unwrap(made).dsn, /@named\.example\//)
    assert.equal(await world.reader.publicUrl(), 'https://named.example')
  })

  it('is no hostile host', async (t) => {
    const world = await openWorld({ url: null })
    t.after(() => world.close())
    const code = world.commands.setupCode()
    const made = await world.commands.setup(FACTS, { ...input, code, url: 'http://a"><script>' })
    assert.equal(codeOf(made), 'invalid_input')
    assert.equal(await world.reader.publicUrl(), null)
  })

  it('is changed by the operator, for every link from then on', async (t) => {
    const { world, asking: owner } = await setUpAt(t, { set: null, used: null })
    const change = (url: string, who = owner) => world.commands.setPublicAddress(who, url)
    for (const wrong of ['errata.example.com', 'https://a.example/path', 'ftp://a.example', ''])
      assert.equal(codeOf(await change(wrong)), 'invalid_input')
    const { viewer } = owner
    const other = { ...owner, viewer: { ...viewer, user: { ...viewer.user, isOperator: false } } }
    assert.equal(codeOf(await change('https://a.example', other)), 'forbidden')
    unwrap(await change(' https://Errata.example.com/ '))
    assert.equal(await world.reader.publicUrl(), 'https://errata.example.com')
    const { url } = unwrap(await world.commands.createPasswordReset(FACTS, 'ada@example.com'))
    assert.match(url, /^https:\/\/errata\.example\.com\/reset\//)
  })
})

describe('signing in', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  it('takes the mail address in any case, and gives a new secret each time', async () => {
    const first = unwrap(await shop.commands.signIn(FACTS, { email: 'Member@ACME.test', password: PASSWORD }))
    const second = unwrap(
      await shop.commands.signIn(FACTS, { email: ' member@acme.test ', password: PASSWORD }),
    )
    assert.notEqual(first.cookie, second.cookie)
    assert.equal(first.maxAgeSeconds, 30 * 86_400)
    assert.notEqual(await shop.access.authenticateSession(first.cookie, shop.clock.now()), null)
  })

  it('says the same of a wrong password and of an unknown account', async () => {
    const wrong = await shop.commands.signIn(FACTS, { email: 'viewer@acme.test', password: 'wrong password' })
    const unknown = await shop.commands.signIn(FACTS, {
      email: 'nobody@acme.test',
      password: 'wrong password',
    })
    assert.deepEqual(wrong, unknown)
    assert.equal(codeOf(wrong), 'sign_in_failed')
    const failures = (await shop.queries.audit(await shop.people.owner.scope(), { before: null })).filter(
      ({ action }) => action === 'session.sign_in_failed',
    )
    assert.equal(failures[0]?.target, 'viewer@acme.test')
  })

  const tryFrom = (address: string, email: string, password: string, device: string | null = null) =>
    shop.commands.signIn({ ...FACTS, address, device }, { email, password })

  it('is limited per account and network, known or not, and says how long to wait', async () => {
    for (const email of ['manager@acme.test', 'ghost@acme.test']) {
      for (let n = 0; n < max('signInTriesPerAccount'); n++)
        assert.equal(codeOf(await tryFrom(`203.0.113.${n}`, email, 'wrong')), 'sign_in_failed')
      const before = shop.hashings()
      const refused = await tryFrom('203.0.113.99', email, PASSWORD)
      assert.ok(!refused.ok)
      assert.deepEqual([refused.code, refused.retryAfterSeconds], ['too_many_attempts', 900])
      assert.match(refused.message, /15 minutes/)
      assert.equal(shop.hashings(), before, 'a refusal by the limit hashes nothing')
    }
    unwrap(await tryFrom('198.51.100.1', 'manager@acme.test', PASSWORD))
  })

  it('goes on from a device that signed in before while others hammer at the account from everywhere', async () => {
    const email = 'member@acme.test'
    const { device } = unwrap(await tryFrom('192.0.2.1', email, PASSWORD))
    assert.ok(device !== undefined)
    for (let n = 0; n < max('signInTriesPerAccountADay'); n++) await tryFrom(`10.0.${n}.1`, email, 'wrong')
    for (let n = 0; n < max('signInTriesPerAccount'); n++) await tryFrom('192.0.2.1', email, 'wrong')
    assert.equal(codeOf(await tryFrom('192.0.2.1', email, PASSWORD)), 'too_many_attempts')
    assert.equal(
      codeOf(await tryFrom('192.0.2.1', email, PASSWORD, `${device.cookie}x`)),
      'too_many_attempts',
    )
    const again = unwrap(await tryFrom('192.0.2.1', email, PASSWORD, device.cookie))
    unwrap(await tryFrom('192.0.2.1', email, PASSWORD, again.device?.cookie))
    // It is known for its own account alone.
    for (let n = 0; n < max('signInTriesPerAccount'); n++)
      await tryFrom('192.0.3.1', 'owner@acme.test', 'wrong', device.cookie)
    const other = await tryFrom('192.0.3.1', 'owner@acme.test', PASSWORD, device.cookie)
    assert.equal(codeOf(other), 'too_many_attempts')
  })

  it('is limited per network, whatever the address and account', async () => {
    for (let n = 0; n < max('signInTriesPerNetwork'); n++)
      await tryFrom(`2001:db8:7:${n.toString(16)}::1`, `ghost-${n}@acme.test`, 'wrong')
    assert.equal(
      codeOf(await tryFrom('2001:db8:7:ffff::1', 'manager@acme.test', PASSWORD)),
      'too_many_attempts',
    )
    unwrap(await tryFrom('2001:db8:8::1', 'manager@acme.test', PASSWORD))
  })

  it('lets another request have its turn while the password is hashed', async () => {
    let beside = 0
    const aside = <T>(work: () => Promise<T>): Promise<T> => {
      beside++
      return work()
    }
    const credentials = { email: 'manager@acme.test', password: PASSWORD }
    unwrap(await shop.commands.signIn({ ...FACTS, address: '192.0.5.1', aside }, credentials))
    assert.equal(beside, 1)
  })

  it('has no tries without end from a known device', async () => {
    const email = 'viewer@acme.test'
    const { device } = unwrap(await tryFrom('192.0.4.1', email, PASSWORD))
    const tries = max('signInTriesPerDevice') + max('signInTriesPerAccount')
    for (let n = 0; n < tries; n++) await tryFrom('192.0.4.1', email, 'wrong', device?.cookie)
    assert.equal(codeOf(await tryFrom('192.0.4.1', email, PASSWORD, device?.cookie)), 'too_many_attempts')
    shop.clock.advance(max('signInWindowMs'))
  })

  it('ends after seven idle days and after thirty in all', async () => {
    const { cookie } = unwrap(
      await shop.commands.signIn(FACTS, { email: 'owner@acme.test', password: PASSWORD }),
    )
    const now = shop.clock.now()
    assert.equal(await shop.access.authenticateSession(cookie, now + 7 * DAY_MS), null)
    assert.notEqual(await shop.access.authenticateSession(cookie, now + 7 * DAY_MS - 1_000), null)
    assert.equal(await shop.access.authenticateSession(null, now), null)
    assert.equal(await shop.access.authenticateSession('', now), null)
  })

  it('changing the password ends every other session', async () => {
    const { commands, access, clock } = shop
    const [kept, ended] = [
      unwrap(await commands.signIn(FACTS, { email: 'viewer@acme.test', password: PASSWORD })),
      unwrap(await commands.signIn(FACTS, { email: 'viewer@acme.test', password: PASSWORD })),
    ]
    const viewer = await access.authenticateSession(kept.cookie, clock.now())
    assert.ok(viewer !== null)
    const wrong = await commands.changePassword(
      { viewer, ...FACTS },
      { current: 'not it', next: 'another password' },
    )
    assert.ok(!wrong.ok)
    assert.deepEqual(Object.keys(wrong.fields ?? {}), ['current'])
    const short = await commands.changePassword({ viewer, ...FACTS }, { current: PASSWORD, next: 'short' })
    assert.ok(!short.ok)
    assert.deepEqual(Object.keys(short.fields ?? {}), ['next'])
    unwrap(
      await commands.changePassword({ viewer, ...FACTS }, { current: PASSWORD, next: 'another password' }),
    )
    assert.equal(await access.authenticateSession(ended.cookie, clock.now()), null)
    assert.notEqual(await access.authenticateSession(kept.cookie, clock.now()), null)
    assert.equal(
      codeOf(await commands.signIn(FACTS, { email: 'viewer@acme.test', password: PASSWORD })),
      'sign_in_failed',
    )
    unwrap(await commands.signIn(FACTS, { email: 'viewer@acme.test', password: 'another password' }))
  })

  it('a reset link works once and for seven days', async () => {
    const { commands } = shop
    const made = unwrap(await commands.createPasswordReset(FACTS, 'member@acme.test'))
    assert.equal(made.url, `${URL_HERE}/reset/${made.code}`)
    assert.deepEqual(await shop.queries.passwordReset(made.code), { email: 'member@acme.test' })
    assert.equal(
      codeOf(await commands.resetPassword(FACTS, { code: made.code, password: 'short' })),
      'invalid_input',
    )
    unwrap(await commands.resetPassword(FACTS, { code: made.code, password: 'a brand new password' }))
    assert.equal(
      codeOf(await commands.resetPassword(FACTS, { code: made.code, password: 'a brand new password' })),
      'link_expired',
    )
    unwrap(await commands.signIn(FACTS, { email: 'member@acme.test', password: 'a brand new password' }))
    assert.equal(codeOf(await commands.createPasswordReset(FACTS, 'nobody@acme.test')), 'not_found')
    const late = unwrap(await commands.createPasswordReset(FACTS, 'member@acme.test'))
    shop.clock.advance(7 * DAY_MS)
    assert.equal(await shop.queries.passwordReset(late.code), null)
    assert.equal(
      codeOf(await commands.resetPassword(FACTS, { code: late.code, password: 'a brand new password' })),
      'link_expired',
    )
  })

  it('an invitation opens no account that exists', async () => {
    const { commands } = shop
    const owner = unwrap(await commands.signIn(FACTS, { email: 'owner@acme.test', password: PASSWORD }))
    const viewer = await shop.access.authenticateSession(owner.cookie, shop.clock.now())
    assert.ok(viewer !== null)
    const scope = shop.access.scope(viewer, 'acme')
    assert.ok(scope !== null)
    const invited = { email: 'owner@rival.test', role: 'member', teams: [] } as const
    const { code, url } = unwrap(await commands.run('invite', asking(viewer, scope), invited))
    assert.equal(url, `${URL_HERE}/join/${code}`)
    assert.equal((await shop.queries.invitation(code))?.orgName, 'Acme')
    const account = { name: 'Mallory', password: 'stolen password' }
    assert.equal(codeOf(await commands.acceptInvitation(FACTS, { code, ...account })), 'conflict')
    const rival = unwrap(await commands.signIn(FACTS, { email: 'owner@rival.test', password: PASSWORD }))
    const joining = await shop.access.authenticateSession(rival.cookie, shop.clock.now())
    assert.ok(joining !== null)
    unwrap(await commands.joinOrganisation({ viewer: joining, ...FACTS }, code))
    assert.equal(codeOf(await commands.joinOrganisation({ viewer: joining, ...FACTS }, code)), 'link_expired')
    const now = await shop.access.authenticateSession(rival.cookie, shop.clock.now())
    assert.deepEqual(
      now?.memberships.map(({ organisation, role }) => [organisation.slug, role]),
      [
        ['acme', 'member'],
        ['rival', 'owner'],
      ],
    )
  })

  it('signing out ends the session', async () => {
    const { cookie } = unwrap(
      await shop.commands.signIn(FACTS, { email: 'owner@acme.test', password: PASSWORD }),
    )
    const viewer = await shop.access.authenticateSession(cookie, shop.clock.now())
    assert.ok(viewer !== null)
    await shop.commands.signOut({ viewer, ...FACTS })
    assert.equal(await shop.access.authenticateSession(cookie, shop.clock.now()), null)
  })
})
