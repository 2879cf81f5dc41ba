import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send, sendEnvelope, URL_HERE } from '#testing/worlds/api.ts'

describe('rows as a file', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
    for (let nth = 0; nth < 230; nth++)
      await send(
        shop,
        shop.dsn,
        anError({
          event_id: nth.toString(16).padStart(32, '0'),
          exception: { values: [{ type: `=Type${nth % 130}`, value: 'a "b", c' }] },
          tags: { nth: String(nth), part: nth % 2 === 0 ? 'even' : 'odd' },
          user: nth % 10 === 0 ? { id: '7', email: 'pat@example.com' } : { id: `u${nth}` },
          fingerprint: [nth < 130 ? `one ${nth}` : 'many'],
        }),
      )
  })
  after(() => shop.close())

  const fetched = async (path: string, token = shop.token) => {
    const request = new Request(`${URL_HERE}/api/0${path}`, { headers: { authorization: `Bearer ${token}` } })
    const answer = await shop.api(request, { clientAddress: null })
    assert.ok(answer !== null)
    return answer
  }
  const linesOf = async (path: string) => {
    const answer = await fetched(path)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+"$/)
    return (await answer.text()).split(/\r?\n/).slice(0, -1)
  }

  it('has every issue of a search, beyond a page, with what it matches', async () => {
    const lines = await linesOf('/organizations/acme/issues/?format=csv&query=part:even&statsPeriod=7d')
    assert.match(lines[0] ?? '', /^shortId,id,title,.*filtered\.count/)
    assert.equal(lines.length, 1 + 65 + 1)
    // No spreadsheet runs what a title begins with.
    assert.ok(lines.slice(1).every((line) => /^SHOP-\d+,\d+,"'=Type/.test(line)))
    const all = await linesOf('/projects/acme/shop/issues/?format=jsonl&sort=freq')
    assert.equal(all.length, 131)
    const [first] = all.map((line) => JSON.parse(line) as { count: string; filtered: unknown })
    assert.deepEqual([first?.count, first?.filtered], ['100', null])
  })

  it('has every event of an issue, its tags, and requests', async () => {
    const [issue] = (await (await fetched('/organizations/acme/issues/?sort=freq')).json()) as {
      id: string
    }[]
    const events = await linesOf(`/organizations/acme/issues/${issue?.id}/events/?format=jsonl&limit=3`)
    assert.equal(new Set(events.map((line) => (JSON.parse(line) as { id: string }).id)).size, 100)
    const tags = await linesOf(`/organizations/acme/issues/${issue?.id}/tags/?format=csv`)
    assert.equal(tags.filter((line) => /^part,(?:even|odd),50,/.test(line)).length, 2)
    assert.ok(tags.filter((line) => line.startsWith('nth,')).length > 90)
    const traces = '/organizations/acme/events/?dataset=spans&field=trace&field=span.duration&format=csv'
    assert.deepEqual(await linesOf(traces), ['trace,span.duration'])
  })

  it('refuses what is wrong before it begins', async () => {
    assert.equal((await fetched('/organizations/acme/issues/?format=xml')).status, 400)
    assert.equal((await fetched('/organizations/acme/issues/?format=csv&query=is:lost')).status, 400)
    assert.equal((await fetched('/organizations/acme/issues/0/tags/?format=csv')).status, 404)
  })

  it('has one person’s events whole, and nobody else’s', async () => {
    const path = '/projects/acme/shop/person-data/?by=email&person=Pat@example.com'
    for (const [email, name] of [
      ['pat@example.com', 'GET /theirs'],
      ['other@example.com', 'GET /others'],
    ])
      await sendEnvelope(shop, shop.dsn, aTransaction(email ?? '', name ?? ''))
    type Line = { people: string[]; title: string; event?: object; spans?: object }
    const lines = (await linesOf(path)).map((line) => JSON.parse(line) as Line)
    const spans = lines.filter((line) => 'spans' in line)
    assert.deepEqual(
      spans.map(({ title }) => title),
      ['GET /theirs'],
    )
    assert.match(JSON.stringify(spans[0]?.spans), /SELECT of theirs/)
    const events = lines.flatMap(({ people, event }) => (event === undefined ? [] : [{ people, event }]))
    assert.equal(events.length, 23)
    assert.ok(
      events.every(({ people, event }) => people.includes('email:pat@example.com') && 'exception' in event),
    )
    assert.equal((await linesOf('/projects/acme/shop/person-data/?person=7&format=csv')).length, 24)
    assert.deepEqual(await linesOf('/projects/acme/shop/person-data/?person=*'), [])
    assert.equal((await fetched('/projects/acme/shop/person-data/?by=email&person=nobody')).status, 400)
    const audit = (await (await fetched('/organizations/acme/audit-logs/?event=person.exported')).json()) as {
      rows: unknown[]
    }
    assert.ok(audit.rows.length >= 2)
    const { cookie } = shop.people.viewer
    const asViewer = new Request(`${URL_HERE}/api/0${path}`, { headers: { cookie: `errata=${cookie}` } })
    assert.equal((await shop.api(asViewer, { clientAddress: null }))?.status, 403)
  })
})

function aTransaction(email: string, name: string): Uint8Array {
  const [trace_id, span_id] = [
    email.length.toString(16).padStart(32, 'a'),
    email.length.toString(16).padStart(16, 'b'),
  ]
  const [start_timestamp, timestamp] = [NOW / 1_000 - 2, NOW / 1_000 - 1]
  const child = {
    trace_id,
    span_id: 'c'.repeat(16),
    parent_span_id: span_id,
    op: 'db',
    start_timestamp,
    timestamp,
  }
  const body = {
    ...{
      type: 'transaction',
      transaction: name,
      platform: 'node',
      start_timestamp,
      timestamp,
      user: { email },
    },
    contexts: { trace: { trace_id, span_id, op: 'http.server', status: 'ok' } },
    spans: [{ ...child, description: `SELECT of ${name.slice(5)}` }],
  }
  return Buffer.from(`{}\n{"type":"transaction"}\n${JSON.stringify(body)}\n`)
}
