import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { aSpan, spanEnvelope } from '#testing/builders/spans.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { asking, openShop, type Shop, sendEnvelope, unwrap } from '#testing/worlds/api.ts'

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
    const request = (trace: string) =>
      aSpan({
        ...{ trace: trace.padStart(32, 'e'), id: 'a', segment: 'a', isSegment: true, at: -HOUR },
        attributes: {
          ...{ 'sentry.segment.name': 'GET /keys', 'http.route': '/keys', 'sentry.release': 'vault@1.0.0' },
          ...{ 'http.request.method': 'GET', 'http.response.status_code': 200 },
        },
      })
    await sendEnvelope(shop, shop.vaultDsn, spanEnvelope([request('1'), request('2')]))
  })
  after(() => shop.close())

  const view = async (environment: string | null, projects: readonly ProjectId[] | null = null) =>
    (await all(environment, projects)).views[0] ?? null
  const all = async (environment: string | null, projects: readonly ProjectId[] | null = null) =>
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
    unwrap(await shop.commands.run('createRelease', owner, { version: NEW, projects: ['shop'], body: {} }))
    const dateFinished = new Date(NOW - 3 * HOUR).toISOString()
    unwrap(
      await shop.commands.run('addDeploy', owner, {
        version: NEW,
        deploy: { environment: 'production', dateFinished },
      }),
    )
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

  it('is of every project, by requests where no sessions came', async () => {
    const { views, others } = await all(null)
    assert.deepEqual(
      views.map(({ projectId, counted, releases }) => [
        projectId,
        counted,
        releases.map(({ version, lately }) => [version, lately]).at(-1),
      ]),
      [
        [shop.shop.id, 'sessions', [OLD, 10 / 45]],
        [shop.vault.id, 'requests', ['vault@1.0.0', 1]],
      ],
    )
    assert.equal(others, 0)
  })

  it('is not there where nothing came', async () => {
    assert.equal(await view('nowhere'), null)
    assert.equal(await view(null, []), null)
  })
})
