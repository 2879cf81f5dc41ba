import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const ISSUE = '/organizations/acme/issues/SHOP-1/'

describe('comments, subscriptions and bookmarks over the web API', () => {
  let shop: Shop
  let call: (
    who: Parameters<ReturnType<typeof callerOf>>[0],
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; body: Json }>

  before(async () => {
    shop = await openShop()
    const caller = callerOf(shop)
    call = (who, path, body) => caller(who, path, body)
    await send(shop, shop.dsn, anError({ exception: { values: [{ type: 'One', value: 'boom' }] } }))
  })
  after(() => shop.close())

  it('changes and deletes a comment, by its author alone', async () => {
    const { member, viewer, owner } = shop.people
    const made = await call(member, `POST ${ISSUE}comments/`, { text: 'look' })
    assert.equal(made.status, 201)
    const { id, data, type } = made.body
    assert.deepEqual([type, data], ['note', { text: 'look' }])
    const one = `${ISSUE}comments/${id}/`
    const edited = await call(member, `PUT ${one}`, { text: 'look again' })
    assert.equal(edited.status, 200)
    assert.deepEqual(edited.body.data, { text: 'look again' })
    assert.ok(typeof edited.body.dateUpdated === 'string')
    assert.equal((await call(owner, `PUT ${one}`, { text: 'mine' })).status, 403)
    assert.equal((await call(viewer, `DELETE ${one}`)).status, 403)
    assert.equal((await call(member, `DELETE ${one}`)).status, 204)
    assert.deepEqual((await call(member, `GET ${ISSUE}comments/`)).body, [])
    const { activity } = (await call(member, `GET ${ISSUE}activities/`)).body
    assert.deepEqual([activity[0].type, activity[0].data], ['note_deleted', {}])
    assert.equal((await call(member, `PUT ${one}`, { text: 'gone' })).status, 404)
    assert.equal((await call(member, `PUT ${ISSUE}comments/x/`, { text: 'no' })).status, 404)
  })

  it('subscribes who is mentioned, by name or by ID', async () => {
    const { member, manager, owner } = shop.people
    const { user } = (await call(member, `POST ${ISSUE}comments/`, { text: 'see @manager' })).body
    const asMentioned = (await call(manager, `GET ${ISSUE}`)).body
    assert.deepEqual(
      [asMentioned.isSubscribed, asMentioned.subscriptionDetails],
      [true, { reason: 'mentioned' }],
    )
    const own = (await call(member, `GET ${ISSUE}`)).body
    assert.deepEqual([own.isSubscribed, own.subscriptionDetails], [true, { reason: 'comment' }])
    const participants: readonly { readonly id: string }[] = own.participants
    assert.ok(participants.some(({ id }) => id === user.id))
    const wrong = await call(member, `POST ${ISSUE}comments/`, { text: 'x', mentions: ['user:999999'] })
    assert.equal(wrong.status, 400)
    assert.equal((await call(owner, `GET ${ISSUE}`)).body.isSubscribed, false)
  })

  it('subscribes and bookmarks for whoever asks, and for nobody with an organisation’s token', async () => {
    const { owner, member } = shop.people
    const on = await call(owner, `PUT ${ISSUE}`, { isSubscribed: true, isBookmarked: true })
    assert.equal(on.status, 200)
    assert.deepEqual(
      [on.body.isSubscribed, on.body.isBookmarked, on.body.subscriptionDetails],
      [true, true, { reason: 'unknown' }],
    )
    const [listed] = (await call(owner, 'GET /organizations/acme/issues/?query=')).body
    assert.deepEqual([listed.isSubscribed, listed.isBookmarked], [true, true])
    assert.equal((await call(member, `GET ${ISSUE}`)).body.isBookmarked, false)
    const bulk = await call(owner, 'PUT /organizations/acme/issues/?id=SHOP-1', { isSubscribed: false })
    assert.deepEqual(bulk.body, { isSubscribed: false, subscriptionDetails: { disabled: true } })
    assert.equal((await call(owner, `GET ${ISSUE}`)).body.isSubscribed, false)
    assert.equal((await call(shop.token, `PUT ${ISSUE}`, { isBookmarked: true })).status, 400)
  })

  it('sets a priority and assigns a team, in the words of Sentry', async () => {
    const { owner } = shop.people
    const before = (await call(owner, `GET ${ISSUE}`)).body
    assert.deepEqual([before.priority, before.priorityLockedAt], ['medium', null])
    assert.deepEqual((await call(owner, `PUT ${ISSUE}`, { priority: 'high' })).body.priority, 'high')
    assert.ok((await call(owner, `GET ${ISSUE}`)).body.priorityLockedAt !== null)
    assert.equal((await call(owner, `PUT ${ISSUE}`, { priority: 'urgent' })).status, 400)
    const [team] = (await call(owner, 'GET /organizations/acme/teams/')).body
    const assigned = await call(owner, `PUT ${ISSUE}`, { assignedTo: `team:${team.id}` })
    assert.deepEqual(assigned.body.assignedTo, { type: 'team', id: team.id, name: team.slug })
    const bySlug = await call(owner, 'PUT /organizations/acme/issues/?id=SHOP-1', {
      assignedTo: `#${team.slug}`,
    })
    assert.equal(bySlug.body.assignedTo.type, 'team')
    assert.equal((await call(owner, `PUT ${ISSUE}`, { assignedTo: 'team:999999' })).status, 400)
  })
})
