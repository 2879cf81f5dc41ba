import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, send } from '#testing/worlds/api.ts'

describe('the list of projects', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  it('tells what came in the last day, per hour, and what is still waited for', async () => {
    const scope = await shop.people.owner.scope()
    await send(shop, shop.dsn, anError())
    await send(shop, shop.dsn, anError({ exception: { values: [{ type: 'Other', value: 'x' }] } }))
    const list = await shop.queries.projectOverviews(scope)
    assert.deepEqual(
      list.map(({ project, errors, issues, health }) => [
        project.slug,
        errors,
        issues.unresolved,
        issues.new,
        health,
      ]),
      [
        ['shop', 2, 2, 2, { state: 'steady' }],
        ['vault', 0, 0, 0, { state: 'waiting', hasKey: true }],
      ],
    )
    const own = list.find(({ project }) => project.slug === 'shop')
    assert.ok(own !== undefined && own.lastEventMs !== null && Math.abs(NOW - own.lastEventMs) < HOUR_MS)
    assert.deepEqual(own.trend.counts, [...Array(23).fill(0), 2])
    assert.equal(own.latestRelease?.version, anError().release)
    assert.equal(own.sessions, null)
  })

  it('shows a viewer their own projects alone', async () => {
    const list = await shop.queries.projectOverviews(await shop.people.viewer.scope())
    assert.deepEqual(
      list.map(({ project }) => project.slug),
      ['shop'],
    )
  })

  it('says in states alone what it says in full, as a project waits, grows, falls quiet and fares well', async () => {
    const scope = await shop.people.owner.scope()
    const now = () => ({ timestamp: shop.clock.now() / 1_000 })
    const readBoth = async () => {
      const [states, all] = [
        await shop.queries.projectStates(scope),
        await shop.queries.projectOverviews(scope),
      ]
      assert.deepEqual(
        states,
        all.map(({ project, errors, lastEventMs, health: { state } }) => ({
          ...{ project, errors, lastEventMs, state },
        })),
      )
      return states.map(({ project, errors, state }) => [project.slug, errors, state])
    }
    await send(shop, shop.dsn, anError(now()))
    assert.deepEqual(await readBoth(), [
      ['shop', 3, 'steady'],
      ['vault', 0, 'waiting'],
    ])
    shop.clock.advance(3 * DAY_MS)
    await send(shop, shop.vaultDsn, anError(now()))
    for (let count = 0; count < 49; count++) await send(shop, shop.dsn, anError(now()))
    assert.deepEqual(await readBoth(), [
      ['shop', 49, 'steady'],
      ['vault', 1, 'steady'],
    ])
    await send(shop, shop.dsn, anError(now()))
    assert.deepEqual((await readBoth())[0], ['shop', 50, 'growing'])
    shop.clock.advance(2 * DAY_MS)
    assert.deepEqual((await readBoth())[0], ['shop', 0, 'steady'])
  })
})
