import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { asking, callerOf, openShop, type Shop, send, unwrap } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const titled = (type: string) => anError({ exception: { values: [{ type, value: 'boom' }] } })
const LONG = '/organizations/acme/issues/'

describe('the short addresses of one issue', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let event = ''
  let id = ''

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    event = await send(shop, shop.dsn, titled('One'))
    await send(shop, shop.dsn, titled('One'))
    await send(shop, shop.dsn, titled('Two'))
    id = ((await call(shop.token, `GET ${LONG}SHOP-1/`)).body as Json).id
  })
  after(() => shop.close())

  it('answer as the long ones do', async () => {
    const below = [
      '/',
      '/events/',
      '/events/?full=1',
      '/events/?limit=1',
      ...['latest', 'oldest', 'recommended', event, `${event}/json`, '0'.repeat(32)].map(
        (e) => `/events/${e}/`,
      ),
      '/tags/',
      '/tags/level/',
      '/tags/level/values/',
      '/tags/nope/',
      '/hashes/',
      '/activities/',
      '/comments/',
    ]
    for (const who of [shop.token, shop.people.owner, shop.people.viewer]) {
      for (const path of below) {
        for (const ref of [id, 'SHOP-1']) {
          const short = await call(who, `GET /issues/${ref}${path}`)
          const long = await call(who, `GET ${LONG}${ref}${path}`)
          assert.deepEqual([short.status, short.body], [long.status, long.body], path)
        }
      }
    }
    assert.equal(((await call(shop.token, `GET /issues/${id}/`)).body as Json).shortId, 'SHOP-1')
  })

  it('page within themselves', async () => {
    const { headers } = await call(shop.token, `GET /issues/${id}/events/?limit=1`)
    assert.match(headers.get('link') ?? '', new RegExp(`/api/0/issues/${id}/events/`))
  })

  it('change, comment and delete', async () => {
    const changed = await call(shop.token, `PUT /issues/${id}/`, { status: 'resolved' })
    assert.deepEqual([changed.status, (changed.body as Json).status], [200, 'resolved'])
    const comment = await call(shop.people.member, `POST /issues/${id}/comments/`, { text: 'seen' })
    assert.equal(comment.status, 201)
    const two = ((await call(shop.token, `GET ${LONG}SHOP-2/`)).body as Json).id
    assert.equal((await call(shop.token, `DELETE /issues/${two}/`)).status, 202)
    assert.equal((await call(shop.token, `GET /issues/${two}/`)).status, 404)
  })

  it('do not tell whether an issue of another organisation exists', async () => {
    for (const ref of [id, 'SHOP-1', '999999', '-1', 'x']) {
      const { status, body } = await call(shop.people.rival, `GET /issues/${ref}/`)
      assert.equal(status, 404, ref)
      assert.equal((body as Json).code, 'not_found')
    }
    assert.equal((await call(shop.people.rival, `PUT /issues/${id}/`, { status: 'unresolved' })).status, 404)
  })

  it('ask for the id where a person’s organisations share a short id', async () => {
    const { owner } = shop.people
    const who = { address: null, userAgent: null }
    const second = { viewer: await owner.viewer(), ...who }
    const { slug } = unwrap(await shop.commands.createOrganisation(second, 'Second'))
    const inSecond = asking(await owner.viewer(), await owner.scope(slug))
    const project = { name: 'Shop', platform: null, teams: [] }
    const { project: made, keyPublic } = unwrap(await shop.commands.run('createProject', inSecond, project))
    const dsn = shop.queries.dsn({ public: keyPublic, projectId: made.id })
    await send(shop, dsn, titled('Theirs'))
    const theirs = ((await call(owner, `GET /organizations/${slug}/issues/SHOP-1/`)).body as Json).id
    assert.notEqual(theirs, id)
    const both = await call(owner, 'GET /issues/SHOP-1/')
    assert.equal(both.status, 400)
    assert.match((both.body as Json).detail, /Several organisations have this short id/)
    for (const ref of [id, theirs]) {
      assert.equal(((await call(owner, `GET /issues/${ref}/`)).body as Json).id, ref)
    }
  })
})
