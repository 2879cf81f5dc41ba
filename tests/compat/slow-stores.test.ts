/** Stores that do not answer in time: what cannot be read says so in its place, and the rest of the page stays. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { issues } from '../support/api.ts'
import { type Person, signIn } from '../support/person.ts'
import { anEvent, send } from '../support/send.ts'
import { OWNER, type RunningErrata, type SetUp, serve, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const PRELOAD = fileURLToPath(new URL('../faults/unanswered.mjs', import.meta.url))
/** Preload that leaves the reads of the lists below unanswered, and nothing of the frame around them. */
const UNANSWERED =
  '^(telemetry\\..*|answers\\..*|control\\.(list|outcomes|routes|staleSums|releases|releaseIssues|commits|deliveryLog|deliveryCounts|audit|alertRules))$'

/** Address, what cannot be read, what of its filters is still there, and the next shorter range. */
const PAGES: readonly [path: string, what: RegExp, filter: RegExp, narrower: string | null][] = [
  ['/shop/issues?range=30d&query=boom', /These issues/, /All environments/, 'range=14d'],
  ['/shop/issues/WEB-1', /This event/, /WEB-1/, null],
  ['/shop/issues/WEB-1/events?query=level%3Aerror', /These events/, /level:error/, null],
  ['/shop/traces?range=7d&query=is%3Afailed', /These traces/, /Last 7 days/, 'range=24h'],
  ['/shop/performance?range=7d', /Performance/, /All environments/, 'range=24h'],
  ['/shop/performance?range=24h', /Performance/, /All environments/, null],
  [
    '/shop/performance/web/route?route=%2Fpay&range=7d&environment=production',
    /This route/,
    /Last 7 days/,
    'range=24h',
  ],
  ['/shop/releases/shop%401.0.0', /Issues of the release/, /1\.0\.0/, null],
  ['/shop/releases/shop%401.0.0/slower', /Regressions/, /1\.0\.0/, null],
  ['/shop/releases/shop%401.0.0/commits', /Commits/, /1\.0\.0/, null],
  ['/shop/outcomes?range=90d', /Outcomes/, /All client keys/, 'range=30d'],
  ['/shop/skew?range=30d', /Deploys/, /All environments/, 'range=14d'],
  ['/shop/releases', /Releases/, /All environments/, null],
  ['/shop/settings/audit', /The audit log/, /name="words"/, null],
  ['/shop/settings/agents?issue=WEB-1', /This example/, /Connect an agent|Tools/, null],
  ['/shop/people/id:u-1', /This person/, /u-1/, null],
  ['/shop/projects/web/setup', /What has arrived/, /Copy the DSN/, null],
  ['/shop/projects/web/settings/source-maps', /Frames that weren’t resolved/, /Source maps/, null],
]

describe('stores that do not answer in time', { timeout: 900_000 }, () => {
  let running: RunningErrata
  let shop: SetUp
  let rosa: Person
  before(async () => {
    const first = await startShop()
    shop = first.shop
    await send(shop.dsn, anEvent({ message: 'boom' }))
    await waitFor('it is stored', async () => (await issues(shop)).length === 1)
    await first.stop()
    const env = { NODE_OPTIONS: `--import=${PRELOAD}`, ERRATA_TEST_UNANSWERED: UNANSWERED }
    running = await serve({ data: first.data, port: first.port, env })
    rosa = await signIn(running.url, OWNER)
  })
  after(() => running?.[Symbol.asyncDispose]())

  it('leave the frame, the filters and a way on', async () => {
    await Promise.all(
      PAGES.map(async ([path, what, filter, narrower]) => {
        const answer = await rosa.document(path)
        const page = (await answer.text()).replaceAll(/<!--.*?-->/g, '')
        assert.equal(answer.status, 200, path)
        assert.match(page, new RegExp(`${what.source} couldn’t be read`), path)
        assert.match(page, /<code>store_timeout<\/code>/, path)
        assert.match(page, /A store did not answer in time/, path)
        assert.match(page, />Try again</, path)
        assert.match(page, filter, path)
        assert.match(page, /Skip to the content/, path)
        assert.doesNotMatch(page, /<span class="text-ink-3"><\/span>/, `${path} has no empty crumb`)
        assert.doesNotMatch(page, /Application error|No trace matches|No items|No issue/, path)
        if (narrower === null) assert.doesNotMatch(page, /A shorter time range/, path)
        else assert.match(page, new RegExp(`<a(?=[^>]*btn-quiet)[^>]*${narrower}[&"]`), path)
      }),
    )
  })

  it('leave the overview without a claim of what could not be read, and name each part', async () => {
    const page = (await (await rosa.document('/shop')).text()).replaceAll(/<!--.*?-->/g, '')
    for (const part of ['The issues', 'The releases'])
      assert.match(page, new RegExp(`${part} couldn’t be read`), part)
    assert.doesNotMatch(page, /Nothing needs you|Nothing failed|No request failed/)
  })

  it('leave the frame where all of a page hangs on them', async () => {
    const answer = await rosa.document('/shop/alerts')
    assert.equal(answer.status, 503)
    const page = await answer.text()
    assert.match(page, /store_timeout/)
    assert.match(page, /Skip to the content/)
    assert.doesNotMatch(page, /Application error/)
  })

  it('are no failure of Errata’s own', async () => {
    const answer = await rosa.act('person.delete', '/shop/projects/web/settings/danger', {
      ...{ by: 'email', person: 'ada@example.com', confirm: '' },
    })
    assert.doesNotMatch(await answer.text(), /digest/)
    assert.doesNotMatch(running.output(), /"level":"error"/)
  })
})
