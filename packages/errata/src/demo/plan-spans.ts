/**
 * Traces of the sample's shop: what its pages, their data, actions and route handlers took in the last days, in browsers and on
 * the server, with the stock service behind it; and the requests in which its errors happened.
 */
import { DEMO_DAYS, type DemoItem, hexId, objectOf, type Planned, RELEASES, traceOf } from './plan-events.ts'
import { ROUTES, type Route, type Visit, visitRoute } from './sample-requests.ts'

const HOUR_MS = 3_600_000
const SPAN_MS = DEMO_DAYS * 24 * HOUR_MS
/** Younger than the retention of spans, and longer than the periods that people look at first. */
export const TRACED_DAYS = 6
/** Requests of the busiest hour. */
const BUSY = 4
/** Segments of the last day, which people look at first. */
const BUSY_NOW = 13
const DAY_MS = 24 * HOUR_MS
/** Nothing is sent that has not happened yet: the longest request ends before. */
const ENDED_MS = 30_000
/** Traced errors of one place: the newest, and one in so many of the rest. */
const NEWEST_TRACED = 8
const EVERY_TRACED = 9
const PEOPLE = 320
/** From the start of a request to its error. */
const UNTIL_FAILED_MS = 50

/** Plans one envelope per segment, oldest first. */
export function planSpans(events: readonly DemoItem[], planned: Planned): readonly DemoItem[] {
  const items = [...ordinary(planned), ...planFailures(events, planned)]
  return items.sort((a, b) => a.atMs - b.atMs)
}

/** Most by day, some by night, each of a route as often as it is visited. */
function ordinary({ nowMs, random }: Planned): readonly DemoItem[] {
  const items: DemoItem[] = []
  const firstHour = Math.ceil((nowMs - TRACED_DAYS * 24 * HOUR_MS) / HOUR_MS)
  for (let hour = firstHour; hour * HOUR_MS < nowMs - ENDED_MS; hour++) {
    const startMs = hour * HOUR_MS
    const lengthMs = Math.min(HOUR_MS, nowMs - ENDED_MS - startMs)
    const daily = 0.55 - 0.45 * Math.cos(((hour - 3) / 24) * 2 * Math.PI)
    const busy = startMs > nowMs - DAY_MS ? BUSY_NOW : BUSY
    const count = Math.round((busy * daily * lengthMs) / HOUR_MS + random() * 0.9)
    for (let visit = 0; visit < count; visit++) {
      const atMs = Math.floor(startMs + random() * lengthMs)
      const route = routeAt(random())
      items.push(...visitRoute(route, visitAt(atMs, { nowMs, random })))
    }
  }
  return items
}

/** `part`: of all visits, below 1. */
export function routeAt(part: number): Route {
  const all = ROUTES.reduce((sum, { visits }) => sum + visits, 0)
  let left = part * all
  for (const route of ROUTES) {
    left -= route.visits
    if (left < 0) return route
  }
  throw new Error('the part of all visits is below 1')
}

export function visitAt(atMs: number, { nowMs, random }: Planned): Visit {
  const place = RELEASES.findLastIndex(([from]) => atMs >= nowMs - SPAN_MS * (1 - from))
  return {
    ...{ atMs, random, traceId: hexId(random, 32), failure: null },
    release: `shop@${RELEASES[place]?.[1] ?? ''}`,
    isNewest: place === RELEASES.length - 1,
    userId: `u-${Math.floor(random() ** 1.6 * PEOPLE)}`,
  }
}

/** The requests of errors that the shop's server recorded: the same trace, the same person, the same release. */
function planFailures(events: readonly DemoItem[], planned: Planned): readonly DemoItem[] {
  const mirrors = new Map(
    events.flatMap((event) => (isOf(event, 'javascript') ? [[idsOf(event).traceId, event] as const] : [])),
  )
  const servers = events.filter(
    (event) => isOf(event, 'node') && event.atMs > planned.nowMs - TRACED_DAYS * 24 * HOUR_MS,
  )
  const places = Map.groupBy(servers, ({ payload }) => `${payload.transaction} ${kindOf(payload)}`)
  return [...places.values()].flatMap((place) =>
    [...place]
      .sort((a, b) => b.atMs - a.atMs)
      .filter((_, index) => index < NEWEST_TRACED || index % EVERY_TRACED === 0)
      .flatMap((event) => failedAt(event, { mirror: mirrors.get(idsOf(event).traceId) ?? null, planned })),
  )
}

function failedAt(
  event: DemoItem,
  { mirror, planned }: { readonly mirror: DemoItem | null; readonly planned: Planned },
): readonly DemoItem[] {
  const { payload } = event
  const kind = kindOf(payload)
  const route = ROUTES.find(
    ({ pattern, kinds }) => payload.transaction?.toString().endsWith(` ${pattern}`) && kinds.includes(kind),
  )
  if (route === undefined) return []
  const { traceId, spanId } = idsOf(event)
  const visit = visitAt(event.atMs - UNTIL_FAILED_MS, planned)
  const user = objectOf(payload.user)
  return visitRoute(
    { ...route, kinds: [kind] },
    {
      ...visit,
      traceId,
      failure: { spanId, mirrorId: mirror === null ? null : idsOf(mirror).spanId },
      release: String(payload.release),
      userId: 'id' in user ? String(user.id) : visit.userId,
    },
  )
}

function isOf({ type, project, payload }: DemoItem, platform: string): boolean {
  return type === 'event' && project === 'storefront' && payload.platform === platform
}

function idsOf({ payload }: DemoItem): { readonly traceId: string; readonly spanId: string } {
  const { trace_id, span_id } = traceOf(payload)
  return { traceId: String(trace_id), spanId: String(span_id) }
}

/** Returns the kind that the event's framework context states. */
function kindOf(payload: DemoItem['payload']): Route['kinds'][number] {
  const contexts = objectOf(payload.contexts)
  const nextjs = 'nextjs' in contexts ? objectOf(contexts.nextjs) : {}
  const type = 'route_type' in nextjs ? nextjs.route_type : null
  if (type === 'action') return 'action'
  if (type === 'route') return 'route-handler'
  const path = 'request_path' in nextjs ? String(nextjs.request_path) : ''
  return path.includes('_rsc=') ? 'page-data' : 'document'
}
