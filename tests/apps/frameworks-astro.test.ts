/**
 * Astro with its client router and islands of React, deployed twice without source maps: what somebody does in a real
 * browser, and what Errata says of it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { apiGet } from '../support/api.ts'
import { assertFailing, assertTitles } from './deploy-findings.ts'
import { type DeployedApp, startedDeployedApp } from './deployed-app.ts'
import { leave } from './quiet.ts'
import { answeredAt, told, visitorOf } from './visits.ts'

const WRONG = 'Something went wrong'

/** A page that the router could not fetch is loaded as a document. */
const ISSUES: readonly string[] = [
  'RangeError: stone has no quarry',
  'RangeError: stone has no weight',
  'Error: the offers are missing',
  'Error: the reviews did not answer',
  'ReferenceError: a window is needed for its width',
  // No server tells of it.
  'Error: the stone cannot be cracked',
]

const FAILING: readonly string[] = [
  'action /_actions/[...path]',
  'document /island',
  'document /late',
  'document /stones/[id]',
  'page-data /stones/[id]',
]

async function visitAll(app: DeployedApp): Promise<void> {
  const { page, load, follow, press } = await visitorOf(app)
  for (const id of ['1', '2']) {
    await load(`/stones/${id}`, WRONG)
    await follow(`/stones/${id}`, WRONG)
  }
  await load('/stones/7', 'Stone 7')
  await follow('/stones/7', 'Stone 7')
  await load('/stones/missing')
  await load('/caught', '0 offers')
  await follow('/caught', '0 offers')
  await load('/late', 'Reviews')
  // It breaks before anything of it is sent.
  await load('/island')
  for (const button of ['carve', 'missing']) {
    await follow('/act', 'Act')
    await Promise.all([answeredAt(page, '/_actions/'), press(button)])
  }
  await follow('/act', 'Act')
  await Promise.all([told(page, 'cannot be cracked'), press('crack')])
  await leave(page)
}

describe('Astro', () => {
  let app: DeployedApp
  before(async () => {
    app = await startedDeployedApp({
      ...{ name: 'astro', build: ['astro', 'build'], built: 'dist' },
      serve: (built) => [`${built}/server/entry.mjs`],
    })
    await visitAll(app)
  })
  after(() => app?.[Symbol.asyncDispose]())

  it('has one issue for each bug, as a document and by a navigation, and none of what is expected', () =>
    assertTitles(app.shop, ISSUES))

  it('counts what failed by route and kind', () => assertFailing(app.shop, FAILING))

  it('tells of no click where an action is gone: neither SDK sends anything of it', async () => {
    const stale = await app.tab('/act')
    await app.deploy()
    await Promise.all([answeredAt(stale, '/_actions/carve'), stale.locator('#carve').click()])
    await leave(stale)
    await assertTitles(app.shop, ISSUES)
    const { data } = await apiGet<{ readonly data: readonly unknown[] }>(
      app.shop,
      `/organizations/${app.shop.organisation}/skew/`,
    )
    assert.deepEqual(data, [])
  })
})
