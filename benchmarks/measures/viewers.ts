/**
 * Measures what ingest feels of people: the same envelopes on the same timetable, without viewers and beside
 * them, in one run. Pages and envelopes share the thread that accepts; the ratio says whether pages wait for
 * envelopes, or the other way.
 */
import { type LatencySummary, latencyOf, percentileOf } from '../load/latencies.ts'
import { startViewers, type Viewed } from '../load/viewers.ts'
import { type Form, formOf } from '../options.ts'
import { atMost, GOALS, number, passed, refusedRows } from '../report/goals.ts'
import { type RunningErrata, setUp, startErrata } from '../server/errata.ts'
import { signInSession } from '../server/person.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { turnOffCaps, untilDrained } from '../server/web-api.ts'
import type { Measured, Tools } from './tools.ts'

export interface Scene {
  readonly name: string
  readonly viewers: number
  readonly latency: LatencySummary
  readonly accepted: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly viewed: Viewed | null
}

export interface ViewersReport {
  readonly rate: number
  readonly seconds: number
  readonly scenes: readonly Scene[]
  readonly acknowledged: number
  readonly lost: number
}

/** Pages that viewers look at; `*` in an address is another word every time. */
const LISTS = { name: 'issue lists', path: '/*/issues', isSignedIn: true }
const MISSING = { name: 'pages that do not exist', path: '/nothing/*', isSignedIn: false }
const SIGN_IN = { name: 'sign-in pages', path: '/sign-in', isSignedIn: false }

interface Crowd {
  readonly name: string
  readonly path: string
  readonly isSignedIn: boolean
  readonly viewers: number
}

const CROWDS: Readonly<Record<Form, readonly Crowd[]>> = {
  quick: [{ ...LISTS, viewers: 200 }],
  full: [
    { ...LISTS, viewers: 60 },
    { ...LISTS, viewers: 200 },
    { ...MISSING, viewers: 200 },
    { ...SIGN_IN, viewers: 200 },
  ],
}
const SECONDS = { quick: 5, full: 15 }
/** Far below what drains: the pages are what is measured, not a machine that has enough to do without them. */
const RATE = 100
const WARM_UP_EVENTS = 600
const SESSIONS = 8
/** Before anything is measured: code that ran never is slow. */
const WARM_UP_VIEWERS = 4
const WARM_UP_MS = 2_000
/** Connections, as many as an SDK's users have open; each waits for its answer most of the time. */
const CONNECTIONS = 128

export async function measureViewers(tools: Tools): Promise<ViewersReport> {
  const { product, generator, options } = tools
  using directory = temporaryDirectory()
  const shop = await setUp(product, directory.path)
  await using errata = await startErrata({ product, data: directory.path, profiles: options.profiles })
  await turnOffCaps(errata, shop)
  const address = { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key }
  const corpus = { kind: 'error-5k', stacks: 400, seed: options.seed } as const
  const target = { host: errata.host, port: errata.port, tls: false }
  await generator.prepare({ corpus, first: 0, count: WARM_UP_EVENTS, address })
  const warm = await generator.run({ target, from: 0, to: WARM_UP_EVENTS, connections: 8, rate: null })
  await untilDrained(errata, shop, { expected: warm.accepted })

  const seconds = options.seconds ?? SECONDS[formOf(options)]
  const count = Math.ceil(RATE * seconds)
  const cookies = await sessionsOf(errata)
  for (const crowd of CROWDS[formOf(options)]) {
    const ask = asking(crowd, cookies, shop)
    const warming = startViewers({ ...target, count: WARM_UP_VIEWERS, ask })
    await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS))
    await warming.stop()
  }
  const scenes: Scene[] = []
  let first = WARM_UP_EVENTS
  for (const crowd of [null, ...CROWDS[formOf(options)]]) {
    await generator.prepare({ corpus, first, count, address })
    first += count
    const viewers =
      crowd === null
        ? null
        : startViewers({ ...target, count: crowd.viewers, ask: asking(crowd, cookies, shop) })
    const result = await generator.run({ target, from: 0, to: count, connections: CONNECTIONS, rate: RATE })
    const { latency, accepted, byStatus } = result
    const viewed = (await viewers?.stop()) ?? null
    scenes.push({
      name: crowd?.name ?? '',
      viewers: crowd?.viewers ?? 0,
      latency,
      accepted,
      byStatus,
      viewed,
    })
    tools.onProgress(
      `viewers: ${crowd === null ? 'nobody' : `${crowd.viewers} ${crowd.name}`}, p99 ${latency.p99} ms`,
    )
  }
  const acknowledged = scenes.reduce((sum, { accepted }) => sum + accepted, warm.accepted)
  const { counted } = await untilDrained(errata, shop, { expected: acknowledged })
  await errata.stop()
  return { rate: RATE, seconds, scenes, acknowledged, lost: acknowledged - counted.accepted }
}

