/**
 * SvelteKit with the SDKs of two generations, deployed twice without source maps of its server: what somebody does in a
 * real browser, and what Errata says of it. The same with both.
 */
import { after, before, describe, it } from 'node:test'
import { waitFor } from '../support/wait-for.ts'
import { assertFigures, assertIssues, assertSkew } from './deploy-findings.ts'
import { type DeployedApp, startedDeployedApp } from './deployed-app.ts'
import { requestFigures } from './findings.ts'
import { leave } from './quiet.ts'
import { answeredAt, told, visitorOf } from './visits.ts'

const SDKS = [
  { name: 'SDK 11', of: { name: 'sveltekit' } },
  { name: 'SDK 10', of: { name: 'sveltekit-10', shared: ['sveltekit'] } },
] as const

const WRONG = 'Something went wrong'

const ISSUES: readonly string[] = [
  // As a document and by a navigation.
  '2 RangeError: order has no customer',
  '2 TypeError: order has no lines',
  '2 Error: the offers are missing',
  '1 Error: order was archived',
  '1 Error: order was lost',
  '1 Error: the card was declined by a bank that does not answer',
  // With what the page saw of it.
  '2 Error: the reviews did not answer',
  '2 Error: the stock is not known',
  '2 Error: nothing can be reserved',
]

const FIGURES: readonly string[] = [
  'action /act 5 1 0',
  'action /remote 2 1 1',
  'document /caught 1 0 0',
  'document /orders/[id] 3 2 0',
  // A remote query, in the file that it is written in.
  'page-data /_app/remote/1rbg9a7/stock 2 1 1',
  'page-data /caught 1 0 0',
  'page-data /late 1 1 1',
  'page-data /late-missing 1 0 0',
  'page-data /orders/[id] 6 4 4',
]

interface Shown {
  errorId: string
  text: string
}

async function visitAll(app: DeployedApp, shown: Shown): Promise<void> {
  const { page, load, follow, press } = await visitorOf(app)
  for (const id of ['1', '2']) {
    await load(`/orders/${id}`, WRONG)
    await follow(`/orders/${id}`, WRONG)
  }
  await load('/orders/4', 'Order 4')
  await follow('/orders/4', 'Order 4')
  await follow('/orders/missing', WRONG)
  await follow('/orders/8?how=own', WRONG)
  await follow('/orders/9?how=id', WRONG)
  shown.errorId = await page.locator('#error-id').innerText()
  shown.text = await page.locator('body').innerText()
  await load('/caught', '0 offers')
  await follow('/caught', '0 offers')
  for (const path of ['/late', '/late-missing'])
    await Promise.all([told(page, 'with keys: message, status'), follow(path, 'Reviews')])
  for (const button of ['checkout', 'invalid', 'old']) {
    await follow('/act', 'Act')
    await Promise.all([answeredAt(page, `?/${button}`), press(button)])
  }
  for (const [button, failed] of [
    ['query', 'query-bad'],
    ['command', 'command-bad'],
  ] as const) {
    await follow('/remote', 'Remote')
    await Promise.all([answeredAt(page, '/_app/remote/'), press(button)])
    await Promise.all([told(page, 'with keys: body, status'), press(failed)])
  }
  await leave(page)
}

/** A tab of each build asks for an action that the second does not have. */
async function outlive(app: DeployedApp): Promise<void> {
  const stale = await app.tab('/act')
  await app.deploy()
  for (const tab of [stale, await app.tab('/act')]) {
    await Promise.all([answeredAt(tab, '?/old'), tab.locator('#old').click()])
    await leave(tab)
  }
}

for (const { name, of } of SDKS)
  describe(`SvelteKit, ${name}`, () => {
    let app: DeployedApp
    const shown = { errorId: '', text: '' }
    before(async () => {
      app = await startedDeployedApp({
        ...{ ...of, build: ['vite', 'build'], built: 'build' },
        serve: (built) => [built],
      })
      await visitAll(app, shown)
      // SDK 11 holds spans back for seconds, and a server that is replaced takes them with it.
      await waitFor('the last request', async () =>
        (await requestFigures(app.shop)).some(({ text }) => text === 'action /remote 2 1 1'),
      )
      await outlive(app)
    })
    after(() => app?.[Symbol.asyncDispose]())

    it('has one issue for each bug, with what pages saw of it, and none of what is expected', () =>
      assertIssues(app.shop, ISSUES))

    it('counts what failed by route and kind, with each way that an app reports it', () =>
      assertFigures(app.shop, FIGURES))

    it('counts the form of the stale tab, and not the same in a tab of the build that answers', () =>
      assertSkew(app.shop, {
        deploy: `${app.releases[1]} for ${app.releases[0]} 1 action`,
        places: [/^action \/act old$/],
      }))

    it('finds the event by the id on the page, alone and in its text', async () => {
      for (const pasted of [shown.errorId, shown.text])
        await assertIssues(app.shop, ['1 Error: order was lost'], pasted)
    })
  })
