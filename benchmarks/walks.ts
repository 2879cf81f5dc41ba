/**
 * Through how many files a thing goes: of each walk, files in which a function ran between the request and what was stored or
 * answered, by thread, counted from V8's precise coverage of Errata run from its sources.
 *
 *   npm run build && node scripts/with-node24.mjs benchmarks/walks.ts [--port 9340] [--rounds 3] [--idle 30]
 *
 * `base/`, `limits/` and what an idle process runs are left out. A file counts when it ran in every round: what the
 * clock runs meanwhile is in none or one. The files themselves stand in the JSON, so that two trees can be compared.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { HEADERS } from '../packages/web/src/wire/names.ts'
import { table as markdownTable } from '../scripts/markdown-table.ts'
import { ROOT } from '../scripts/node24.mjs'
import { startWatched, type ThreadFiles, type WatchedErrata } from './house/watched-errata.ts'
import { signInSession } from './server/person.ts'
import { temporaryDirectory } from './server/temporary-directory.ts'

const RESULTS = join(ROOT, 'benchmarks/results')
/** Wait for what a commit wakes: letters, alert rules. */
const SETTLE_MS = 700
/** And what was asked of a page or the API, which is summed up for a while. */
const QUIET_MS = 8_000
const LEFT_OUT = /^(?:benchmarks\/|packages\/(?:server|errata|web|protocol)\/src\/(?:base|limits)\/)/

type Files = ReadonlyMap<string, ReadonlySet<string>>

interface Walk {
  readonly name: string
  /** Once for each round, each time with another number; before the first it was done twice. */
  readonly run: (errata: World, number: number) => Promise<void>
}

interface World extends WatchedErrata {
  readonly cookie: string
}

const WALKS: readonly Walk[] = [
  { name: 'a known error', run: (errata) => stored(errata, anError('known')) },
  { name: 'an error that begins an issue', run: (errata, number) => stored(errata, anError(`new${number}`)) },
  { name: 'a transaction', run: (errata) => stored(errata, aTransaction()) },
  { name: 'a session', run: (errata) => stored(errata, aSession()) },
  { name: 'the issue list by the API', run: (errata) => api(errata, 'GET', '/issues/?limit=25') },
  { name: 'an issue by the API', run: (errata) => api(errata, 'GET', '/issues/WEB-1/') },
  { name: 'events of an issue by the API', run: (errata) => api(errata, 'GET', '/issues/WEB-1/events/') },
  {
    name: 'resolve by the API',
    run: (errata) => api(errata, 'PUT', `/issues/WEB-${++resolved}/`, { status: 'resolved' }),
  },
  {
    name: 'comment by the API',
    run: (errata, number) => api(errata, 'POST', '/issues/WEB-1/comments/', { text: `note ${number}` }),
  },
  { name: 'the issue list as a document', run: (errata) => page(errata, '/issues', { accept: 'text/html' }) },
  {
    name: 'the issue list as page data',
    run: (errata) => page(errata, '/issues', { [HEADERS.page]: 'data' }),
  },
  {
    name: 'an issue as a document',
    run: (errata) => page(errata, '/issues/WEB-1', { accept: 'text/html' }),
  },
]

/** The number of the last issue that was resolved. */
let resolved = 1

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9340' },
    rounds: { type: 'string', default: '3' },
    idle: { type: 'string', default: '30' },
  },
})
async function main(): Promise<void> {
  using directory = temporaryDirectory()
  await using errata = await startWatched(directory.path, Number(values.port))
  const world = { ...errata, cookie: await signInSession(errata) }
  const issues = Number(values.rounds) + 3
  for (let number = 0; number < issues; number++) await stored(world, anError(`old${number}`))
  // Twice each: what loads or compiles once is no part of a walk.
  for (const walk of [...WALKS, ...WALKS]) await walk.run(world, startNumber())
  await delay(QUIET_MS)
  await errata.files()
  await delay(Number(values.idle) * 1_000)
  const idle = byThread(await errata.files())
  const rows = []
  for (const walk of WALKS) {
    const files = await walked(world, walk, idle)
    rows.push({ walk: walk.name, files })
    console.log(`${walk.name}: ${countsOf(files)}`)
  }
  write(rows)
}

let started = 0
function startNumber(): number {
  return ++started
}

/** Returns the files that ran in every round and not in an idle process. */
async function walked(world: World, walk: Walk, idle: Files): Promise<Files> {
  let kept: Files | null = null
  for (let round = 0; round < Number(values.rounds); round++) {
    const number = startNumber()
    await world.files()
    await walk.run(world, number)
    await delay(SETTLE_MS)
    const ran = byThread(await world.files())
    kept = kept === null ? ran : both(kept, ran)
  }
  return without(kept ?? new Map(), idle)
}

function byThread(threads: readonly ThreadFiles[]): Files {
  const files = new Map<string, Set<string>>()
  for (const { name, files: some } of threads) {
    const set = files.get(name) ?? new Set<string>()
    files.set(name, set)
    for (const file of some) if (!LEFT_OUT.test(file)) set.add(file)
  }
  return files
}

function both(some: Files, others: Files): Files {
  return new Map(
    [...some].map(([name, files]) => [
      name,
      new Set([...files].filter((file) => others.get(name)?.has(file) === true)),
    ]),
  )
}

