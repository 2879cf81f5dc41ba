/** Everything that an app sent while a browser went through each way it fails, in three orders of arrival. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { ReadScope } from '#ports/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'
import type { TraceList } from './types.ts'

const FOLDER = new URL('../../../../../tests/fixtures/captured-spans/', import.meta.url)
const CAPTURED_MS = Date.parse('2026-11-23T01:15:00Z')
const HOUR = 3_600_000
const skip = existsSync(FOLDER) ? false : 'the captured fixtures are not part of this checkout'

interface Item {
  readonly type: string
  readonly payload: object
}

interface CapturedFile {
  readonly items: readonly Item[]
  readonly capturedMs?: number
}

function capturedIn(file: string): Required<CapturedFile> {
  const { items, capturedMs = CAPTURED_MS }: CapturedFile = JSON.parse(
    readFileSync(new URL(file, FOLDER), 'utf8'),
  )
  return { items, capturedMs }
}

function envelope({ type, payload }: Item): Uint8Array {
  const text = JSON.stringify(payload)
  const kind = type === 'span' ? { content_type: 'application/vnd.sentry.items.span.v2+json' } : {}
  const id = 'event_id' in payload ? { event_id: payload.event_id } : {}
  return Buffer.from(`${JSON.stringify(id)}\n${JSON.stringify({ type, ...kind })}\n${text}\n`)
}

/** `kind route count failed behind`, of everything that answers. */
async function figuresOf(file: Required<CapturedFile>): Promise<readonly string[]> {
  return sent(file, async (shop, scope) => {
    const { capturedMs } = file
    const query = { projects: null, startMs: capturedMs - 24 * HOUR, endMs: capturedMs + HOUR }
    const rows = await shop.queries.requests.routes(scope, query)
    return rows
      .filter(({ kind }) => kind !== 'browser')
      .map((row) => `${row.kind} ${row.route} ${row.count} ${row.failed} ${row.failedBehind200}`)
      .sort()
  })
}

