/** Every address of the wire that an SDK, a browser or an exporter may call and that stores nothing yet. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { apiGet } from '../support/api.ts'
import { type RunningErrata, type SetUp, startShop } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

interface Call {
  readonly path: string
  readonly method?: string
  readonly type?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly status: number
  readonly category: string
  readonly quantity: number
}

const JSON_TYPE = 'application/json'
const REPORTS = 'application/reports+json'
const PROTOBUF = 'application/x-protobuf'
const LOGS = JSON.stringify({
  resourceLogs: [
    {
      scopeLogs: [{ logRecords: [{ timeUnixNano: '1' }, { observedTimeUnixNano: '2', timeUnixNano: '2' }] }],
    },
  ],
})
/** Export with one resource, one scope and three empty items. */
const THREE = Uint8Array.from([0x0a, 0x08, 0x12, 0x06, 0x12, 0, 0x12, 0, 0x12, 0])
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** `KEY` and `P` stand for those of the project. */
const CALLS: readonly Call[] = [
  {
    path: '/api/P/cron/nightly/KEY/?status=ok',
    method: 'GET',
    status: 202,
    category: 'monitor',
    quantity: 1,
  },
  {
    ...{ path: '/api/P/cron/nightly/?sentry_key=KEY', type: JSON_TYPE, body: '{"status":"error"}' },
    ...{ status: 202, category: 'monitor', quantity: 1 },
  },
  {
    ...{ path: '/api/P/security/?sentry_key=KEY', type: 'application/csp-report', body: '{"csp-report":{}}' },
    ...{ status: 200, category: 'security', quantity: 1 },
  },
  {
    ...{ path: '/api/P/csp-report/?sentry_key=KEY', type: REPORTS, body: '[{},{}]' },
    ...{ status: 200, category: 'security', quantity: 2 },
  },
  {
    path: '/api/P/nel/?sentry_key=KEY',
    type: REPORTS,
    body: '[{},{}]',
    status: 200,
    category: 'log_item',
    quantity: 2,
  },
  { path: '/api/P/minidump?sentry_key=KEY', body: 'MDMP', status: 200, category: 'error', quantity: 1 },
  { path: '/api/P/unreal/KEY/?UserID=1', body: 'CR1', status: 200, category: 'error', quantity: 1 },
  { path: '/api/P/playstation/?sentry_key=KEY', body: 'dump', status: 200, category: 'error', quantity: 1 },
  {
    ...{ path: `/api/P/events/${'a'.repeat(32)}/attachments/?sentry_key=KEY`, body: 'file' },
    ...{ status: 201, category: 'attachment_item', quantity: 1 },
  },
  { path: '/api/P/upload/?sentry_key=KEY', body: '', status: 404, category: 'attachment_item', quantity: 1 },
  {
    ...{ path: '/api/embed/error-page/?dsn=http%3A%2F%2FKEY%40h%2FP&eventId=e', body: 'comments=no' },
    ...{ status: 200, category: 'feedback', quantity: 1 },
  },
  {
    ...{ path: '/api/P/integration/otlp/v1/logs?sentry_key=KEY', type: JSON_TYPE, body: LOGS },
    ...{ status: 200, category: 'log_item', quantity: 2 },
  },
  {
    // Records without a time count too, in the other spelling of protobuf's JSON mapping as well.
    ...{ path: '/api/P/otlp/v1/logs?sentry_key=KEY', type: JSON_TYPE },
    body: JSON.stringify({ resource_logs: [{ scope_logs: [{ log_records: [{ body: {} }, {}, {}] }, {}] }] }),
    ...{ status: 200, category: 'log_item', quantity: 3 },
  },
  {
    ...{ path: '/api/P/otlp/v1/logs/?sentry_key=KEY', type: PROTOBUF, body: THREE },
    ...{ status: 200, category: 'log_item', quantity: 3 },
  },
  {
    ...{ path: '/api/P/integration/otlp/v1/metrics?sentry_key=KEY', type: PROTOBUF, body: THREE },
    ...{ status: 200, category: 'trace_metric', quantity: 3 },
  },
  {
    ...{ path: '/api/P/integration/otlp/v1development/profiles?sentry_key=KEY', type: PROTOBUF, body: THREE },
    ...{ status: 200, category: 'profile_chunk', quantity: 3 },
  },
  {
    ...{ path: '/api/P/integration/vercel/logs?sentry_key=KEY', body: '{}\n{}\n' },
    ...{ status: 200, category: 'log_item', quantity: 2 },
  },
]

