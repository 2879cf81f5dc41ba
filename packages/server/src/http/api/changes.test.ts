import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const titled = (type: string) => anError({ exception: { values: [{ type, value: 'boom' }] } })

describe('changing issues over the web API', () => {
  let shop: Shop
  let call: (path: string, body?: unknown) => Promise<{ status: number; body: Json }>
  const issue = (ref: string) => `/organizations/acme/issues/${ref}/`
  const ids: string[] = []

  before(async () => {
    shop = await openShop()
    const caller = callerOf(shop)
    call = (path, body) => caller(shop.token, path, body)
    for (const type of ['One', 'Two', 'Three', 'Four', 'Five']) await send(shop, shop.dsn, titled(type))
    await send(shop, shop.vaultDsn, titled('Vaulted'))
    for (const ref of ['SHOP-1', 'SHOP-2', 'SHOP-3', 'SHOP-4', 'SHOP-5']) {
      ids.push((await call(`GET ${issue(ref)}`)).body.id)
    }
  })
  after(() => shop.close())

  it('resolves, archives and opens again, in the words of Sentry', async () => {
    const table: readonly [body: object, status: string, substatus: string | null, details: object][] = [
      [{ status: 'resolved' }, 'resolved', null, {}],
      [{ status: 'unresolved' }, 'unresolved', 'ongoing', {}],
      [{ status: 'ignored' }, 'ignored', 'archived_forever', {}],
      [{ status: 'ignored', substatus: 'archived_forever' }, 'ignored', 'archived_forever', {}],
      [{ status: 'unresolved', substatus: 'ongoing' }, 'unresolved', 'ongoing', {}],
      [
        { status: 'ignored', statusDetails: { ignoreCount: 10 } },
        'ignored',
        'archived_until_condition_met',
        { ignoreCount: 10 },
      ],
      [
        { status: 'ignored', substatus: 'archived_until_condition_met', statusDetails: { ignoreCount: 3 } },
        'ignored',
        'archived_until_condition_met',
        { ignoreCount: 3 },
      ],
      [
        { status: 'ignored', statusDetails: { ignoreDuration: 60, ignoreUserCount: 5 } },
        'ignored',
        'archived_until_condition_met',
        { ignoreUntil: new Date(shop.clock.now() + 3_600_000).toISOString(), ignoreUserCount: 5 },
      ],
      [
        { status: 'ignored', ignoreDuration: 5 },
        'ignored',
        'archived_until_condition_met',
        { ignoreUntil: new Date(shop.clock.now() + 300_000).toISOString() },
      ],
      [{ status: 'resolved', statusDetails: {} }, 'resolved', null, {}],
    ]
    for (const [body, status, substatus, details] of table) {
      const answer = await call(`PUT ${issue('SHOP-1')}`, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.deepEqual(
        [answer.body.status, answer.body.substatus, answer.body.statusDetails],
        [status, substatus, details],
        JSON.stringify(body),
      )
      assert.deepEqual((await call(`GET ${issue('SHOP-1')}`)).body.status, status)
    }
    const { activity } = (await call(`GET ${issue('SHOP-1')}activities/`)).body
    assert.deepEqual(activity[0].type, 'set_resolved')
    assert.match(activity[0].user?.name ?? 'token all', /token all/)
  })

  it('opens a resolved issue again with the next event', async () => {
    assert.equal((await call(`PUT ${issue('SHOP-2')}`, { status: 'resolved' })).status, 200)
    shop.clock.advance(60_000)
    await send(shop, shop.dsn, { ...titled('Two'), timestamp: shop.clock.now() / 1000 })
    const { status, substatus } = (await call(`GET ${issue('SHOP-2')}`)).body
    assert.deepEqual([status, substatus], ['unresolved', 'regressed'])
  })

  it('assigns by mail address, id and user:id, and unassigns', async () => {
    const members = (await call('GET /organizations/acme/members/')).body
    const { id, email } = members.find(({ role }: Json) => role === 'member')
    for (const assignedTo of [email, email.toUpperCase(), id, `user:${id}`]) {
      const { status, body } = await call(`PUT ${issue('SHOP-1')}`, { assignedTo })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(body.assignedTo, { type: 'user', id, name: 'member', email }, assignedTo)
    }
    for (const assignedTo of ['', null]) {
      await call(`PUT ${issue('SHOP-1')}`, { assignedTo: email })
      assert.equal((await call(`PUT ${issue('SHOP-1')}`, { assignedTo })).body.assignedTo, null)
    }
  })

  it('refuses whom it cannot be assigned to', async () => {
    for (const [ref, assignedTo] of [
      ['SHOP-1', 'nobody@acme.test'],
      ['SHOP-1', 'owner@rival.test'],
      ['SHOP-1', 'team:999999'],
      ['VAULT-1', 'member@acme.test'],
    ] as const) {
      const { status, body } = await call(`PUT ${issue(ref)}`, { assignedTo })
      assert.equal(status, 400, assignedTo)
      assert.deepEqual(Object.keys(body), ['assignedTo'])
    }
  })

  it('archives until an issue escalates, as the substatus or the details say it', async () => {
    for (const asked of [
      { status: 'ignored', substatus: 'archived_until_escalating' },
      { status: 'ignored', statusDetails: { untilEscalating: true } },
    ]) {
      const { status, body } = await call(`PUT ${issue('SHOP-1')}`, asked)
      assert.equal(status, 200, JSON.stringify(body))
      const after = (await call(`GET ${issue('SHOP-1')}`)).body
      assert.deepEqual(
        [after.status, after.substatus, after.statusDetails],
        ['ignored', 'archived_until_escalating', { untilEscalating: true }],
      )
      await call(`PUT ${issue('SHOP-1')}`, { status: 'unresolved' })
    }
  })

  it('passes over fields that are not known, as Sentry does', async () => {
    const table: readonly object[] = [
      { wat: 1 },
      { constructor: 1 },
      JSON.parse('{"__proto__": 1}'),
      { hasSeen: true, inbox: false },
      { status: 'unresolved', statusDetails: { wat: true } },
    ]
    for (const body of table) {
      const answer = await call('PUT /organizations/acme/issues/SHOP-1/', body)
      assert.deepEqual([answer.status, answer.body.shortId], [200, 'SHOP-1'], JSON.stringify(body))
      assert.equal((await call('PUT /organizations/acme/issues/?id=SHOP-1', body)).status, 200)
    }
    const nothing = await call('PUT /organizations/acme/issues/SHOP-1/', {})
    assert.deepEqual([nothing.status, nothing.body.code], [400, 'bad_request'])
  })

  it('names every field and rule that it refuses', async () => {
    const table: readonly [body: object, field: string, rule: RegExp][] = [
      [{ status: 'closed' }, 'status', /One of unresolved/],
      [{ status: 5 }, 'status', /One of unresolved/],
      [{ substatus: 'ongoing' }, 'status', /needed beside/],
      [
        { status: 'ignored', substatus: 'archived_until_escalating', statusDetails: { ignoreCount: 5 } },
        'statusDetails',
        /takes none of/,
      ],
      [
        { status: 'ignored', substatus: 'archived_until_condition_met' },
        'statusDetails',
        /needs one of `ignoreCount`/,
      ],
      [
        { status: 'ignored', substatus: 'archived_forever', statusDetails: { ignoreDuration: 60 } },
        'statusDetails',
        /takes none of/,
      ],
      [
        { status: 'resolved', statusDetails: { ignoreUserCount: 5 } },
        'statusDetails',
        /belong to the status/,
      ],
      [{ status: 'ignored', statusDetails: { ignoreWindow: 60 } }, 'statusDetails', /not supported/],
      [{ status: 'ignored', statusDetails: { ignoreDuration: 0 } }, 'statusDetails', /`ignoreDuration` must/],
      [{ status: 'ignored', statusDetails: { ignoreUserCount: 1.5 } }, 'statusDetails', /whole number/],
      [{ status: 'ignored', ignoreDuration: 'x' }, 'ignoreDuration', /number/],
      [{ status: 'ignored', statusDetails: { ignoreCount: -1 } }, 'statusDetails', /at least 1/],
      [{ status: 'ignored', statusDetails: { ignoreCount: 'x' } }, 'statusDetails', /whole number/],
      [{ status: 'unresolved', substatus: 'new' }, 'substatus', /ongoing/],
      [{ merge: true }, 'merge', /at least two/],
      [{ assignedTo: 7 }, 'assignedTo', /An email/],
    ]
    const before = (await call(`GET ${issue('SHOP-3')}`)).body
    for (const [body, field, rule] of table) {
      const answer = await call(`PUT ${issue('SHOP-3')}`, body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.deepEqual(Object.keys(answer.body), [field], JSON.stringify(body))
      assert.match(answer.body[field][0], rule)
    }
    assert.equal((await call(`PUT ${issue('SHOP-3')}`, {})).status, 400)
    assert.deepEqual((await call(`GET ${issue('SHOP-3')}`)).body, before, 'nothing was changed')
  })

  it('resolves in a release, in the next one, in a commit, and says so', async () => {
    const put = (body: object) => call(`PUT ${issue('SHOP-3')}`, body)
    const none = await put({ status: 'resolved', statusDetails: { inRelease: 'shop@9.9.9' } })
    assert.deepEqual([none.status, Object.keys(none.body)], [400, ['release']])
    await call('POST /organizations/acme/releases/', { version: 'shop@1.0.0', projects: ['shop'] })
    const commit = { commit: 'c0ffee', repository: 'shop/web' }
    for (const [body, statusDetails] of [
      [{ inRelease: 'latest' }, { inRelease: 'shop@1.0.0' }],
      [{ inRelease: 'shop@1.0.0' }, { inRelease: 'shop@1.0.0' }],
      [{ inNextRelease: true }, { inNextRelease: true }],
      [{ inCommit: commit }, { inCommit: { commit: 'c0ffee' } }],
    ]) {
      const answer = await put({ status: 'resolved', statusDetails: body })
      assert.deepEqual([answer.status, answer.body.statusDetails], [200, statusDetails])
      await put({ status: 'unresolved' })
    }
    const answer = await put({ status: 'resolvedInNextRelease' })
    assert.deepEqual(answer.body.statusDetails, { inNextRelease: true })
    await put({ status: 'unresolved' })
    for (const statusDetails of [
      { inRelease: 7 },
      { inCommit: 'c0ffee' },
      { inRelease: 'shop@1.0.0', inNextRelease: true },
      { inUpcomingRelease: true },
    ])
      assert.equal((await put({ status: 'resolved', statusDetails })).status, 400)
    assert.equal((await put({ status: 'ignored', statusDetails: { inNextRelease: true } })).status, 400)
  })

  it('changes many by id or by query, and never all by omission', async () => {
    const some = `/organizations/acme/issues/?id=${ids[2]}&id=${ids[3]}`
    const answer = await call(`PUT ${some}`, { status: 'ignored', statusDetails: { ignoreCount: 5 } })
    assert.deepEqual(answer, {
      status: 200,
      body: {
        status: 'ignored',
        substatus: 'archived_until_condition_met',
        statusDetails: { ignoreCount: 5 },
      },
      headers: (answer as Json).headers,
    })
    const archived = (await call('GET /organizations/acme/issues/?query=is:archived')).body
    assert.deepEqual(archived.map(({ id }: Json) => id).sort(), [ids[2], ids[3]].sort())
    // As sentry-cli mutes and unmutes.
    const muted = { status: 'muted', snoozeDuration: null }
    assert.equal((await call('PUT /projects/acme/shop/issues/?status=nonsense', muted)).status, 400)
    assert.equal((await call('PUT /projects/acme/shop/issues/?status=muted&id=1', muted)).status, 400)
    const cli = await call('PUT /projects/acme/shop/issues/?status=muted', muted)
    assert.deepEqual([cli.status, cli.body.status], [200, 'ignored'])
    const all = await call('PUT /projects/acme/shop/issues/?query=is:archived', {
      status: 'resolved',
      assignedTo: 'manager@acme.test',
    })
    assert.equal(all.body.assignedTo.email, 'manager@acme.test')
    assert.equal((await call('GET /organizations/acme/issues/?query=is:archived')).body.length, 0)
    for (const path of [
      '/organizations/acme/issues/',
      '/organizations/acme/issues/?query=',
      '/projects/acme/shop/issues/',
    ]) {
      assert.equal((await call(`PUT ${path}`, { status: 'resolved' })).status, 400, path)
      assert.equal((await call(`DELETE ${path}`)).status, 400, path)
    }
    assert.equal(
      (await call('PUT /organizations/acme/issues/?query=is:lost', { status: 'resolved' })).status,
      400,
    )
  })

  it('merges into the issue with the most events, whose events then name it', async () => {
    await send(shop, shop.dsn, titled('Four'))
    const answer = await call(`PUT /organizations/acme/issues/?id=${ids[3]}&id=${ids[4]}`, { merge: 1 })
    assert.deepEqual(answer.body, { merge: { parent: ids[3], children: [ids[4]] } })
    const merged = (await call(`GET ${issue(ids[3] ?? '')}`)).body
    assert.equal(merged.count, '3')
    const events = (await call(`GET ${issue(ids[3] ?? '')}events/`)).body
    assert.deepEqual(
      events.map(({ groupID }: Json) => groupID),
      [ids[3], ids[3], ids[3]],
    )
    const of = await call(`GET /projects/acme/shop/events/${events[2].eventID}/`)
    assert.equal(of.body.groupID, ids[3], 'the event’s current issue')
    assert.equal((await call(`GET ${issue(ids[3] ?? '')}hashes/`)).body.length, 2)
    const one = await call(`PUT /organizations/acme/issues/?id=${ids[0]}`, { merge: 1 })
    assert.equal(one.status, 400)
    const vault = (await call(`GET ${issue('VAULT-1')}`)).body.id
    assert.deepEqual(
      Object.keys(
        (await call(`PUT /organizations/acme/issues/?id=${ids[0]}&id=${vault}`, { merge: 1 })).body,
      ),
      ['merge'],
    )
  })

  it('gives groups an issue of their own, both records keeping why', async () => {
    for (const title of ['Apart one', 'Apart two', 'Apart two']) await send(shop, shop.dsn, titled(title))
    const query = '/organizations/acme/issues/?query=Apart'
    const merge = await call(`PUT ${query}`, { merge: true, reason: 'Same cause' })
    const parent = merge.body.merge.parent
    const similar = await call(`GET ${issue(parent)}similar/`)
    assert.ok(similar.body.every(({ id }: Json) => id !== parent))
    const groups = (await call(`GET ${issue(parent)}hashes/`)).body
    assert.deepEqual(
      groups.map(({ errata }: Json) => [errata.title, errata.count, errata.project, errata.isMirror]),
      [
        ['Apart two: boom', '2', 'shop', false],
        ['Apart one: boom', '1', 'shop', false],
      ],
    )
    const bad = await call(`DELETE ${issue(parent)}hashes/?id=x`)
    const none = await call(`DELETE ${issue(parent)}hashes/`)
    const all = await call(`DELETE ${issue(parent)}hashes/?id=${groups[0].id}&id=${groups[1].id}`)
    assert.deepEqual([bad.status, none.status, all.status], [400, 400, 400])
    const done = await call(`DELETE ${issue(parent)}hashes/?id=${groups[1].id}&reason=Not+it`)
    assert.equal(done.status, 202)
    assert.equal((await call(`GET ${issue(parent)}`)).body.count, '2')
    assert.equal((await call(`GET ${issue(done.body.issue)}`)).body.title, 'Apart one: boom')
    const taken = `DELETE ${issue(done.body.issue)}hashes/?id=${groups[1].id}&into=`
    assert.match((await call(`${taken}SHOP-99999`)).body.into[0], /no such issue/)
    await call(`PUT /organizations/acme/issues/?id=${parent}&id=${done.body.issue}`, { merge: true })
    await send(shop, shop.dsn, titled('Apart three'))
    const [third] = (await call('GET /organizations/acme/issues/?query=error.type:%22Apart%20three%22')).body
    const moved = await call(`DELETE ${issue(parent)}hashes/?id=${groups[1].id}&into=${third.shortId}`)
    assert.deepEqual([moved.status, moved.body.issue], [202, third.id])
    assert.equal((await call(`GET ${issue(third.id)}`)).body.count, '2')
    const activity = (await call(`GET ${issue(parent)}activities/`)).body.activity
    const told = activity.map(({ type, data }: Json) => [type, data.reason])
    assert.ok(told.some(([type, why]: Json) => type === 'merge' && why === 'Same cause'))
    assert.ok(told.some(([type, why]: Json) => type === 'unmerge_source' && why === 'Not it'))
    assert.equal((await call(`PUT ${query}`, { status: 'resolved', reason: 'x' })).status, 400)
  })

  it('names what a search found and was merged', async () => {
    for (const title of ['Twin one', 'Twin two', 'Twin two']) await send(shop, shop.dsn, titled(title))
    const answer = await call('PUT /organizations/acme/issues/?query=Twin', { merge: 1 })
    const { parent, children } = answer.body.merge
    const found = (await call('GET /organizations/acme/issues/?query=Twin')).body
    assert.deepEqual([found.length, found[0].id, found[0].count], [1, parent, '3'])
    assert.equal(children.length, 1)
    assert.equal((await call(`GET ${issue(children[0])}`)).body.id, parent)
  })

  it('keeps comments with who wrote them', async () => {
    const made = await callerOf(shop)(shop.people.member, `POST ${issue('SHOP-1')}comments/`, {
      text: 'Looks like <b>the</b> deploy',
    })
    assert.equal(made.status, 201)
    const { type, data, user } = made.body as Json
    assert.deepEqual([type, data.text, user.name], ['note', 'Looks like <b>the</b> deploy', 'member'])
    assert.deepEqual((await call(`GET ${issue('SHOP-1')}comments/`)).body, [made.body])
    assert.equal((await call(`GET ${issue('SHOP-1')}`)).body.numComments, 1)
    for (const body of [{ text: '' }, { text: ' ' }, {}, { text: 'x'.repeat(10_000) }]) {
      const refused = await call(`POST ${issue('SHOP-1')}comments/`, body)
      assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['text']])
    }
  })

  it('deletes, after which nothing of the issue is found', async () => {
    const [event] = (await call(`GET ${issue('SHOP-1')}events/`)).body
    assert.equal((await call(`DELETE ${issue('SHOP-1')}`)).status, 202)
    for (const path of [
      issue('SHOP-1'),
      `${issue('SHOP-1')}events/`,
      `/projects/acme/shop/events/${event.eventID}/`,
      `/organizations/acme/eventids/${event.eventID}/`,
    ]) {
      assert.equal((await call(`GET ${path}`)).status, 404, path)
    }
    assert.equal((await call(`DELETE ${issue('SHOP-1')}`)).status, 404)
    assert.equal((await call(`DELETE /organizations/acme/issues/?id=${ids[1]}`)).status, 204)
    assert.equal((await call(`GET ${issue(ids[1] ?? '')}`)).status, 404)
  })
})