async function sent<T>(
  { items, capturedMs }: Required<CapturedFile>,
  read: (shop: Shop, scope: ReadScope) => Promise<T>,
): Promise<T> {
  const shop = await openShop()
  try {
    const scope = await shop.people.owner.scope()
    shop.clock.advance(capturedMs + 10 * 60_000 - NOW)
    for (const item of items) await sendEnvelope(shop, shop.dsn, envelope(item))
    return await read(shop, scope)
  } finally {
    await shop.close()
  }
}

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'astro7.json': [
    'action /_actions/[...path] 2 1 0',
    'action /actions 2 2 0',
    'document /late-fails 1 1 1',
    'document /render 2 2 2',
    'document /rest/[...path] 1 0 0',
    'document /status 1 1 0',
    'document /stones/[id] 3 2 0',
    'page-data /render 1 1 1',
    'page-data /rest/[...path] 1 0 0',
    'page-data /stones/[id] 3 1 0',
    'prefetch /render 1 1 1',
    'prefetch /stones/[id] 1 0 0',
    'route-handler /api/quarry 2 2 0',
    'route-handler /ledger.csv 1 0 0',
  ],
  'next11-edge.json': [
    'document /classic/voucher 1 1 0',
    'document /fails/middleware 1 1 0',
    'page-data /classic/voucher 1 1 0',
    'prefetch /fails/prefetched 2 1 1',
    'route-handler /api/edge 1 1 0',
  ],
  'next11-apart.json': [
    'document /isr 3 0 0',
    'route-handler /body 1 0 0',
    'route-handler /isr-data 1 0 0',
    'route-handler /orders/export 2 2 0',
    'route-handler /slow 1 0 0',
    'route-handler /stream 1 0 0',
  ],
  'react-router8.json': [
    'action /fails/action 1 1 0',
    'document / 1 0 0',
    'document /fails/document 1 1 0',
    'document /fails/hydration/:cause 2 0 0',
    'document /fails/late 1 0 0',
    'document /fails/ssr-only 1 1 0',
    'page-data /fails/moved 1 0 0',
    'page-data /fails/navigation 1 1 0',
    'page-data /fails/slow 1 0 0',
    'page-data /products/assam 1 0 0',
    'prefetch /fails/prefetched 1 1 0',
    'route-handler /api/discount 1 1 0',
  ],
  'react-router7.json': [
    'action /loan 3 1 0',
    'document /files/* 1 0 0',
    'document /shelves/:shelf 2 1 0',
    'document /staff/:id? 1 1 0',
    'page-data /api/loans 1 1 0',
    'page-data /client 2 1 0',
    'page-data /shelves 1 0 0',
    'page-data /shelves/poems/books/broken 1 1 0',
    'prefetch /shelves/poems/books/broken 1 1 0',
    'route-handler /exports/bad 1 1 0',
  ],
  'sveltekit3.json': [
    'action /forms 4 2 0',
    'action /remote 1 1 1',
    'document /group 1 0 0',
    'document /moved-out 1 0 0',
    'document /plants/[name] 1 1 0',
    'document /stream-fails 1 1 1',
    'document /universal/[name] 1 1 0',
    'document /wither 1 1 0',
    'page-data /_app/remote/126q91r/bad 1 1 1',
    'page-data /_app/remote/126q91r/list 1 0 0',
    'page-data /moved 1 0 0',
    'page-data /plants/[name] 6 1 1',
    'route-handler /api/seeds 2 2 0',
    'route-handler /export.csv 3 0 0',
  ],
  'tanstack-start1.json': [
    'action /_serverFn/saveBoat 1 0 0',
    'action /_serverFn/sinkBoat 1 1 1',
    'document /boats/* 2 0 0',
    'document /boats/sunk 1 1 0',
    'document /hydrate 1 0 0',
    'document /isomorphic-fails 1 1 0',
    'document /late-fails 1 1 1',
    'page-data /_serverFn/getBoat 6 2 2',
    'page-data /_serverFn/goAway 1 0 0',
    'page-data /_serverFn/lateFn 1 1 1',
    'page-data /_serverFn/slowFn 1 0 0',
    'route-handler /api/tide 2 2 0',
  ],
  'nuxt4.json': [
    'document /files/:path(.*)* 1 0 0',
    'document /hydrate 1 0 0',
    'document /lazy-data 1 0 0',
    'document /render 1 1 0',
    'document /setup-fails 1 1 0',
    'document /ships/:id 1 0 0',
    'document /ships/broken 1 1 0',
    'document /slow 1 0 0',
    'document /ssr-only 1 1 0',
    'route-handler /api/cargo 4 4 0',
    'route-handler /api/ships/:id 1 0 0',
    'route-handler /api/ships/broken 2 2 0',
  ],
  'next11.json': [
    'action / 4 2 0',
    'document / 1 0 0',
    'document /late 1 1 1',
    'document /missing 1 0 0',
    'document /moved 1 0 0',
    'document /orders/[id] 2 1 0',
    'document /ssr 1 1 1',
    'page-data /late 1 1 1',
    'page-data /missing 1 0 0',
    'page-data /moved 1 0 0',
    'page-data /orders/[id] 3 1 1',
    'page-data /ssr 1 0 0',
    'prefetch /orders/[id] 3 0 0',
    'route-handler /api/cart 2 1 0',
    'static /_not-found 1 0 0',
  ],
  'next10.json': [
    'action / 3 2 0',
    'document / 1 0 0',
    'document /late 1 1 1',
    'document /orders/[id] 2 1 0',
    'document /ssr 1 1 1',
    'page-data /late 1 1 1',
    'page-data /missing 1 0 0',
    'page-data /moved 1 0 0',
    'page-data /orders/[id] 3 1 1',
    'page-data /ssr 1 0 0',
    'prefetch /orders/[id] 3 0 0',
    'route-handler /api/cart 2 1 0',
  ],
}

const LISTED: Readonly<Record<string, readonly string[]>> = {
  'next11-apart.json': [
    'document /isr answered',
    'document /isr answered',
    'document /isr answered',
    'route-handler /body aborted',
    'route-handler /isr-data answered',
    'route-handler /orders/export failed',
    'route-handler /orders/export failed',
    'route-handler /slow aborted',
    'route-handler /stream answered',
  ],
  'next11-edge.json': [
    'document /_not-found answered',
    'document /classic/voucher failed',
    'document /fails/middleware failed',
    'page-data /classic/voucher failed',
    'prefetch /fails/prefetched answered',
    'prefetch /fails/prefetched failed-behind-200',
    'route-handler /api/edge failed',
  ],
}

const TERMS: Readonly<Record<string, string>> = {
  ...{ request_kind: 'kind', service: 'service', waits: 'waits', issue: 'issue' },
}

/** Returns what the bar of a row shows most of. */
function waitedFor({ durationMs, queriesMs, callsMs, requestKind }: TraceList['rows'][number]) {
  const database = Math.min(queriesMs ?? 0, durationMs)
  const calls = Math.min(callsMs ?? 0, durationMs - database)
  const parts = [
    ['database', database],
    ['calls', calls],
    [requestKind === 'browser' ? 'browser' : 'server', durationMs - database - calls],
  ] as const
  const most = Math.max(...parts.map(([, ms]) => ms))
  return parts.flatMap(([part, ms]) => (ms === most ? [String(part)] : []))
}

