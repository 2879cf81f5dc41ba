/** Contract of the accounts port: people, organisations, roles, tokens, the audit log. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orgId, projectId, sessionId, teamId, type UserId, userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Role } from '#ports/accounts.ts'
import type { Actor } from '#ports/scope.ts'
import { anActor } from '../../builders/actor.ts'
import { DAY, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

export function accountsContract(open: ControlFactory): void {
  describe('AccountsRead and AccountsWrite', () => {
    const { stores, world } = openForEachTest(open)
    const actions = async () =>
      (await stores.read.audit(world.scope, { limit: 100, before: null })).map(({ action }) => action)

    it('uses a reset link once, before it expires', async () => {
      const { read, write } = stores
      await write.createSession(world.owner, 'session', null, anActor())
      await write.createPasswordReset(world.owner, 'old', NOW + 10, anActor())
      await write.createPasswordReset(world.owner, 'code', NOW + 10, anActor())
      assert.equal(await read.passwordReset('old', NOW), null)
      assert.equal((await read.passwordReset('code', NOW))?.id, world.owner)
      assert.equal(await read.passwordReset('code', NOW + 10), null)
      assert.equal(refusal(await write.usePasswordReset('code', 'x', anActor(NOW + 10))), 'link_expired')
      assert.equal(value(await write.usePasswordReset('code', 'reset hash', anActor(NOW))), world.owner)
      assert.equal(await read.passwordHash(world.owner), 'reset hash')
      assert.equal(await read.session('session', NOW), null)
      assert.equal(refusal(await write.usePasswordReset('code', 'x', anActor(NOW))), 'link_expired')
    })

    it('lets an invited person join once, in the given teams or the default one', async () => {
      const { read, write } = stores
      const team = value(await write.createTeam(world.org, 'web', 'Web', anActor()))
      const inTeam = await addMember(stores, {
        org: world.org,
        email: 'Bo@example.com',
        role: 'member',
        teams: [team],
      })
      const inDefault = await addMember(stores, { org: world.org, email: 'cy@example.com', role: 'viewer' })
      const members = await read.members(world.scope)
      assert.deepEqual(
        members.map(({ userId: id, role, teams }) => [id, role, teams]),
        [
          [world.owner, 'owner', [world.team]],
          [inTeam, 'member', [team]],
          [inDefault, 'viewer', [world.team]],
        ],
      )
      for (const limit of [0, 2, 3, 4])
        assert.deepEqual(
          await read.members(world.scope, { limit }),
          members.slice(0, limit),
          'a limit takes the first, in the order of all',
        )
      assert.deepEqual(
        (await read.teamNames(world.scope, { limit: 1 })).map(({ id }) => id),
        (await read.teamNames(world.scope)).slice(0, 1).map(({ id }) => id),
      )
      const again = await write.acceptInvitation(
        `code of Bo@example.com for ${world.org}`,
        { userId: inDefault },
        anActor(),
      )
      assert.equal(refusal(again), 'link_expired')
    })

    it('finds members and teams by every word of a name, in any case and without accents', async () => {
      const { read, write } = stores
      const named = (name: string) =>
        addMember(stores, { org: world.org, email: `${name}@example.com`, role: 'member' })
      const zoya = await named('Зоя Гость')
      const lukasz = await named('Łukasz Żółć')
      const members = async (text: string) =>
        (await read.members(world.scope, { text })).map(({ userId: id }) => id)
      for (const text of ['зоя', 'ГОСТЬ зоя', 'гость@']) assert.deepEqual(await members(text), [zoya], text)
      for (const text of ['łuk', 'LUKASZ', 'zolc luk', 'ŻÓŁĆ'])
        assert.deepEqual(await members(text), [lukasz], text)
      assert.deepEqual(await members('зоя zolc'), [])
      const team = value(await write.createTeam(world.org, 'pay', 'Équipe Größe', anActor()))
      for (const text of ['equipe', 'ÉQUIPE grosse', 'pay']) {
        const [found, ...more] = await read.teamNames(world.scope, { text })
        assert.deepEqual([found?.id, more.length], [team, 0], text)
      }
    })

    it('adds a signed-in account, but never acts for an account that only the link knows', async () => {
      const { read, write } = stores
      const invitation = { orgId: world.org, role: 'member', teams: [], expiresMs: NOW + 1 } as const
      const email = 'other@example.com'
      value(await write.createInvitation({ ...invitation, email, codeHash: 'c' }, anActor()))
      const stranger = { name: 'Mallory', passwordHash: 'mine' }
      assert.equal(refusal(await write.acceptInvitation('c', stranger, anActor())), 'conflict')
      assert.equal(
        value(await write.acceptInvitation('c', { userId: world.otherOwner }, anActor())),
        world.otherOwner,
      )
      assert.equal(await read.passwordHash(world.otherOwner), 'hash')
      const found = await read.memberships(world.otherOwner)
      assert.deepEqual(
        found.map(({ organisation, role }) => [organisation.slug, role]),
        [
          ['acme', 'member'],
          ['rival', 'owner'],
        ],
      )
      const twice = await write.createInvitation(
        { ...invitation, email: 'OTHER@example.com', codeHash: 'd' },
        anActor(),
      )
      assert.equal(refusal(twice), 'conflict')
    })

    it('lists, replaces, revokes and expires invitations', async () => {
      const { read, write } = stores
      const invitation = { orgId: world.org, role: 'member', teams: [], email: 'x@example.com' } as const
      value(await write.createInvitation({ ...invitation, codeHash: 'one', expiresMs: NOW + 5 }, anActor()))
      value(await write.createInvitation({ ...invitation, codeHash: 'two', expiresMs: NOW + 5 }, anActor()))
      assert.equal(await read.invitation('one', NOW), null)
      assert.equal((await read.invitation('two', NOW))?.orgName, 'Acme')
      assert.equal(await read.invitation('two', NOW, 'expired'), null)
      assert.equal(await read.invitation('two', NOW + 5), null)
      assert.equal((await read.invitation('two', NOW + 5, 'expired'))?.orgName, 'Acme')
      assert.equal(await read.invitation('nothing', NOW + 5, 'expired'), null)
      assert.equal((await read.invitations(world.scope, NOW)).length, 1)
      assert.deepEqual(await read.invitations(world.scope, NOW + 5), [])
      assert.deepEqual(await read.invitations(world.scope, NOW, 'expired'), [])
      const expired = await read.invitations(world.scope, NOW + 5, 'expired')
      assert.deepEqual(
        expired.map(({ codeHash, email, letter }) => ({ codeHash, email, letter })),
        [{ codeHash: 'two', email: 'x@example.com', letter: null }],
      )
      assert.deepEqual(await read.invitations(world.otherScope, NOW + 5, 'expired'), [])
      const change = { orgId: world.org, codeHash: 'two', role: 'viewer', teams: [], projects: [] } as const
      value(await write.changeInvitation(change, anActor()))
      assert.equal((await read.invitation('two', NOW))?.role, 'viewer')
      for (const [wrong, code] of [
        [{ orgId: world.otherOrg }, 'not_found'],
        [{ codeHash: 'none' }, 'not_found'],
        [{ teams: [teamId(999)] }, 'invalid_input'],
        [{ projects: [projectId(999)] }, 'invalid_input'],
      ] as const)
        assert.equal(refusal(await write.changeInvitation({ ...change, ...wrong }, anActor())), code)
      assert.equal(refusal(await write.revokeInvitation(world.otherOrg, 'two', anActor())), 'not_found')
      value(await write.revokeInvitation(world.org, 'two', anActor()))
      assert.equal(await read.invitation('two', NOW), null)
      const foreign = await write.createInvitation(
        { ...invitation, teams: [teamId(999)], codeHash: 'three', expiresMs: NOW + 5 },
        anActor(),
      )
      assert.equal(refusal(foreign), 'invalid_input')
    })

    it('opens all projects to owners and managers, and those of their teams to others', async () => {
      const { read, write } = stores
      const web = value(await write.createTeam(world.org, 'web', 'Web', anActor()))
      value(await write.setTeam(world.org, web, { projects: [world.blog] }, anActor()))
      const user = await addMember(stores, {
        org: world.org,
        email: 'bo@example.com',
        role: 'viewer',
        teams: [web],
      })
      const projects = async () => (await read.memberships(user))[0]?.projects
      assert.deepEqual(await projects(), [world.blog])
      value(await write.setRole(world.org, { user: user }, 'member', anActor()))
      assert.deepEqual(await projects(), [world.blog])
      value(await write.setRole(world.org, { user: user }, 'manager', anActor()))
      assert.deepEqual(await projects(), [world.shop, world.blog])
      value(await write.setRole(world.org, { user: user }, 'viewer', anActor()))
      value(await write.setTeam(world.org, web, { members: [] }, anActor()))
      assert.deepEqual(await projects(), [])
      assert.deepEqual((await read.memberships(user))[0]?.teams, [])
    })

    it('protects the last owner', async () => {
      const { read, write } = stores
      assert.equal(
        refusal(await write.setRole(world.org, { user: world.owner }, 'manager', anActor())),
        'conflict',
      )
      assert.equal(refusal(await write.removeMember(world.org, { user: world.owner }, anActor())), 'conflict')
      const bo = await addMember(stores, { org: world.org, email: 'bo@example.com', role: 'owner' })
      value(await write.setRole(world.org, { user: world.owner }, 'viewer', anActor()))
      assert.equal(refusal(await write.removeMember(world.org, { user: bo }, anActor())), 'conflict')
      value(await write.setRole(world.org, { user: world.owner }, 'owner', anActor()))
      value(await write.removeMember(world.org, { user: bo }, anActor()))
      assert.deepEqual(await read.memberships(bo), [])
      assert.equal(refusal(await write.setRole(world.org, { user: bo }, 'member', anActor())), 'not_found')
    })

    it('changes no member whose role is another than whoever asks was judged by', async () => {
      const { read, write } = stores
      const bo = await addMember(stores, { org: world.org, email: 'bo@example.com', role: 'owner' })
      const [was, is] = [{ user: bo, role: 'member' } as const, { user: bo, role: 'owner' } as const]
      assert.equal(refusal(await write.setRole(world.org, was, 'viewer', anActor())), 'conflict')
      assert.equal(refusal(await write.setGuest(world.org, was, [world.shop], anActor())), 'conflict')
      assert.equal(refusal(await write.removeMember(world.org, was, anActor())), 'conflict')
      assert.equal((await read.memberships(bo))[0]?.role, 'owner')
      value(await write.setRole(world.org, is, 'manager', anActor()))
      assert.equal((await read.memberships(bo))[0]?.role, 'manager')
    })

    it('takes teams, tokens and assignments of a removed member back', async () => {
      const { read, write } = stores
      const bo = await addMember(stores, { org: world.org, email: 'bo@example.com', role: 'member' })
      const token = {
        orgId: world.org,
        userId: bo,
        name: 'mine',
        scopes: ['org:read'],
        tail: 'abcd',
        expiresMs: null,
        tokenHash: 't',
      }
      value(await write.createToken(token, anActor()))
      assert.notEqual(await read.token('t', NOW), null)
      value(await write.removeMember(world.org, { user: bo }, anActor()))
      assert.equal(await read.token('t', NOW), null)
      assert.deepEqual((await read.teams(world.scope))[0]?.members, [world.owner])
    })

    it('ends open invitations of whoever may not send them any more', async () => {
      const { read, write } = stores
      const bo = await addMember(stores, { org: world.org, email: 'bo@example.com', role: 'owner' })
      const invite = async (role: Role, by: Actor = anActor(NOW, { userId: bo })) => {
        const invitation = { orgId: world.org, role, teams: [], email: `${role}@example.com` }
        value(await write.createInvitation({ ...invitation, codeHash: role, expiresMs: NOW + 5 }, by))
      }
      const open = async () => (await read.invitations(world.scope, NOW)).map(({ role }) => role).sort()
      for (const role of ['owner', 'manager', 'member'] as const) await invite(role)
      await invite('viewer', anActor(NOW, { userId: world.owner }))
      value(await write.setRole(world.org, { user: bo }, 'manager', anActor()))
      assert.deepEqual(await open(), ['manager', 'member', 'viewer'])
      value(await write.setRole(world.org, { user: bo }, 'viewer', anActor()))
      assert.deepEqual(await open(), ['viewer'])
      await invite('member')
      value(await write.setGuest(world.org, { user: bo }, [world.shop], anActor()))
      assert.deepEqual(await open(), ['viewer'])
      await invite('member')
      value(await write.removeMember(world.org, { user: bo }, anActor()))
      assert.deepEqual(await open(), ['viewer'])
      assert.equal(await read.invitation('member', NOW), null)
    })

    it('finds tokens by their hash, with what they may read', async () => {
      const { read, write } = stores
      const bo = await addMember(stores, { org: world.org, email: 'bo@example.com', role: 'member' })
      const team = value(await write.createTeam(world.org, 'web', 'Web', anActor()))
      value(await write.setTeam(world.org, world.team, { members: [] }, anActor()))
      value(await write.setTeam(world.org, team, { members: [bo], projects: [world.blog] }, anActor()))
      const token = {
        orgId: world.org,
        name: 'ci',
        scopes: ['org:ci', 'event:read'],
        tail: 'abcd',
        expiresMs: null,
      }
      const org = { ...token, userId: null, tokenHash: 'org', address: 'https://errata.test' }
      const id = value(await write.createToken(org, anActor()))
      value(await write.createToken({ ...token, userId: bo, tokenHash: 'bo' }, anActor()))
      const found = await read.token('org', NOW)
      const { userId: by, label: name } = anActor()
      const made = { userId: null, createdMs: NOW, usedMs: null, createdBy: { userId: by, name } }
      assert.deepEqual(found?.token, { ...token, id, ...made, address: 'https://errata.test' })
      const { token: bos } = (await read.token('bo', NOW)) ?? {}
      assert.deepEqual([bos?.createdBy, bos?.address], [null, null])
      assert.equal(found?.organisation.slug, 'acme')
      assert.deepEqual(found?.projects, [world.shop, world.blog])
      assert.deepEqual((await read.token('bo', NOW))?.projects, [world.blog])
      await write.touchToken(id, NOW + 5)
      assert.equal((await read.token('org', NOW))?.token.usedMs, NOW + 5)
      assert.equal((await read.tokens(world.scope)).length, 2)
      assert.equal(refusal(await write.revokeToken(world.otherOrg, id, anActor())), 'not_found')
      value(await write.revokeToken(world.org, id, anActor()))
      assert.equal(await read.token('org', NOW), null)
      const stranger = { ...token, userId: world.otherOwner, tokenHash: 'x' }
      assert.equal(refusal(await write.createToken(stranger, anActor())), 'not_found')
    })

    it('bounds the tokens of each person, and those of the organisation apart', async () => {
      const { write } = stores
      const bo = await addMember(stores, { org: world.org, email: 'bo@example.com', role: 'member' })
      let made = 0
      const make = (user: UserId | null) =>
        write.createToken(
          {
            orgId: world.org,
            userId: user,
            name: 'n',
            scopes: ['org:read'],
            tail: 'abcd',
            expiresMs: null,
            tokenHash: `${++made}`,
          },
          anActor(),
        )
      for (let index = 0; index < max('tokensPerPersonMax'); index++) value(await make(bo))
      assert.equal(refusal(await make(bo)), 'conflict')
      value(await make(world.owner))
      for (let index = 0; index < max('tokensPerOrgMax'); index++) value(await make(null))
      assert.equal(refusal(await make(null)), 'conflict')
      value(await make(world.owner))
    })

    it('bounds the open invitations of each person', async () => {
      const { write } = stores
      const by = (user: UserId | null, atMs = NOW) => anActor(atMs, { userId: user })
      const most = max('invitationsPerPersonMax')
      const invite = (name: number, actor = by(world.owner)) =>
        write.createInvitation(
          {
            orgId: world.org,
            email: `${name}@example.com`,
            role: 'viewer',
            teams: [],
            codeHash: `${name} ${actor.userId} ${actor.atMs}`,
            expiresMs: NOW + DAY,
          },
          actor,
        )
      for (let index = 0; index < most; index++) value(await invite(index))
      assert.equal(refusal(await invite(most)), 'conflict')
      // A new link for who is invited already, what another person sends, and what has expired.
      value(await invite(0, by(world.owner, NOW + 1)))
      value(await invite(most, by(world.otherOwner)))
      value(await invite(most + 1, by(null)))
      value(await invite(most + 2, by(world.owner, NOW + DAY)))
    })

    it('bounds organisations', async () => {
      const { read, write } = stores
      const make = (slug: string) => write.createOrganisation(slug, 'More', world.owner, anActor())
      for (let index = (await read.organisations()).length; index < max('organisationsMax'); index++)
        value(await make(`more-${index}`))
      assert.equal(refusal(await make('too-many')), 'conflict')
    })

    it('revokes personal tokens with a password reset', async () => {
      const { read, write } = stores
      const token = { orgId: world.org, name: 'n', scopes: ['org:read'], tail: 'abcd', expiresMs: null }
      value(await write.createToken({ ...token, userId: world.owner, tokenHash: 'own' }, anActor()))
      value(await write.createToken({ ...token, userId: null, tokenHash: 'org' }, anActor()))
      await write.createPasswordReset(world.owner, 'code', NOW + 10, anActor())
      value(await write.usePasswordReset('code', 'reset hash', anActor()))
      assert.equal(await read.token('own', NOW), null)
      assert.notEqual(await read.token('org', NOW), null)
      const [entry] = await read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual([entry?.action, entry?.detail], ['password.reset', { tokensRevoked: 1 }])
    })

    it('refuses slugs that are taken and changes nothing then', async () => {
      const { read, write } = stores
      const before = await actions()
      const taken = await write.createOrganisation('acme', 'Acme 2', world.owner, anActor())
      assert.equal(refusal(taken), 'conflict')
      assert.deepEqual(!taken.ok && Object.keys(taken.fields ?? {}), ['slug'])
      const renamed = await write.renameOrganisation(world.org, { slug: 'rival', name: 'Acme' }, anActor())
      assert.equal(refusal(renamed), 'conflict')
      assert.equal(refusal(await write.createTeam(world.org, 'acme', 'Again', anActor())), 'conflict')
      assert.deepEqual(await actions(), before)
      value(await write.renameOrganisation(world.org, { slug: 'acme-2', name: 'Acme 2' }, anActor()))
      const organisation = await read.organisation(world.scope)
      assert.deepEqual([organisation.slug, organisation.name], ['acme-2', 'Acme 2'])
      const gone = await write.renameOrganisation(orgId(999), { slug: 'x', name: 'x' }, anActor())
      assert.equal(refusal(gone), 'not_found')
    })

    it('keeps a quota of artifacts of each organisation that set one', async () => {
      const { read, write } = stores
      const quota = { bundlesMax: 10, bytesMax: 2 ** 40, unusedDaysMax: 30 }
      assert.deepEqual(await read.artifactQuotas(), [])
      value(await write.setArtifactQuota(world.org, quota, anActor()))
      assert.deepEqual(await read.artifactQuotas(), [{ orgId: world.org, quota }])
      const [entry] = await read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual([entry?.action, entry?.detail], ['organisation.artifact_quota_changed', { ...quota }])
      value(await write.setArtifactQuota(world.org, null, anActor()))
      assert.deepEqual(await read.artifactQuotas(), [])
      const [back] = await read.audit(world.scope, { limit: 1, before: null })
      assert.deepEqual(back?.detail, { isDefault: true })
      assert.equal(refusal(await write.setArtifactQuota(orgId(999), quota, anActor())), 'not_found')
    })

    it('keeps teams within their organisation', async () => {
      const { write } = stores
      const { org, team } = world
      const set = (change: Parameters<typeof write.setTeam>[2]) => write.setTeam(org, team, change, anActor())
      assert.equal(refusal(await set({ members: [world.otherOwner] })), 'invalid_input')
      assert.equal(refusal(await set({ projects: [world.otherShop] })), 'invalid_input')
      assert.equal(refusal(await write.setTeam(world.otherOrg, team, { name: 'x' }, anActor())), 'not_found')
      assert.equal(refusal(await write.deleteTeam(world.otherOrg, team, anActor())), 'not_found')
      value(await set({ name: 'Everybody' }))
      assert.equal((await stores.read.teams(world.scope))[0]?.name, 'Everybody')
      value(await write.deleteTeam(org, team, anActor()))
      assert.deepEqual(await stores.read.teams(world.scope), [])
    })

    it('writes an audit entry with every change, newest first and page by page', async () => {
      const { read, write } = stores
      await write.recordSignInFailure('ADA@example.com', anActor(NOW + 1))
      await write.recordSignInFailure('nobody@example.com', anActor(NOW + 2))
      await write.createSession(
        world.owner,
        'h',
        null,
        anActor(NOW + 3, { userId: world.owner, label: 'Ada' }),
      )
      const [signedIn, failed] = await read.audit(world.scope, { limit: 2, before: null })
      assert.deepEqual(
        [signedIn?.action, signedIn?.actor, signedIn?.userId, signedIn?.atMs, signedIn?.address],
        ['session.signed_in', 'Ada', world.owner, NOW + 3, '192.0.2.1'],
      )
      assert.deepEqual([failed?.action, failed?.target], ['session.sign_in_failed', 'ADA@example.com'])
      const rest = await read.audit(world.scope, { limit: 100, before: failed?.id ?? 0 })
      assert.ok(rest.length > 3)
      assert.ok(rest.every(({ id }) => id < (failed?.id ?? 0)))
      assert.ok(rest.some(({ action }) => action === 'installation.set_up'))
      assert.deepEqual(await read.audit(world.scope, { limit: 100, before: rest.at(-1)?.id ?? 0 }), [])
    })

    it('changes a profile, and remembers only organisations of one’s own', async () => {
      const { read, write } = stores
      await write.setProfile(
        world.owner,
        { name: 'Ada L.', theme: 'dark', orgIdLast: world.otherOrg },
        anActor(),
      )
      const user = await read.user(world.owner)
      assert.deepEqual([user?.name, user?.theme, user?.orgIdLast], ['Ada L.', 'dark', world.org])
    })

    it('answers null or nothing for what is absent', async () => {
      const { read, write } = stores
      assert.equal(await read.user(userId(999)), null)
      assert.equal(await read.userByEmail('nobody@example.com'), null)
      assert.equal(await read.passwordHash(userId(999)), null)
      assert.equal(await read.token('nothing', NOW), null)
      assert.deepEqual(await read.memberships(userId(999)), [])
      assert.deepEqual(await read.sessions(userId(999), NOW), [])
      assert.equal(refusal(await write.endSession(sessionId(999), world.owner, anActor())), 'not_found')
      assert.equal((await read.organisations()).length, 2)
    })
  })
}
