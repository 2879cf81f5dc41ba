/** Counts of a period equal the events of that period. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const MINUTE = 60_000
const DAY = 1_440
/** Minutes before now: around the ends of periods and of their first hours. */
const AGES = [
  1,
  30,
  59,
  61,
  90,
  125,
  DAY - 5,
  DAY + 5,
  DAY + 50,
  DAY + 125,
  14 * DAY - 5,
  14 * DAY + 5,
  14 * DAY + 90,
]

describe('counts of a period', () => {
  let shop: Shop
  let get: (path: string) => Promise<Json>
  before(async () => {
    shop = await openShop()
    get = async (path) => (await callerOf(shop)(shop.token, `GET ${path}`)).body
    for (const [index, minutes] of AGES.entries())
      await send(
        shop,
        shop.dsn,
        anError({
          timestamp: (NOW - minutes * MINUTE) / 1_000,
          user: { id: `u${index % 3}` },
          release: 'web@1',
        }),
      )
  })
  after(() => shop.close())

  for (const period of ['1h', '24h', '14d', '90d'])
    for (const query of ['release:web@1', 'user.id:u0', 'user.id:u1 release:web@1'])
      it(`are those of its events: ${query} in ${period}`, async () => {
        const asked = `query=${encodeURIComponent(query)}&statsPeriod=${period}`
        const [issue] = await get(`/organizations/acme/issues/?${asked}`)
        const events = await get(`/organizations/acme/issues/${issue.id}/events/?${asked}`)
        assert.equal(issue.filtered.count, String(events.length))
        assert.ok(events.length > 0)
        if (period !== '24h') return
        const [points] = Object.values(issue.filtered.stats) as readonly (readonly [number, number])[][] // as Sentry has it
        assert.equal(
          points?.reduce((sum, [, count]) => sum + count, 0),
          events.length,
        )
      })

  for (const [period, minutes] of [
    ['1h', 60],
    ['24h', DAY],
    ['14d', 14 * DAY],
    ['90d', 90 * DAY],
  ] as const)
    it(`are of that period, beside those of the whole issue: ${period}`, async () => {
      const [issue] = await get(`/organizations/acme/issues/?query=&statsPeriod=${period}`)
      assert.equal(issue.count, String(AGES.filter((age) => age <= minutes).length))
      assert.equal(issue.lifetime.count, String(AGES.length))
    })

  it('are of all events where no period is given', async () => {
    const [issue] = await get('/organizations/acme/issues/?query=')
    assert.equal((await get(`/organizations/acme/issues/${issue.id}/events/`)).length, AGES.length)
  })
})