function without(some: Files, idle: Files): Files {
  const left = [...some].map(
    ([name, files]) =>
      [name, new Set([...files].filter((file) => idle.get(name)?.has(file) !== true))] as const,
  )
  return new Map(left.filter(([, files]) => files.size > 0))
}

async function stored(errata: World, envelope: string): Promise<void> {
  const committed = errata.committed()
  const query = `sentry_version=7&sentry_key=${errata.key}&sentry_client=sentry.javascript.node%2F11.12.0`
  const url = `http://127.0.0.1:${errata.port}/api/${errata.projectId}/envelope/?${query}`
  await answered(await fetch(url, { method: 'POST', body: envelope }), url)
  await committed
}

async function api(errata: World, method: string, path: string, body?: unknown): Promise<void> {
  const url = `http://127.0.0.1:${errata.port}/api/0/organizations/${errata.organisation}${path}`
  const headers = { authorization: `Bearer ${errata.token}`, 'content-type': 'application/json' }
  await answered(
    await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) }),
    url,
  )
}

async function page(errata: World, path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const url = `http://127.0.0.1:${errata.port}/${errata.organisation}${path}`
  await answered(
    await fetch(url, { redirect: 'manual', headers: { ...headers, cookie: errata.cookie } }),
    url,
  )
}

async function answered(answer: Response, url: string): Promise<void> {
  const text = await answer.text()
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`)
}

let events = 0

function envelope(type: string, payload: object): string {
  const id = (++events).toString(16).padStart(32, 'e')
  const body = JSON.stringify({ event_id: id, ...payload })
  return `${JSON.stringify({ event_id: id, sent_at: new Date().toISOString() })}\n{"type":"${type}"}\n${body}`
}

/** Writes an error as a Node SDK does; one name, one issue. */
function anError(name: string): string {
  const frame = {
    ...{ filename: `app/${name}.ts`, abs_path: `/srv/app/${name}.ts`, function: name, module: name },
    ...{ lineno: 12, colno: 7, in_app: true, context_line: 'return cart.total()' },
  }
  return envelope('event', {
    ...{ timestamp: Date.now() / 1_000, platform: 'node', level: 'error', environment: 'production' },
    ...{ release: 'shop@1.0.0', server_name: 'web-1', transaction: 'GET /cart', tags: { plan: 'gold' } },
    exception: { values: [{ type: 'TypeError', value: `${name} failed`, stacktrace: { frames: [frame] } }] },
    ...{ user: { id: '7' }, request: { url: 'https://shop.test/cart?x=1', method: 'GET' } },
    breadcrumbs: [{ timestamp: Date.now() / 1_000, category: 'http', message: 'GET /prices' }],
    contexts: { runtime: { name: 'node', version: 'v24.21.0' } },
    sdk: { name: 'sentry.javascript.node', version: '11.12.0' },
  })
}

function aTransaction(): string {
  const now = Date.now() / 1_000
  const trace = (++events).toString(16).padStart(32, 'c')
  const child = {
    span_id: 'b'.repeat(16),
    trace_id: trace,
    parent_span_id: 'a'.repeat(16),
    op: 'db',
    description: 'SELECT 1',
  }
  return envelope('transaction', {
    ...{
      type: 'transaction',
      transaction: 'GET /cart',
      transaction_info: { source: 'route' },
      platform: 'node',
    },
    ...{ start_timestamp: now - 0.2, timestamp: now, environment: 'production', release: 'shop@1.0.0' },
    contexts: { trace: { trace_id: trace, span_id: 'a'.repeat(16), op: 'http.server', status: 'ok' } },
    spans: [{ ...child, start_timestamp: now - 0.1, timestamp: now - 0.05 }],
  })
}

function aSession(): string {
  const sid = `${(++events).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
  const started = new Date().toISOString()
  const attributes = { release: 'shop@1.0.0', environment: 'production' }
  return `{}\n{"type":"session"}\n${JSON.stringify({ sid, init: true, status: 'exited', started, timestamp: started, attrs: attributes })}`
}

function countsOf(files: Files): string {
  const all = [...files.values()].reduce((sum, { size }) => sum + size, 0)
  return `${all} (${[...files].map(([name, { size }]) => `${name} ${size}`).join(', ')})`
}

function write(rows: readonly { readonly walk: string; readonly files: Files }[]): void {
  const lists = Object.fromEntries(
    rows.map(({ walk, files }) => [
      walk,
      Object.fromEntries([...files].map(([name, set]) => [name, [...set].sort()])),
    ]),
  )
  writeFileSync(join(RESULTS, 'house-walks.json'), `${JSON.stringify(lists, null, 1)}\n`)
  const names = ['main', 'process', 'commit', 'read']
  const ofWeb = (files: Files) =>
    [...(files.get('main') ?? [])].filter((file) => file.startsWith('packages/web/')).length
  const table = rows.map(({ walk, files }) => [
    walk,
    String([...files.values()].reduce((sum, { size }) => sum + size, 0)),
    ...names.map((name) => String(files.get(name)?.size ?? 0)),
    String(ofWeb(files)),
  ])
  const head = ['walk', 'files', ...names, 'of main, in the web app']
  writeFileSync(
    join(RESULTS, 'house-walks.md'),
    `# Walks\n\nMade by \`benchmarks/walks.ts\` (which says what is counted); ${values.rounds} rounds, ${values.idle} s idle.\n\n${markdownTable(head, table)}\n`,
  )
}

await main()
