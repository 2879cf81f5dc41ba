import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayOf } from '#base/ids.ts'
import { stored } from '#kinds/item.ts'
import type { Kind } from '#kinds/kind.ts'
import { KIND_LIST, kindsOf } from '#kinds/kinds.ts'
import { plainKind } from '#kinds/plain.ts'
import { plainRow, rowBase } from '#kinds/plain-item.ts'
import { datasetOf } from '#model/dataset.ts'
import { list, orNull, rowTable, text } from '#model/fields.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { note } from '#testing/kinds/note/index.ts'
import { openShop, type Shop, send, sendEnvelope, URL_HERE } from '#testing/worlds/api.ts'

const id = (nth: number) => nth.toString(16).padStart(32, '0')

describe('affected people', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
    const by = (nth: number, user: Readonly<Record<string, string>>, more: object = {}) =>
      send(
        shop,
        shop.dsn,
        anError({ event_id: id(nth), user, timestamp: (NOW - nth * 60_000) / 1000, ...more }),
      )
    await by(
      1,
      { id: 'u-1', email: 'Anna@Shop.test', ip_address: '192.0.2.1' },
      {
        breadcrumbs: [
          { timestamp: (NOW - 90_000) / 1000, category: 'ui.click', message: 'button.pay' },
          { timestamp: (NOW - 100_000) / 1000, category: 'navigation', data: { from: '/', to: '/cart' } },
          { timestamp: (NOW - 95_000) / 1000, category: 'console', message: 'not theirs to see' },
        ],
      },
    )
    await by(2, { id: 'u-1', username: 'anna' }, { fingerprint: ['other'], breadcrumbs: [] })
    await by(3, { id: 'u-12', email: 'ben@shop.test' })
    await by(4, { id: 'id' })
    await by(5, { id: 'a*b', username: 'Zoë Müller' })
  })
  after(() => shop.close())

  const found = async (text: string) =>
    (await shop.queries.peopleFound(await shop.people.owner.scope(), { text })).people.map(({ key }) => key)

  it('are found by a part of any name, whole names first, in any case', async () => {
    assert.deepEqual(await found('u-1'), ['id:u-1', 'id:u-12'])
    assert.deepEqual(await found('ANNA@'), ['id:u-1'])
    assert.deepEqual(await found('192.0.2'), ['id:u-1'])
    assert.deepEqual(await found('ben'), ['id:u-12'])
    // What a name is called by is no part of it, and a star stands for itself.
    assert.deepEqual(await found('id'), ['id:id'])
    assert.deepEqual(await found('a*b'), ['id:a*b'])
    assert.deepEqual(await found('email'), [])
    for (const text of ['zoe', 'ZOË', 'mUller']) assert.deepEqual(await found(text), ['id:a*b'], text)
    assert.equal((await found('')).length, 4)
    const { people, fromDay } = await shop.queries.peopleFound(await shop.people.owner.scope(), {
      text: 'u-1',
    })
    assert.deepEqual(
      people.map(({ rows, errors }) => [rows, errors]),
      [
        [2, 2],
        [1, 1],
      ],
    )
    assert.equal(fromDay, dayOf(NOW))
  })

  it('have everything they met on one page, with what breadcrumbs tell', async () => {
    const scope = await shop.people.owner.scope()
    const view = await shop.queries.person(scope, { key: 'u-1', beforeMs: null })
    assert.ok(view !== null)
    assert.deepEqual([view.key, view.events, view.traces, view.issues.length], ['id:u-1', 2, 0, 2])
    assert.deepEqual(
      view.items.map(({ kind, text }) => (kind === 'error' ? kind : `${kind} ${text}`)),
      ['error', 'click button.pay', 'page /cart', 'error'],
    )
    assert.deepEqual(
      view.names.map(({ name, rows }) => `${name} ${rows}`),
      ['email:anna@shop.test 1', 'ip:192.0.2.1 1', 'username:anna 1'],
    )
    // What breadcrumbs tell leads to the error that has them.
    assert.deepEqual(
      view.items.map(({ issue }) => issue?.eventId),
      [id(1), id(1), id(1), id(2)],
    )
    assert.deepEqual(view.crumbs, { errors: 2, read: 2 })
    const errors = await shop.queries.person(scope, { key: 'u-1', beforeMs: null, isErrorsOnly: true })
    assert.deepEqual([errors?.items.map(({ kind }) => kind), errors?.crumbs.read], [['error', 'error'], 0])
    const older = await shop.queries.person(scope, { key: 'u-1', beforeMs: NOW - 100_500 })
    assert.deepEqual(
      older?.items.map(({ kind }) => kind),
      ['error'],
    )
    assert.equal(await shop.queries.person(scope, { key: 'email:nobody', beforeMs: null }), null)
    assert.equal((await shop.queries.person(scope, { key: 'u-99', beforeMs: null }))?.events, 0)
  })

  it('are nobody to who may read no project of theirs', async () => {
    const scope = { ...(await shop.people.owner.scope()), projects: [] }
    assert.deepEqual((await shop.queries.peopleFound(scope, { text: 'u-1' })).people, [])
    assert.equal((await shop.queries.person(scope, { key: 'u-1', beforeMs: null }))?.events, 0)
  })

  it('have one file over all projects, which is audited', async () => {
    const request = new Request(`${URL_HERE}/api/0/organizations/acme/person-data/?person=u-1&format=jsonl`, {
      headers: { authorization: `Bearer ${shop.token}` },
    })
    const answer = await shop.api(request, { clientAddress: null })
    const lines = ((await answer?.text()) ?? '').trim().split('\n')
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { project: string; eventID: string }).eventID),
      [id(1), id(2)],
    )
    assert.match(lines[0] ?? '', /^\{"project":"shop"/)
  })
})

