/**
 * The example of an app without digests: a real browser presses every button, and what Errata says of each failure is
 * what the button promises.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { apiGet, issues } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'
import { type RunningExample, startedExample } from './example.ts'
import { categoryOf, eventsOf, requestFigures, requestKinds } from './findings.ts'
import { assertFrames, issueOf, type Place } from './frames.ts'
import { assertHalves, type Differs, NESTING } from './halves.ts'
import { answered, heading, numberShown, press, reported, type Until, urlIs } from './presses.ts'

const RELEASE = 'tea@1.0.0'

interface Failure {
  readonly button: string
  /** When everything of it has happened. */
  readonly until: Until
  readonly query: string
  readonly title: string
  readonly category: 'server' | 'client' | 'hydration' | 'skew'
  /** Kinds of the events it makes. */
  readonly kinds: readonly string[]
  /** The page shows the id of the trace that has the failure. */
  readonly hasReference?: true
  readonly places?: readonly Place[]
  readonly differs?: Differs
}

/** Waits for the error page. The browser itself reports nothing for a document that failed. */
const failed = heading('Something went wrong')
const onServer = { category: 'server' } as const
const inBrowser = { category: 'client', kinds: ['browser'] } as const
// By their titles: the route is the address until Errata knows that the app has a pattern for it.
const hydration = { category: 'hydration', kinds: ['browser'] } as const
const withReference = numberShown('#reference', 'Unexpected Server Error')

