import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

const SHOP = '/projects/acme/shop/environments/'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('environments of the web API', () => {
  let shop: Shop
  let call: (line: string, body?: unknown) => Promise<{ status: number; body: Json }>

  before(async () => {
    shop = await openShop()
    const callAs = callerOf(shop)
    call = (line, body) => callAs(shop.people.owner, line, body)
    for (const environment of ['production', 'production', 'staging', 'pr 7'])
      await send(shop, shop.dsn, anError({ environment }))
    await send(shop, shop.vaultDsn, anError({ environment: 'secret' }))
  })
  after(() => shop.close())

  const names = async (path: string) => {
    const { status, body } = await call(`GET ${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.map(({ name }: { readonly name: string }) => name)
  }

  it('are listed with what hides them, the busiest first', async () => {
    const { body } = await call(`GET ${SHOP}`)
    assert.deepEqual(await names(SHOP), ['production', 'pr 7', 'staging'])
    const { id, name, isHidden, lastSeen } = body[0]
    assert.deepEqual([id, name, isHidden], ['production', 'production', false])
    assert.match(lastSeen, /^\d{4}-.*Z$/)
    assert.deepEqual(await names('/organizations/acme/environments/'), [
      'production',
      'pr 7',
      'secret',
      'staging',
    ])
  })

  it('of projects that somebody may not open stay unknown', async () => {
    const member = callerOf(shop)
    const { body } = await member(shop.people.member, 'GET /organizations/acme/environments/')
    assert.ok(!JSON.stringify(body).includes('secret'))
    const refused = await member(shop.people.member, `PUT ${SHOP}staging/`, { isHidden: true })
    assert.equal(refused.status, 403)
  })

  it('are hidden and shown one by one, by an encoded name', async () => {
    const hidden = await call(`PUT ${SHOP}pr%207/`, { isHidden: true })
    assert.deepEqual([hidden.status, hidden.body.name, hidden.body.isHidden], [200, 'pr 7', true])
    assert.deepEqual(await names(SHOP), ['production', 'staging'])
    assert.deepEqual(await names(`${SHOP}?visibility=hidden`), ['pr 7'])
    assert.deepEqual(await names(`${SHOP}?visibility=all`), ['production', 'pr 7', 'staging'])
    assert.deepEqual(await names('/organizations/acme/environments/?visibility=hidden'), ['pr 7'])
    assert.equal((await call(`GET ${SHOP}pr%207/`)).body.isHidden, true)
    await call(`PUT ${SHOP}pr%207/`, { isHidden: false })
    assert.deepEqual(await names(SHOP), ['production', 'pr 7', 'staging'])
  })

  it('stand in the order that was said, those not named behind', async () => {
    const { status, body } = await call(`PUT ${SHOP}`, { order: ['staging', 'production'] })
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ name }: { readonly name: string }) => name),
      ['staging', 'production', 'pr 7'],
    )
    assert.deepEqual(await names(SHOP), ['staging', 'production', 'pr 7'])
  })

  it('are refused where they are not there, and with words that are none of the API’s', async () => {
    assert.equal((await call(`GET ${SHOP}nowhere/`)).status, 404)
    assert.equal((await call(`PUT ${SHOP}nowhere/`, { isHidden: true })).status, 404)
    assert.equal((await call(`PUT ${SHOP}`, { order: ['nowhere'] })).status, 404)
    assert.equal((await call(`PUT ${SHOP}staging/`, { isHidden: 'yes' })).status, 400)
    assert.equal((await call(`GET ${SHOP}?visibility=some`)).status, 400)
  })
})
