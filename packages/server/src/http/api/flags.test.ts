import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { DAY, HOUR } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop } from '#testing/worlds/api.ts'

const HOOK = '/organizations/acme/flags/hooks/provider/generic/'
const LOGS = '/organizations/acme/flags/logs/'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('changes of feature flags', () => {
  let shop: Shop
  let callAs: ReturnType<typeof callerOf>
  let nowMs: number
  let ids = 0

  before(async () => {
    shop = await openShop()
    callAs = callerOf(shop)
    nowMs = shop.clock.now()
  })
  after(() => shop.close())

  const timeOf = (ms: number) => new Date(ms).toISOString()
  const aChange = (given: object = {}) => ({
    ...{ action: 'updated', change_id: ++ids, created_at: timeOf(nowMs - HOUR), flag: 'new-checkout' },
    created_by: { id: 'ada@example.com', type: 'email' },
    ...given,
  })
  const tell = (...data: readonly object[]): Promise<{ status: number; body: Json }> =>
    callAs(shop.people.member, `POST ${HOOK}`, { data, meta: { version: 1 } })
  const list = async (query = '', person = shop.people.owner): Promise<Json> => {
    const { status, body }: { status: number; body: Json } = await callAs(person, `GET ${LOGS}?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const flags = async (query = '', person = shop.people.owner): Promise<readonly string[]> =>
    (await list(query, person)).map(({ flag }: { readonly flag: string }) => flag)

  it('are listed as they were told, once, with what is not known passed over', async () => {
    const told = aChange({ change_id: 123, colour: 'red' })
    assert.deepEqual(await tell(told), { ...(await tell(told)), body: { added: 1 } })
    assert.deepEqual((await tell(told)).body, { added: 0 })
    const [first, ...others] = await list('flag=new-checkout')
    assert.deepEqual(first, {
      ...{ id: first.id, action: 'updated', createdAt: timeOf(nowMs - HOUR), flag: 'new-checkout' },
      ...{ createdBy: 'ada@example.com', createdByType: 'email', provider: 'generic', tags: {} },
    })
    assert.deepEqual(others, [])
  })

  it('are paged by a cursor, newest first, within start and end', async () => {
    const at = (hours: number) => ({ flag: `paged-${hours}`, created_at: timeOf(nowMs - hours * HOUR) })
    await tell(aChange(at(50)), aChange(at(52)), aChange(at(51)))
    const range = `start=${timeOf(nowMs - 52 * HOUR)}&end=${timeOf(nowMs - 49 * HOUR)}`
    assert.deepEqual(await flags(range), ['paged-50', 'paged-51', 'paged-52'])
    assert.deepEqual(await flags(`start=${timeOf(nowMs - 52 * HOUR)}&end=${timeOf(nowMs - 50 * HOUR)}`), [
      'paged-51',
      'paged-52',
    ])
    const page = await callAs(shop.people.owner, `GET ${LOGS}?${range}&limit=2`)
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(page.headers.get('link') ?? '')?.[1]
    assert.ok(cursor !== undefined)
    assert.deepEqual(await flags(`${range}&limit=2&cursor=${cursor}`), ['paged-52'])
    assert.equal((await callAs(shop.people.owner, `GET ${LOGS}?cursor=made:up`)).status, 400)
  })

  it('of a project are hidden from who may not read it, who may not tell of it either', async () => {
    const vault = aChange({ flag: 'vault-door', project: 'vault' })
    assert.equal((await tell(vault)).status, 400)
    const told = await callAs(shop.people.owner, `POST ${HOOK}`, {
      data: [vault, aChange({ flag: 'shop-door', project: shop.shop.id })],
    })
    assert.deepEqual(told.body, { added: 2 })
    const doors = async (...asked: Parameters<typeof flags>) =>
      (await flags(...asked)).filter((flag) => flag.endsWith('-door')).toSorted()
    assert.deepEqual(await doors(), ['shop-door', 'vault-door'])
    assert.deepEqual(await doors('project=vault'), ['vault-door'])
    assert.deepEqual(await doors('', shop.people.member), ['shop-door'])
    assert.deepEqual(await doors('', shop.people.guest), ['shop-door'])
  })

  it('of a clock that is ahead are told as of now, at most a day; too old ones are passed over', async () => {
    const said = async (flag: string, ms: number) => tell(aChange({ flag, created_at: timeOf(ms) }))
    assert.deepEqual((await said('ahead', nowMs + DAY)).body, { added: 1 })
    assert.equal((await list('flag=ahead'))[0].createdAt, timeOf(nowMs))
    assert.equal((await said('far-ahead', nowMs + DAY + 1)).status, 400)
    const oldest = nowMs - max('flagChangeDays') * DAY
    assert.deepEqual((await said('oldest', oldest)).body, { added: 1 })
    assert.deepEqual((await said('too-old', oldest - 1)).body, { added: 0 })
    assert.deepEqual(await flags('flag=oldest'), ['oldest'])
    assert.deepEqual(await flags('flag=far-ahead'), [])
    await tell(aChange({ flag: 'no-offset', created_at: timeOf(nowMs - HOUR).replace('Z', '') }))
    assert.equal((await list('flag=no-offset'))[0].createdAt, timeOf(nowMs - HOUR))
  })

  it('without an author, or with ids of text, are taken', async () => {
    const { status } = await tell(aChange({ flag: 'nobody', created_by: null, change_id: 'a-1' }))
    assert.equal(status, 200)
    const [row] = await list('flag=nobody')
    assert.deepEqual([row.createdBy, row.createdByType], [null, null])
  })

  it('that are hostile are refused whole, with their rule', async () => {
    const most = 'x'.repeat(max('flagCharsMax'))
    assert.equal((await tell(aChange({ flag: most }))).status, 200)
    const wrong: readonly object[] = [
      { flag: `${most}x` },
      { flag: '' },
      { flag: 'line\nbreak' },
      { flag: 7 },
      { action: 'toggled' },
      { change_id: null },
      { change_id: 1.5 },
      { change_id: 'x'.repeat(max('flagChangeIdCharsMax') + 1) },
      { created_at: 'yesterday' },
      { created_at: 1_700_000_000 },
      { created_at: '2026-13-45T00:00:00Z' },
      { created_by: { id: 'a\u202eb', type: 'name' } },
      { created_by: { id: 'ada', type: 'rank' } },
      { project: 'nowhere' },
    ]
    const before = await flags()
    for (const each of wrong) {
      const { status, body } = await tell(aChange({ flag: 'beside' }), aChange(each))
      assert.equal(status, 400, `${JSON.stringify(each)}: ${JSON.stringify(body)}`)
    }
    const many = (count: number) => Array.from({ length: count }, () => aChange({ flag: 'many' }))
    assert.equal((await tell(...many(max('flagChangesPerCallMax') + 1))).status, 400)
    assert.deepEqual(await flags(), before)
    assert.equal((await tell(...many(max('flagChangesPerCallMax')))).status, 200)
    for (const body of [[], { data: {} }, { data: [null] }, { data: [], meta: { version: 2 } }])
      assert.equal((await callAs(shop.people.member, `POST ${HOOK}`, body)).status, 400, JSON.stringify(body))
    assert.deepEqual((await tell()).body, { added: 0 })
  })
})