describe('figures of captured requests', { skip }, () => {
  for (const [file, expected] of Object.entries(EXPECTED)) {
    const { items, capturedMs } = skip === false ? capturedIn(file) : { items: [], capturedMs: 0 }
    const errors = items.filter(({ type }) => type === 'event')
    const rest = items.filter(({ type }) => type !== 'event')
    it(`${file}, as it came`, async () => assert.deepEqual(await figuresOf({ items, capturedMs }), expected))
    it(`${file}, errors first`, async () =>
      assert.deepEqual(await figuresOf({ items: [...errors, ...rest], capturedMs }), expected))
    it(`${file}, errors last and all twice`, async () =>
      assert.deepEqual(
        await figuresOf({ items: [...rest, ...rest, ...errors, ...errors], capturedMs }),
        expected,
      ))
  }

  it('next11-apart.json, in the traces themselves', async () => {
    const file = capturedIn('next11-apart.json')
    const traces = [...new Set(JSON.stringify(file.items).match(/(?<="trace_id":")\w+/g))]
    const said = await sent(file, async (shop, scope) => {
      const views = await Promise.all(traces.map((trace) => shop.queries.trace(scope, trace)))
      return views.flatMap((view) => view?.spans ?? []).flatMap(({ segment }) => segment ?? [])
    })
    assert.deepEqual(said.map(({ requestKind, route, end }) => `${requestKind} ${route} ${end}`).sort(), [
      'document /isr answered',
      'document /isr answered',
      'document /isr answered',
      'route-handler /body aborted',
      'route-handler /isr-data answered',
      'route-handler /orders/export failed',
      'route-handler /orders/export failed',
      'route-handler /slow aborted',
      'route-handler /stream answered',
    ])
  })

  it('in the list of traces: each by the kind that figures count', async () => {
    for (const [name, expected] of Object.entries(LISTED)) {
      const file = capturedIn(name)
      const { rows, total } = await sent(file, (shop, scope) => {
        const range = { startMs: file.capturedMs - 24 * HOUR, endMs: file.capturedMs + HOUR }
        const search = { range, project: null, query: '', sort: 'newest', limit: 100, cursor: null } as const
        return shop.queries.traces(scope, search)
      })
      const shown = rows.filter(({ requestKind, end }) => requestKind !== 'browser' && end !== null)
      assert.deepEqual(
        shown.map((row) => `${row.requestKind} ${row.action ?? row.route ?? row.name} ${row.end}`).sort(),
        expected,
      )
      assert.equal(total, rows.length)
    }
  })

  for (const name of ['next11-apart.json', 'next11.json', 'nuxt4.json'])
    it(`in the list of traces: as many of each kind, service, wait and issue as are counted beside it, ${name}`, async () => {
      const file = capturedIn(name)
      await sent(file, async (shop, scope) => {
        const range = { startMs: file.capturedMs - 24 * HOUR, endMs: file.capturedMs + HOUR }
        const search = { range, project: null, sort: 'newest', limit: 100, cursor: null } as const
        const list = (query: string) => shop.queries.traces(scope, { ...search, query })
        const { facets, total } = await list('')
        const own = facets.filter(({ tag }) => Object.hasOwn(TERMS, tag))
        assert.deepEqual(own.map(({ tag }) => tag).slice(0, 3), ['request_kind', 'service', 'waits'])
        for (const { tag, values } of own) {
          for (const { value, count } of values) {
            const found = await list(`${TERMS[tag]}:${value}`)
            const shown = found.rows.filter((row) => tag !== 'request_kind' || row.requestKind === value)
            assert.deepEqual(
              [found.total, shown.length, found.problems],
              [count, count, []],
              `${tag} ${value}`,
            )
            if (tag === 'waits') assert.ok(found.rows.every((row) => waitedFor(row).includes(value)))
            if (tag === 'issue') assert.ok(found.rows.every(({ error }) => error !== null))
          }
          const sum = values.reduce((all, { count }) => all + count, 0)
          if (tag !== 'issue') assert.equal(sum, total, tag)
        }
        const other = own.find(({ tag }) => tag === 'issue')?.values ?? []
        if (name !== 'next11-apart.json') assert.ok(other.length > 0)
        assert.deepEqual((await list('issue:WEB-999')).problems, ['issue:WEB-999: there is no such issue.'])
      })
    })

  it('in the list of traces: a wrapped action once, and its wrapper where that is asked for', async () => {
    const file = capturedIn('next11.json')
    const [all, wrappers] = await sent(file, (shop, scope) => {
      const range = { startMs: file.capturedMs - 24 * HOUR, endMs: file.capturedMs + HOUR }
      const search = { range, project: null, sort: 'newest', limit: 100, cursor: null } as const
      const list = (query: string) => shop.queries.traces(scope, { ...search, query })
      return Promise.all([list('action:payOrder'), list('kind:other action:payOrder')])
    })
    const kinds = ({ rows }: typeof all) => rows.map(({ requestKind }) => requestKind)
    assert.deepEqual([kinds(all), kinds(wrappers)], [['action'], ['other']])
  })

  it('next11-apart.json, backwards', async () => {
    const { items, capturedMs } = capturedIn('next11-apart.json')
    const expected = EXPECTED['next11-apart.json']
    assert.deepEqual(await figuresOf({ items: items.toReversed(), capturedMs }), expected)
  })
})
