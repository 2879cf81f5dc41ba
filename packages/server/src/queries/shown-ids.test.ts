/** Ids that apps show on their error pages lead to the event, in whatever form and place. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

const uuid = (digit: string) => `${digit}1b2c3d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d`

describe('an id that an error page shows', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  const paste = async (text: string) => {
    const found = await shop.queries.paste(await shop.people.member.viewer(), text)
    return found.map((target) => ('eventId' in target ? target.eventId : target.kind))
  }
  const searched = async (text: string) => {
    const path = `/organizations/acme/issues/?query=${encodeURIComponent(text)}`
    const { body } = await callerOf(shop)(shop.token, `GET ${path}`)
    const listed: readonly { readonly culprit: string }[] = JSON.parse(JSON.stringify(body))
    return listed.map(({ culprit }) => culprit)
  }
  /** Sends an event with an issue of its own. */
  const sent = (transaction: string, fields: object) =>
    send(shop, shop.dsn, anError({ transaction, fingerprint: [transaction], ...fields }))

  it('leads there alone and within the text of the page, in the palette and in the search of issues', async () => {
    const errorId = uuid('a')
    const eventId = await sent('GET /garden', { extra: { errorId } })
    for (const text of [
      errorId,
      errorId.toUpperCase(),
      errorId.replaceAll('-', ''),
      `500\nInternal Error\nPlease quote error ID: ${errorId}.`,
      `Something went wrong (${errorId})\n\nBack to the shop`,
      `Error 50012\nReference: ${errorId}`,
    ]) {
      assert.deepEqual(await paste(text), [eventId], text)
      assert.deepEqual(await searched(text), ['GET /garden'], text)
    }
  })

  it('is found by many names, in extra, contexts and tags', async () => {
    const names: readonly (readonly [digit: string, fields: (id: string) => object])[] = [
      ['b', (error_id) => ({ extra: { error_id } })],
      ['c', (errorID) => ({ contexts: { page: { errorID } } })],
      ['d', (incidentId) => ({ tags: { incidentId } })],
      ['e', (requestId) => ({ extra: { nested: { requestId } } })],
      ['f', (id) => ({ tags: { 'x-request-id': id } })],
      ['2', (correlation_id) => ({ contexts: { http: { correlation_id } } })],
      ['3', (reference) => ({ extra: { reference } })],
      ['4', (id) => ({ contexts: { error: { 'support.id': id } } })],
      ['0', (id) => ({ extra: { error: { id } } })],
      ['6', (id) => ({ contexts: { incident: { uuid: id } } })],
      ['7', (reference_number) => ({ extra: { reference_number } })],
      ['8', (awsRequestId) => ({ tags: { awsRequestId } })],
    ]
    for (const [digit, fields] of names) {
      const eventId = await sent(`GET /${digit}`, fields(uuid(digit)))
      assert.deepEqual(await paste(`Reference: ${uuid(digit)}`), [eventId], digit)
    }
  })

  it('may be of another form than a UUID', async () => {
    for (const [name, id] of [
      ['nanoid', 'V1StGXR8_Z5jdHi6B-myT'],
      ['ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
      ['prefixed', 'err_8fk2Lq90'],
      ['of a platform', 'fra1::iad1::x7k2p-1732819283123-8c2f1d'],
    ] as const) {
      const eventId = await sent(`GET /${name}`, { extra: { errorId: id } })
      assert.deepEqual(await paste(id), [eventId], name)
      assert.deepEqual(await paste(`Sorry!\nError ID: ${id}\nTry again`), [eventId], name)
      assert.deepEqual(await searched(`Sorry! Error ID ${id}`), [`GET /${name}`], name)
    }
  })

  it('leads nowhere where its value is no id, or its name is of something else', async () => {
    const values = ['unknown', '12345678', 'error-404', '00000000-0000-0000-0000-000000000000', 'v1-2-3']
    for (const value of values) {
      await sent('GET /none', { extra: { errorId: value } })
      assert.deepEqual(
        (await paste(value)).filter((found) => found !== 'digest'),
        [],
        value,
      )
    }
    await sent('GET /none', { extra: { userId: uuid('5'), order: { id: uuid('1') }, sessionId: uuid('1') } })
    for (const digit of ['5', '1']) assert.deepEqual(await paste(uuid(digit)), [])
  })

  it('leads nowhere where many events have it', async () => {
    const requestId = `8${uuid('8').slice(1, -1)}e`
    for (let count = 0; count < 51; count += 1) await sent('GET /common', { extra: { requestId } })
    assert.deepEqual(await paste(requestId), [])
    const errorId = uuid('9')
    for (const route of ['a', 'b', 'c', 'd']) await sent(`GET /many/${route}`, { extra: { errorId } })
    assert.deepEqual(await paste(errorId), [])
  })

  it('is none of another organisation’s, and no search for a key', async () => {
    const errorId = uuid('a')
    const rival = await shop.people.rival.viewer()
    assert.deepEqual(await shop.queries.paste(rival, errorId), [])
    assert.deepEqual(await searched(`user.id:${errorId}`), [])
  })

  it('of an event finds in a page’s text what it finds alone', async () => {
    const eventId = await sent('GET /own', {})
    assert.deepEqual(await searched(eventId), ['GET /own'])
    assert.deepEqual(await searched(`Something went wrong\nReference ${eventId}\nTry again`), ['GET /own'])
  })

  it('is answered by the web API as a digest is, alone and in a page’s text', async () => {
    const eventId = await sent('GET /api', {
      extra: { errorId: `5${uuid('5').slice(1, -1)}f` },
      release: 'shop@7',
    })
    const errorId = `5${uuid('5').slice(1, -1)}f`
    const behind = async (text: string) => {
      const path = `/organizations/acme/digests/${encodeURIComponent(text)}/`
      const { status, body } = await callerOf(shop)(shop.token, `GET ${path}`)
      const answer: Answered = JSON.parse(JSON.stringify(body))
      return status === 200 ? answer.matches.map(({ eventId: id, release }) => `${id} ${release}`) : status
    }
    for (const text of [
      ...[errorId, errorId.toUpperCase(), eventId, `ID: ${eventId}`],
      `500\nInternal Error / 12 \nPlease quote ${errorId}.`,
    ])
      assert.deepEqual(await behind(text), [`${eventId} shop@7`], text)
    assert.equal(await behind('f'.repeat(32)), 404)
    assert.equal(await behind('no id at all'), 404)
  })

  it('names its event where one is asked for by its id', async () => {
    const errorId = `6${uuid('6').slice(1, -1)}e`
    const eventId = await sent('GET /named', { tags: { errorId } })
    const scope = await shop.people.member.scope()
    assert.equal((await shop.queries.eventPlace(scope, errorId))?.eventId, eventId)
    const rival = await shop.people.rival.scope('rival')
    assert.equal(await shop.queries.eventPlace(rival, errorId), null)
    assert.deepEqual(await shop.queries.digestMatches(rival, errorId), [])
  })
})

interface Answered {
  readonly matches: readonly { readonly eventId: string; readonly release: string | null }[]
}
