import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { type ApiPerson, asking, callerOf, openShop, type Shop, unwrap } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above
type Call = (
  who: string | ApiPerson | null,
  path: string,
  body?: unknown,
) => Promise<{ status: number; headers: Headers; body: Json }>

const MEMBERS = '/organizations/acme/members/'

async function world() {
  const shop = await openShop()
  const caller = callerOf(shop)
  const call: Call = (who, path, body) => caller(who, path, body)
  const idOf = async (who: ApiPerson) => String((await who.viewer()).user.id)
  const tokenWith = async (...scopes: readonly string[]) => {
    const owner = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    return unwrap(await shop.commands.createToken(owner, { name: scopes.join(), scopes, personal: false }))
      .token
  }
  return { shop, call, idOf, tokenWith }
}

describe('invitations over the web API', () => {
  let shop: Shop
  let call: Call
  before(async () => {
    ;({ shop, call } = await world())
  })
  after(() => shop?.close())
  const invite = (body: object, who: string | ApiPerson = shop.people.owner) =>
    call(who, `POST ${MEMBERS}`, body)
  const pending = async (who: string | ApiPerson) =>
    (await call(who, `GET ${MEMBERS}`)).body.filter((one: Json) => one.pending)

  it('are made with role and teams, answer the link once, and are in the list until they are taken', async () => {
    const teamRoles = [{ teamSlug: 'acme', role: 'contributor' }]
    const made = await invite({ email: 'new@acme.test', orgRole: 'viewer', teamRoles })
    assert.equal(made.status, 201)
    const { invite_link: link, ...shown } = made.body
    assert.match(link, /\/join\//)
    assert.deepEqual(
      [shown.email, shown.orgRole, shown.pending, shown.teams, shown.teamRoles, shown.user],
      ['new@acme.test', 'viewer', true, ['acme'], teamRoles, null],
    )
    assert.deepEqual(await pending(shop.people.owner), [shown])
    const { orgRoleList, teamRoleList, ...one } = (
      await call(shop.people.owner, `GET ${MEMBERS}${shown.id}/`)
    ).body
    assert.deepEqual([one, orgRoleList.length, teamRoleList.length], [shown, 5, 2])
    const code = link.split('/').at(-1)
    const facts = { address: null, userAgent: null }
    const account = { code, name: 'New', password: 'correct horse battery' }
    unwrap(await shop.commands.acceptInvitation(facts, account))
    assert.deepEqual(await pending(shop.people.owner), [])
    const members = (await call(shop.people.owner, `GET ${MEMBERS}`)).body
    const joined = members.find(({ email }: Json) => email === 'new@acme.test')
    assert.deepEqual([joined.role, joined.teams], ['viewer', ['acme']])
  })

  it('are shown to who may invite alone, and are revoked', async () => {
    const { id } = (await invite({ email: 'gone@acme.test' })).body
    assert.deepEqual(await pending(shop.people.member), [])
    assert.equal((await call(shop.people.member, `GET ${MEMBERS}${id}/`)).status, 404)
    assert.equal((await call(shop.people.member, `DELETE ${MEMBERS}${id}/`)).status, 403)
    assert.equal((await call(shop.people.manager, `DELETE ${MEMBERS}${id}/`)).status, 204)
    assert.equal((await call(shop.people.manager, `DELETE ${MEMBERS}${id}/`)).status, 404)
    assert.deepEqual(await pending(shop.people.owner), [])
  })

  it('are changed before they are taken, with the link as it was', async () => {
    const { owner, manager, member } = shop.people
    const made = (await invite({ email: 'change@acme.test', orgRole: 'viewer' })).body
    const path = `${MEMBERS}${made.id}/`
    const teamRoles = [{ teamSlug: 'acme', role: null }]
    const changed = await call(manager, `PUT ${path}`, { orgRole: 'member', teamRoles })
    assert.deepEqual(
      [changed.status, changed.body.id, changed.body.orgRole, changed.body.teams, changed.body.pending],
      [200, made.id, 'member', ['acme'], true],
    )
    // What is not said stays.
    assert.deepEqual((await call(manager, `PUT ${path}`, { orgRole: 'viewer' })).body.teams, ['acme'])
    const guest = await call(owner, `PUT ${path}`, { orgRole: 'guest', projects: ['shop'] })
    assert.deepEqual([guest.body.orgRole, guest.body.teams, guest.body.projects], ['guest', [], ['shop']])
    for (const [who, body, status] of [
      [member, { orgRole: 'viewer' }, 403],
      [manager, { orgRole: 'owner' }, 403],
      [owner, { orgRole: 'guest', projects: [] }, 400],
      [owner, { teamRoles: [{ teamSlug: 'acme', role: 'admin' }] }, 400],
      [owner, { orgRole: 'admin' }, 400],
    ] as const)
      assert.equal((await call(who, `PUT ${path}`, body)).status, status, JSON.stringify(body))
    const code = made.invite_link.split('/').at(-1)
    const account = { code, name: 'Changed', password: 'correct horse battery' }
    unwrap(await shop.commands.acceptInvitation({ address: null, userAgent: null }, account))
    const members = (await call(owner, `GET ${MEMBERS}`)).body
    assert.equal(members.find(({ email }: Json) => email === 'change@acme.test').orgRole, 'guest')
  })

  it('take what older clients send, and the organisation’s default role where none is said', async () => {
    const old = (await invite({ email: 'old@acme.test', role: 'manager', teams: ['acme'] })).body
    assert.deepEqual([old.role, old.teams], ['manager', ['acme']])
    const owner = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    unwrap(await shop.commands.run('setRoleDefault', owner, 'viewer'))
    assert.equal((await invite({ email: 'plain@acme.test' })).body.role, 'viewer')
  })

  it('bring guests to projects, and nobody else', async () => {
    const guest = { email: 'else@else.test', orgRole: 'guest' }
    const made = await invite({ ...guest, projects: ['shop'] })
    assert.deepEqual([made.status, made.body.projects, made.body.teams], [201, ['shop'], []])
    const wrong = async (body: object) => {
      const { status, body: fields } = await invite({ email: 'x@else.test', ...body })
      assert.equal(status, 400, JSON.stringify(body))
      return Object.keys(fields)
    }
    assert.deepEqual(await wrong({ orgRole: 'guest' }), ['projects'])
    assert.deepEqual(await wrong({ orgRole: 'guest', projects: ['none'] }), ['projects'])
    assert.deepEqual(await wrong({ orgRole: 'guest', projects: ['shop'], teams: ['acme'] }), ['teams'])
    assert.deepEqual(await wrong({ orgRole: 'member', projects: ['shop'] }), ['projects'])
    assert.deepEqual(await wrong({ orgRole: 'admin' }), ['orgRole'])
    assert.deepEqual(await wrong({ teamRoles: [{ teamSlug: 'none' }] }), ['teamRoles'])
    assert.deepEqual(await wrong({ teamRoles: [{ teamSlug: 'acme', role: 'admin' }] }), ['teamRoles'])
  })

  it('are refused for members, for owners by managers, and by email where none is sent', async () => {
    assert.equal((await invite({ email: 'member@acme.test' })).status, 409)
    const owner = { email: 'boss@acme.test', orgRole: 'owner' }
    assert.equal((await invite(owner, shop.people.manager)).status, 403)
    assert.equal((await invite({ email: 'mail@acme.test', sendInvite: true })).status, 409)
    assert.equal((await invite({ email: 'mail@acme.test', sendInvite: false })).status, 201)
  })
})

describe('members over the web API', () => {
  let shop: Shop
  let call: Call
  let idOf: (who: ApiPerson) => Promise<string>
  let tokenWith: (...scopes: readonly string[]) => Promise<string>
  before(async () => {
    ;({ shop, call, idOf, tokenWith } = await world())
  })
  after(() => shop?.close())
  const one = async (who: ApiPerson) => `${MEMBERS}${await idOf(who)}/`

  it('are read by id, or as who asks', async () => {
    const { member } = shop.people
    const byId = await call(shop.people.owner, `GET ${await one(member)}`)
    assert.deepEqual([byId.status, byId.body.email], [200, 'member@acme.test'])
    assert.deepEqual((await call(member, `GET ${MEMBERS}me/`)).body, byId.body)
    assert.equal((await call(shop.token, `GET ${MEMBERS}me/`)).status, 404)
    assert.equal((await call(member, `GET ${MEMBERS}999999/`)).status, 404)
    assert.equal((await call(member, `GET ${await one(shop.people.rival)}`)).status, 404)
    assert.equal((await call(shop.people.guest, `GET ${MEMBERS}me/`)).status, 403)
  })

  it('change role and teams, and what is not said stays', async () => {
    const { member, owner } = shop.people
    const path = await one(member)
    const role = await call(owner, `PUT ${path}`, { orgRole: 'viewer' })
    assert.deepEqual([role.status, role.body.orgRole, role.body.teams], [200, 'viewer', ['acme']])
    const teamRoles = [
      { teamSlug: 'acme', role: 'admin' },
      { teamSlug: 'closed', role: 'contributor' },
    ]
    const put = await call(owner, `PUT ${path}`, { teamRoles })
    assert.deepEqual([put.body.orgRole, put.body.teamRoles], ['viewer', teamRoles])
    // Team roles that older clients do not say stay.
    const kept = await call(owner, `PUT ${path}`, { teams: ['acme'] })
    assert.deepEqual(kept.body.teamRoles, teamRoles.slice(0, 1))
    const viewer = (await call(owner, `GET ${await one(shop.people.viewer)}`)).body
    assert.deepEqual(viewer.teams, ['acme'], 'others stay in the team')
    assert.deepEqual((await call(owner, `PUT ${path}`, { teamRoles: [] })).body.teams, [])
    const back = { orgRole: 'member', teamRoles: [{ teamSlug: 'acme' }] }
    assert.deepEqual((await call(owner, `PUT ${path}`, back)).body.teamRoles, [
      { teamSlug: 'acme', role: 'contributor' },
    ])
  })

  it('become guests of projects, leave their teams, and come back', async () => {
    const { member, owner } = shop.people
    const path = await one(member)
    assert.equal((await call(owner, `PUT ${path}`, { orgRole: 'guest' })).status, 400)
    const guest = await call(owner, `PUT ${path}`, { orgRole: 'guest', projects: ['vault'] })
    assert.deepEqual(
      [guest.status, guest.body.role, guest.body.projects, guest.body.teams],
      [200, 'guest', ['vault'], []],
    )
    assert.deepEqual((await member.scope()).projects, [shop.vault.id])
    assert.deepEqual((await call(owner, `PUT ${path}`, { projects: ['shop'] })).body.projects, ['shop'])
    assert.equal((await call(owner, `PUT ${path}`, { teams: ['acme'] })).status, 400)
    assert.equal((await call(owner, `POST ${path}teams/acme/`)).status, 400)
    const back = await call(owner, `PUT ${path}`, { orgRole: 'member', teams: ['acme'] })
    assert.deepEqual([back.body.role, back.body.projects, back.body.teams], ['member', [], ['acme']])
  })

  it('are no more than the scopes say: who may give roles alone changes no teams, and then no role either', async () => {
    const token = await tokenWith('member:write')
    const path = await one(shop.people.member)
    const both = { orgRole: 'viewer', teamRoles: [{ teamSlug: 'closed' }] }
    assert.equal((await call(token, `PUT ${path}`, both)).status, 403)
    assert.equal((await call(token, `GET ${path}`)).body.role, 'member')
    assert.equal((await call(token, `PUT ${path}`, { orgRole: 'member', teams: ['acme'] })).status, 200)
    // What is so already asks nothing of anybody: an owner stays one.
    const same = { orgRole: 'owner', projects: [] }
    assert.equal((await call(token, `PUT ${await one(shop.people.owner)}`, same)).status, 200)
  })

  it('keep an owner from managers, and the last owner', async () => {
    const { owner, manager } = shop.people
    const path = await one(owner)
    assert.equal((await call(manager, `PUT ${path}`, { orgRole: 'member' })).status, 403)
    assert.equal((await call(owner, `PUT ${path}`, { orgRole: 'member' })).status, 409)
    const token = await tokenWith('member:write')
    assert.equal((await call(token, `DELETE ${path}`)).status, 403)
    assert.equal((await call(shop.token, `DELETE ${path}`)).status, 409)
  })

  it('are removed with a session that was confirmed lately, or a token', async () => {
    const { owner, manager, viewer } = shop.people
    const [first, second] = [await one(manager), await one(viewer)]
    shop.clock.advance(max('confirmedMs') + 1)
    const late = await call(owner, `DELETE ${first}`)
    assert.deepEqual([late.status, late.body.code], [403, 'confirm_needed'])
    assert.equal((await call(shop.token, `DELETE ${first}`)).status, 204)
    assert.equal((await call(shop.token, `DELETE ${first}`)).status, 404)
    assert.equal((await call(owner, `GET ${second}`)).status, 200)
  })
})

describe('the audit log over the web API', () => {
  let shop: Shop
  let call: Call
  before(async () => {
    ;({ shop, call } = await world())
    for (const name of ['One', 'Two', 'Three'])
      assert.equal((await call(shop.people.owner, 'POST /organizations/acme/teams/', { name })).status, 201)
  })
  after(() => shop?.close())
  const read = (query = '', who: string | ApiPerson = shop.people.owner) =>
    call(who, `GET /organizations/acme/audit-logs/${query}`)

  it('has who did what to what, newest first', async () => {
    const [entry] = (await read()).body.rows
    const actor = { id: String((await shop.people.owner.viewer()).user.id), email: 'owner@acme.test' }
    assert.deepEqual(
      [entry.actor.id, entry.actor.email, entry.event, entry.target, entry.data, entry.ipAddress],
      [actor.id, actor.email, 'team.created', 'Three', { slug: 'three' }, '192.0.2.7'],
    )
    assert.equal(entry.note, 'team created: Three')
    assert.equal(Date.parse(entry.dateCreated), shop.clock.now())
  })

  it('goes on page by page, to the first entry', async () => {
    const all: Json[] = (await read('?limit=100')).body.rows
    const ids: string[] = []
    let next: string | undefined = ''
    while (next !== undefined) {
      const page = await read(`?limit=4${next === '' ? '' : `&cursor=${next}`}`)
      ids.push(...page.body.rows.map(({ id }: Json) => id))
      next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    assert.ok(all.length > 8, String(all.length))
    assert.deepEqual(
      ids,
      all.map(({ id }) => id),
    )
    assert.equal((await read('?cursor=no')).status, 400)
  })

  it('is searched by person, event, subject, target, words and time', async () => {
    const found = async (query: string) => (await read(query)).body.rows.map(({ target }: Json) => target)
    assert.deepEqual(await found('?event=team.created&target=Two'), ['Two'])
    assert.deepEqual(await found('?query=team+thr'), ['Three'])
    const subjects = (await read('?subject=member&subject=invitation')).body.rows
    assert.deepEqual([...new Set(subjects.map(({ event }: Json) => event.split('.')[0]))].toSorted(), [
      'invitation',
      'member',
    ])
    const member = (await shop.people.member.viewer()).user.id
    const own = (await read(`?actor=${member}`)).body.rows
    assert.ok(own.length > 0 && own.every(({ actor }: Json) => actor.id === String(member)))
    const now = new Date(shop.clock.now()).toISOString()
    assert.deepEqual(await found(`?start=2001-01-01&end=${now}`), [])
    assert.ok((await found(`?start=${now}`)).includes('Three'))
    assert.equal((await read('?start=yesterday')).status, 400)
    assert.equal((await read('?actor=x')).status, 400)
  })

  it('is for who may read it', async () => {
    const { manager, member, guest } = shop.people
    const statuses = await Promise.all(
      [manager, member, guest].map(async (who) => (await read('', who)).status),
    )
    assert.deepEqual(statuses, [200, 403, 403])
  })
})
