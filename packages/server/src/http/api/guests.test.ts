import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { aMetricRule, anIssueRule } from '#testing/builders/alert-rule.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { asking, callerOf, openShop, type Shop, send, unwrap } from '#testing/worlds/api.ts'

const codeOf = (result: { readonly ok: boolean; readonly code?: string }) => (result.ok ? 'ok' : result.code)

describe('a guest of one project', () => {
  let shop: Shop
  let scope: ReadScope
  let call: ReturnType<typeof callerOf>
  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    scope = await shop.people.guest.scope()
  })
  after(() => shop?.close())
  const byOwner = async () => asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
  const get = (path: string) => call(shop.people.guest, `GET ${path}`)

  it('works on its issues, which can be assigned to them', async () => {
    await send(shop, shop.dsn, anError({}))
    const { guest } = shop.people
    const assigned = await call(guest, 'PUT /organizations/acme/issues/SHOP-1/', { assignedTo: guest.email })
    assert.equal(assigned.status, 200)
    const range = { startMs: shop.clock.now() - 3_600_000, endMs: shop.clock.now(), stepMs: 60_000 }
    const view = await shop.queries.issue(scope, 'SHOP-1', range)
    assert.ok(view?.members.some(({ email }) => email === guest.email))
    assert.ok(view?.members.every(({ email }) => email !== 'rival@rival.test'))
    const commented = await call(guest, 'POST /organizations/acme/issues/SHOP-1/comments/', { text: 'Mine' })
    assert.equal(commented.status, 201)
  })

  it('is told of no members, teams, audit log or channels', async () => {
    for (const path of ['members', 'teams', 'alert-channels'])
      assert.equal((await get(`/organizations/acme/${path}/`)).status, 403, path)
    assert.deepEqual(await shop.queries.channels(scope), [])
    const owner = await byOwner()
    unwrap(await shop.commands.run('createTeam', owner, { name: 'Secret weapons' }))
    assert.ok((await shop.queries.teams(scope)).every(({ name }) => name !== 'Secret weapons'))
    assert.ok((await shop.queries.teams(owner.scope)).some(({ name }) => name === 'Secret weapons'))
  })

  it('reads rules of the project without the others that they are of', async () => {
    const owner = await byOwner()
    const [both, other] = [[shop.shop.id, shop.vault.id], [shop.vault.id]]
    unwrap(await shop.commands.run('createRule', owner, anIssueRule({ on: 'new' }, { projects: both })))
    unwrap(
      await shop.commands.run(
        'createRule',
        owner,
        aMetricRule({}, { projects: other, name: 'Of the vault' }),
      ),
    )
    const rules = (await shop.queries.alertRules(scope)).map(({ rule }) => rule)
    assert.deepEqual(
      rules.flatMap(({ projects }) => projects ?? []),
      [shop.shop.id],
    )
    assert.ok(!JSON.stringify(rules).includes('Of the vault'))
    const { body } = await get('/organizations/acme/alerts/rules/')
    assert.ok(!/vault/i.test(JSON.stringify(body)), JSON.stringify(body))
  })

  it('reads no shared search that names projects', async () => {
    const owner = await byOwner()
    const search = { sort: 'date', isShared: true } as const
    unwrap(await shop.commands.run('createSearch', owner, { ...search, name: 'Hot', query: 'is:unresolved' }))
    unwrap(
      await shop.commands.run('createSearch', owner, { ...search, name: 'Vaults', query: 'project:vault' }),
    )
    const names = (await shop.queries.savedSearches(scope)).map(({ name }) => name)
    assert.ok(names.includes('Hot') && !names.includes('Vaults'))
  })

  it('is invited to projects, and changes with the role', async () => {
    const owner = await byOwner()
    const invited = { email: 'new@else.test', role: 'guest', teams: [] } as const
    assert.equal(codeOf(await shop.commands.run('invite', owner, invited)), 'invalid_input')
    const far = { ...invited, projects: (await shop.people.rival.scope('rival')).projects }
    assert.equal(codeOf(await shop.commands.run('invite', owner, far)), 'invalid_input')
    const user = (await shop.people.guest.viewer()).user.id
    const to = async (role: 'guest' | 'member', projects = [shop.vault.id]) =>
      codeOf(await shop.commands.run('setRole', await byOwner(), { user, role, projects }))
    assert.equal(await to('guest', []), 'invalid_input')
    assert.equal(await to('guest'), 'ok')
    assert.deepEqual((await shop.people.guest.scope()).projects, [shop.vault.id])
    assert.equal(await to('member'), 'ok')
    assert.deepEqual((await shop.people.guest.scope()).projects, [])
    assert.equal(await to('guest', [shop.shop.id]), 'ok')
  })
})

