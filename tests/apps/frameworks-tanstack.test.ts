/**
 * TanStack Start, deployed twice with all packages in its bundle and without source maps: what somebody does in a real
 * browser, and what Errata says of it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { issues } from '../support/api.ts'
import { assertFigures, assertIssues, assertSkew } from './deploy-findings.ts'
import { type DeployedApp, startedDeployedApp } from './deployed-app.ts'
import { leave } from './quiet.ts'
import { answeredAt, told, visitorOf } from './visits.ts'

const WRONG = 'Something went wrong'
const SSR_ONLY =
  '1 Error: Minified React error #419: The server could not finish this Suspense boundary, likely due to an error during server rendering.'

const ISSUES: readonly string[] = [
  // In the process that renders a document, and over HTTP.
  '2 RangeError: boat has no harbour',
  '2 RangeError: boat has no mast',
  '2 Error: the tides are missing',
  // With what the page saw of it.
  '2 Error: the boat cannot be sunk',
  '3 Error: the crew did not answer',
  // No server tells of it.
  SSR_ONLY,
]

const FIGURES: readonly string[] = [
  'action /_serverFn/moorBoat 1 0 0',
  'action /_serverFn/sinkBoat 1 1 1',
  'document /boats/$id 3 2 0',
  'document /late 1 1 1',
  'document /ssr-only 1 0 0',
  'page-data /_serverFn/getBoat 4 2 2',
  'page-data /_serverFn/getCrew 1 1 1',
  'page-data /_serverFn/getTides 1 0 0',
]

async function visitAll(app: DeployedApp): Promise<void> {
  const { page, load, follow, press } = await visitorOf(app)
  for (const id of ['1', '2']) {
    await load(`/boats/${id}`, WRONG)
    await follow(`/boats/${id}`, WRONG)
  }
  await load('/boats/7', 'Boat 7')
  await follow('/boats/7', 'Boat 7')
  await follow('/boats/missing', 'No such boat')
  await load('/caught', '0 tides')
  await follow('/caught', '0 tides')
  await Promise.all([told(page, 'React error #419'), load('/late', WRONG)])
  await follow('/late', WRONG)
  await Promise.all([told(page, 'React error #419'), load('/ssr-only', 'Wide')])
  await follow('/act', 'Act')
  await Promise.all([told(page, 'cannot be sunk'), press('sink')])
  await Promise.all([answeredAt(page, '/_serverFn/'), press('moor')])
  await leave(page)
}

describe('TanStack Start', () => {
  let app: DeployedApp
  before(async () => {
    app = await startedDeployedApp({
      ...{ name: 'tanstack-start', build: ['vite', 'build'], built: 'dist' },
      serve: (built) => ['--import', './instrument.server.mjs', 'serve.mjs', built],
    })
    await visitAll(app)
  })
  after(() => app?.[Symbol.asyncDispose]())

  it('has one issue for each bug, with what no server tells of, and none of what is expected', () =>
    assertIssues(app.shop, ISSUES))

  it('counts what failed behind 200 by the names of functions', () =>
    assertFigures(app.shop, FIGURES, { '/boats/*': '/boats/$id' }))

  it('calls an issue by the name of its function', async () => {
    const all = await issues(app.shop)
    const culprits = all.map(({ culprit }) => culprit).filter((culprit) => culprit.includes('_serverFn'))
    assert.deepEqual([...new Set(culprits)].sort(), [
      'GET /_serverFn/getBoat',
      'GET /_serverFn/getCrew',
      'GET /_serverFn/getTides',
      'POST /_serverFn/sinkBoat',
    ])
  })

  it('counts the call of a stale tab once, and makes the deploy’s issue of it', async () => {
    const stale = await app.tab('/act')
    await app.deploy()
    await Promise.all([told(stale, 'Server function info not found'), stale.locator('#moor').click()])
    await assertSkew(app.shop, {
      deploy: `${app.releases[1]} for ${app.releases[0]} 1 action`,
      places: [/^action \/act [0-9a-f]{64}$/],
    })
    await assertIssues(app.shop, [...ISSUES, `2 Stale tabs failed after the deploy of ${app.releases[1]}`])
  })
})