describe('signals without a store', () => {
  let running: RunningErrata & { readonly shop: SetUp }
  before(async () => {
    running = await startShop()
  })
  after(() => running?.[Symbol.asyncDispose]())

  const addressOf = (path: string, key = keyOf()) => {
    const { pathname } = new URL(running.shop.dsn)
    return (
      running.url +
      path
        .replace('KEY', key)
        .replace('/P/', `${pathname}/`)
        .replace('%2FP&', `%2F${pathname.slice(1)}&`)
    )
  }
  const keyOf = () => new URL(running.shop.dsn).username
  const call = (
    { path, method = 'POST', type, body }: Omit<Call, 'status' | 'category' | 'quantity'>,
    key = keyOf(),
  ) =>
    fetch(addressOf(path, key), {
      method,
      ...(method === 'POST' && { body: body ?? '' }),
      headers: { origin: 'https://shop.example', ...(type !== undefined && { 'content-type': type }) },
    })
  const counts = async (reason: string) => {
    const query = 'groupBy=reason&groupBy=category&field=sum(quantity)&statsPeriod=1d&interval=1d'
    const { groups } = await apiGet<{
      readonly groups: readonly {
        readonly by: Record<string, string>
        readonly totals: Record<string, number>
      }[]
    }>(running.shop, `/organizations/shop/stats_v2/?${query}`)
    const own = groups.filter(({ by }) => by.reason === reason)
    return Object.fromEntries(own.map(({ by, totals }) => [by.category, totals['sum(quantity)']]))
  }

  it('are answered as their protocols want, and counted under their own category', async () => {
    const expected: Record<string, number> = {}
    for (const each of CALLS) {
      const answer = await call(each)
      assert.equal(answer.status, each.status, each.path)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', each.path)
      const text = await answer.text()
      if (each.category === 'error') assert.match(text, UUID)
      if (each.type === JSON_TYPE && each.category === 'log_item')
        assert.equal(JSON.parse(text).partialSuccess.rejectedLogRecords, String(each.quantity))
      if (each.type === PROTOBUF)
        assert.deepEqual([text.charCodeAt(0), text.charCodeAt(2), text.charCodeAt(3)], [10, 8, 3])
      expected[each.category] = (expected[each.category] ?? 0) + each.quantity
    }
    await waitFor('all of them are counted', async () => {
      return total(await counts('unsupported_kind')) >= total(expected)
    })
    assert.deepEqual(await counts('unsupported_kind'), expected)
  })

  it('are refused without a key, with an unknown one, with the wrong method and the wrong type', async () => {
    for (const each of CALLS) {
      assert.equal((await call(each, 'f'.repeat(32))).status, 403, each.path)
      const preflight = await fetch(addressOf(each.path), { method: 'OPTIONS' })
      assert.equal(preflight.status, 204)
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/)
      assert.equal((await fetch(addressOf(each.path), { method: 'DELETE' })).status, 405, each.path)
      if (each.type === undefined || each.category === 'monitor') continue
      assert.equal((await call({ ...each, type: 'text/html' })).status, 415, each.path)
    }
    assert.equal((await call({ path: '/api/P/nel/', type: JSON_TYPE, body: '[]' })).status, 401)
    assert.equal((await call({ path: '/api/P/nothing/?sentry_key=KEY' })).status, 404)
  })

  it('have a dialog that is JavaScript, whatever happens', async () => {
    for (const [key, reason] of [
      [keyOf(), /stores no user feedback/],
      ['f'.repeat(32), /no dialog is shown, event submission rejected/],
      ['none', /no dialog is shown/],
    ] as const) {
      const path = '/api/embed/error-page/?dsn=http://KEY@h/1&eventId=e&title=%3C/script%3E'
      const answer = await fetch(addressOf(path, key), { headers: { origin: 'https://shop.example' } })
      assert.equal(answer.status, 200, 'a browser runs no script of an error')
      assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      const said: string[] = []
      const script = new Function('window', 'console', await answer.text())
      script({ postMessage: (text: string) => said.push(text) }, { warn: (text: string) => said.push(text) })
      assert.match(said.join(), reason)
      assert.equal(said.at(-1), '__sentry_reportdialog_closed__')
    }
  })

  it('have a loader script that runs, says so, and takes what pages call of it', async () => {
    const before = (await counts('unsupported_kind')).default ?? 0
    for (const [key, file] of [
      [keyOf(), 'KEY.js'],
      [keyOf(), 'KEY.min.js'],
      ['f'.repeat(32), 'KEY.min.js'],
      ['none', 'KEY.js'],
    ] as const) {
      const path = `/js-sdk-loader/${file}`
      const answer = await fetch(addressOf(path, key), { headers: { origin: 'https://shop.example' } })
      assert.equal(answer.status, 200, 'a browser runs no script of an error')
      assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
      const said: string[] = []
      const page: { Sentry?: { readonly onLoad: (run: () => void) => void } } = {}
      const script = new Function('window', 'console', await answer.text())
      script(page, { warn: (text: string) => said.push(text) })
      assert.match(said.join(), /not supported.*\/docs\/coming-from#/)
      page.Sentry?.onLoad(() => assert.fail('no SDK came'))
      assert.equal(typeof page.Sentry?.onLoad, 'function')
    }
    const gone = await fetch(addressOf('/js-sdk-loader/KEY.js'), { method: 'DELETE' })
    assert.equal(gone.status, 405)
    await waitFor(
      'both are counted',
      async () => ((await counts('unsupported_kind')).default ?? 0) >= before + 2,
    )
    assert.equal((await counts('unsupported_kind')).default, before + 2)
  })

  it('are counted as what they were where their envelope is broken', async () => {
    const envelope = (type: string, payload: string) => `{}\n{"type":"${type}","length":900000}\n${payload}`
    const { username, pathname } = new URL(running.shop.dsn)
    const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${running.url}/api${pathname}/envelope/?sentry_key=${username}`, {
        method: 'POST',
        body,
        headers,
      })
    assert.equal((await send(envelope('replay_recording', 'x'.repeat(300_000)))).status, 400)
    assert.equal((await send(envelope('profile', 'x'))).status, 400)
    const cut = gzipSync(envelope('replay_event', 'y'.repeat(500))).subarray(0, 60)
    assert.equal((await send(Uint8Array.from(cut), { 'content-encoding': 'gzip' })).status, 400)
    await waitFor('they are counted', async () => total(await counts('invalid_envelope')) >= 2)
    assert.deepEqual(await counts('invalid_envelope'), { replay: 1, profile: 1 })
    await waitFor('the last is counted', async () => total(await counts('invalid_encoding')) >= 1)
    assert.deepEqual(await counts('invalid_encoding'), { replay: 1 })
  })
})

function total(counts: Readonly<Record<string, number | undefined>>): number {
  return Object.values(counts).reduce((sum: number, one) => sum + (one ?? 0), 0)
}
