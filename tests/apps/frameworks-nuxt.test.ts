/**
 * Nuxt, deployed twice without source maps: what somebody does in a real browser, and what Errata says of it. `$fetch` and
 * `useFetch` ask once more for what failed.
 */
import { after, before, describe, it } from 'node:test'
import { assertFigures, assertIssues, assertSkew } from './deploy-findings.ts'
import { type DeployedApp, startedDeployedApp } from './deployed-app.ts'
import { leave } from './quiet.ts'
import { told, visitorOf } from './visits.ts'

const WRONG = 'Something went wrong'
const UNHANDLED: readonly string[] = [
  // Asked by the page that renders, by its second try, and by a browser as often; with what both pages made of it.
  '6 RangeError: order has no customer',
  '6 RangeError: order has no lines',
  '1 ReferenceError: a window is needed for its width',
  '2 Error: the card was declined by a bank that does not answer',
  // Of the server, and of the page.
  "1 TypeError: Cannot read properties of undefined (reading 'name')",
  "2 TypeError: Cannot read properties of undefined (reading 'name')",
  // No SDK says that it was expected.
  '1 Error: No such page',
]

const FIGURES: readonly string[] = [
  'document /orders/:id 3 2 0',
  'document /render 1 1 0',
  'document /ssr-only 1 1 0',
  'route-handler /api/cart 1 1 0',
  'route-handler /api/orders/:id 5 4 0',
]

async function visitAll(app: DeployedApp): Promise<void> {
  const { page, load, follow, press } = await visitorOf(app)
  for (const id of ['1', '2']) {
    await load(`/orders/${id}`, WRONG)
    await Promise.all([told(page, 'Server Error'), follow(`/orders/${id}`, WRONG)])
  }
  await load('/orders/7', 'Order 7')
  await follow('/orders/7', 'Order 7')
  await load('/orders/missing', WRONG)
  await Promise.all([told(page, 'No such order'), follow('/orders/missing', WRONG)])
  await load('/gone', WRONG)
  await Promise.all([told(page, 'No such page'), follow('/gone', WRONG)])
  await load('/render', WRONG)
  await Promise.all([told(page, 'reading'), follow('/render')])
  await load('/ssr-only', WRONG)
  await load('/offers', '0 offers')
  await follow('/offers', '0 offers')
  await follow('/act', 'Act')
  await Promise.all([told(page, '/api/cart'), press('buy')])
  await leave(page)
}

describe('Nuxt', () => {
  let app: DeployedApp
  before(async () => {
    app = await startedDeployedApp({
      ...{ name: 'nuxt', build: ['nuxt', 'build'], built: '.output' },
      serve: (built) => [
        ...['--import', `./${built}/server/sentry.server.config.mjs`],
        `${built}/server/index.mjs`,
      ],
    })
    await visitAll(app)
  })
  after(() => app?.[Symbol.asyncDispose]())

  it('has one issue for each bug by what was thrown, and none of an answer below 500 that a page passes on', () =>
    assertIssues(app.shop, [...UNHANDLED, '2 Error: the offers are missing']))

  it('finds all but what the app reported as unhandled', () =>
    assertIssues(app.shop, UNHANDLED, 'is:unhandled'))

  it('counts what failed by route and kind', () =>
    assertFigures(app.shop, FIGURES, {
      ...{ '/orders/*': '/orders/:id', '/api/orders/*': '/api/orders/:id' },
    }))

  it('counts the part of a page that a deploy took from a tab', async () => {
    const stale = await app.tab()
    await app.deploy()
    await Promise.all([
      told(stale, 'dynamically imported module'),
      stale.locator('a[href="/offers"]').click(),
    ])
    await stale.getByRole('heading', { name: '0 offers today' }).waitFor()
    await leave(stale)
    await assertSkew(app.shop, {
      deploy: `${app.releases[1]} for ${app.releases[0]} 1 chunk`,
      places: [/^chunk /],
    })
  })
})
