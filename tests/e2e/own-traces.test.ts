/** Errata's own pages are traces of its own project: the document, the page in the browser, and what a click asked for. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Request } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { type Person, signIn } from '../support/person.ts'
import { openScreen, type Screen } from '../support/screen.ts'
import { OWNER, type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

interface SentSpan {
  readonly trace_id: string
  readonly parent_span_id?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, { readonly value: unknown }>>
}

describe('Errata’s own traces', { timeout: 900_000 }, () => {
  let running: RunningErrata & { readonly shop: SetUp }
  let browser: Browser
  let rosa: Person
  let screen: Screen

  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    rosa = await signIn(running.url, OWNER)
    screen = await openScreen(browser, running.url, { cookie: rosa.cookie })
  })
  after(async () => {
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('come from the browser as patterns with vitals, and join what the server says', async () => {
    const { page } = screen
    const { organisation } = running.shop
    const spans: SentSpan[] = []
    page.on('request', (request) => spans.push(...spansOf(request)))
    await screen.open(`/${organisation}/issues?query=is%3Aunresolved`)
    await page.getByRole('link', { name: 'Releases' }).first().click()
    await page.waitForURL('**/releases')
    const [load, navigation] = await waitFor('spans of both pages', async () =>
      spans.length >= 2 ? spans : undefined,
    )
    assert.deepEqual([load?.name, load?.attributes['sentry.op']?.value], ['/:org/issues', 'pageload'])
    assert.equal(navigation?.attributes['sentry.op']?.value, 'navigation')
    assert.equal(navigation?.name, '/:org/releases')
    assert.ok(Number(load?.attributes['browser.web_vital.ttfb.value']?.value) >= 0)
    assert.ok(!JSON.stringify(spans).includes(organisation), 'a pattern, no address')
    const answer = await waitFor('both halves in one trace', async () => {
      const found = await traceOf(load?.trace_id ?? '', rosa)
      return found.includes('GET /:org/issues') && found.includes('pageload') ? found : undefined
    })
    assert.ok(answer.includes(load?.parent_span_id ?? 'none'), 'the page goes on from its document')
    screen.assertQuiet()
  })

  it('stand among no traces of the apps, and are found where their project is chosen', async () => {
    const { page } = screen
    const { organisation } = running.shop
    await waitFor('the traces of Errata', async () => {
      await screen.open(`/${organisation}/traces?project=errata`)
      return (await page.getByText('/:org/issues').count()) > 0
    })
    await screen.open(`/${organisation}/traces`)
    await page.getByRole('heading', { name: 'No traces in the last 24 hours' }).waitFor()
    await screen.open(`/${organisation}/performance`)
    await page.getByRole('heading', { name: 'No requests' }).waitFor()
    screen.assertQuiet()
  })
})

function spansOf(request: Request): readonly SentSpan[] {
  if (!request.url().includes('/monitoring')) return []
  const [, header = '{}', payload = '{}'] = (request.postData() ?? '').split('\n')
  return JSON.parse(header).type === 'span' ? JSON.parse(payload).items : []
}

/** Errata's own project is the operator's: no token of the organisation reads it. */
async function traceOf(trace: string, as: Person): Promise<string> {
  const answer = await as.api('GET', `/organizations/system/events-trace/${trace}/`)
  return answer.ok ? answer.text() : ''
}
