import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { envelopeOf } from '#testing/builders/records.ts'
import { DAY, HOUR, NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'
import { crashFree, type HealthView } from './release-health.ts'

const OLD = 'web@1.0.0'
const NEW = 'web@1.1.0'
const GONE = 'web@0.9.0'

describe('the health of a release', () => {
  let shop: Shop

  before(async () => {
    shop = await openShop()
    const at = async (
      hour: number,
      [release, exited, crashed, environment = 'production']: readonly [string, number, number, string?],
    ) => {
      const started = new Date(NOW - hour * HOUR).toISOString()
      const aggregates = [{ started, exited, crashed, did: `person ${hour}` }]
      const attrs = { release, environment }
      await sendEnvelope(shop, shop.dsn, envelopeOf(['sessions', { aggregates, attrs }]))
    }
    await at(100, [GONE, 10, 0])
    await at(99, [GONE, 9, 1])
    await at(60, [OLD, 100, 0])
    await at(59, [OLD, 98, 2])
    await at(58, [OLD, 40, 0])
    await at(2, [NEW, 20, 0])
    await at(1, [NEW, 18, 2])
    await at(1, [OLD, 60, 0])
    await at(1, [NEW, 10, 0, 'staging'])
  })
  after(() => shop.close())

  const view = async (version: string, earlier: string | null): Promise<HealthView> => {
    const scope = await shop.people.owner.scope()
    const found = await shop.queries.healthView(scope, { version, before: earlier })
    if (found === null) throw new Error('no sessions')
    return found
  }

  it('compares a young release with the one before at the same age, hour by hour', async () => {
    const { stepMs, startMs, series, before: earlier, inRange, shares, isWhole } = await view(NEW, OLD)
    assert.deepEqual([stepMs, startMs, isWhole], [HOUR, NOW - 2 * HOUR, true])
    assert.deepEqual(
      series.map(({ sessions, crashed }) => [sessions, crashed]),
      [
        [20, 0],
        [30, 2],
        [0, 0],
      ],
    )
    assert.deepEqual([inRange.sessions, crashFree(inRange).sessions], [50, 1 - 2 / 50])
    assert.deepEqual(
      earlier?.series.map(({ sessions }) => sessions),
      [100, 100, 40],
    )
    assert.deepEqual(shares, [1, 30 / 90, null])
  })

  it('has adoption of the last day, whole and by environment', async () => {
    const { adoption, environments } = await view(NEW, null)
    assert.equal(adoption.sessions, 50 / 110)
    assert.deepEqual(
      environments.map(({ environment, adoption: own }) => [environment, own.sessions]),
      [
        ['production', 40 / 100],
        ['staging', 1],
      ],
    )
  })

  it('shows an older one by the day', async () => {
    const { stepMs, series, isWhole, before: earlier } = await view(OLD, GONE)
    assert.deepEqual([stepMs, isWhole, series.length], [DAY, true, 3])
    assert.deepEqual(
      series.map(({ sessions }) => sessions),
      [240, 0, 60],
    )
    assert.equal(earlier?.inRange.sessions, 20)
  })

  it('ends with the last session of one that nobody runs any more', async () => {
    const { isOver, endMs, adoption, inRange } = await view(GONE, null)
    assert.deepEqual([isOver, endMs, adoption.sessions], [true, NOW - 98 * HOUR, null])
    assert.equal(inRange.sessions, 20)
  })

  it('is not there while it has no sessions', async () => {
    const scope = await shop.people.owner.scope()
    assert.equal(await shop.queries.healthView(scope, { version: 'none', before: OLD }), null)
    const many = await shop.queries.releaseHealth(scope, {
      ...{ versions: [NEW, 'none'], projects: null, environments: null },
    })
    const staging = await shop.queries.releaseHealth(scope, {
      ...{ versions: [NEW, OLD], projects: null, environments: ['staging'] },
    })
    assert.deepEqual([staging.get(NEW)?.adoption.sessions, staging.get(OLD)?.adoption.sessions], [1, null])
    assert.deepEqual([...many.keys()], [NEW])
    assert.equal(many.get(NEW)?.days.at(-1)?.sessions, 50)
    const elsewhere = await shop.people.rival.scope('rival')
    assert.equal(await shop.queries.healthView(elsewhere, { version: NEW, before: null }), null)
  })
})