describe('people whom rows of an added kind name', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop({ kinds: kindsOf([...KIND_LIST, note]) })
    const timestamp = NOW / 1000 - 60
    const ada = { id: '7', email: 'ada@shop.test' }
    const attributes = { plan: 'gold' }
    await sendEnvelope(
      shop,
      shop.dsn,
      envelopeOf(
        ['note', { text: 'about ada', timestamp, user: ada, attributes, environment: 'live' }],
        ['note', { text: 'about ben', timestamp, user: { id: '77' } }],
        ['note', { text: 'about all whose id begins so', timestamp, user: { id: '7*' } }],
        ['note', { text: 'about nobody', timestamp }],
      ),
    )
  })
  after(() => shop.close())

  const linesOf = async (path: string) => {
    const request = new Request(`${URL_HERE}/api/0${path}`, {
      headers: { authorization: `Bearer ${shop.token}` },
    })
    const answer = await shop.api(request, { clientAddress: null })
    assert.equal(answer?.status, 200)
    return (await answer.text()).trim().split(/\r?\n/)
  }

  it('are found, and told from each other', async () => {
    const scope = await shop.people.owner.scope()
    const { people } = await shop.queries.peopleFound(scope, { text: 'ada' })
    assert.deepEqual(
      people.map(({ key, rows, errors }) => [key, rows, errors]),
      [['id:7', 1, 0]],
    )
    const view = await shop.queries.person(scope, { key: '7', beforeMs: null })
    assert.deepEqual([view?.events, view?.traces, view?.others, view?.lastMs], [0, 0, 1, NOW - 60_000])
    assert.deepEqual(
      view?.names.map(({ name }) => name),
      ['email:ada@shop.test'],
    )
    assert.deepEqual(
      view?.projects.map(({ others }) => others),
      [1],
    )
  })

  it('get their rows in their file, and nobody else’s', async () => {
    for (const path of ['/projects/acme/shop/person-data/', '/organizations/acme/person-data/']) {
      const lines = await linesOf(`${path}?person=7`)
      assert.equal(lines.length, 1)
      const { dataset, people, fields, dateCreated } = JSON.parse(lines[0] ?? '') as Line
      assert.deepEqual(
        [dataset, people, dateCreated, fields.text, fields.environment, fields.attributes],
        [
          ...['notes', ['id:7', 'email:ada@shop.test'], new Date(NOW - 60_000).toISOString()],
          ...['about ada', 'live', { plan: 'gold' }],
        ],
      )
      const [, line = '', ...more] = await linesOf(`${path}?person=7&format=csv`)
      assert.match(line, /notes: .*about ada.*,live,id:7,$/)
      assert.deepEqual(more, [])
    }
    const starred = await linesOf('/projects/acme/shop/person-data/?person=7*')
    assert.match(starred.join(), /about all whose id begins so/)
    assert.equal(starred.length, 1)
  })
})

describe('people whom rows of a kind with many fields name', () => {
  const names = Array.from({ length: 70 }, (_, nth) => `field${nth}`)
  const table = rowTable(
    'wide',
    { people: list(), ...Object.fromEntries(names.map((name) => [name, orNull(text())])) },
    { hasEventId: false },
  )
  const wide: Kind = {
    itemTypes: ['wide'],
    read: ({ envelope }) => {
      const row = { ...rowBase(envelope, undefined), people: ['id:7'] }
      const fields = Object.fromEntries(names.map((name) => [name, `${name} said`]))
      return stored({ rows: [plainRow(table, { ...row, ...fields }, envelope)] })
    },
    stored: plainKind({ table, category: 'wide', dataset: datasetOf(table, { name: 'wides', words: [] }) }),
  }
  let shop: Shop
  before(async () => {
    shop = await openShop({ kinds: kindsOf([...KIND_LIST, wide]) })
    await sendEnvelope(shop, shop.dsn, envelopeOf(['wide', {}]))
  })
  after(() => shop.close())

  it('get every one of them in their file', async () => {
    const path = `${URL_HERE}/api/0/organizations/acme/person-data/?person=7`
    const answer = await shop.api(new Request(path, { headers: { authorization: `Bearer ${shop.token}` } }), {
      clientAddress: null,
    })
    const { fields } = JSON.parse((await answer?.text()) ?? '') as Line
    assert.deepEqual([fields.field0, fields.field69], ['field0 said', 'field69 said'])
  })
})

interface Line {
  readonly dataset: string
  readonly dateCreated: string
  readonly people: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
}
