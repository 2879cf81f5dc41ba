/**
 * Three weeks of a wide installation: built by the product's own calls on a clock that is three weeks behind, then filled
 * day by day; with each the clock goes on, until it shows today.
 */
import { HEADERS } from '../../packages/web/src/wire/names.ts'
import { runClosed } from '../load/run-load.ts'
import type { Product } from '../server/build.ts'
import { OWNER } from '../server/errata.ts'
import { type RunningSimulation, startSimulated } from '../server/start-simulated.ts'
import { type Address, buildWide, numbers, type Sender, type WideInstallation, type Width } from './wide.ts'
import { errorRequest, SPANS_OF_REQUEST, spansRequest } from './wide-events.ts'

export interface History {
  readonly organisation: string
  readonly wide: WideInstallation
  readonly builtInSeconds: number
  /** Numbers of what was sent and stored. */
  readonly errors: number
  readonly spans: number
}

interface HistoryOptions {
  readonly product: Product
  readonly data: string
  readonly width: Width
  readonly onProgress: (line: string) => void
}

const DAY_MS = 86_400_000
const DAYS = 22
/** The three weeks take so long, whatever the machine can store meanwhile: a slower one has less history, and says so. */
const FILL_SECONDS = 95
const SLICE = 1_000
/** More is sent when less than this waits. */
const WAITING_MAX = 2_000
const CONNECTIONS = 16

export async function buildHistory(options: HistoryOptions): Promise<History> {
  const { product, data, width, onProgress } = options
  const startedMs = performance.now()
  const behindMs = DAYS * DAY_MS
  await using running = await startSimulated(product, { data, clock: { behindMs } })
  const errata = { ...running, origin: `http://localhost:${running.port}` }
  const organisation = await setUpWithin(errata, running.setupCode)
  const wide = await buildWide(errata, organisation, width)
  onProgress(`wide: projects, people and rules in ${seconds(startedMs)} s`)
  const sent = await fill(errata, { width, senders: wide.senders, behindMs })
  await running.stop().catch((cause: unknown) => onProgress(`wide: ${String(cause)}`))
  const builtInSeconds = seconds(startedMs)
  onProgress(`wide: built in ${builtInSeconds} s, ${sent.errors} errors`)
  return { organisation, wide, builtInSeconds, ...sent }
}

/** By the page a newcomer sees: the command would do it today, three weeks after what follows. */
async function setUpWithin({ host, port, origin }: Address, code: string | null): Promise<string> {
  const input = {
    code,
    ...OWNER,
    name: 'Owner',
    organisation: 'Bench',
    project: 'web',
    platform: '',
    url: origin,
  }
  const answer = await fetch(`http://${host}:${port}/setup`, {
    ...{ method: 'POST', redirect: 'manual' },
    headers: {
      ...{ origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      [HEADERS.action]: 'auth.setup',
    },
    body: JSON.stringify(input),
  })
  if (!answer.ok) throw new Error(`auth.setup: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
  return 'bench'
}

const seconds = (sinceMs: number) => Math.round((performance.now() - sinceMs) / 1_000)

interface Fill {
  readonly width: Width
  readonly senders: readonly Sender[]
  readonly behindMs: number
}

interface Sent {
  readonly errors: number
  readonly spans: number
}

/** A day after the other, none longer than its share of the time, each stored before the next begins. */
async function fill(
  errata: Address & Pick<RunningSimulation, 'catchUp'>,
  { width, senders, behindMs }: Fill,
): Promise<Sent> {
  const ofDay = Math.ceil(width.errors / DAYS)
  const totals = { sent: 0, errors: 0, spans: 0 }
  for (const day of numbers(DAYS)) {
    const behindNowMs = behindMs - day * DAY_MS
    const untilMs = performance.now() + (FILL_SECONDS * 1_000) / DAYS
    for (let left = ofDay; left > 0 && performance.now() < untilMs; left -= SLICE) {
      await sendSlice(errata, { width, senders, totals, count: Math.min(SLICE, left), behindMs: behindNowMs })
      while ((await backlog(errata)) > WAITING_MAX) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await untilStored(errata)
    errata.catchUp(Date.now() - behindNowMs + DAY_MS)
  }
  return totals
}

interface Slice extends Fill {
  readonly count: number
  readonly totals: { sent: number; errors: number; spans: number }
}

async function sendSlice(errata: Address, { width, senders, totals, count, behindMs }: Slice): Promise<void> {
  const every = Math.max(1, Math.round((width.errors * SPANS_OF_REQUEST) / width.spans))
  const requests: Buffer[] = []
  let containers = 0
  for (const at of numbers(count)) {
    const number = totals.sent + at
    const atMs = Date.now() - behindMs
    const issue = issueOf(number, width.issues)
    const sender = ofNumber(senders, issue)
    requests.push(errorRequest({ sender, type: `Wide${issue}`, number, atMs }).request)
    if (number % every !== 0) continue
    requests.push(spansRequest(ofNumber(senders, number / every), number, atMs))
    containers++
  }
  const { accepted } = await runClosed({ target: targetOf(errata), requests, connections: CONNECTIONS })
  totals.sent += count
  totals.errors += Math.max(0, accepted - containers)
  totals.spans += containers * SPANS_OF_REQUEST
}

/** Each comes once while others, some of them far more often, come again. */
function issueOf(number: number, issues: number): number {
  const begun = Math.min(issues, Math.floor(number / 2) + 1)
  const isNew = number % 2 === 0 && number / 2 < issues
  return isNew ? number / 2 : Math.floor(begun * ((number * 0.618) % 1) ** 3)
}

export function ofNumber(senders: readonly Sender[], number: number): Sender {
  const sender = senders[Math.floor(number) % senders.length]
  if (sender === undefined) throw new Error('no project was made')
  return sender
}

export function targetOf({ host, port }: Pick<Address, 'host' | 'port'>) {
  return { host, port, tls: false }
}

export async function untilStored(errata: Pick<Address, 'host' | 'port'>): Promise<void> {
  while ((await backlog(errata)) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
}

/** Envelopes that are acknowledged and not stored. */
export async function backlog({ host, port }: Pick<Address, 'host' | 'port'>): Promise<number> {
  const text = await (await fetch(`http://${host}:${port}/metrics`)).text()
  return Number(/^errata_backlog_envelopes (\d+)$/m.exec(text)?.[1] ?? 0)
}
