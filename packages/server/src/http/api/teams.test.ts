import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { type ApiPerson, callerOf, openShop, type Shop } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const TEAMS = '/organizations/acme/teams/'

describe('teams over the web API', () => {
  let shop: Shop
  let call: (
    who: string | ApiPerson | null,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: Json }>
  before(async () => {
    shop = await openShop()
    const caller = callerOf(shop)
    call = (who, path, body) => caller(who, path, body)
  })
  after(() => shop?.close())
  const place = async (who: ApiPerson, team: string) =>
    `/organizations/acme/members/${(await who.viewer()).user.id}/teams/${team}/`
  const slugs = (rows: Json) => rows.map(({ slug }: Json) => slug)

  it('are created with a slug of their own or one made of the name', async () => {
    const { owner } = shop.people
    const made = await call(owner, `POST ${TEAMS}`, { name: 'Web & App' })
    assert.deepEqual([made.status, made.body.slug, made.body.memberCount], [201, 'web-app', 0])
    assert.equal((await call(owner, `POST ${TEAMS}`, { name: 'Web & App' })).body.slug, 'web-app-2')
    const named = (await call(owner, `POST ${TEAMS}`, { name: 'Data', slug: 'warehouse' })).body
    assert.deepEqual([named.name, named.slug], ['Data', 'warehouse'])
    assert.equal((await call(owner, `POST ${TEAMS}`, { name: 'Again', slug: 'warehouse' })).status, 409)
    // Of a name that turns around what stands behind it, nobody could say what it is.
    for (const name of ['Web\u202eppA', 'Web\u2067', 'Web\u2028App', 'Web\u0007'])
      assert.equal((await call(owner, `POST ${TEAMS}`, { name })).status, 400)
    assert.equal((await call(owner, `POST ${TEAMS}`, { slug: 'only-slug' })).body.name, 'only-slug')
    assert.equal((await call(owner, `POST ${TEAMS}`, {})).status, 400)
    assert.equal((await call(owner, `POST ${TEAMS}`, { slug: 'Not one' })).status, 400)
    assert.equal((await call(shop.people.member, `POST ${TEAMS}`, { name: 'Mine' })).status, 403)
  })

  it('are read with their projects, renamed and deleted', async () => {
    const { owner, member } = shop.people
    const read = await call(member, 'GET /teams/acme/acme/')
    assert.deepEqual(
      [read.body.organization.slug, slugs(read.body.projects), read.body.isMember],
      ['acme', ['shop'], true],
    )
    assert.deepEqual((await call(owner, `GET /teams/acme/${read.body.id}/`)).body.slug, 'acme')
    // What a member may not see is not told of a team either.
    assert.deepEqual((await call(member, 'GET /teams/acme/closed/')).body.projects, [])
    const renamed = await call(owner, 'PUT /teams/acme/closed/', { name: 'Shut', slug: 'closed' })
    assert.deepEqual([renamed.status, renamed.body.name, renamed.body.slug], [200, 'Shut', 'closed'])
    assert.equal((await call(owner, 'PUT /teams/acme/closed/', { slug: 'other' })).status, 400)
    await call(owner, `POST ${TEAMS}`, { name: 'Passing' })
    assert.equal((await call(owner, 'DELETE /teams/acme/passing/')).status, 204)
    assert.equal((await call(owner, 'GET /teams/acme/passing/')).status, 404)
  })

  it('list who is in them with their team role', async () => {
    const { body } = await call(shop.people.owner, 'GET /teams/acme/acme/members/')
    const rows = body.map(({ email, teamSlug, teamRole }: Json) => [email, teamSlug, teamRole])
    assert.deepEqual(rows, [
      ['owner@acme.test', 'acme', 'contributor'],
      ['manager@acme.test', 'acme', 'contributor'],
      ['member@acme.test', 'acme', 'contributor'],
      ['viewer@acme.test', 'acme', 'contributor'],
    ])
    assert.equal((await call(shop.people.guest, 'GET /teams/acme/acme/members/')).status, 403)
  })

  it('take members in, give them roles and let them go', async () => {
    const { owner, manager } = shop.people
    const path = await place(manager, 'closed')
    const added = await call(owner, `POST ${path}`)
    assert.deepEqual([added.status, added.body.memberCount], [201, 1])
    assert.equal((await call(owner, `POST ${path}`)).status, 204)
    const admin = await call(owner, `PUT ${path}`, { teamRole: 'admin' })
    assert.deepEqual([admin.status, admin.body], [200, { isActive: true, teamRole: 'admin' }])
    assert.equal((await call(manager, 'GET /teams/acme/closed/')).body.teamRole, 'admin')
    const contributor = await call(owner, `PUT ${path}`, { teamRole: 'contributor' })
    assert.equal(contributor.body.teamRole, 'contributor')
    assert.equal((await call(owner, `PUT ${path}`, { teamRole: 'chief' })).status, 400)
    const removed = await call(owner, `DELETE ${path}`)
    assert.deepEqual([removed.status, removed.body.memberCount], [200, 0])
    assert.equal((await call(owner, `DELETE ${path}`)).status, 404)
    assert.equal((await call(owner, `PUT ${path}`, { teamRole: 'admin' })).status, 404)
    assert.equal((await call(owner, `POST ${await place(shop.people.rival, 'closed')}`)).status, 404)
    assert.equal((await call(owner, `POST ${await place(shop.people.guest, 'closed')}`)).status, 400)
  })

  it('lose nobody when several are added at once', async () => {
    const { owner, manager, member, viewer } = shop.people
    await call(owner, `POST ${TEAMS}`, { name: 'Crowd' })
    const paths = await Promise.all([owner, manager, member, viewer].map((who) => place(who, 'crowd')))
    const answers = await Promise.all(paths.map((path) => call(shop.token, `POST ${path}`)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    assert.equal((await call(owner, 'GET /teams/acme/crowd/')).body.memberCount, 4)
  })

  it('are read with a page of their projects, however many they open', async () => {
    const { owner } = shop.people
    await call(owner, `POST ${TEAMS}`, { name: 'Everything', slug: 'everything' })
    const open = async (from: number, until: number) => {
      for (let at = from; at < until; at++)
        assert.equal(
          (await call(owner, 'POST /teams/acme/everything/projects/', { name: `Wide ${at}` })).status,
          201,
        )
      return (await call(owner, 'GET /teams/acme/everything/')).body.projects.length
    }
    const most = max('pageRowsMax')
    assert.equal(await open(0, most - 1), most - 1)
    assert.equal(await open(most - 1, most), most)
    assert.equal(await open(most, most + 1), most)
    const rest = await call(owner, `GET /teams/acme/everything/projects/?limit=${most}&cursor=0:${most}:0`)
    assert.equal(rest.body.length, 1)
  })

  it('open projects, and close them', async () => {
    const { owner, member } = shop.people
    const path = '/projects/acme/vault/teams/acme/'
    assert.equal((await call(member, 'GET /projects/acme/vault/')).status, 404)
    const opened = await call(owner, `POST ${path}`)
    assert.deepEqual([opened.status, slugs(opened.body.teams).toSorted()], [201, ['acme', 'closed']])
    assert.equal((await call(owner, `POST ${path}`)).status, 201)
    assert.equal((await call(member, 'GET /projects/acme/vault/')).status, 200)
    const closed = await call(owner, `DELETE ${path}`)
    assert.deepEqual([closed.status, slugs(closed.body.teams)], [200, ['closed']])
    assert.equal((await call(member, 'GET /projects/acme/vault/')).status, 404)
    assert.equal((await call(owner, 'POST /projects/acme/vault/teams/none/')).status, 404)
    assert.equal((await call(owner, 'POST /projects/acme/none/teams/acme/')).status, 404)
  })

  it('are their admins’ in who is in them, and not in what they open or whether they are', async () => {
    const { owner, manager, viewer, member } = shop.people
    const own = await place(viewer, 'acme')
    assert.equal((await call(owner, `PUT ${own}`, { teamRole: 'admin' })).status, 200)
    const path = await place(manager, 'acme')
    assert.equal((await call(member, `POST ${path}`)).status, 403)
    assert.equal((await call(viewer, `DELETE ${path}`)).status, 200)
    assert.equal((await call(viewer, `POST ${path}`)).status, 201)
    assert.equal((await call(viewer, `PUT ${path}`, { teamRole: 'admin' })).status, 200)
    assert.equal((await call(viewer, 'PUT /teams/acme/acme/', { name: 'Ours' })).status, 200)
    assert.equal((await call(viewer, `POST ${await place(manager, 'closed')}`)).status, 403)
    assert.equal((await call(viewer, 'POST /projects/acme/shop/teams/acme/')).status, 403)
    assert.equal((await call(viewer, 'DELETE /projects/acme/shop/teams/acme/')).status, 403)
    assert.equal((await call(viewer, 'DELETE /teams/acme/acme/')).status, 403)
    const change = { orgRole: 'manager' }
    const self = `/organizations/acme/members/${(await viewer.viewer()).user.id}/`
    assert.equal((await call(viewer, `PUT ${self}`, change)).status, 403)
  })
})
