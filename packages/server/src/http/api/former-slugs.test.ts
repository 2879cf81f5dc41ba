import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('a project whose slug changes', () => {
  let shop: Shop
  let call: (request: string, body?: unknown) => Promise<{ status: number; headers: Headers; body: Json }>
  const named = (type: string) => anError({ exception: { values: [{ type, value: 'x' }] } })
  before(async () => {
    shop = await openShop()
    const ask = callerOf(shop)
    call = (request, body) => ask(shop.token, request, body)
    await send(shop, shop.dsn, named('First'))
    await send(shop, shop.dsn, named('Second'))
    for (const slug of ['market', 'store']) {
      const last = slug === 'market' ? 'shop' : 'market'
      assert.equal((await call(`PUT /projects/acme/${last}/`, { slug })).status, 200)
    }
  })
  after(() => shop.close())

  it('keeps the short ids that were handed out, under every slug it had', async () => {
    for (const ref of ['SHOP-2', 'MARKET-2', 'STORE-2', 'shop-2']) {
      const { status, body } = await call(`GET /organizations/acme/issues/${ref}/`)
      assert.deepEqual([status, body.shortId, body.metadata?.type], [200, 'STORE-2', 'Second'], ref)
      const found = await call(`GET /organizations/acme/issues/?query=${ref}`)
      assert.deepEqual(
        found.body.map(({ shortId }: { shortId: string }) => shortId),
        ['STORE-2'],
        ref,
      )
    }
  })

  it('is found by its former slugs: reads are told the new one, writes reach it', async () => {
    const moved = await call('GET /projects/acme/shop/issues/?query=is%3Aunresolved')
    assert.equal(moved.status, 302)
    assert.equal(moved.headers.get('location'), '/api/0/projects/acme/store/issues/?query=is%3Aunresolved')
    const list = await call('GET /organizations/acme/issues/?project=market&project=vault')
    assert.equal(
      list.headers.get('location'),
      '/api/0/organizations/acme/issues/?project=store&project=vault',
    )
    assert.equal((await call('PUT /projects/acme/shop/', { name: 'Store' })).status, 200)
    assert.equal((await call('GET /organizations/acme/issues/?query=project%3Ashop')).body.length, 2)
    assert.equal((await call('GET /projects/acme/gone/')).status, 404)
  })

  it('is never called as the page on which projects are made', async () => {
    const made = await call('POST /organizations/acme/projects/', { name: 'New' })
    assert.deepEqual([made.status, made.body.slug], [201, 'project-new'])
    assert.equal((await call('POST /organizations/acme/projects/', { name: 'N', slug: 'new' })).status, 400)
    assert.equal((await call('PUT /projects/acme/vault/', { slug: 'new' })).status, 400)
  })

  it('keeps its former slugs from others, and may take them back', async () => {
    const taken = await call('POST /organizations/acme/projects/', { name: 'Shop', slug: 'shop' })
    assert.deepEqual([taken.status, 'slug' in taken.body], [409, true])
    assert.equal((await call('PUT /projects/acme/vault/', { slug: 'market' })).status, 409)
    assert.equal((await call('PUT /projects/acme/store/', { slug: 'shop' })).status, 200)
    assert.equal((await call('GET /organizations/acme/issues/STORE-1/')).body.shortId, 'SHOP-1')
  })

  it('leaves its numbers behind when it is deleted: no other project gives them again', async () => {
    assert.equal((await call('DELETE /projects/acme/shop/')).status, 204)
    assert.equal((await call('PUT /projects/acme/vault/', { slug: 'store' })).status, 409)
    const made = await call('POST /organizations/acme/projects/', { name: 'Store', slug: 'store' })
    assert.equal(made.status, 201)
    const keys = await call('GET /projects/acme/store/keys/')
    await send(shop, keys.body[0].dsn.public, named('Third'))
    const { body } = await call('GET /projects/acme/store/issues/')
    assert.deepEqual(
      body.map(({ shortId }: { shortId: string }) => shortId),
      ['STORE-3'],
    )
    assert.equal((await call('GET /organizations/acme/issues/STORE-1/')).status, 404)
  })
})
