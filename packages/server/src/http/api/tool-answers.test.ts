import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { spanId, TRACE } from '#testing/builders/spans.ts'
import { type ApiPerson, callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('what tools for Sentry ask beside issues and events', () => {
  let shop: Shop
  let event = ''
  let ask: (line: string, body?: unknown, who?: string | ApiPerson) => Promise<{ status: number; body: Json }>
  before(async () => {
    shop = await openShop()
    const call = callerOf(shop)
    ask = async (line, body, who = shop.token) => {
      const { status, body: answer } = await call(who, line, body)
      return { status, body: answer }
    }
    const contexts = { trace: { trace_id: TRACE, span_id: spanId('a') } }
    event = await send(shop, shop.dsn, anError({ contexts, release: 'shop@1.0.0' }))
  })
  after(() => shop?.close())

  it('lists projects of every organisation, and those of a team', async () => {
    const own = (await ask('GET /projects/')).body
    assert.deepEqual(
      own.map(({ slug, organization }: Json) => [organization.slug, slug]),
      [
        ['acme', 'shop'],
        ['acme', 'vault'],
      ],
    )
    const slugs = async (path: string, who?: ApiPerson) =>
      (await ask(`GET ${path}`, undefined, who)).body.map(({ slug }: Json) => slug)
    assert.deepEqual(await slugs('/projects/', shop.people.member), ['shop'])
    assert.deepEqual(await slugs('/projects/', shop.people.rival), ['shop'])
    assert.deepEqual(await slugs('/teams/acme/acme/projects/'), ['shop'])
    assert.deepEqual(await slugs('/teams/acme/closed/projects/', shop.people.member), [])
    assert.deepEqual(await slugs('/projects/acme/shop/teams/'), ['acme'])
    const [listed] = (await ask('GET /teams/acme/acme/projects/')).body
    assert.deepEqual(listed.environments, ['production'])
  })

  it('looks for what lists hold by a part of its name', async () => {
    const names = async (path: string) => (await ask(`GET ${path}`)).body.map(({ slug }: Json) => slug)
    assert.deepEqual(await names('/organizations/acme/projects/?query=SHO'), ['shop'])
    assert.deepEqual(await names('/organizations/acme/projects/?query=slug:vault'), ['vault'])
    assert.deepEqual(await names('/organizations/acme/teams/?query=clos'), ['closed'])
    assert.deepEqual(await names('/organizations/?query=nobody'), [])
    const members = (await ask('GET /organizations/acme/members/?query=manager@')).body
    assert.deepEqual(
      members.map(({ email }: Json) => email),
      ['manager@acme.test'],
    )
  })

  it('says who may read a project', async () => {
    const emails = async (project: string) =>
      (await ask(`GET /projects/acme/${project}/members/`)).body.map(({ email }: Json) => email)
    assert.ok((await emails('shop')).includes('member@acme.test'))
    assert.deepEqual((await emails('vault')).toSorted(), ['manager@acme.test', 'owner@acme.test'])
  })

  it('turns inbound filters on and off', async () => {
    const active = async () =>
      (await ask('GET /projects/acme/shop/filters/')).body
        .filter((filter: Json) => filter.active)
        .map(({ id }: Json) => id)
    assert.deepEqual(await active(), [])
    for (const id of ['browser-extensions', 'localhost', 'web-crawlers'])
      assert.equal(
        (await ask(`PUT /projects/acme/shop/filters/${id}/`, { active: true, wat: 1 })).status,
        204,
      )
    assert.deepEqual(await active(), ['browser-extensions', 'localhost', 'web-crawlers'])
    const { options } = (await ask('GET /projects/acme/shop/')).body
    assert.deepEqual([options.filters.localhost, options.filters.controlFlow], [true, true])
    await ask('PUT /projects/acme/shop/filters/localhost/', { active: false })
    assert.deepEqual(await active(), ['browser-extensions', 'web-crawlers'])
    assert.equal(
      (await ask('PUT /projects/acme/shop/filters/legacy-browsers/', { subfilters: [] })).status,
      204,
    )
    for (const [id, body, status] of [
      ['legacy-browsers', { subfilters: ['ie9'] }, 400],
      ['localhost', {}, 400],
      ['nothing', { active: true }, 404],
    ] as const)
      assert.equal((await ask(`PUT /projects/acme/shop/filters/${id}/`, body)).status, status, id)
  })

  it('names releases by id, and commits with a time and an author or none', async () => {
    const body = { version: 'shop@1.0.0', projects: ['shop'], commits: [{ id: 'a'.repeat(40) }] }
    const made = await ask('POST /organizations/acme/releases/', body)
    assert.match(made.body.id, /^\d+$/)
    const [listed] = (await ask('GET /organizations/acme/releases/')).body
    assert.equal(listed.id, made.body.id)
    assert.match(listed.lastCommit.dateCreated, /^2026/)
    assert.ok(!('author' in listed.lastCommit))
  })

  it('counts what a trace has, and answers it at both addresses', async () => {
    const trace = await ask(`GET /organizations/acme/trace/${TRACE}/?project=-1&limit=1000`)
    assert.deepEqual(trace.body, (await ask(`GET /organizations/acme/events-trace/${TRACE}/`)).body)
    const { errors, span_count: spans } = (await ask(`GET /organizations/acme/trace-meta/${TRACE}/`)).body
    assert.deepEqual([errors, spans], [1, 0])
    assert.equal((await ask(`GET /organizations/acme/trace-meta/${'0'.repeat(31)}1/`)).status, 404)
  })

  it('says of what Errata keeps none that there is none', async () => {
    assert.deepEqual((await ask(`GET /projects/acme/shop/events/${event}/attachments/`)).body, [])
    assert.deepEqual((await ask('GET /organizations/acme/issues/SHOP-1/user-reports/')).body, [])
    assert.equal((await ask(`GET /projects/acme/vault/events/${event}/attachments/`)).status, 404)
    assert.equal((await ask('GET /organizations/acme/issues/SHOP-99/user-reports/')).status, 404)
  })

  it('takes comments as notes', async () => {
    const made = await ask(
      'POST /organizations/acme/issues/SHOP-1/notes/',
      { text: 'Looked' },
      shop.people.member,
    )
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const [note] = (await ask('GET /issues/SHOP-1/notes/')).body
    assert.deepEqual([note.type, note.data.text], ['note', 'Looked'])
  })

  it('says beforehand whether a search of events would be taken', async () => {
    const valid = async (rest: string) => {
      const { status, body } = await ask(`GET /organizations/acme/events/validate/?${rest}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body
    }
    const fine = await valid('dataset=errors&query=level:error&field=title&field=count()&orderby=-count()')
    assert.deepEqual([fine.valid, fine.field[0].name], [true, 'title'])
    assert.equal((await valid('dataset=spans&query=&field=span.op')).valid, true)
    for (const [wrong, where] of [
      ['dataset=logs', 'dataset'],
      ['query=events:x', 'query'],
      ['field=p95()', 'field'],
      ['dataset=spans&field=nothing', 'field'],
    ] as const) {
      const body = await valid(wrong)
      const said = [body[where]].flat()[0]
      assert.deepEqual([body.valid, said.valid, typeof said.error], [false, false, 'string'], wrong)
    }
  })

  it('sorts by orders that are made of what is not known here as by date', async () => {
    for (const sort of ['recommended', 'inbox'])
      assert.equal((await ask(`GET /organizations/acme/issues/?sort=${sort}`)).status, 200)
  })

  it('gives a token of the organisation an email, which is empty', async () => {
    const { email, user } = (await ask('GET /auth/')).body
    assert.deepEqual([email, user], ['', null])
  })
})