// The server reads maps itself, and those of the bundler lack names: its loaders are called as they are in the bundle.
const FAILURES: readonly Failure[] = [
  {
    ...{ ...onServer, button: 'document', until: failed, kinds: ['document'], hasReference: true },
    query: '"reading \'count\'"',
    title: "TypeError: Cannot read properties of undefined (reading 'count')",
    places: [['app/routes/document.tsx', 'loader$7', 'return { count: shelf.count }']],
  },
  {
    ...{
      ...onServer,
      button: 'navigation',
      until: withReference,
      kinds: ['page-data', 'browser'],
      hasReference: true,
    },
    query: '"has no address"',
    title: 'Error: order 40118 has no address',
    places: [['app/routes/navigation.tsx', 'loader$6', 'throw new Error(']],
  },
  {
    ...{ ...onServer, button: 'ssr-only', until: failed, kinds: ['document'], hasReference: true },
    query: '"needed for its width"',
    title: 'ReferenceError: a window is needed for its width',
    places: [
      ['app/routes/ssr-only.tsx', 'widthOf', 'throw new ReferenceError('],
      ['app/routes/ssr-only.tsx', 'SsrOnly', 'const width ='],
    ],
  },
  {
    ...{
      ...onServer,
      button: 'action',
      until: withReference,
      kinds: ['action', 'browser'],
      hasReference: true,
    },
    query: '"card was declined"',
    title: 'Error: the card was declined by a bank that does not answer',
    places: [['app/routes/action.tsx', 'action', 'throw new Error(']],
  },
  {
    ...{ ...onServer, button: 'resource', until: answered('/api/discount'), kinds: ['route-handler'] },
    query: '"no discount has"',
    title: 'RangeError: no discount has the code SPRING',
    places: [['app/routes/discount.ts', 'loader', 'throw new RangeError(']],
  },
  {
    ...{ ...onServer, button: 'prefetch', until: answered('/fails/prefetched.data'), kinds: ['prefetch'] },
    query: '"not printed yet"',
    title: 'Error: the offers of today are not printed yet',
    places: [['app/routes/prefetched.tsx', 'loader$4', 'throw new Error(']],
  },
  {
    ...{
      button: 'stale-asset',
      category: 'skew',
      kinds: ['browser', 'static'],
      until: reported('dynamically imported module'),
    },
    query: 'errata.skew:chunk',
    title: `Stale tabs failed after the deploy of ${RELEASE}`,
  },
  {
    until: reported('/fails/hydration/time-zone'),
    ...{ ...hydration, button: 'time-zone', query: '"“06:06:40” expected"' },
    title:
      'Hydration: Server HTML did not match: “20:06:40” rendered, “06:06:40” expected (Minified React error #418)',
    differs: { server: /Open until 20:06:40/, client: /Open until 06:06:40/, cause: 'time_zone' },
  },
  {
    until: reported('/fails/hydration/nesting'),
    ...{ ...hydration, button: 'nesting', query: '"Hydration failed because"' },
    title:
      "Hydration failed because the server rendered HTML didn't match the client (Minified React error #418)",
    differs: NESTING,
  },
  {
    until: reported('/fails/hydration/text'),
    ...{ ...hydration, button: 'text', query: '"Welcome back, Rosa"' },
    title:
      'Hydration: Server HTML did not match: “Welcome, guest” rendered, “Welcome back, Rosa” expected (Minified React error #418)',
    differs: { server: /Welcome, guest/, client: /Welcome back, Rosa/, cause: 'changed_data' },
  },
  {
    until: reported('not a count'),
    ...{ ...inBrowser, button: 'client', query: '"not a count"' },
    title: 'RangeError: not a count: -1 of Sencha',
    places: [
      ['app/routes/home.tsx', 'priceOf', 'throw new RangeError('],
      ['app/routes/home.tsx', '<anonymous>', 'reduce((sum, line)'],
      ['app/routes/home.tsx', 'totalOf', 'reduce((sum, line)'],
      ['app/routes/home.tsx', 'client', 'console.log(totalOf('],
      ['app/routes/home.tsx', 'onClick', 'onClick={() => PRESSES[id]?.(show)}'],
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
]

/**
 * Buttons that make no issue of their own: they work as the app intends, or are nobody's fault. A deferred
 * loader is seen by its mirrors alone.
 */
const OUTCOMES: readonly { readonly button: string; readonly until: Until }[] = [
  { button: 'late', until: withReference },
  { button: 'slow', until: heading('Your orders') },
  { button: 'gone-data', until: heading('There is no such page') },
  { button: 'gone-response', until: heading('There is no such page') },
  { button: 'moved', until: urlIs('/products/assam') },
]

/**
 * Title of a mirror that stands alone: a deferred loader is not reported by the server, so its mirror waits
 * in vain.
 */
const MIRRORS = /^Error: (?:Unexpected Server Error$|Minified React error #419: )/

/** `kind route count failed behind`: what failed, and what could be taken for a failure. */
const FIGURES: readonly string[] = [
  'action /fails/action 1 1 0',
  'document /fails/document 1 1 0',
  'document /fails/ssr-only 1 1 0',
  'page-data /fails/navigation 1 1 0',
  'prefetch /fails/prefetched 1 1 0',
  'route-handler /api/discount 1 1 0',
]

describe('the example without digests', () => {
  let example: RunningExample
  let page: Page
  const references = new Map<string, string>()
  before(async () => {
    const port = String(await freePort())
    example = await startedExample({
      ...{ name: 'react-router', release: RELEASE, built: 'build' },
      build: ['@react-router/dev/bin.cjs', 'build'],
      serve: [
        ...['--import', './instrument.server.mjs'],
        ...['node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'],
      ],
      env: (dsn) => ({ VITE_SENTRY_DSN: dsn, VITE_RELEASE: RELEASE, PORT: port, HOST: '127.0.0.1' }),
    })
    page = await example.browser.newPage({ timezoneId: 'America/New_York' })
  })
  after(() => example?.[Symbol.asyncDispose]())

  it('has maps that all resolve, uploaded by the command alone', () => {
    const states = example.uploaded.files.map(({ state }) => state)
    assert.ok(example.uploaded.ok)
    assert.ok(states.filter((state) => state === 'resolved').length >= 10, states.join(' '))
  })

  for (const { button, until } of [...FAILURES, ...OUTCOMES])
    it(`has a button: ${button}`, async () => {
      await press(page, { url: new URL('/', example.running.url), button, until })
      const shown = page.locator('#reference')
      if ((await shown.count()) > 0) references.set(button, await shown.innerText())
    })

  for (const { button, query, title, category, kinds, places } of FAILURES)
    it(`is one issue: ${button}`, async () => {
      const issue = await issueOf(example.shop, query)
      assert.equal(issue.title, title)
      assert.equal(await categoryOf(example.shop, issue), category)
      const events = await eventsOf(example.shop, issue)
      assert.deepEqual(requestKinds(events), [...kinds].sort())
      // Of a server's failure its own event, beside what the browser saw of it.
      const event = events.find((one) => requestKinds([one])[0] === kinds[0])
      assert.ok(event)
      if (places !== undefined) assertFrames(example.app, event, places)
    })

  for (const { button, query, differs } of FAILURES)
    if (differs !== undefined)
      it(`shows what the server sent and what the browser rendered: ${button}`, async () => {
        await assertHalves(example.shop, await issueOf(example.shop, query), differs)
      })

  for (const { button, query, hasReference } of FAILURES)
    if (hasReference)
      it(`is found by the reference on the page: ${button}`, async () => {
        const { id } = await issueOf(example.shop, query)
        const trace = await apiGet(
          example.shop,
          `/organizations/shop/events-trace/${references.get(button)}/`,
        )
        assert.match(JSON.stringify(trace), new RegExp(`"issue_id":${id}\\b`))
      })

  it('has no issue but these, and the mirror of what the server never reports', async () => {
    const known = new Set(FAILURES.map(({ title }) => title))
    const others = (await issues(example.shop)).filter(
      ({ title }) => !known.has(title) && !MIRRORS.test(title),
    )
    assert.deepEqual(
      others.map(({ title }) => title),
      [],
    )
  })

  it('counts what failed by route and kind, whatever the status', async () => {
    await page.goto('about:blank')
    const wanted = new Set(FIGURES.map((figure) => figure.split(' ').slice(0, 2).join(' ')))
    let last: readonly string[] = []
    await waitFor(
      'the figures',
      async () => {
        const all = await requestFigures(example.shop)
        const shown = all.filter(({ key, failed }) => failed > 0 || wanted.has(key))
        last = shown.map(({ text }) => text).sort()
        return last.join('\n') === FIGURES.join('\n') ? last : null
      },
      30_000,
    ).catch(() => assert.deepEqual(last, FIGURES))
  })
})
