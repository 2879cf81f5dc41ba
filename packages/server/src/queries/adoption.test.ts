import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { asking, openShop, type Shop, sendEnvelope, value } from '#testing/worlds/api.ts'

const OLD = 'web@1.9.0'
const NEW = 'web@1.10.0'

describe('the adoption of releases', () => {
  let shop: Shop

  before(async () => {
    shop = await openShop()
    const at = async (hour: number, release: string, exited: number, environment = 'production') => {
      const aggregates = [{ started: new Date(NOW - hour * HOUR).toISOString(), exited }]
      await sendEnvelope(
        shop,
        shop.dsn,
        envelopeOf(['sessions', { aggregates, attrs: { release, environment } }]),
      )
    }
    await at(100, OLD, 50)
    await at(2, OLD, 10)
    await at(1, NEW, 30)
    await at(1, 'web@1.11.0-rc.1', 5, 'staging')
  })
  after(() => shop.close())

  const view = async (environment: string | null, projects: readonly ProjectId[] | null = null) =>
    shop.queries.adoption(await shop.people.owner.scope(), { projects, environment })

  it('is drawn over a week, of each release in the order of versions', async () => {
    const found = await view(null)
    assert.equal(found?.counted, 'sessions')
    assert.deepEqual(
      found?.releases.map(({ version, counts, lately }) => [version, counts.reduce((a, b) => a + b), lately]),
      [
        ['web@1.11.0-rc.1', 5, 5 / 45],
        [NEW, 30, 30 / 45],
        [OLD, 60, 10 / 45],
      ],
    )
    assert.equal(found?.totals.length, 56)
    assert.equal((found?.endMs ?? 0) - (found?.startMs ?? 0), 7 * 24 * HOUR)
  })

  it('is of the environment that was asked for, and names a deploy to it', async () => {
    const { viewer, scope } = shop.people.owner
    const owner = asking(await viewer(), await scope())
    value(await shop.commands.createRelease(owner, { version: NEW, projects: ['shop'], body: {} }))
    const dateFinished = new Date(NOW - 3 * HOUR).toISOString()
    value(await shop.commands.addDeploy(owner, NEW, { environment: 'production', dateFinished }))
    const found = await view('production')
    assert.deepEqual(
      found?.releases.map(({ version, deployedMs }) => [version, deployedMs]),
      [
        [NEW, NOW - 3 * HOUR],
        [OLD, null],
      ],
    )
    assert.equal((await view('staging'))?.releases[0]?.deployedMs, null)
  })

  it('is not there where nothing came', async () => {
    assert.equal(await view('nowhere'), null)
    assert.equal(await view(null, []), null)
  })
})