describe('a team admin', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    const owner = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    const user = (await shop.people.viewer.viewer()).user.id
    unwrap(await shop.commands.run('setTeam', owner, { team: shop.team, change: { admins: [user] } }))
    // A second team opens another project to the same person, who leads nothing there.
    const second = unwrap(await shop.commands.run('createTeam', owner, { name: 'Second' }))
    const change = { members: [user], projects: [shop.vault.id] }
    unwrap(await shop.commands.run('setTeam', owner, { team: second.id, change }))
  })
  after(() => shop?.close())
  const admin = async () => asking(await shop.people.viewer.viewer(), await shop.people.viewer.scope())

  it('changes settings of the team’s projects, and of no others', async () => {
    const { viewer, member } = shop.people
    const put = (who: typeof viewer, project: string) =>
      call(who, `PUT /projects/acme/${project}/`, { name: `${project} anew` })
    assert.equal((await put(viewer, 'shop')).status, 200)
    assert.equal((await put(viewer, 'vault')).status, 403)
    assert.equal((await put(member, 'shop')).status, 403)
    const asker = await admin()
    const update = async (project: typeof shop.shop.id) =>
      codeOf(await shop.commands.run('updateProject', asker, { project, change: { name: 'X' } }))
    assert.deepEqual([await update(shop.shop.id), await update(shop.vault.id)], ['ok', 'forbidden'])
    assert.equal(codeOf(await shop.commands.run('deleteProject', asker, shop.shop.id)), 'forbidden')
  })

  it('changes who is in the team, but not what it opens, and no other team', async () => {
    const asker = await admin()
    const member = (await shop.people.member.viewer()).user.id
    const set = async (team: typeof shop.team, change: object) =>
      codeOf(await shop.commands.run('setTeam', asker, { team, change }))
    assert.equal(await set(shop.team, { members: [asker.viewer.user.id, member] }), 'ok')
    assert.equal(await set(shop.team, { projects: [shop.shop.id, shop.vault.id] }), 'forbidden')
    const others = (await shop.queries.teams(asker.scope)).filter(({ id }) => id !== shop.team)
    assert.ok(others.length > 0)
    for (const { id } of others) assert.equal(await set(id, { members: [] }), 'forbidden')
    assert.equal(codeOf(await shop.commands.run('deleteTeam', asker, shop.team)), 'forbidden')
    assert.equal(codeOf(await shop.commands.run('createTeam', asker, { name: 'Mine' })), 'forbidden')
  })

  it('is named by the web API as in Sentry', async () => {
    const { body } = await call(shop.people.owner, 'GET /organizations/acme/members/')
    const rows = body as readonly {
      email: string
      teamRoles: readonly { teamSlug: string; role: string }[]
    }[]
    const roles = new Map(rows.map(({ email, teamRoles }) => [email, teamRoles.map(({ role }) => role)]))
    assert.deepEqual(roles.get('viewer@acme.test'), ['admin', 'contributor'])
    const teams = (await call(shop.people.viewer, 'GET /organizations/acme/teams/')).body
    const own = (teams as readonly { slug: string; teamRole: string | null }[]).map(
      ({ teamRole }) => teamRole,
    )
    assert.ok(own.includes('admin') && own.includes('contributor') && own.includes(null))
  })

  it('has personal tokens that do as much, and no more', async () => {
    const input = { name: 'mine', scopes: ['project:write'], personal: true }
    const { token } = unwrap(await shop.commands.createToken(await admin(), input))
    assert.equal((await call(token, 'PUT /projects/acme/shop/', { name: 'Shop' })).status, 200)
    assert.equal((await call(token, 'PUT /projects/acme/vault/', { name: 'Vault' })).status, 403)
    const reads = unwrap(
      await shop.commands.createToken(await admin(), { ...input, scopes: ['project:read'] }),
    ).token
    assert.equal((await call(reads, 'PUT /projects/acme/shop/', { name: 'Shop' })).status, 403)
  })
})
