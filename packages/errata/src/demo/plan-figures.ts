/**
 * Figures of the sample shop's requests over the 14 days: more than 20,000 a day, most by day, one or two of
 * a hundred failed. The sample sends few of them; these are the figures that all would have made.
 */
import {
  firstHourKept,
  type SampleMinute,
  type SampleOutcome,
  type SampleRequests,
} from '@errata/server/offline/sample-figures'
import { DEMO_DAYS, momentOf, type Planned, RELEASES, releaseName } from './plan-events.ts'
import { ROUTES, type Route } from './sample-requests.ts'

type ProjectId = SampleRequests['projectId']
type Kind = Route['kinds'][number]

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
/** A day's requests that reach the shop's server, prefetches among them. */
const DAILY = 29_000
/** The shop's SDKs send one of so many. */
const SAMPLING = 0.05
/** Share of pages whose browser reports. */
const REPORTING = 0.75

/** `failing`: share of a kind of a route that fails, from a release on. */
const FAILING: readonly {
  readonly pattern: string
  readonly kind: Kind
  readonly from: number
  readonly share: number
}[] = [
  { pattern: '/orders/[id]', kind: 'document', from: 2, share: 0.041 },
  { pattern: '/orders/[id]', kind: 'page-data', from: 2, share: 0.027 },
  { pattern: '/checkout', kind: 'action', from: 1, share: 0.019 },
  { pattern: '/api/pay', kind: 'route-handler', from: 1, share: 0.012 },
]
/** Share of failures everywhere else. */
const FAILING_ELSEWHERE = 0.0105

/** Cart, for which little is sent but the clicks of stale tabs. */
const CART: Route = {
  ...{ pattern: '/cart', address: '/cart', visits: 11, action: 'addToCart' },
  kinds: ['document', 'page-data', 'action', 'action'],
  queries: [{ sql: 'SELECT * FROM carts WHERE user_id = $1', ms: 6 }],
}
const COUNTED: readonly Route[] = [...ROUTES, CART]
const STOCK = { route: '/stock/{sku}', release: 'warehouse@2026.11.20', ms: 38 } as const

export interface FigureProjects {
  readonly shop: ProjectId
  readonly warehouse: ProjectId
  readonly shopKey: SampleOutcome['keyId']
}

export function planFigures(
  projects: Pick<FigureProjects, 'shop' | 'warehouse'>,
  planned: Planned,
): readonly SampleRequests[] {
  return slots(planned.nowMs).flatMap((slot) => {
    const rows = COUNTED.flatMap((route) =>
      rowsOf({ projectId: projects.shop, route, slot, random: planned.random }),
    )
    const asking = COUNTED.filter(({ asksStock }) => asksStock === true).map(({ pattern }) => pattern)
    const asked = rows.filter(
      ({ route, kind }) => asking.includes(route) && (kind === 'document' || kind === 'page-data'),
    )
    const count = asked.reduce((sum, row) => sum + row.count, 0)
    const [first] = asked
    if (first === undefined) return rows
    const stock: SampleRequests = {
      ...{ ...first, projectId: projects.warehouse, route: STOCK.route, release: STOCK.release },
      ...{ kind: 'route-handler', count, failed: Math.round(count * 0.003), failedBehind200: 0 },
      durationsMs: spread(STOCK.ms),
    }
    return [...rows, stock]
  })
}

const MINUTE_MS = 60_000
/** Longer ago than yesterday's release. */
const RULE_HOURS = 40

/** Plans the requests that a rule on failing actions counts, minute by minute. */
export function planMinutes(rule: number, { nowMs }: Planned): readonly SampleMinute[] {
  const actions = COUNTED.reduce((sum, { kinds, visits }) => sum + visits * shareOf(kinds, 'action'), 0)
  const part = actions / COUNTED.reduce((sum, { visits }) => sum + visits, 0)
  return Array.from({ length: RULE_HOURS * 60 }, (_, minute) => {
    const atMs = nowMs - (minute + 1) * MINUTE_MS
    const count = (DAILY * part * partOf(Math.floor(atMs / HOUR_MS))) / 60
    return { rule, atMs, count, failed: count * 0.016 }
  })
}

/** Spans of the middle request, its own and those of its queries. */
const SPANS_EACH = 6
const QUARTER_MS = HOUR_MS / 4

/** Plans outcomes of the shop's requests, sent and sampled out, by quarter of an hour of receipt. */
export function planOutcomes(
  { shop, shopKey }: Pick<FigureProjects, 'shop' | 'shopKey'>,
  { nowMs, random }: Planned,
): readonly SampleOutcome[] {
  const first = Math.ceil((nowMs - DEMO_DAYS * DAY_HOURS * HOUR_MS) / QUARTER_MS)
  const quarters = Math.floor(nowMs / QUARTER_MS) - first
  return Array.from({ length: quarters }, (_, place): readonly SampleOutcome[] => {
    const atMs = (first + place) * QUARTER_MS
    const all = ((DAILY * partOf(atMs / HOUR_MS)) / 4) * (0.9 + 0.2 * random())
    const of = { projectId: shop, keyId: shopKey, atMs }
    const spans = Math.round(all * SAMPLING * SPANS_EACH)
    const left = Math.round(all * (1 - SAMPLING))
    return [
      { ...of, outcome: 'accepted', category: 'span', reason: null, quantity: spans },
      { ...of, outcome: 'client_discard', category: 'transaction', reason: 'sample_rate', quantity: left },
    ]
  }).flat()
}