/** Several people: what one session may have open at a time is bounded. */
async function sessionsOf(errata: RunningErrata): Promise<readonly string[]> {
  const cookies: string[] = []
  for (let person = 0; person < SESSIONS; person++) cookies.push(await signInSession(errata))
  return cookies
}

function asking(
  { path, isSignedIn }: Crowd,
  cookies: readonly string[],
  shop: { readonly organisation: string },
) {
  return (page: number) => ({
    path: path.replace('*', isSignedIn ? shop.organisation : `word-${page}`),
    headers: {
      accept: 'text/html',
      'accept-encoding': 'gzip, deflate, br',
      ...(isSignedIn ? { cookie: cookies[page % cookies.length] ?? '' } : {}),
    },
  })
}

export function describeViewers({ scenes, rate, seconds, lost }: ViewersReport): Measured {
  const [alone, ...crowded] = scenes
  const aloneP99 = alone === undefined ? null : latencyOf(alone.latency, 'p99')
  return {
    name: 'viewers',
    rows: [
      atMost('no viewers: acknowledged p99', aloneP99, null, 'ms'),
      ...crowded.flatMap((scene) => rowsOf(scene, aloneP99)),
      passed('viewers: acknowledged − stored', lost === 0, String(lost)),
    ],
    notes: [
      `viewers: open loop, ${number(rate)} events/s of 5 KB, ${seconds} s without anybody and as long beside each crowd; every viewer opens the next page when the last has come`,
    ],
    details: scenes.map(({ viewed, ...scene }) => ({
      ...scene,
      viewed: viewed === null ? null : { ...viewed, pagesMs: viewed.pagesMs.length },
    })),
  }
}

function rowsOf({ name, viewers, latency, byStatus, viewed }: Scene, aloneP99: number | null) {
  const who = `${viewers} ${name}`
  const p99 = latencyOf(latency, 'p99')
  const pagesMs = viewed?.pagesMs ?? []
  const perSecond = viewed === null ? null : (pagesMs.length * 1_000) / viewed.elapsedMs
  return [
    atMost(`${who}: acknowledged p99`, p99, null, 'ms'),
    atMost(
      `${who}: acknowledged p99 ÷ p99 without viewers`,
      p99 === null || aloneP99 === null ? null : p99 / aloneP99,
      GOALS.viewersP99Ratio,
      '',
    ),
    atMost(`${who}: pages a second`, perSecond, null, '/s'),
    atMost(`${who}: page p95`, pagesMs.length === 0 ? null : percentileOf(pagesMs, 0.95), null, 'ms'),
    ...refusedRows(`${who}: envelopes`, byStatus, 0),
    ...refusedRows(`${who}: pages`, withoutMissing(viewed?.byStatus ?? {}), null),
  ]
}

/** A page that does not exist is a page. */
function withoutMissing(byStatus: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(byStatus).filter(([status]) => status !== '404'))
}
