import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, send } from '#testing/worlds/api.ts'

const frame = (name: string, filename: string, line: string) => ({
  ...{ function: name, filename, lineno: 7, in_app: true, context_line: line },
})
const KIT = frame('load_server_data', 'app:///instance.js', 'data: await record_span({')
const PAGE_DATA = frame(
  'render_data',
  'app:///instance.js',
  'await Promise.all(promises.map(async (p, i) => {',
)
const LOAD = frame('load', 'app:///_page.server.js', 'return { order: await orderOf(params.id) };')
const ORDER = frame(
  'orderOf',
  'app:///orders.js',
  'if (id === "1") throw new RangeError("order has no customer");',
)

/** Builds a failure that an earlier build grouped otherwise, if the SDK is one whose frames all count. */
const failed = (sdk: string, frames: readonly object[]) => () =>
  anError({
    ...{ platform: 'node', sdk: { name: `sentry.javascript.${sdk}`, version: '10.75.2' } },
    exception: { values: [{ type: 'RangeError', value: 'order has no customer', stacktrace: { frames } }] },
  })

async function issuesOf(...events: readonly (() => Parameters<typeof send>[2])[]) {
  const shop = await openShop()
  try {
    for (const event of events) await send(shop, shop.dsn, event())
    const { body } = await callerOf(shop)(shop.token, 'GET /organizations/acme/issues/?query=')
    const listed: readonly {
      readonly shortId: string
      readonly count: string
      readonly substatus: string
    }[] = JSON.parse(JSON.stringify(body))
    return listed.map(({ shortId, count, substatus }) => `${shortId} ${count} ${substatus}`).sort()
  } finally {
    await shop.close()
  }
}

const BEFORE = failed('node', [KIT, LOAD, ORDER])
const DOCUMENT = failed('sveltekit', [KIT, LOAD, ORDER])
const NAVIGATION = failed('sveltekit', [PAGE_DATA, KIT, LOAD, ORDER])

describe('an issue whose events are grouped otherwise now', () => {
  it('goes on with what comes, and none begins', async () => {
    assert.deepEqual(await issuesOf(BEFORE, DOCUMENT, NAVIGATION, DOCUMENT), ['SHOP-1 4 new'])
  })

  it('is the one that is left where there were several', async () => {
    const other = failed('node', [PAGE_DATA, KIT, LOAD, ORDER])
    assert.deepEqual(await issuesOf(BEFORE, other, NAVIGATION, DOCUMENT), ['SHOP-1 1 new', 'SHOP-2 3 new'])
  })

  it('takes nothing of another bug', async () => {
    const other = failed('sveltekit', [KIT, LOAD, { ...ORDER, function: 'boatOf' }])
    assert.deepEqual(await issuesOf(BEFORE, other), ['SHOP-1 1 new', 'SHOP-2 1 new'])
  })

  it('begins where there was none', async () => {
    assert.deepEqual(await issuesOf(NAVIGATION, DOCUMENT), ['SHOP-1 2 new'])
  })
})