function shareOf(kinds: Route['kinds'], kind: Kind): number {
  return kinds.filter((each) => each === kind).length / kinds.length
}

/** An hour, or a day where figures are kept by the day. */
interface Slot {
  readonly atMs: number
  /** Part of a day's requests. */
  readonly part: number
  readonly release: number
}

function slots(nowMs: number): readonly Slot[] {
  const firstHour = Math.ceil((nowMs - DEMO_DAYS * DAY_HOURS * HOUR_MS) / HOUR_MS)
  const kept = firstHourKept(nowMs)
  const found = new Map<string, Slot>()
  for (let hour = firstHour; hour * HOUR_MS < nowMs; hour++) {
    const isKept = hour >= kept
    const release = RELEASES.findLastIndex(([from]) => hour * HOUR_MS >= momentOf(from, nowMs))
    const started = isKept ? hour : Math.floor(hour / DAY_HOURS) * DAY_HOURS
    const key = `${started}:${release}`
    const part = partOf(hour) * Math.min(1, (nowMs - hour * HOUR_MS) / HOUR_MS)
    const before = found.get(key)?.part ?? 0
    found.set(key, { atMs: started * HOUR_MS, part: before + part, release: Math.max(0, release) })
  }
  return [...found.values()]
}

/** Returns an hour's part of a day's requests; twenty-four make one. */
function partOf(hour: number): number {
  return (0.55 - 0.45 * Math.cos(((hour - 3) / DAY_HOURS) * 2 * Math.PI)) / (0.55 * DAY_HOURS)
}

interface Place {
  readonly projectId: ProjectId
  readonly route: Route
  readonly slot: Slot
  readonly random: () => number
}

function rowsOf({ projectId, route, slot, random }: Place): readonly SampleRequests[] {
  const visits = COUNTED.reduce((sum, each) => sum + each.visits, 0)
  const series = {
    ...{ projectId, environment: 'production', release: releaseName(slot.release), route: route.pattern },
    ...{ atMs: slot.atMs, sampling: SAMPLING },
  }
  const kinds = [...new Set(route.kinds)]
  return kinds.flatMap((kind) => {
    const share = shareOf(route.kinds, kind)
    const all = DAILY * slot.part * (route.visits / visits) * share * (0.9 + 0.2 * random())
    const count = Math.round(all)
    if (count === 0) return []
    const failed = Math.min(count, Math.round(count * failing(route, kind, slot) * (0.6 + 0.8 * random())))
    const ms = tookMs(route, { kind, slot }) * (0.94 + 0.12 * random())
    const server: SampleRequests = {
      ...{ ...series, kind, count, failed, vitals: [], durationsMs: spread(ms) },
      failedBehind200: kind === 'page-data' ? failed : 0,
      ...(kind === 'action' && route.action !== undefined && { action: route.action }),
    }
    const shown = Math.round(count * REPORTING)
    if ((kind !== 'document' && kind !== 'page-data') || shown === 0) return [server]
    return [server, inBrowser(server, { count: shown, ms, route })]
  })
}

function failing({ pattern }: Route, kind: Kind, { release }: Slot): number {
  const found = FAILING.find((each) => each.pattern === pattern && each.kind === kind && release >= each.from)
  return found?.share ?? FAILING_ELSEWHERE
}

/** The middle of what the sample's own requests take. */
function tookMs(route: Route, { kind, slot }: { readonly kind: Kind; readonly slot: Slot }): number {
  if (kind === 'prefetch') return 11
  const queries = route.queries.reduce((sum, { ms, runs = 1 }) => sum + ms * runs, 0)
  const slower = slot.release === RELEASES.length - 1 ? (route.slowerNow ?? 1) : 1
  return queries + (route.asksStock === true ? 45 : 0) + 38 * slower
}

function inBrowser(
  server: SampleRequests,
  { count, ms, route }: { readonly count: number; readonly ms: number; readonly route: Route },
): SampleRequests {
  const isPage = server.kind === 'document'
  const [ttfb, fcp] = [ms + 60, ms + 380]
  const lcp = fcp + (route.asksStock === true ? 900 : 420)
  return {
    ...{ ...server, kind: 'browser', count, failed: 0, failedBehind200: 0 },
    durationsMs: spread(isPage ? lcp + 150 : ms + 120),
    vitals: isPage
      ? [
          { vital: 'ttfb', values: spread(ttfb) },
          { vital: 'fcp', values: spread(fcp) },
          { vital: 'lcp', values: spread(lcp) },
          { vital: 'inp', values: spread(110) },
          { vital: 'cls', values: spread(0.04, 0.9) },
        ]
      : [],
  }
}

const QUANTILES = 20

/** Values of which half lie below `middle`, and few far above. */
function spread(middle: number, width = 0.3): readonly number[] {
  return Array.from({ length: QUANTILES }, (_, place) => {
    const part = (place + 0.5) / QUANTILES
    const tail = place === QUANTILES - 1 ? 1.7 : 1
    // The logistic curve: near enough to how long requests take.
    return middle * (part / (1 - part)) ** (width * 0.6) * tail
  })
}
