/** The unmodified browser SDK in a real browser: directly across origins, and through the relay. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ApiIssue, apiGet, issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { sdkPage, throwOnPage } from '../support/sdk-page.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

describe('an app with @sentry/browser', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let app: { readonly url: string; readonly server: Server }

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    app = await serveApp(await sdkPage(), running.url)
  })
  after(async () => {
    await browser?.close()
    app?.server.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('reports across origins without a preflight', async () => {
    const page = await browser.newPage()
    await page.goto(app.url)
    await page.evaluate((dsn) => {
      const { Sentry } = window as unknown as {
        Sentry: { init(options: object): void; captureException(error: Error): void }
      } // put there by the page's own script
      Sentry.init({ dsn, release: 'shop@2', defaultIntegrations: false })
      Sentry.captureException(new Error('straight across'))
    }, running.shop.dsn)
    const [issue] = await waitFor('the issue', async () =>
      nonEmpty(await issues(running.shop, '"straight across"')),
    )
    assert.equal(issue?.title, 'Error: straight across')
    await page.close()
  })

  it('reports uncaught errors through a rewritten relay path', async () => {
    const page = await browser.newPage()
    await page.goto(app.url)
    const project = new URL(running.shop.dsn).pathname.slice(1)
    await throwOnPage(
      page,
      { dsn: running.shop.dsn, tunnel: `/monitoring?o=shop&p=${project}` },
      'through the relay',
    )
    const [issue] = await waitFor('the issue', async () =>
      nonEmpty(await issues(running.shop, '"through the relay"')),
    )
    assert.equal(issue?.title, 'RangeError: through the relay')
    await page.close()
  })

  it('has one session, whichever of its updates came first, and it is not a healthy one', async () => {
    const bySession = async () => {
      const { groups } = await apiGet<{
        groups: { by: Record<string, string>; totals: Record<string, number> }[]
      }>(
        running.shop,
        '/organizations/shop/sessions/?field=sum(session)&groupBy=session.status&statsPeriod=24h&query=release:shop@2',
      )
      const counted = groups.filter(({ totals }) => totals['sum(session)'] !== 0)
      return counted.map(({ by, totals }) => `${by['session.status']} ${totals['sum(session)']}`)
    }
    const [only, ...others] = await waitFor('a failed session', async () => {
      const found = await bySession()
      return found.length > 0 && !found.includes('healthy 1') ? found : null
    })
    assert.match(only ?? '', /^(errored|unhandled|crashed) 1$/)
    assert.deepEqual(others, [])
  })
})

function nonEmpty(found: readonly ApiIssue[]): readonly ApiIssue[] | null {
  return found.length > 0 ? found : null
}

/** A customer's app: one page, and `/monitoring` rewritten to Errata. */
async function serveApp(
  html: string,
  errata: string,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(async (request, response) => {
    if (request.method === 'POST' && request.url?.startsWith('/monitoring')) {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer) // an incoming message yields buffers
      const answer = await fetch(`${errata}${request.url}`, {
        method: 'POST',
        body: Buffer.concat(chunks),
        headers: { cookie: 'session=private' },
      })
      response.writeHead(answer.status).end(await answer.text())
      return
    }
    response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server } // listens on TCP
}
