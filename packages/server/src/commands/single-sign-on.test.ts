import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { SignInProvider } from '#ports/single-sign-on.ts'
import { createGuardedFetch } from '#sign-in/guarded-fetch.ts'
import { oidcAddress, oidcNamed } from '#sign-in/oidc.ts'
import { type GithubPerson, openGithub } from '#testing/sign-in/github.ts'
import {
  CLIENT,
  type OpenIdProvider,
  openIdProvider,
  throughProvider,
} from '#testing/sign-in/openid-provider.ts'
import { asking, FACTS, openShop, PASSWORD, type Shop, URL_HERE, unwrap } from '#testing/worlds/api.ts'

const codeOf = (result: { readonly ok: boolean; readonly code?: string }) => (result.ok ? 'ok' : result.code)
const PERSON = { email: 'nia@acme.test', email_verified: true, name: 'Nia', groups: [] as readonly string[] }

type Finished = Awaited<ReturnType<Shop['commands']['finishProviderSignIn']>>

/** Returns the session of a sign-in, not of a confirmation. */
function signedInBy(done: Finished) {
  if (!done.ok) return done
  const { signedIn, next } = done.value
  assert.ok(signedIn !== null)
  return { ok: true as const, value: { signedIn, next } }
}

/** Proves a domain as its administrator does, and then an owner. */
async function prove(shop: Shop, domain: string) {
  const { viewer, scope } = shop.people.owner
  const who = asking(await viewer(), await scope())
  const named = (await shop.queries.signInDomains(who.scope)).find((one) => one.domain === domain)
  shop.dnsTexts.set(`_errata.${domain}`, ['v=spf1 -all', `errata-domain=${named?.token}`])
  return shop.commands.run('proveDomain', who, domain)
}

