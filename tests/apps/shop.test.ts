/**
 * The example shop, with the SDKs of two generations: a real browser presses every button, and what Errata says of each
 * failure is what the button promises.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type ApiIssue, apiGet, issues } from '../support/api.ts'
import { waitFor } from '../support/wait-for.ts'
import { type RunningExample, startedExample } from './example.ts'
import { categoryOf, eventsOf, requestFigures, requestKinds, segments } from './findings.ts'
import { assertFrames, issueOf, type Place } from './frames.ts'
import { assertHalves, type Differs, NESTING } from './halves.ts'
import { answered, heading, numberShown, press, reported, type Until, urlIs } from './presses.ts'

const SDKS = [
  { name: 'SDK 11', release: 'shop@11.0.0' },
  { name: 'SDK 10', release: 'shop@10.0.0', variant: 'shop-10' },
] as const

interface Failure {
  readonly button: string
  readonly page?: string
  /** When everything of it has happened. */
  readonly until: Until
  readonly query: string
  readonly title: string | RegExp
  readonly category: 'server' | 'client' | 'hydration' | 'skew'
  /** Kinds of the events it makes. */
  readonly kinds: readonly string[]
  /** The page shows a number, and that leads to the issue. */
  readonly hasNumber?: true
  readonly places?: readonly Place[]
  readonly differs?: Differs
}

const onServer = { category: 'server' } as const
const inBrowser = { category: 'client', kinds: ['browser'] } as const
const hydration = { category: 'hydration', kinds: ['browser'] } as const
const withNumber = numberShown('#digest', 'React error #441')

