/**
 * What the sample shop's requests add up to over the 14 days: some 24,000 a day, most by day, a hundredth of them failed.
 * Of them the sample sends few; these are the figures that all would have made.
 */
import { firstHourKept, type SampleRequests } from '@errata/server/offline/sample-figures'
import { DEMO_DAYS, momentOf, type Planned, RELEASES, releaseName } from './plan-events.ts'
import { ROUTES, type Route } from './sample-requests.ts'

type ProjectId = SampleRequests['projectId']
type Kind = Route['kinds'][number]

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
/** A day's requests that reach the shop's server. */
const DAILY = 24_000
/** The shop's SDKs send one of so many. */
const SAMPLING = 0.05
/** Of pages, those whose browser reports. */
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
/** Of everything else. */
const FAILING_ELSEWHERE = 0.0105

export function planFigures(projectId: ProjectId, planned: Planned): readonly SampleRequests[] {
  return slots(planned.nowMs).flatMap((slot) =>
    ROUTES.flatMap((route) => rowsOf({ projectId, route, slot, random: planned.random })),
  )
}

/** An hour, or a day where figures are kept by the day. */
interface Slot {
  readonly atMs: number
  /** Of all requests of a day. */
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

/** Of a day's requests; twenty-four of them make one. */
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
  const visits = ROUTES.reduce((sum, each) => sum + each.visits, 0)
  const series = {
    ...{ projectId, environment: 'production', release: releaseName(slot.release), route: route.pattern },
    ...{ atMs: slot.atMs, sampling: SAMPLING },
  }
  const kinds = [...new Set(route.kinds)]
  return kinds.flatMap((kind) => {
    const share = route.kinds.filter((each) => each === kind).length / route.kinds.length
    const all = DAILY * slot.part * (route.visits / visits) * share * (0.9 + 0.2 * random())
    const count = Math.round(all)
    if (count === 0) return []
    const failed = Math.min(count, Math.round(count * failing(route, kind, slot) * (0.6 + 0.8 * random())))
    const ms = tookMs(route, { kind, slot }) * (0.94 + 0.12 * random())
    const server: SampleRequests = {
      ...{ ...series, kind, count, failed, vitals: [], durationsMs: spread(ms) },
      failedBehind200: kind === 'page-data' ? failed : 0,
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
