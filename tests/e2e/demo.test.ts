/** The sample organisation, filled through the real endpoints: what a newcomer finds of stacks and releases. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Person, signIn } from '../support/person.ts'
import { type RunningErrata, serve } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const ORG = '/organizations/marlow-finch'
const NEWEST = 'shop@2026.11.20-2'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('the demo', { timeout: 900_000 }, () => {
  let running: RunningErrata
  let rosa: Person
  const get = async (path: string): Promise<Json> => (await rosa.api('GET', path)).json()
  const issue = async (query: string) =>
    (await get(`${ORG}/issues/?query=${encodeURIComponent(query)}&project=storefront`))[0]

  before(async () => {
    running = await serve({ args: ['--demo'] })
    // The sign-in comes first.
    await waitFor('the sign-in', async () => /Password/.test(running.output()), 60_000)
    const filled = () => /sample organisation is filled/.test(running.output())
    await waitFor('the sample organisation', async () => filled(), 240_000)
    const password = /Password\s+(\S+)/.exec(running.output())?.[1] ?? ''
    rosa = await signIn(running.url, { email: 'rosa@marlowfinch.example', password })
  })
  after(() => running?.[Symbol.asyncDispose]())

  it('has a new issue that reads as written, with its source lines, repository and suspect commit', async () => {
    const { shortId, id } = await issue('currency')
    const { entries } = await get(`${ORG}/issues/${id}/events/latest/`)
    const exception = entries.find(({ type }: { readonly type: string }) => type === 'exception')
    const frame = exception.data.values[0].stacktrace.frames.at(-1)
    assert.deepEqual(
      [frame.filename, frame.function, frame.lineNo],
      ['src/checkout/totals.ts', 'paidTotal', 10],
    )
    assert.match(JSON.stringify(frame.context), /const currency = order\.payment\.currency/)
    const page = await (await rosa.document(`/marlow-finch/issues/${shortId}`)).text()
    assert.match(page, /shop\/storefront\/src\/commit\/c41f9e2[0-9a-f]{33}\/src\/checkout\/totals\.ts#L10/)
    assert.match(page, /Suspect commit/)
    assert.match(page, /Show the paid total in the summary/)
  })

  it('has a stack that stays as it ran, with the reason', async () => {
    const { shortId } = await issue("reading 'reduce'")
    const page = await (await rosa.document(`/marlow-finch/issues/${shortId}`)).text()
    assert.match(page, /No map uploaded for this debug ID/)
  })

  it('has an issue that stays resolved though old clients send it, and one that came back', async () => {
    const resolved = await issue("reading 'value'")
    assert.deepEqual(
      [resolved.status, resolved.statusDetails],
      ['resolved', { inRelease: 'shop@2026.11.18-1' }],
    )
    const back = await issue('Invalid time value')
    assert.deepEqual([back.status, back.substatus], ['unresolved', 'regressed'])
  })

  it('has an issue tracker with an open issue and one that was closed from here', async () => {
    const page = async (path: string) => (await rosa.document(path)).text()
    await waitFor('the closed issue', async () =>
      /Done: Closed/.test(await page('/marlow-finch/settings/trackers/1')),
    )
    const { shortId } = await issue('error.type:OutOfStockError')
    assert.match(await page(`/marlow-finch/issues/${shortId}`), /shop\/storefront#413/)
  })

  it('has releases with commits, deploys and maps that resolved frames', async () => {
    const release = await get(`${ORG}/releases/${NEWEST}/`)
    assert.deepEqual([release.commitCount, release.deployCount], [5, 3])
    for (const [tab, text] of [
      ['', 'RangeError'],
      ['', 'eu-2 run'],
      ['/deploys', 'Where it runs'],
      ['/commits', 'not a member'],
    ] as const)
      assert.ok(
        (await (await rosa.document(`/marlow-finch/releases/${NEWEST}${tab}`)).text()).includes(text),
        text,
      )
    await waitFor('a map in use', async () =>
      (await (await rosa.document(`/marlow-finch/releases/${NEWEST}`)).text()).includes('maps verified'),
    )
  })

  it('has a route that the newest release made slower, beside the commit that did', async () => {
    const page = await (await rosa.document(`/marlow-finch/releases/${NEWEST}/slower`)).text()
    assert.match(page, /Slower, or failing more, than in/)
    assert.match(page, /3fa86d1[\s\S]*Load the parcels of an order with its page/)
  })

  it('has alerts that fired, one of them by what the shop measures', async () => {
    const page = await (await rosa.document('/marlow-finch/alerts/log')).text()
    for (const name of ['New in production', 'Errors pile up', 'Checkout fails'])
      assert.ok(page.includes(name), name)
  })

  it('goes on: visits come while it runs', async () => {
    const query = 'field=sum(quantity)&groupBy=outcome&groupBy=category&statsPeriod=1h'
    const spans = async (): Promise<number> => {
      const { groups } = await get(`${ORG}/stats_v2/?${query}`)
      const accepted = groups.filter(({ by }: Json) => by.outcome === 'accepted' && by.category === 'span')
      return accepted.reduce((sum: number, { totals }: Json) => sum + totals['sum(quantity)'], 0)
    }
    const before = await spans()
    await waitFor('a visit', async () => (await spans()) > before, 60_000)
  })
})
