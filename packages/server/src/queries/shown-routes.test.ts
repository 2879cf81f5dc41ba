/** Errors that came before an SDK had stated the pattern of their route, as an app of React Router sent them. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

const FILE = new URL('../../../../tests/fixtures/captured-spans/react-router8.json', import.meta.url)
const skip = existsSync(FILE) ? false : 'the captured fixtures are not part of this checkout'
const PATTERN = '/fails/hydration/:cause'

interface CapturedFile {
  readonly items: readonly {
    readonly name: string
    readonly type: string
    readonly payload: { readonly event_id: string }
  }[]
  readonly capturedMs: number
}

describe('errors that came before the pattern of their route', { skip }, () => {
  let shop: Shop
  let issue: string

  const sent = async (name: string, change: object = {}): Promise<void> => {
    const { items }: CapturedFile = JSON.parse(readFileSync(FILE, 'utf8'))
    const item = items.find((each) => each.name === name)
    assert.ok(item, name)
    const payload = { ...item.payload, ...change }
    const lines = [{ event_id: payload.event_id }, { type: item.type }, payload]
    await sendEnvelope(shop, shop.dsn, Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')))
  }
  const asked = async (path: string): Promise<unknown> => {
    const { status, body } = await callerOf(shop)(shop.token, `GET ${path}`)
    assert.equal(status, 200, JSON.stringify(body))
    return JSON.parse(JSON.stringify(body))
  }
  const found = async (query: string): Promise<number> => {
    const rows = await asked(`/organizations/acme/issues/?query=${encodeURIComponent(query)}`)
    assert.ok(Array.isArray(rows))
    return rows.length
  }

  before(async () => {
    shop = await openShop()
    const { capturedMs }: CapturedFile = JSON.parse(readFileSync(FILE, 'utf8'))
    shop.clock.advance(capturedMs + 60_000 - NOW)
    await sent('nesting · browser · error')
    await sent('time-zone · browser · error')
    await sent('client · browser · error')
    await sent('nesting · server · GET /fails/hydration/:cause')
    await shop.refreshDirectory()
    await sent('nesting · browser · error', { event_id: 'a'.repeat(32) })
    const listed = await shop.queries.issueList(await shop.people.owner.scope('acme'), {
      ...{ query: 'category:hydration', projects: [], environments: [], tab: 'all', sort: 'freq' },
      ...{ range: { startMs: 0, endMs: capturedMs * 2 }, limit: 10, cursor: null },
    })
    assert.deepEqual(
      listed.rows.map(({ route }) => route),
      [PATTERN, PATTERN],
    )
    issue = String(listed.rows[0]?.id)
  })
  after(() => shop.close())

  it('are at the pattern once it is known: each of an issue, its events and their tags', async () => {
    const scope = await shop.people.owner.scope('acme')
    const events = await shop.queries.issueEvents(scope, issue, { query: '', limit: 10, cursor: null })
    assert.deepEqual(
      events?.rows.map(({ route, tags }) => [route, tags.find(([key]) => key === 'route')?.[1]]),
      [
        [PATTERN, PATTERN],
        [PATTERN, PATTERN],
      ],
    )
    const oldest = await shop.queries.issueEvent(scope, issue, 'oldest')
    assert.equal(oldest?.row.route, PATTERN)
    const tags = await shop.queries.issueTags(scope, issue)
    const routes = tags?.find(({ key }) => key === 'route')
    assert.deepEqual(
      [routes?.values.map(({ value, count }) => [value, count]), routes?.valuesKept],
      [[[PATTERN, 2]], 1],
    )
  })

  it('are found by the pattern, and by the address that they came with', async () => {
    assert.deepEqual(
      [await found(`route:${PATTERN}`), await found(`!route:${PATTERN} is:unresolved`)],
      [2, 1],
    )
    assert.deepEqual(
      [await found('route:/fails/hydration/time-zone'), await found('route:/fails/hydration/none')],
      [1, 0],
    )
    const scope = await shop.people.owner.scope('acme')
    const events = await shop.queries.issueEvents(scope, issue, {
      ...{ query: `route:${PATTERN}`, limit: 10, cursor: null },
    })
    assert.equal(events?.total, 2)
  })
})
