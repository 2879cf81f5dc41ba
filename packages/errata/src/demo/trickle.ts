/** Visits to the sample's shop while it runs: one every few seconds, and now and then a failure. */
import { randomInt } from 'node:crypto'
import {
  type DemoItem,
  type DemoPayload,
  eventOf,
  hexId,
  RELEASES,
  releaseName,
  somebody,
} from './plan-events.ts'
import { routeAt, visitAt } from './plan-spans.ts'
import { visitRoute } from './sample-requests.ts'

/** Between two visits, about: as many requests a day as the figures of the days before have. */
const VISIT_MS = 4_500
/** Visits to a failure. */
const FAILURE_EVERY = 14
/** A request has ended when it is sent. */
const ENDED_MS = 5_000
const PROJECT = 'storefront'

interface Trickle {
  readonly payloads: readonly DemoPayload[]
  readonly send: (item: DemoItem) => Promise<void>
}

/** Answers what ends it. */
export function startTrickle({ payloads, send }: Trickle): () => void {
  const random = () => randomInt(0, 2 ** 32) / 2 ** 32
  const failing = payloads.filter(({ project, event }) => project === PROJECT && event.platform === 'node')
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    timer = setTimeout(() => void tick().finally(next), VISIT_MS * (0.4 + 1.2 * random())).unref()
  }
  const tick = async () => {
    try {
      for (const item of itemsAt(Date.now() - ENDED_MS, { failing, random })) await send(item)
    } catch {
      // It is stopping, or busy: the next visit tries again.
    }
  }
  next()
  return () => clearTimeout(timer)
}

function itemsAt(
  atMs: number,
  { failing, random }: { readonly failing: readonly DemoPayload[]; readonly random: () => number },
): readonly DemoItem[] {
  const visit = visitAt(atMs, { nowMs: atMs, random })
  const aggregate = { started: new Date(atMs).toISOString(), did: visit.userId, exited: 1 }
  const attrs = { release: visit.release, environment: 'production' }
  const session = {
    project: PROJECT,
    type: 'sessions',
    payload: { aggregates: [aggregate], attrs },
    atMs,
  } as const
  const items = [...visitRoute(routeAt(random()), visit), session]
  const payload = failing[Math.floor(random() * failing.length)]
  if (payload === undefined || random() > 1 / FAILURE_EVERY) return items
  const event = eventOf(payload, {
    ...{ atMs, random, person: somebody(random), release: releaseName(RELEASES.length - 1) },
    trace: { trace_id: hexId(random, 32), span_id: hexId(random, 16) },
  })
  return [...items, event]
}
