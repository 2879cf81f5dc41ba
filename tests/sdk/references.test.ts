/** Answers with real SDKs what docs/digests.md tells apps without digests to show. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as Sentry from '@sentry/node'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/browser.ts'
import { sdkPage } from '../support/sdk-page.ts'

/** An SDK reads source lines before it sends, and says when it has. */
const SENT_MS_MAX = 30_000

interface Shown {
  readonly trace: string | undefined
  readonly captured: string
  readonly last: string | undefined
  readonly sent: readonly { readonly id: string; readonly trace: unknown }[]
}

function assertFound({ trace, captured, last, sent }: Shown): void {
  assert.match(trace ?? '', /^[0-9a-f]{32}$/)
  assert.deepEqual(sent, [{ id: captured, trace }])
  assert.equal(last, captured)
}

describe('the reference of an error page without a digest', () => {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
  })

  for (const within of ['a span', 'no span'] as const)
    it(`is the trace of what a server sent, within ${within}`, async () => {
      const sent: Shown['sent'][number][] = []
      Sentry.init({
        dsn: 'http://key@127.0.0.1:9/1',
        tracesSampleRate: 1,
        beforeSend(event) {
          sent.push({ id: event.event_id ?? '', trace: event.contexts?.trace?.trace_id })
          return null
        },
      })
      const show = (): Omit<Shown, 'sent'> => ({
        trace: Sentry.getTraceData()['sentry-trace']?.slice(0, 32),
        captured: Sentry.captureException(new Error('no digest')),
        last: Sentry.lastEventId(),
      })
      const shown = within === 'a span' ? Sentry.startSpan({ name: 'GET /' }, show) : show()
      await Sentry.close(SENT_MS_MAX)
      assertFound({ ...shown, sent })
    })

  it('is the trace of what a browser sent', async () => {
    const page = await browser.newPage()
    await page.setContent(await sdkPage())
    const shown = await page.evaluate(async (within): Promise<Shown> => {
      const { Sentry: sdk } = window as unknown as { Sentry: typeof Sentry } // put there by the page's own script
      const sent: Shown['sent'][number][] = []
      sdk.init({
        dsn: 'http://key@127.0.0.1:9/1',
        beforeSend(event) {
          sent.push({ id: event.event_id ?? '', trace: event.contexts?.trace?.trace_id })
          return null
        },
      })
      const trace = sdk.getTraceData()['sentry-trace']?.slice(0, 32)
      const captured = sdk.captureException(new Error('no digest'))
      await sdk.close(within)
      return { trace, captured, last: sdk.lastEventId(), sent }
    }, SENT_MS_MAX)
    assertFound(shown)
    await page.close()
  })
})