const FAILURES: readonly Failure[] = [
  {
    ...{
      ...onServer,
      button: 'document',
      until: withNumber,
      kinds: ['document', 'browser'],
      hasNumber: true,
    },
    query: '"reading \'count\'"',
    title: "TypeError: Cannot read properties of undefined (reading 'count')",
    places: [['app/fails/document/page.tsx', 'DocumentPage', 'return <p>{shelf.count} left</p>']],
  },
  {
    ...{
      ...onServer,
      button: 'navigation',
      until: withNumber,
      kinds: ['page-data', 'browser'],
      hasNumber: true,
    },
    query: '"has no address"',
    title: 'Error: order 40118 has no address',
    places: [['app/fails/navigation/page.tsx', 'NavigationPage', 'throw new Error(']],
  },
  {
    ...{ ...onServer, button: 'late', until: withNumber, kinds: ['document', 'browser'], hasNumber: true },
    query: '"reviews did not answer"',
    title: 'Error: the reviews did not answer',
    places: [['app/fails/late/page.tsx', 'Reviews', 'throw new Error(']],
  },
  {
    ...{
      ...onServer,
      button: 'ssr-only',
      until: reported('React error #419'),
      kinds: ['document', 'browser'],
    },
    query: '"needed for its width"',
    title: 'ReferenceError: a window is needed for its width',
    places: [
      ['app/fails/ssr-only/width.tsx', 'widthOf', 'throw new ReferenceError('],
      ['app/fails/ssr-only/width.tsx', 'Width', 'const width ='],
    ],
  },
  {
    ...{ ...onServer, button: 'action', until: withNumber, kinds: ['action', 'browser'], hasNumber: true },
    query: '"card was declined"',
    title: 'Error: the card was declined by a bank that does not answer',
  },
  {
    ...{
      ...onServer,
      button: 'dropped-action',
      until: reported('React error #441'),
      kinds: ['action', 'browser'],
    },
    query: '"of Sencha are missing"',
    title: 'RangeError: 8 of Sencha are missing',
    places: [['app/actions.ts', 'reserve', 'if (count > 12) throw']],
  },
  {
    ...{ ...onServer, button: 'route-handler', until: answered('/api/discount'), kinds: ['route-handler'] },
    query: '"no discount has"',
    title: 'RangeError: no discount has the code SPRING',
    places: [['app/api/discount/route.ts', 'GET', 'throw new RangeError(']],
  },
  {
    ...{ ...onServer, button: 'edge', until: answered('/api/edge'), kinds: ['route-handler'] },
    query: '"shop is near enough"',
    title: 'Error: no shop is near enough',
    places: [['app/api/edge/route.ts', 'GET', 'throw new Error(']],
  },
  {
    ...{ ...onServer, button: 'middleware', until: heading('Something went wrong'), kinds: ['document'] },
    query: '"country is not known"',
    title: 'Error: the visitor’s country is not known',
    places: [['proxy.ts', 'proxy', "if (nextUrl.pathname === '/fails/middleware') throw"]],
  },
  {
    // First the tree of the route, then what fails.
    ...{ ...onServer, button: 'prefetch', until: answered('/fails/prefetched', 2), kinds: ['prefetch'] },
    query: '"not printed yet"',
    title: 'Error: the offers of today are not printed yet',
    places: [
      ['app/fails/prefetched/layout.tsx', 'offersOfToday', 'throw new Error('],
      ['app/fails/prefetched/layout.tsx', 'OffersLayout', 'await offersOfToday()'],
    ],
  },
  {
    ...{ ...onServer, page: '/classic', button: 'voucher-document', until: heading('Something went wrong') },
    kinds: ['document', 'page-data'],
    query: '"out of paper"',
    title: 'Error: the voucher printer is out of paper',
    places: [['pages/classic/voucher.tsx', 'getServerSideProps', 'throw new Error(']],
  },
  {
    ...{
      button: 'stale-action',
      category: 'skew',
      kinds: ['browser'],
      until: reported('UnrecognizedAction'),
    },
    query: 'errata.skew:action',
    title: /^Stale tabs failed after (?:a deploy|the deploy of shop@1[01]\.0\.0)$/,
  },
  {
    ...{ button: 'missing-chunk', category: 'skew', kinds: ['browser'] },
    // The pages after it have their chunks again.
    until: async (page) => {
      await reported('ChunkLoadError')(page)
      await page.waitForFunction(() => !document.cookie.includes('chunks_removed'))
    },
    query: 'errata.skew:chunk',
    title: /^Stale tabs failed after (?:a deploy|the deploy of shop@1[01]\.0\.0)$/,
  },
  {
    until: reported('/fails/hydration/time-zone'),
    ...{ ...hydration, button: 'time-zone', query: '"React error #418" route:/fails/hydration/time-zone' },
    title:
      'Hydration: Server HTML did not match: “20:06:40” rendered, “06:06:40” expected (Minified React error #418)',
    differs: { server: /Open until 20:06:40/, client: /Open until 06:06:40/, cause: 'time_zone' },
  },
  {
    until: reported('/fails/hydration/random'),
    ...{ ...hydration, button: 'random', query: '"React error #418" route:/fails/hydration/random' },
    title:
      /^Hydration: Server HTML did not match: “\d+” rendered, “\d+” expected \(Minified React error #418\)$/,
    differs: { server: /raffle: \d+/, client: /raffle: \d+/, cause: 'changed_data' },
  },
  {
    until: reported('/fails/hydration/text'),
    ...{ ...hydration, button: 'text', query: '"React error #418" route:/fails/hydration/text' },
    title:
      'Hydration: Server HTML did not match: “Welcome, guest” rendered, “Welcome back, Rosa” expected (Minified React error #418)',
    differs: { server: /Welcome, guest/, client: /Welcome back, Rosa/, cause: 'changed_data' },
  },
  {
    until: reported('/fails/hydration/nesting'),
    ...{ ...hydration, button: 'nesting', query: '"React error #418" route:/fails/hydration/nesting' },
    title:
      "Hydration failed because the server rendered HTML didn't match the client (Minified React error #418)",
    differs: NESTING,
  },
  {
    until: reported('not a count'),
    ...{ ...inBrowser, button: 'client', query: '"not a count"' },
    title: 'RangeError: not a count: -1 of Sencha',
    places: [
      ['app/press-button.tsx', 'priceOf', 'throw new RangeError('],
      ['app/press-button.tsx', '<anonymous>', 'reduce((sum, line)'],
      // The minifier put this into the handler that calls it.
      ['app/press-button.tsx', 'totalOf', 'reduce((sum, line)'],
      ['app/press-button.tsx', 'press', 'PRESSES[id]?.('],
    ],
  },
  {
    until: reported("reading 'cents'"),
    ...{ ...inBrowser, button: 'component', query: '"reading \'cents\'"' },
    title: "TypeError: Cannot read properties of undefined (reading 'cents')",
  },
  {
    until: reported('has no more room'),
    ...{ ...inBrowser, button: 'rejection', query: '"has no more room"' },
    title: 'Error: the newsletter has no more room',
  },
  {
    until: reported('coupon could not be read'),
    ...{ ...inBrowser, button: 'caught', query: '"coupon could not be read"' },
    title: 'Error: the coupon could not be read',
  },
]

/** Buttons that make no issue of their own: they work as the app intends, or are nobody's fault. */
const OUTCOMES: readonly { readonly button: string; readonly page?: string; readonly until: Until }[] = [
  { page: '/classic', button: 'voucher-navigation', until: urlIs('/classic/voucher') },
  { button: 'slow', until: heading('Your orders') },
  { button: 'moved', until: urlIs('/products/assam') },
  { button: 'gone', until: heading('There is no such page') },
  { button: 'action-redirect', until: urlIs('/products/sencha') },
  { button: 'aborted', until: urlIs('/products/rooibos') },
]

/** `kind route count failed behind`: what failed, and what could be taken for a failure. */
const FIGURES: readonly string[] = [
  'action / 4 3 0',
  'document /classic/voucher 2 2 0',
  'document /fails/document 1 1 0',
  'document /fails/late 1 1 1',
  'document /fails/middleware 1 1 0',
  'document /fails/ssr-only 1 1 1',
  'page-data /classic/voucher 1 1 0',
  'page-data /fails/navigation 1 1 1',
  'prefetch /fails/prefetched 2 1 1',
  'route-handler /api/discount 1 1 0',
  'route-handler /api/edge 1 1 0',
]

function isCalled(issue: ApiIssue, title: string | RegExp): boolean {
  return typeof title === 'string' ? issue.title === title : title.test(issue.title)
}

for (const { name, release, ...sdk } of SDKS) {
  describe(`the shop, ${name}`, () => {
    let shop: RunningExample
    let page: Page
    const numbers = new Map<string, string>()
    before(async () => {
      shop = await startedExample({
        ...{ name: 'shop', release, ...sdk, build: ['next', 'build'], built: '.next' },
        serve: ['node_modules/.bin/next', 'start', '--hostname', '127.0.0.1', '--port', '0'],
        env: (dsn) => ({ NEXT_PUBLIC_SENTRY_DSN: dsn, NEXT_TELEMETRY_DISABLED: '1' }),
      })
      page = await shop.browser.newPage({ timezoneId: 'America/New_York' })
    })
    after(() => shop?.[Symbol.asyncDispose]())

    for (const { button, page: path = '/', until } of [...FAILURES, ...OUTCOMES])
      it(`has a button: ${button}`, async () => {
        await press(page, { url: new URL(path, shop.running.url), button, until })
        const shown = page.locator('#digest')
        if ((await shown.count()) > 0) numbers.set(button, await shown.innerText())
      })

    for (const { button, query, title, category, kinds, places } of FAILURES)
      it(`is one issue: ${button}`, async () => {
        const issue = await issueOf(shop.shop, query)
        assert.ok(isCalled(issue, title), issue.title)
        assert.equal(await categoryOf(shop.shop, issue), category)
        const events = await eventsOf(shop.shop, issue)
        assert.deepEqual(requestKinds(events), [...kinds].sort())
        // Of a server's failure its own event, beside what the browser saw of it.
        const event = events.find((one) => requestKinds([one])[0] === kinds[0])
        assert.ok(event)
        if (places !== undefined) assertFrames(shop.app, event, places)
      })

    for (const { button, query, differs } of FAILURES)
      if (differs !== undefined)
        it(`shows what the server sent and what the browser rendered: ${button}`, async () => {
          await assertHalves(shop.shop, await issueOf(shop.shop, query), differs)
        })

    for (const { button, query, hasNumber } of FAILURES)
      if (hasNumber)
        it(`is found by the number on the page: ${button}`, async () => {
          const { id } = await issueOf(shop.shop, query)
          const { matches } = await apiGet<{ readonly matches: readonly { readonly issueId: string }[] }>(
            shop.shop,
            `/organizations/shop/digests/${numbers.get(button)}/`,
          )
          assert.ok(
            matches.some(({ issueId }) => issueId === id),
            JSON.stringify(matches),
          )
        })

    it('has no issue but these: what browsers saw of a server’s failure is folded into it', async () => {
      const isKnown = (issue: ApiIssue) => FAILURES.some(({ title }) => isCalled(issue, title))
      const others = (await issues(shop.shop)).filter((issue) => !isKnown(issue))
      assert.deepEqual(
        others.map(({ title }) => title),
        [],
      )
    })

    it('counts the stale clicks of its old tab once each, and leads to their issues', async () => {
      interface Deploys {
        readonly data: readonly {
          readonly causes: Readonly<Record<string, number>>
          readonly issueId?: string
        }[]
      }
      const { data } = await apiGet<Deploys>(shop.shop, '/organizations/shop/skew/')
      // The app plays its old tab: its chunk is of the build that runs, which no deploy replaced.
      const clicks = (cause: string) => data.reduce((sum, { causes }) => sum + (causes[cause] ?? 0), 0)
      assert.deepEqual([clicks('action'), clicks('chunk')], [1, 1])
      const ids = await Promise.all(
        ['action', 'chunk'].map(async (kind) => (await issueOf(shop.shop, `errata.skew:${kind}`)).id),
      )
      const ofDeploys = data.map(({ issueId }) => issueId)
      assert.ok(
        ids.every((id) => ofDeploys.includes(id)),
        `${ids} of ${ofDeploys}`,
      )
    })

    it('counts what failed by route and kind, whatever the status', async () => {
      await page.goto('about:blank')
      const wanted = new Set(FIGURES.map((figure) => figure.split(' ').slice(0, 2).join(' ')))
      const figures = async () =>
        (await requestFigures(shop.shop)).filter(({ key, failed }) => failed > 0 || wanted.has(key))
      let last: readonly string[] = []
      await waitFor(
        'the figures',
        async () => {
          last = (await figures()).map(({ text }) => text).sort()
          return last.join('\n') === FIGURES.join('\n') ? last : null
        },
        30_000,
      ).catch(() => assert.deepEqual(last, FIGURES))
    })

    it('calls out what a slow page asks again and again, and an action by its name', async () => {
      const found = (query: string) =>
        waitFor(`segments by ${query}`, async () => {
          const rows = await segments(shop.shop, query)
          return rows.length === 0 ? null : rows
        })
      const slow = await found('is:n+1')
      assert.deepEqual([...new Set(slow.map(({ route }) => route))], ['/fails/slow'])
      const [named] = await found('action:placeOrder')
      assert.equal(named?.action, 'placeOrder')
    })
  })
}
