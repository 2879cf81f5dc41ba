import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { type ApiPerson, callerOf, openShop, type Shop, send, sendEnvelope } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

/** Number from DSNs of the place where the project was before. */
const NUMBER = '4507123456789012345'
const KEY = '0123456789abcdef0123456789abcdef'

describe('clients that move to Errata', () => {
  let shop: Shop
  let ask: (line: string, body?: unknown, who?: ApiPerson) => Promise<{ status: number; body: Json }>
  before(async () => {
    shop = await openShop()
    const call = callerOf(shop)
    ask = async (line, body, who = shop.people.owner) => {
      const { status, body: answer } = await call(who, line, body)
      return { status, body: answer }
    }
  })
  after(() => shop?.close())

  const dsn = (key: string, number: string) => `http://${key}@localhost:9000/${number}`
  const own = () => new URL(shop.dsn).username
  const titles = async () =>
    (await ask('GET /projects/acme/shop/events/')).body.map(({ title }: Json) => title)
  const failing = (type: string) => anError({ exception: { values: [{ type, value: 'boom' }] } })
  const envelope = (to: string, type: string) => {
    const event = failing(type)
    return Buffer.from(
      [{ event_id: event.event_id, dsn: to }, { type: 'event' }, event]
        .map((part) => JSON.stringify(part))
        .join('\n'),
    )
  }

  it('are refused with a number that is nobody’s, however long it is', async () => {
    for (const number of ['99', NUMBER, '9'.repeat(20)])
      await assert.rejects(send(shop, dsn(own(), number), failing('Early')), /not accepted/)
    assert.deepEqual(await titles(), [])
  })

  it('are taken by a further number and a further key, as SDKs and tunnels send them', async () => {
    const options = { furtherNumbers: [NUMBER, `0${NUMBER}`, '42'] }
    const set = await ask('PUT /projects/acme/shop/', { options })
    assert.equal(set.status, 200, JSON.stringify(set.body))
    assert.deepEqual(set.body.options.furtherNumbers, [NUMBER, '42'])
    const key = await ask('POST /projects/acme/shop/keys/', { name: 'Moved', public: KEY.toUpperCase() })
    assert.deepEqual([key.status, key.body.id, key.body.public], [201, KEY, KEY])
    await send(shop, dsn(KEY, NUMBER), failing('Stored'))
    await send(shop, dsn(own(), '42'), failing('Mixed'))
    await send(shop, dsn(KEY, String(shop.shop.id)), failing('Own'))
    await sendEnvelope(shop, dsn(KEY, NUMBER), envelope(dsn(KEY, NUMBER), 'Enveloped'))
    assert.deepEqual((await titles()).toSorted(), [
      'Enveloped: boom',
      'Mixed: boom',
      'Own: boom',
      'Stored: boom',
    ])
    await assert.rejects(
      sendEnvelope(shop, dsn(KEY, NUMBER), envelope(dsn(KEY, '43'), 'Other')),
      /not accepted: 4/,
    )
    await assert.rejects(send(shop, dsn(KEY, `1${NUMBER}`), failing('Other')), /not accepted/)
  })

  it('find their project by that number in the web API, of those they may read', async () => {
    assert.equal((await ask(`GET /projects/acme/${NUMBER}/`)).body.slug, 'shop')
    assert.equal((await ask(`GET /organizations/acme/issues/?project=${NUMBER}`)).body.length, 4)
    assert.equal((await ask(`GET /projects/rival/${NUMBER}/`, undefined, shop.people.rival)).status, 404)
    await ask('PUT /projects/acme/vault/', { options: { furtherNumbers: ['777', String(shop.shop.id)] } })
    assert.equal((await ask('GET /projects/acme/777/', undefined, shop.people.member)).status, 404)
    assert.equal((await ask(`GET /projects/acme/${shop.shop.id}/`)).body.slug, 'shop', 'its own comes first')
  })

  it('of two organisations may have the same numbers: the key says whose they are', async () => {
    const rival = (line: string, body?: unknown) => ask(line, body, shop.people.rival)
    const options = { furtherNumbers: [NUMBER, String(shop.shop.id)] }
    assert.equal(
      (await rival('PUT /projects/rival/shop/', { options })).status,
      200,
      'it says nothing of others',
    )
    const [key] = (await rival('GET /projects/rival/shop/keys/')).body
    await send(shop, dsn(key.public, NUMBER), failing('Rival'))
    await send(shop, dsn(key.public, String(shop.shop.id)), failing('Rival'))
    assert.ok(!(await titles()).includes('Rival: boom'))
    const theirs = (await rival('GET /projects/rival/shop/events/')).body
    assert.deepEqual(
      theirs.map(({ title }: Json) => title),
      ['Rival: boom', 'Rival: boom'],
    )
  })

  it('stay theirs: a key that is in use, or was another project’s, is taken over by nobody', async () => {
    const add = (project: string, who?: ApiPerson) =>
      ask(`POST /projects/${project}/keys/`, { name: 'Mine', public: KEY }, who)
    assert.equal((await add('acme/vault')).status, 409)
    assert.equal((await add('rival/shop', shop.people.rival)).status, 409)
    assert.equal((await ask(`DELETE /projects/acme/shop/keys/${KEY}/`)).status, 204)
    assert.equal((await add('rival/shop', shop.people.rival)).status, 409)
    await assert.rejects(send(shop, dsn(KEY, NUMBER), failing('Gone')), /not accepted/)
    assert.equal((await add('acme/shop')).status, 201, 'its own project may have it again')
    const made = await ask('POST /organizations/acme/projects/', { name: 'Short-lived' })
    const [key] = (await ask(`GET /projects/acme/${made.body.slug}/keys/`)).body
    await ask(`DELETE /projects/acme/${made.body.slug}/`)
    const again = await ask('POST /projects/acme/shop/keys/', { name: 'Again', public: key.public })
    assert.equal(again.status, 409, 'of a deleted project, too')
  })

  it('are set by who may change the project alone, in words that can be read', async () => {
    for (const who of [shop.people.member, shop.people.viewer]) {
      const { status } = await ask('PUT /projects/acme/shop/', { options: { furtherNumbers: [] } }, who)
      assert.equal(status, 403)
    }
    for (const numbers of [
      ['x'],
      ['1'.repeat(21)],
      ['-1'],
      [7],
      Array.from({ length: 21 }, (_, at) => `${at}`),
    ]) {
      const { status } = await ask('PUT /projects/acme/shop/', { options: { furtherNumbers: numbers } })
      assert.equal(status, 400, JSON.stringify(numbers))
    }
    for (const key of ['short', `${KEY}0`, 'g'.repeat(32)]) {
      const { status, body } = await ask('POST /projects/acme/shop/keys/', { name: 'K', public: key })
      assert.deepEqual([status, Object.keys(body)], [400, ['public']], key)
    }
    const { rows } = (await ask('GET /organizations/acme/audit-logs/')).body
    const entry = (event: string) => rows.find((row: Json) => row.event === event)
    assert.match(entry('project.changed').data.changed, /furtherNumbers/)
    assert.match(JSON.stringify(entry('key.created').data), new RegExp(KEY))
  })
})
