/** How long somebody's events take to be readable while another project floods. */
import { numbers, type Sender, type Session, type Timed } from '../dataset/wide.ts'
import { errorRequest } from '../dataset/wide-events.ts'
import { backlog, ofNumber, targetOf, untilStored } from '../dataset/wide-history.ts'
import { percentileOf } from '../load/latencies.ts'
import { runOpen } from '../load/run-load.ts'

export interface FloodReport {
  /** Requests a second that were really sent, and how many of them waited at the end. */
  readonly rate: number
  readonly waiting: number
  /** From the acknowledgement until the web API answers with the event. */
  readonly readable: { readonly p50Ms: number; readonly p95Ms: number; readonly mostMs: number }
}

export const FLOOD_RATE = 2_000
/** Places among those that send: who floods, and who sends beside it. */
export const FLOODED = [3, 4] as const
const SECONDS = 15
const BESIDE_RATE = 5
const CONNECTIONS = 32
const ASKED_EVERY_MS = 50
const GIVEN_UP_MS = 120_000

export async function measureFlood(
  errata: Timed,
  {
    owner,
    org,
    senders,
  }: { readonly owner: Session; readonly org: string; readonly senders: readonly Sender[] },
): Promise<FloodReport> {
  const [loud, quiet] = [ofNumber(senders, FLOODED[0]), ofNumber(senders, FLOODED[1])]
  const target = targetOf(errata)
  const flood = numbers(FLOOD_RATE * SECONDS).map(
    (at) =>
      errorRequest({ sender: loud, type: `Flood${at % 20}`, number: FIRST + at, atMs: errata.nowMs() })
        .request,
  )
  const given = { target, connections: CONNECTIONS, rate: FLOOD_RATE, stopAfterMs: SECONDS * 1_000 }
  const flooding = runOpen({ ...given, requests: flood })
  const looks: Promise<number>[] = []
  for (const at of numbers(SECONDS * BESIDE_RATE)) {
    const { id, request } = errorRequest({
      ...{ sender: quiet, type: 'Quiet', number: FIRST * 2 + at, atMs: errata.nowMs() },
    })
    await runOpen({ target, requests: [request], connections: 1, rate: 1_000 })
    looks.push(untilReadable(owner, `/projects/${org}/${quiet.slug}/events/${id}/`))
    await new Promise((resolve) => setTimeout(resolve, 1_000 / BESIDE_RATE))
  }
  const { accepted, elapsedMs } = await flooding
  const waiting = await backlog(errata)
  const sorted = (await Promise.all(looks)).sort((a, b) => a - b)
  await untilStored(errata)
  const readable = {
    ...{ p50Ms: percentileOf(sorted, 0.5), p95Ms: percentileOf(sorted, 0.95), mostMs: sorted.at(-1) ?? 0 },
  }
  return { rate: (accepted * 1_000) / elapsedMs, waiting, readable }
}

const FIRST = 3e9

async function untilReadable(owner: Session, path: string): Promise<number> {
  const startMs = performance.now()
  while (performance.now() - startMs < GIVEN_UP_MS) {
    const answer = await owner.get(`/api/0${path}`, {})
    await answer.arrayBuffer()
    if (answer.status === 200) break
    await new Promise((resolve) => setTimeout(resolve, ASKED_EVERY_MS))
  }
  return performance.now() - startMs
}
