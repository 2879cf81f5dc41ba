/** Contract of stores of identity providers and provisioned people. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OrgId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { NamedArrival, ProvisionedChange, SignInProvider } from '#ports/single-sign-on.ts'
import { anActor } from '../../builders/actor.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

const ISSUER = 'https://id.example.com'
const PROVIDER: SignInProvider & { clientSecret: string | null; domainToken: string } = {
  ...{ kind: 'oidc', name: 'Example', issuer: ISSUER, clientId: 'errata', clientSecret: 'hidden' },
  ...{ domains: ['example.com'], isRequired: false, organisations: [] },
  ...{ roleDefault: 'member', roleClaim: '', roles: [], domainToken: 'd1' },
}

export function singleSignOnContract(open: ControlFactory): void {
  describe('single sign-on', () => {
    const { stores, world } = openForEachTest(open)

    const arrival = (change: Partial<NamedArrival> = {}): NamedArrival => ({
      ...{ orgId: world.org, issuer: ISSUER, subject: 's1', email: 'New@example.com', name: 'New' },
      ...{ mayJoin: true, role: 'member', setsRole: false },
      session: { tokenHash: 'h1', userAgent: 'Firefox' },
      ...change,
    })
    const person = (change: Partial<ProvisionedChange> = {}): ProvisionedChange => ({
      ...{ orgId: world.org, userId: null, email: 'new@example.com', name: 'New', externalId: 'x1' },
      ...{ told: { name: 'New', givenName: 'Ne' }, isActive: true, role: 'member' },
      ...change,
    })
    const actions = async () =>
      (await stores.read.audit(world.scope, { limit: 100, before: null })).map(({ action }) => action)
    const roleIn = async (email: string) =>
      (await stores.read.members(world.scope)).find((one) => one.email === email)?.role

    it('keeps what whoever changes a provider has not seen', async () => {
      const { read, write } = stores
      value(await write.setSignInProvider(world.org, { ...PROVIDER, seen: { issuer: null } }, anActor()))
      const { clientSecret: _, domainToken: __, ...seen } = PROVIDER
      const change = { ...PROVIDER, isRequired: !PROVIDER.isRequired, seen }
      value(await write.setSignInProvider(world.org, change, anActor()))
      const stale = { ...PROVIDER, name: 'Mine', seen }
      assert.equal(refusal(await write.setSignInProvider(world.org, stale, anActor())), 'conflict')
      const blank = { ...PROVIDER, seen: { issuer: null } }
      assert.equal(refusal(await write.setSignInProvider(world.org, blank, anActor())), 'conflict')
      const [kept] = await read.signInProviders(world.org)
      assert.deepEqual([kept?.name, kept?.isRequired], [PROVIDER.name, !PROVIDER.isRequired])
    })

    it('keeps a provider, and its secret until another issuer is named', async () => {
      const { read, write } = stores
      value(await write.setSignInProvider(world.org, PROVIDER, anActor()))
      value(
        await write.setSignInProvider(
          world.org,
          { ...PROVIDER, clientSecret: null, name: 'Ours' },
          anActor(),
        ),
      )
      const [kept] = await read.signInProviders(world.org)
      assert.deepEqual([kept?.name, kept !== undefined && 'clientSecret' in kept], ['Ours', false])
      assert.equal(await read.clientSecret(world.org, 'oidc'), 'hidden')
      const elsewhere = { ...PROVIDER, clientSecret: null, issuer: 'https://evil.example' }
      assert.equal(refusal(await write.setSignInProvider(world.org, elsewhere, anActor())), 'invalid_input')
      assert.deepEqual(await read.signInProviders(world.otherOrg), [])
      assert.equal(await read.clientSecret(world.otherOrg, 'oidc'), null)
      const told = await read.audit(world.scope, { limit: 1, before: null })
      assert.ok(!JSON.stringify(told).includes('hidden'))
    })

    it('lets in whom a provider names, by subject even after the email changed', async () => {
      const { read, write } = stores
      const user = value(await write.arrive(arrival(), anActor()))
      const found = await read.session('h1', NOW)
      assert.deepEqual([found?.user.id, found?.session.orgId], [user, world.org])
      assert.equal(await roleIn('New@example.com'), 'member')
      const renamed = arrival({ email: 'other@example.com', session: { tokenHash: 'h2', userAgent: null } })
      const other = await addMember(stores, { org: world.org, email: 'third@example.com', role: 'viewer' })
      assert.equal(value(await write.arrive(renamed, anActor())), user)
      assert.notEqual(other, user)
      assert.deepEqual((await actions()).slice(0, 1), ['session.signed_in'])
    })

    it('turns away who may not join, and leaves nothing behind', async () => {
      const { read, write } = stores
      assert.equal(refusal(await write.arrive(arrival({ mayJoin: false }), anActor())), 'forbidden')
      assert.equal(await read.userByEmail('new@example.com'), null)
      assert.equal(await read.session('h1', NOW), null)
      const email = 'member@example.com'
      const member = await addMember(stores, { org: world.org, email, role: 'viewer' })
      const confirmed = arrival({ mayJoin: false, email, confirmedBy: member })
      assert.equal(value(await write.arrive(confirmed, anActor())), member)
    })

    it('asks whoever has an account once before an address opens it', async () => {
      const { read, write } = stores
      const email = 'member@example.com'
      const member = await addMember(stores, { org: world.org, email, role: 'viewer' })
      const named = arrival({ email })
      assert.equal(refusal(await write.arrive(named, anActor())), 'account_unjoined')
      const byOther = arrival({ email, confirmedBy: world.owner })
      assert.equal(refusal(await write.arrive(byOther, anActor())), 'account_unjoined')
      assert.equal(await read.session('h1', NOW), null)
      assert.equal(value(await write.arrive(arrival({ email, confirmedBy: member }), anActor())), member)
      const again = arrival({ email, session: { tokenHash: 'h2', userAgent: null } })
      assert.equal(value(await write.arrive(again, anActor())), member)
      const elsewhere = arrival({ email, orgId: world.otherOrg })
      assert.equal(refusal(await write.arrive(elsewhere, anActor())), 'account_unjoined')
    })

    it('opens nobody’s account to who has the address after them', async () => {
      const { read, write } = stores
      const first = value(await write.arrive(arrival(), anActor()))
      const next = arrival({ subject: 's2', session: { tokenHash: 'h2', userAgent: null } })
      assert.equal(refusal(await write.arrive(next, anActor())), 'forbidden')
      assert.equal(refusal(await write.arrive({ ...next, confirmedBy: first }, anActor())), 'forbidden')
      value(await write.removeDirectoryUser(world.org, first, anActor()))
      assert.equal(refusal(await write.arrive(next, anActor())), 'forbidden')
      assert.equal(await read.session('h2', NOW), null)
    })

    it('takes over no account that is somebody’s own, by whatever the directory says', async () => {
      const { read, write } = stores
      const email = 'bo@elsewhere.org'
      const user = await addMember(stores, { org: world.otherOrg, email, role: 'member' })
      const put = (change: Partial<ProvisionedChange> = {}) =>
        write.putDirectoryUser(person({ email, name: 'Called so', ...change }), anActor())
      assert.equal(value(await put({ isActive: false })), user)
      const other = { userId: user, name: 'Another', externalId: 'x1' }
      value(await put({ ...other, isActive: true }))
      assert.equal(refusal(await put({ ...other, email: 'mine@example.com' })), 'forbidden')
      const seen = (await read.directoryUsers(world.scope)).find(({ userId }) => userId === user)
      assert.deepEqual([seen?.name, seen?.isActive], ['Another', true])
      assert.notEqual((await read.user(user))?.name, 'Another')
      const joined = async () =>
        (await read.memberships(user)).some(({ organisation }) => organisation.id === world.org)
      assert.equal(await joined(), false)
      const arriving = arrival({ email, mayJoin: false })
      assert.equal(refusal(await write.arrive(arriving, anActor())), 'account_unjoined')
      value(await write.arrive({ ...arriving, confirmedBy: user }, anActor()))
      assert.equal(await joined(), true)
      value(await put({ ...other, isActive: false }))
      assert.equal(await joined(), false)
      assert.equal((await read.memberships(user)).length, 1)
    })

    it('manages an account until somebody has a password of their own', async () => {
      const { read, write } = stores
      const user = value(await write.arrive(arrival(), anActor()))
      assert.equal((await read.user(user))?.orgIdManaging, world.org)
      value(await write.putDirectoryUser(person({ userId: user, name: 'Renamed' }), anActor()))
      await write.setPassword(user, 'a hash', null, anActor())
      assert.equal((await read.user(user))?.orgIdManaging, undefined)
      value(await write.putDirectoryUser(person({ userId: user, name: 'Again' }), anActor()))
      const moved = person({ userId: user, email: 'moved@example.com' })
      assert.equal(refusal(await write.putDirectoryUser(moved, anActor())), 'forbidden')
      assert.equal((await read.user(user))?.name, 'Renamed')
    })

    it('ends no session of somebody’s own for those that a provider begins', async () => {
      const { read, write } = stores
      await write.createSession(world.owner, 'own', null, anActor())
      const email = 'ada@example.com'
      for (let nth = 0; nth <= max('sessionsPerUserMax'); nth++) {
        const session = { tokenHash: `p${nth}`, userAgent: null }
        value(await write.arrive(arrival({ email, confirmedBy: world.owner, session }), anActor()))
      }
      assert.notEqual(await read.session('own', NOW), null)
      assert.equal(await read.session('p0', NOW), null)
    })

    it('counts a domain once it is proved, for the organisation that proved it', async () => {
      const { read, write } = stores
      value(await write.setSignInProvider(world.org, PROVIDER, anActor()))
      value(await write.setSignInProvider(world.org, { ...PROVIDER, domainToken: 'd2' }, anActor()))
      assert.deepEqual(await read.signInDomains(world.org), [
        { domain: 'example.com', token: 'd1', provedMs: null, missingToldMs: null },
      ])
      assert.deepEqual((await read.signInProviders(world.org))[0]?.proved, [])
      assert.equal(refusal(await write.proveDomain(world.otherOrg, 'example.com', anActor())), 'not_found')
      assert.equal(refusal(await write.proveDomain(world.org, 'example.org', anActor())), 'not_found')
      value(await write.proveDomain(world.org, 'example.com', anActor()))
      assert.deepEqual((await read.signInProviders(world.org))[0]?.proved, ['example.com'])
      assert.deepEqual((await actions()).slice(0, 1), ['sign_in.domain_proved'])
    })

    it('gives members the role the provider says, and never an owner another one', async () => {
      const { write } = stores
      value(await write.arrive(arrival(), anActor()))
      value(
        await write.arrive(
          arrival({ role: 'manager', session: { tokenHash: 'h2', userAgent: null } }),
          anActor(),
        ),
      )
      assert.equal(await roleIn('New@example.com'), 'member')
      const given = {
        role: 'manager',
        setsRole: true,
        session: { tokenHash: 'h3', userAgent: null },
      } as const
      value(await write.arrive(arrival(given), anActor()))
      assert.equal(await roleIn('New@example.com'), 'manager')
      const owner = {
        ...{ ...given, subject: 's2', email: 'ada@example.com', role: 'viewer' as const },
        confirmedBy: world.owner,
      }
      const arrived = await write.arrive(
        arrival({ ...owner, session: { tokenHash: 'h4', userAgent: null } }),
        anActor(),
      )
      assert.equal(value(arrived), world.owner)
      assert.equal(await roleIn('Ada@Example.com'), 'owner')
    })

    it('says which members must use the provider: those of its domains, but owners', async () => {
      const { read, write } = stores
      const must = async (user: typeof world.owner) =>
        (await read.memberships(user)).flatMap(({ organisation, needsProvider = false }) =>
          organisation.id === world.org ? [needsProvider] : [],
        )
      const inside = await addMember(stores, { org: world.org, email: 'in@Example.com', role: 'manager' })
      const outside = await addMember(stores, { org: world.org, email: 'out@elsewhere.org', role: 'manager' })
      value(await write.setSignInProvider(world.org, PROVIDER, anActor()))
      assert.deepEqual(await must(inside), [false])
      value(await write.setSignInProvider(world.org, { ...PROVIDER, isRequired: true }, anActor()))
      assert.deepEqual(await must(inside), [false])
      value(await write.proveDomain(world.org, 'example.com', anActor()))
      assert.deepEqual(
        [await must(inside), await must(outside), await must(world.owner)],
        [[true], [false], [false]],
      )
    })

    it('ends the sessions of a provider with it, and no others', async () => {
      const { read, write } = stores
      value(await write.setSignInProvider(world.org, PROVIDER, anActor()))
      value(await write.arrive(arrival(), anActor()))
      await write.createSession(world.owner, 'own', null, anActor())
      value(await write.removeSignInProvider(world.org, 'oidc', anActor()))
      assert.equal(await read.session('h1', NOW), null)
      assert.notEqual(await read.session('own', NOW), null)
      assert.equal(refusal(await write.removeSignInProvider(world.org, 'oidc', anActor())), 'not_found')
    })

    it('provisions somebody once, deactivates them and lets them back in', async () => {
      const { read, write } = stores
      const user = value(await write.putDirectoryUser(person(), anActor()))
      assert.equal(refusal(await write.putDirectoryUser(person(), anActor())), 'conflict')
      value(await write.arrive(arrival(), anActor()))
      value(await write.putDirectoryUser(person({ userId: user, isActive: false }), anActor()))
      assert.equal(await roleIn('new@example.com'), undefined)
      assert.equal(await read.session('h1', NOW), null)
      assert.equal(refusal(await write.arrive(arrival(), anActor())), 'forbidden')
      const state = async () =>
        (await read.directoryUsers(world.scope))
          .filter(({ userId }) => userId === user)
          .map(({ isActive, externalId, told }) => [isActive, externalId, told?.givenName])
      assert.deepEqual(await state(), [[false, 'x1', 'Ne']])
      value(await write.putDirectoryUser(person({ userId: user }), anActor()))
      assert.deepEqual([await state(), await roleIn('new@example.com')], [[[true, 'x1', 'Ne']], 'member'])
      assert.ok((await actions()).includes('member.deactivated'))
      value(await write.removeDirectoryUser(world.org, user, anActor()))
      assert.deepEqual(
        [await state(), refusal(await write.removeDirectoryUser(world.org, user, anActor()))],
        [[], 'not_found'],
      )
    })

    it('provisions so many, with those that are deactivated', async () => {
      const { write } = stores
      const put = (nth: number) =>
        write.putDirectoryUser(person({ email: `n${nth}@example.com`, isActive: false }), anActor())
      for (let nth = 0; nth < max('directoryUsersPerOrgMax'); nth++) value(await put(nth))
      assert.equal(refusal(await put(-1)), 'conflict')
    })

    it('changes no account that reaches further than the organisation', async () => {
      const { read, write } = stores
      const user = value(await write.putDirectoryUser(person(), anActor()))
      const email = 'renamed@example.com'
      value(await write.putDirectoryUser(person({ userId: user, email, name: 'Renamed' }), anActor()))
      assert.equal((await read.userByEmail(email))?.name, 'Renamed')
      const taken = person({ userId: user, email: 'Ada@example.com' })
      assert.equal(refusal(await write.putDirectoryUser(taken, anActor())), 'conflict')
      const owner = person({ userId: world.owner, email: 'gone@example.com', name: 'Gone' })
      assert.equal(refusal(await write.putDirectoryUser(owner, anActor())), 'forbidden')
      assert.equal((await read.user(world.owner))?.name, 'Ada')
      const elsewhere = person({ userId: world.otherOwner, email: 'other@example.com' })
      assert.equal(refusal(await write.putDirectoryUser(elsewhere, anActor())), 'not_found')
      const last = person({ userId: world.owner, email: 'ada@example.com', isActive: false })
      assert.equal(refusal(await write.putDirectoryUser(last, anActor())), 'conflict')
      assert.equal(refusal(await write.removeDirectoryUser(world.org, world.owner, anActor())), 'conflict')
    })

    it('keeps what a directory calls a team, of its own organisation alone', async () => {
      const { read, write } = stores
      const known = { team: world.team, slug: 'acme', name: 'Acme', members: [world.owner] }
      const called = (org: OrgId, externalId: string | null) =>
        write.putDirectoryGroup(org, { ...known, externalId }, anActor())
      value(await called(world.org, 'g1'))
      assert.deepEqual(await read.directoryGroups(world.scope), [{ teamId: world.team, externalId: 'g1' }])
      assert.deepEqual(await read.directoryGroups(world.otherScope), [])
      assert.equal(refusal(await called(world.otherOrg, 'g2')), 'not_found')
      value(await called(world.org, null))
      assert.deepEqual(await read.directoryGroups(world.scope), [])
    })
  })
}
