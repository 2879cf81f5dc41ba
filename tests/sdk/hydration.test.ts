/** The relay's hydration helper in a real browser: React 19 and the unmodified SDK, on a page with a strict policy. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { addIntegration } from '@sentry/browser'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { type ApiIssue, apiGet, issues } from '../support/api.ts'
import { launchBrowser } from '../support/browser.ts'
import { type HydratingShop, hydratingShop } from '../support/hydrating.ts'
import { MISMATCHES } from '../support/hydration-mismatches.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'
import { ROOT } from '../tidy/sources.ts'

const BYTES_MAX = 2_048

describe('the hydration helper with React 19', () => {
  let browser: Browser
  let shop: HydratingShop
  let running: RunningErrata & { readonly shop: SetUp }
  before(async () => {
    running = await startShop()
    browser = await launchBrowser()
    shop = await hydratingShop({ modules: ROOT })
  })
  after(async () => {
    await shop?.[Symbol.asyncDispose]()
    await browser?.close()
    await running?.[Symbol.asyncDispose]()
  })

  it('says nothing where hydration succeeds', async () => {
    assert.deepEqual(await shop.open(browser, 'same'), [])
  })

  for (const { name, server, client, component } of MISMATCHES) {
    it(`catches both halves: ${name}`, async () => {
      const [first] = await shop.open(browser, name)
      assert.match(first?.text ?? '', /React error #418/)
      assert.match(first?.halves?.server ?? '', server)
      assert.match(first?.halves?.client ?? '', client)
      assert.equal(first?.halves?.component, component)
    })
  }

  it('leaves out what React streamed behind the page', async () => {
    const [first] = await shop.open(browser, 'document', { behind: '<div hidden id="S:0"></div>' })
    const { server, client } = first?.halves ?? { server: '', client: '' }
    assert.notEqual(server, '')
    assert.notEqual(server, client)
    assert.doesNotMatch(server + client, /S:0/)
  })

  it('sends nothing of what people wrote, and no secret', async () => {
    const [first] = await shop.open(browser, 'account')
    const all = JSON.stringify(first?.halves)
    for (const secret of ['correct horse', 'nobody', 'ab12cd34ef', 'ff99ee88dd', 'ana@', '4111', 'mail='])
      assert.ok(!all.includes(secret), `${secret} in ${all}`)
    assert.match(first?.halves?.server ?? '', /\[Filtered\][\s\S]*3 orders/)
    assert.match(first?.halves?.client ?? '', /4 orders/)
  })

  for (const { name, component, cause } of MISMATCHES)
    it(`lets Errata name the likely cause: ${name}`, async () => {
      await shop.open(browser, name, { dsn: running.shop.dsn })
      const query = `errata.hydration:${cause}`
      const found = await waitFor('the issue', async () => nonEmpty(await issues(running.shop, query)))
      assert.ok(
        found.some(({ culprit, title }) => `${culprit} ${title}`.includes('418')),
        component,
      )
    })

  it('gives the issue its title and its component', async () => {
    const found = await issues(running.shop, 'errata.hydration:time_zone')
    const issue = found.find(({ title }) => title.includes('14:05:00'))
    assert.match(issue?.title ?? '', /“14:05:00” rendered, “15:05:00” expected \(Minified React error #418\)/)
    const event = await apiGet<{
      errata: { hydration: { component: string; causes: { cause: string; isLikely: boolean }[] } }
    }>(running.shop, `/organizations/shop/issues/${issue?.id}/events/latest/`)
    assert.equal(event.errata.hydration.component, 'Clock')
    const likely = event.errata.hydration.causes.filter(({ isLikely }) => isLikely)
    assert.deepEqual(
      likely.map(({ cause }) => cause),
      ['time_zone'],
    )
  })

  it('does nothing on a server', async () => {
    const { hydrationIntegration } = await import('@errata/relay/hydration')
    const event = { exception: { values: [{ value: 'Hydration failed because' }] } }
    assert.equal(hydrationIntegration().processEvent(event), event)
    const integration: Parameters<typeof addIntegration>[0] = hydrationIntegration()
    assert.equal(integration.name, 'Errata')
  })

  it(`adds no more than ${BYTES_MAX} bytes to an app`, async () => {
    const entry = 'virtual:app'
    const code = `import { hydrationIntegration } from '${ROOT}/packages/relay/src/hydration.ts'; window.app = hydrationIntegration()`
    const built = await build({
      root: ROOT,
      configFile: false,
      logLevel: 'error',
      plugins: [
        {
          name: 'app',
          resolveId: (id) => (id === entry ? id : null),
          load: (id) => (id === entry ? code : null),
        },
      ],
      build: { write: false, rollupOptions: { input: entry } },
    })
    const [output] = [built].flat()
    assert.ok(output !== undefined && 'output' in output)
    const bytes = gzipSync(output.output[0].code).length
    assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`)
  })
})

function nonEmpty(found: readonly ApiIssue[]): readonly ApiIssue[] | null {
  return found.length > 0 ? found : null
}
