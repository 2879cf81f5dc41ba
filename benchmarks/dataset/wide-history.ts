/**
 * Three weeks of a wide installation: built by the product's own calls, then filled with a clock that runs faster. It
 * only goes forward: what is measured is measured three weeks from now.
 */
import { runOpen } from '../load/run-load.ts'
import type { Product } from '../server/build.ts'
import { setUp } from '../server/errata.ts'
import { type RunningSimulation, startSimulated } from '../server/start-simulated.ts'
import { type Address, buildWide, numbers, type Sender, type WideInstallation, type Width } from './wide.ts'
import { errorRequest, SPANS_OF_REQUEST, spansRequest } from './wide-events.ts'

export interface History {
  readonly organisation: string
  /** Time that the clock has to show when it goes on. */
  readonly untilMs: number
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
const FILL_SECONDS = 80
const SLICE = 1_000
/** More is sent when less than this waits: days pass while it is stored. */
const WAITING_MAX = 1_000
const CONNECTIONS = 16

export async function buildHistory(options: HistoryOptions): Promise<History> {
  const { product, data, width, onProgress } = options
  const startedMs = performance.now()
  const { organisation } = await setUp(product, data)
  const firstMs = Date.now()
  const { done: wide } = await during(options, { startMs: firstMs, rate: 1 }, async (errata) => {
    const built = await buildWide(errata, organisation, width)
    onProgress(`wide: projects, people and rules in ${seconds(startedMs)} s`)
    return built
  })
  const clock = { startMs: Date.now(), rate: (DAYS * DAY_MS) / (FILL_SECONDS * 1_000) }
  const { done: sent, untilMs } = await during(options, clock, (errata, nowMs) =>
    fill(errata, { width, senders: wide.senders, nowMs, rate: clock.rate }),
  )
  const builtInSeconds = seconds(startedMs)
  onProgress(`wide: built in ${builtInSeconds} s, ${sent.errors} errors`)
  return { organisation, untilMs, wide, builtInSeconds, ...sent }
}

const seconds = (sinceMs: number) => Math.round((performance.now() - sinceMs) / 1_000)

/** Runs `work` by a clock of its own; all that was sent is stored when it ends. */
async function during<T>(
  options: HistoryOptions,
  { startMs, rate }: { readonly startMs: number; readonly rate: number },
  work: (errata: Address, nowMs: () => number) => Promise<T>,
): Promise<{ readonly done: T; readonly untilMs: number }> {
  const { product, data } = options
  const clock = { startMs, sinceMs: Date.now(), rate }
  const errata: RunningSimulation = await startSimulated(product, { data, clock })
  try {
    const nowMs = () => startMs + (Date.now() - clock.sinceMs) * rate
    const done = await work({ ...errata, origin: `http://localhost:${errata.port}` }, nowMs)
    await untilStored(errata)
    const untilMs = nowMs()
    // Nights pass every few seconds, so that it is always in the middle of one; all that was sent is stored.
    await errata.stop().catch((cause: unknown) => options.onProgress(`wide: ${String(cause)}`))
    return { done, untilMs }
  } finally {
    await errata[Symbol.asyncDispose]()
  }
}

interface Fill {
  readonly width: Width
  readonly senders: readonly Sender[]
  readonly nowMs: () => number
  readonly rate: number
}

interface Sent {
  readonly errors: number
  readonly spans: number
}

/** On a timetable, and no faster than it is stored. */
async function fill(errata: Address, { width, senders, nowMs, rate }: Fill): Promise<Sent> {
  const startMs = performance.now()
  const pace = width.errors / FILL_SECONDS
  const every = Math.max(1, Math.round((width.errors * SPANS_OF_REQUEST) / width.spans))
  const target = targetOf(errata)
  let [sent, errors, spans] = [0, 0, 0]
  while (sent < width.errors && performance.now() - startMs < FILL_SECONDS * 1_000) {
    const fromMs = nowMs()
    const requests: Buffer[] = []
    let containers = 0
    for (const at of numbers(Math.min(SLICE, width.errors - sent))) {
      const number = sent + at
      const atMs = fromMs + (at / pace) * 1_000 * rate
      const issue = issueOf(number, width.issues)
      const sender = ofNumber(senders, issue)
      requests.push(errorRequest({ sender, type: `Wide${issue}`, number, atMs }).request)
      if (number % every !== 0) continue
      requests.push(spansRequest(ofNumber(senders, number / every), number, atMs))
      containers++
    }
    sent += requests.length - containers
    // An age of a backlog is of this clock too: for a while some of what is sent may be held back.
    const { accepted } = await runOpen({ target, requests, connections: CONNECTIONS, rate: pace })
    errors += Math.max(0, accepted - containers)
    spans += containers * SPANS_OF_REQUEST
    while ((await backlog(errata)) > WAITING_MAX) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { errors, spans }
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
