/** Unmodified Node SDKs, the newest and an older generation, in a process of their own. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ApiEvent, type ApiIssue, apiGet, issues } from '../support/api.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const SENDER = fileURLToPath(new URL('./senders/node-sdk.mjs', import.meta.url))
const run = promisify(execFile)

for (const name of ['@sentry/node', 'sentry-node-8']) {
  describe(`an app with ${name}`, () => {
    let running: RunningErrata & { readonly shop: SetUp }
    before(async () => {
      running = await startShop()
      await run(process.execPath, [SENDER, name, running.shop.dsn], { timeout: 120_000 })
    })
    after(() => running?.[Symbol.asyncDispose]())

    it('shows its errors after the last answer', async () => {
      const found = await waitFor('three issues', async () => listed(await issues(running.shop), 3))
      assert.deepEqual(found.map(({ title }) => title).sort(), [
        'CheckoutError: checkout of order 40118 failed',
        'RangeError: nobody waits for this',
        'stock level below threshold',
      ])
    })

    it('keeps the chain, the person, the tags and the breadcrumbs', async () => {
      const [issue] = await issues(running.shop, 'CheckoutError')
      assert.ok(issue)
      const event = await apiGet<ApiEvent & { user: { id: string } }>(
        running.shop,
        `/organizations/shop/issues/${issue.id}/events/latest/`,
      )
      const chain = event.entries.find(({ type }) => type === 'exception')?.data as {
        values: { type: string; stacktrace: { frames: { function: string; inApp: boolean }[] } }[]
      } // asserted below
      assert.deepEqual(
        chain.values.map(({ type }) => type),
        ['TypeError', 'CheckoutError'],
      )
      assert.ok(
        chain.values[0]?.stacktrace.frames.some((frame) => frame.function === 'loadCart' && frame.inApp),
      )
      assert.equal(event.user.id, '77')
      const tag = (key: string) => event.tags.find((each) => each.key === key)?.value
      assert.deepEqual(
        [tag('region'), tag('environment'), tag('release')],
        ['eu-west', 'production', 'shop@1.0.0'],
      )
      const json = JSON.stringify(event)
      assert.ok(json.includes('item added'))
      assert.equal(json.includes('hunter2'), false)
    })

    it('has a release whose sessions are counted', async () => {
      const release = encodeURIComponent('release:shop@1.0.0')
      const sum = await waitFor('a session', async () => {
        const { groups } = await apiGet<{ groups: { totals: Record<string, number> }[] }>(
          running.shop,
          `/organizations/shop/sessions/?field=sum(session)&statsPeriod=24h&query=${release}`,
        )
        return groups[0]?.totals['sum(session)'] || null
      })
      assert.ok(sum >= 1)
    })

    it('accounts for everything that was sent', async () => {
      const sent = await waitFor('errors and spans are counted', async () => {
        const { groups } = await apiGet<{
          groups: { by: Record<string, string>; totals: Record<string, number> }[]
        }>(
          running.shop,
          `/organizations/shop/stats_v2/?field=sum(quantity)&groupBy=outcome&groupBy=category&groupBy=reason&statsPeriod=24h&project=${running.shop.project}`,
        )
        const of = (outcome: string, category: RegExp) =>
          groups
            .filter(({ by }) => by.outcome === outcome && category.test(by.category ?? ''))
            .reduce((sum, { totals }) => sum + (totals['sum(quantity)'] ?? 0), 0)
        const errors = of('accepted', /^error$/)
        const isAll = errors >= 3 && of('accepted', /^(span|transaction)$/) > 0
        return isAll ? { errors, invalid: of('invalid', /^/) } : null
      })
      assert.deepEqual(sent, { errors: 3, invalid: 0 })
    })
  })
}

function listed(found: readonly ApiIssue[], count: number): readonly ApiIssue[] | null {
  return found.length >= count ? found : null
}