describe('single sign-on with an OpenID provider', () => {
  let shop: Shop
  let id: OpenIdProvider
  let callback: string

  const method = (change: Partial<SignInProvider> = {}) => ({
    ...{ kind: 'oidc' as const, name: 'Acme ID', issuer: id.issuer, clientId: CLIENT.id },
    ...{ clientSecret: CLIENT.secret, domains: ['acme.test'], isRequired: false, organisations: [] },
    ...{
      roleDefault: 'viewer' as const,
      roleClaim: 'groups',
      roles: [{ value: 'ops', role: 'manager' as const }],
    },
    ...change,
  })
  const save = async (change: Partial<SignInProvider> = {}) => {
    const { viewer, scope } = shop.people.owner
    unwrap(await shop.commands.confirmByPassword(asking(await viewer(), await scope()), PASSWORD))
    return shop.commands.run('saveProvider', asking(await viewer(), await scope()), method(change))
  }
  const begin = async (next = '/acme/issues') =>
    unwrap(await shop.commands.beginProviderSignIn(FACTS, { organisation: 'acme', kind: 'oidc', next }))
  const finish = async (kept: string | null, back: URL) => {
    const [orgId = '', kind = ''] = back.pathname.split('/').slice(-2)
    return shop.commands.finishProviderSignIn(FACTS, { orgId, kind, kept, query: back.search })
  }
  const arrive = async (subject: string) => {
    const { address, kept } = await begin()
    return signedInBy(await finish(kept, await throughProvider(address, { subject, until: callback })))
  }
  /** Whoever has the account signs in to it, and says that it is theirs. */
  const join = async (subject: string, email: string) => {
    const { address, kept } = await begin()
    const back = await throughProvider(address, { subject, until: callback })
    const { signedIn, next } = unwrap(await finish(kept, back))
    assert.equal(signedIn, null)
    const ticket = new URL(next, URL_HERE).searchParams.get('ticket') ?? ''
    const own = unwrap(await shop.commands.signIn(FACTS, { email, password: PASSWORD, ticket }))
    const viewer = await viewerOf(own.cookie)
    assert.ok(viewer !== null)
    return shop.commands.joinAccount({ viewer, ...FACTS }, ticket)
  }
  const viewerOf = async (cookie: string) => shop.access.authenticateSession(cookie, shop.clock.now())

  before(async () => {
    shop = await openShop()
    const { orgId } = await shop.people.owner.scope()
    callback = `${URL_HERE}/sign-in/back/${orgId}/oidc`
    id = await openIdProvider(callback, `${URL_HERE}/sign-in`)
    unwrap(await save())
    unwrap(await prove(shop, 'acme.test'))
  })
  after(async () => {
    await id?.close()
    await shop?.close()
  })

  it('confirms a session by a fresh sign-in of the same person there', async () => {
    id.people.set('iva', { ...PERSON, email: 'iva@acme.test' })
    const { signedIn } = unwrap(await arrive('iva'))
    const again = async () => {
      const viewer = await viewerOf(signedIn.cookie)
      assert.ok(viewer !== null)
      return { viewer, ...FACTS }
    }
    shop.clock.advance(11 * 60_000)
    const token = { name: 'mine', scopes: ['event:read'], personal: true }
    const create = async () => {
      const { viewer } = await again()
      const scope = shop.access.scope(viewer, 'acme')
      assert.ok(scope !== null)
      return codeOf(await shop.commands.createToken(asking(viewer, scope), token))
    }
    assert.equal(await create(), 'confirm_needed')
    const { provider, hasPassword } = await shop.commands.waysToConfirm(await again())
    assert.deepEqual([provider, hasPassword], ['Acme ID', false])
    const confirm = async (subject: string, facts: object) => {
      const begun = unwrap(await shop.commands.beginProviderConfirm(await again(), '/acme/settings/tokens'))
      const asked = new URL(begun.address).searchParams
      assert.deepEqual([asked.get('prompt'), asked.get('max_age')], ['login', '0'])
      const back = await throughProvider(begun.address, { subject, until: callback })
      const [orgId = '', kind = ''] = back.pathname.split('/').slice(-2)
      const coming = { orgId, kind, kept: begun.kept, query: back.search }
      return shop.commands.finishProviderSignIn({ ...FACTS, ...facts }, coming)
    }
    // Somebody else at the provider, no session, or another one.
    id.people.set('otto', { ...PERSON, email: 'otto@acme.test' })
    assert.equal(codeOf(await confirm('otto', await again())), 'sign_in_failed')
    assert.equal(codeOf(await confirm('iva', {})), 'link_expired')
    assert.equal(codeOf(await confirm('iva', { viewer: await shop.people.owner.viewer() })), 'link_expired')
    assert.equal(await create(), 'confirm_needed')
    const done = unwrap(await confirm('iva', await again()))
    assert.deepEqual(done, { signedIn: null, next: '/acme/settings/tokens' })
    assert.equal(await create(), 'ok')
  })

  it('does not take a sign-in of before for a fresh one', async () => {
    const calls = { fetch: createGuardedFetch({ privateIssuers: true }), privateIssuers: true }
    const { clientSecret, ...provider } = method()
    const given = { provider, clientSecret }
    const begun = { state: 's'.repeat(32), nonce: 'n'.repeat(32), verifier: 'v'.repeat(43), callback }
    id.people.set('iva', { ...PERSON, email: 'iva@acme.test' })
    const named = async (sinceMs: number) => {
      const address = await oidcAddress(calls, given, { ...begun, isFresh: true })
      const { search: query } = await throughProvider(address, { subject: 'iva', until: callback })
      return oidcNamed(calls, given, { ...begun, query, sinceMs })
    }
    assert.equal((await named(Date.now())).subject, 'iva')
    await assert.rejects(named(Date.now() + 3_600_000), /did not ask you to sign in again/)
    const plain = await oidcAddress(calls, given, begun)
    const { search: query } = await throughProvider(plain, { subject: 'iva', until: callback })
    await assert.rejects(oidcNamed(calls, given, { ...begun, query, sinceMs: 0 }), /when you signed in/)
  })

  it('gives the organisation’s default role where the provider says none, and never opens more to a guest', async () => {
    const { owner, guest } = shop.people
    unwrap(
      await shop.commands.run('setRoleDefault', asking(await owner.viewer(), await owner.scope()), 'viewer'),
    )
    unwrap(await save({ roleDefault: null }))
    id.people.set('dora', { ...PERSON, email: 'dora@acme.test' })
    const dora = await viewerOf(unwrap(await arrive('dora')).signedIn.cookie)
    assert.equal(dora?.memberships[0]?.role, 'viewer')
    id.people.set('guest', { ...PERSON, email: guest.email, groups: ['ops'] })
    const seen = await viewerOf(unwrap(await join('guest', guest.email)).signedIn.cookie)
    assert.deepEqual(
      seen?.memberships.map(({ role, projects }) => [role, projects]),
      [['guest', [shop.shop.id]]],
    )
    unwrap(await save())
  })

  it('makes a member of whom it names, with the role of their group', async () => {
    id.people.set('nia', { ...PERSON, groups: ['ops', 'other'] })
    const arrived = unwrap(await arrive('nia'))
    assert.equal(arrived.next, '/acme/issues')
    const viewer = await viewerOf(arrived.signedIn.cookie)
    assert.deepEqual(
      viewer?.memberships.map(({ organisation, role }) => [organisation.slug, role]),
      [['acme', 'manager']],
    )
    id.people.set('nia', { ...PERSON, groups: [] })
    const again = unwrap(await arrive('nia'))
    assert.deepEqual(
      (await viewerOf(again.signedIn.cookie))?.memberships.map(({ role }) => role),
      ['viewer'],
    )
    assert.equal(again.signedIn.userId, arrived.signedIn.userId)
  })

  it('takes no email that is not verified, and nobody of another domain', async () => {
    id.people.set('eve', { ...PERSON, email: 'owner@acme.test', email_verified: false })
    const unverified = await arrive('eve')
    assert.ok(!unverified.ok && /has not verified your email/.test(unverified.message))
    id.people.set('stranger', { ...PERSON, email: 'somebody@elsewhere.test' })
    assert.equal(codeOf(await arrive('stranger')), 'forbidden')
    assert.equal(await shop.reader.userByEmail('somebody@elsewhere.test'), null)
  })

  it('opens its own organisation alone, and not the installation', async () => {
    id.people.set('ada', { ...PERSON, email: 'owner@acme.test' })
    const { signedIn } = unwrap(await join('ada', 'owner@acme.test'))
    const viewer = await viewerOf(signedIn.cookie)
    assert.deepEqual([viewer?.user.email, viewer?.user.isOperator], ['owner@acme.test', false])
    id.people.set('rival', { ...PERSON, email: 'owner@rival.test' })
    unwrap(await save({ domains: ['acme.test', 'rival.test'] }))
    assert.equal(codeOf(await arrive('rival')), 'forbidden')
    unwrap(await prove(shop, 'rival.test'))
    const visiting = unwrap(await join('rival', 'owner@rival.test'))
    assert.deepEqual(
      (await viewerOf(visiting.signedIn.cookie))?.memberships.map(({ organisation }) => organisation.slug),
      ['acme'],
    )
    unwrap(await save())
  })

  it('counts with the browser that began, once, and for ten minutes', async () => {
    const first = await begin()
    const back = await throughProvider(first.address, { subject: 'nia', until: callback })
    assert.equal(codeOf(await finish(null, back)), 'link_expired')
    assert.equal(codeOf(await finish(`${first.kept}x`.slice(1), back)), 'link_expired')
    const other = await begin()
    assert.equal(codeOf(await finish(other.kept, back)), 'provider_failed')
    const elsewhere = new URL(back)
    elsewhere.pathname = '/sign-in/back/999/oidc'
    assert.equal(codeOf(await finish(first.kept, elsewhere)), 'link_expired')
    assert.equal(codeOf(await finish(first.kept, back)), 'ok')
    assert.equal(codeOf(await finish(first.kept, back)), 'provider_failed')
    const late = await begin()
    const slow = await throughProvider(late.address, { subject: 'nia', until: callback })
    shop.clock.advance(10 * 60_000)
    assert.equal(codeOf(await finish(late.kept, slow)), 'link_expired')
  })

  it('may be required: a password then opens the organisation for owners alone', async () => {
    unwrap(await save({ isRequired: true }))
    const member = await shop.commands.signIn(FACTS, { email: 'member@acme.test', password: PASSWORD })
    assert.equal(codeOf(member), 'provider_required')
    assert.deepEqual((await shop.people.member.viewer()).memberships, [])
    const owner = unwrap(await shop.commands.signIn(FACTS, { email: 'owner@acme.test', password: PASSWORD }))
    assert.equal((await viewerOf(owner.cookie))?.memberships.length, 1)
    unwrap(await save())
    assert.equal((await shop.people.member.viewer()).memberships.length, 1)
  })

  it('opens no account by its address before whoever has it says so, and once', async () => {
    id.people.set('victor', { ...PERSON, email: 'manager@acme.test' })
    const { address, kept } = await begin()
    const back = await throughProvider(address, { subject: 'victor', until: callback })
    const { signedIn, next } = unwrap(await finish(kept, back))
    const ticket = new URL(next, URL_HERE).searchParams.get('ticket') ?? ''
    assert.equal(signedIn, null)
    assert.equal((await shop.commands.unjoinedAccount(ticket))?.email, 'manager@acme.test')
    assert.equal(await shop.commands.unjoinedAccount(`${ticket.slice(0, -2)}AA`), null)
    const joinBy = async (viewer: Awaited<ReturnType<typeof viewerOf>>) => {
      assert.ok(viewer !== null)
      return codeOf(await shop.commands.joinAccount({ viewer, ...FACTS }, ticket))
    }
    // Neither somebody else, nor a session that a provider began, nor one that proved nothing for long.
    assert.equal(await joinBy(await shop.people.member.viewer()), 'forbidden')
    const own = await viewerOf(
      unwrap(await shop.commands.signIn(FACTS, { email: 'manager@acme.test', password: PASSWORD })).cookie,
    )
    assert.ok(own !== null)
    const { orgId } = await shop.people.owner.scope()
    assert.equal(await joinBy({ ...own, session: { ...own.session, orgId } }), 'forbidden')
    shop.clock.advance(11 * 60_000)
    assert.equal(await joinBy(own), 'confirm_needed')
    shop.clock.advance(60 * 60_000)
    assert.equal(await joinBy(own), 'link_expired')
    unwrap(await join('victor', 'manager@acme.test'))
    assert.equal(codeOf(await arrive('victor')), 'ok')
    id.people.set('heir', { ...PERSON, email: 'manager@acme.test' })
    assert.equal(codeOf(await arrive('heir')), 'forbidden')
  })

  it('asks whoever must use it by their password too, and lets them no further with that', async () => {
    id.people.set('vera', { ...PERSON, email: 'viewer@acme.test' })
    unwrap(await save({ isRequired: true }))
    const password = { email: 'viewer@acme.test', password: PASSWORD }
    assert.equal(codeOf(await shop.commands.signIn(FACTS, password)), 'provider_required')
    const other = { ...password, ticket: 'x'.repeat(100) }
    assert.equal(codeOf(await shop.commands.signIn(FACTS, other)), 'provider_required')
    unwrap(await join('vera', 'viewer@acme.test'))
    unwrap(await save())
  })

  it('neither sees nor changes what of the account isn’t the organisation’s', async () => {
    const email = 'owner@rival.test'
    unwrap(await save({ domains: ['acme.test', 'rival.test'] }))
    const viewer = await viewerOf(unwrap(await arrive('rival')).signedIn.cookie)
    const own = await viewerOf(
      unwrap(await shop.commands.signIn(FACTS, { email, password: PASSWORD })).cookie,
    )
    assert.ok(viewer !== null && own !== null)
    const who = { viewer, ...FACTS }
    const seen = await shop.queries.sessions(viewer)
    assert.ok(seen.length > 0 && seen.every((one) => one.orgId === viewer.session.orgId))
    assert.ok((await shop.queries.sessions(own)).length > seen.length)
    const { commands } = shop
    assert.equal(codeOf(await commands.endSession(who, own.session.id)), 'not_found')
    assert.equal(codeOf(await commands.setProfile(who, { name: 'Mallory' })), 'forbidden')
    assert.equal(codeOf(await commands.setProfile(who, { theme: 'dark' })), 'forbidden')
    assert.equal(codeOf(await commands.setProfile(who, { landing: 'issues' })), 'forbidden')
    assert.equal(codeOf(await commands.setEmailMomentsOff(who, { off: ['issue'] })), 'forbidden')
    assert.equal(codeOf(await commands.setNoticeMail(who, { mail: false })), 'forbidden')
    const change = { current: PASSWORD, next: 'another passphrase' }
    assert.equal(codeOf(await commands.changePassword(who, change)), 'forbidden')
    assert.deepEqual(await commands.security(who), {
      ...{ passkeys: [], recoveryCodesLeft: 0, app: { state: 'none' } },
    })
    const { hasPassword, hasApp, hasPasskey, recoveryCodesLeft } = await commands.waysToConfirm(who)
    assert.deepEqual([hasPassword, hasApp, hasPasskey, recoveryCodesLeft], [false, false, false, 0])
    assert.notEqual((await shop.reader.user(viewer.user.id))?.name, 'Mallory')
    unwrap(await save())
  })

  it('changes the account that it made, and ends its own sessions', async () => {
    id.people.set('mia', { ...PERSON, email: 'mia@acme.test' })
    const other = await viewerOf(unwrap(await arrive('mia')).signedIn.cookie)
    const viewer = await viewerOf(unwrap(await arrive('mia')).signedIn.cookie)
    assert.ok(viewer !== null && other !== null)
    const who = { viewer, ...FACTS }
    assert.equal(codeOf(await shop.commands.setProfile(who, { name: 'Mia M' })), 'ok')
    assert.equal(codeOf(await shop.commands.endSession(who, other.session.id)), 'ok')
  })

  it('takes a domain for proved by its DNS record alone', async () => {
    unwrap(await save({ domains: ['acme.test', 'big.test', 'bücher.test'] }))
    const { viewer, scope } = shop.people.owner
    const prove = async (domain: string) =>
      codeOf(await shop.commands.run('proveDomain', asking(await viewer(), await scope()), domain))
    assert.equal(await prove('big.test'), 'conflict')
    shop.dnsTexts.set('_errata.big.test', ['errata-domain=', 'errata-domain=0123456789abcdef'])
    assert.equal(await prove('big.test'), 'conflict')
    assert.equal(await prove('other.test'), 'not_found')
    id.people.set('bo', { ...PERSON, email: 'bo@big.test' })
    assert.equal(codeOf(await arrive('bo')), 'forbidden')
    const domains = await shop.queries.signInDomains(await scope())
    const token = domains.find(({ domain }) => domain === 'bücher.test')?.token
    shop.dnsTexts.set('_errata.xn--bcher-kva.test', [`errata-domain=${token}`])
    assert.equal(await prove('bücher.test'), 'ok')
    const another = asking(await shop.people.manager.viewer(), await shop.people.manager.scope())
    assert.equal(codeOf(await shop.commands.run('proveDomain', another, 'big.test')), 'forbidden')
    unwrap(await save())
  })

  it('is set up by owners, and tells its secret to nobody', async () => {
    const another = asking(await shop.people.manager.viewer(), await shop.people.manager.scope())
    assert.equal(codeOf(await shop.commands.run('saveProvider', another, method())), 'forbidden')
    assert.equal(codeOf(await save({ domains: [], isRequired: true })), 'invalid_input')
    assert.equal(codeOf(await save({ issuer: 'ftp://id.example' })), 'invalid_input')
    shop.clock.advance(max('confirmedMs'))
    const { viewer, scope } = shop.people.owner
    const owner = asking(await viewer(), await scope())
    assert.equal(codeOf(await shop.commands.run('saveProvider', owner, method())), 'confirm_needed')
    assert.equal(codeOf(await shop.commands.run('removeProvider', owner, 'oidc')), 'confirm_needed')
    const shown = JSON.stringify(await shop.queries.signInProviders(await shop.people.owner.scope()))
    assert.ok(shown.includes(CLIENT.id) && !shown.includes(CLIENT.secret))
  })

  it('offers the methods of the organisation that is named, and lists no organisations', async () => {
    assert.deepEqual(await shop.queries.signInChoices(null), { asksOrganisation: true, choices: [] })
    assert.deepEqual((await shop.queries.signInChoices('acme')).choices, [
      { organisation: 'acme', kind: 'oidc', name: 'Acme ID' },
    ])
    assert.deepEqual((await shop.queries.signInChoices('nobody')).choices, [])
  })

  it('leads to signing out of the provider, and back', async () => {
    const address = unwrap(await shop.commands.providerSignOut({ organisation: 'acme', kind: 'oidc' })) ?? ''
    const url = new URL(address)
    assert.equal(url.origin, id.issuer)
    assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${URL_HERE}/sign-in`)
    assert.equal((await fetch(url)).status, 200)
  })
})

describe('single sign-on where private issuers are refused', () => {
  it('calls nothing on this machine', async () => {
    const shop = await openShop({ privateIssuers: false })
    try {
      const { viewer, scope } = shop.people.owner
      const who = asking(await viewer(), await scope())
      const secret = { clientId: 'x', clientSecret: 'x', domains: [], isRequired: false, organisations: [] }
      const rest = { name: 'X', ...secret, roleDefault: 'member' as const, roleClaim: '', roles: [] }
      const plain = { kind: 'oidc' as const, issuer: 'http://id.example', ...rest }
      assert.equal(codeOf(await shop.commands.run('saveProvider', who, plain)), 'invalid_input')
      unwrap(await shop.commands.run('saveProvider', who, { ...plain, issuer: 'https://127.0.0.1:1' }))
      const begun = await shop.commands.beginProviderSignIn(FACTS, {
        organisation: 'acme',
        kind: 'oidc',
        next: '/',
      })
      assert.ok(!begun.ok && begun.message.includes('--sign-in-private-issuers'), JSON.stringify(begun))
    } finally {
      await shop.close()
    }
  })
})

describe('single sign-on with GitHub', () => {
  const someone: GithubPerson = {
    ...{ id: 7, login: 'nia', name: null, organisations: ['acme-inc'] },
    emails: [
      { email: 'old@acme.test', primary: false, verified: true },
      { email: 'nia@acme.test', primary: true, verified: true },
    ],
  }

  it('lets in members of the allowed organisations, by their verified primary email', async () => {
    const shop = await openShop()
    const github = await openGithub(CLIENT)
    try {
      const { viewer, scope } = shop.people.owner
      unwrap(
        await shop.commands.run('saveProvider', asking(await viewer(), await scope()), {
          ...{
            kind: 'github',
            name: 'GitHub',
            issuer: github.url,
            clientId: CLIENT.id,
            clientSecret: CLIENT.secret,
          },
          ...{ domains: ['acme.test'], isRequired: false, organisations: ['other', 'acme-inc'] },
          ...{ roleDefault: 'member', roleClaim: '', roles: [{ value: 'acme-inc', role: 'manager' }] },
        }),
      )
      const orgId = String((await scope()).orgId)
      const arrive = async (person: GithubPerson) => {
        const wanted = { organisation: 'acme', kind: 'github', next: '/' }
        const { address, kept } = unwrap(await shop.commands.beginProviderSignIn(FACTS, wanted))
        assert.equal(new URL(address).searchParams.get('scope'), 'read:user user:email read:org')
        const { search: query } = github.agree(address, person)
        return signedInBy(
          await shop.commands.finishProviderSignIn(FACTS, { orgId, kind: 'github', kept, query }),
        )
      }
      // What is no GitHub of GitHub's own says of an address what whoever runs it wants.
      assert.equal(codeOf(await arrive(someone)), 'forbidden')
      unwrap(await prove(shop, 'acme.test'))
      const { signedIn } = unwrap(await arrive(someone))
      const seen = await shop.access.authenticateSession(signedIn.cookie, shop.clock.now())
      assert.deepEqual([seen?.user.email, seen?.memberships[0]?.role], ['nia@acme.test', 'manager'])
      const outside = await arrive({ ...someone, id: 8, organisations: ['elsewhere'] })
      assert.ok(!outside.ok && /any of the GitHub organisations/.test(outside.message))
      const emails = [{ email: 'owner@acme.test', primary: true, verified: false }]
      assert.equal(codeOf(await arrive({ ...someone, id: 9, emails })), 'provider_failed')
    } finally {
      await github.close()
      await shop.close()
    }
  })
})
