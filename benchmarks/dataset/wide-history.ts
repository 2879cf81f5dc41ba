/**
 * Three weeks of a wide installation: built by the product's own calls, then filled with a clock that runs faster. It
 * only goes forward: what is measured is measured three weeks from now.
 */
import { runClosed, runOpen } from '../load/run-load.ts'
import type { Product } from '../server/build.ts'
import { setUp } from '../server/errata.ts'
import { type RunningSimulation, startSimulated } from '../server/start-simulated.ts'
import { type Address, buildWide, numbers, type Sender, type WideInstallation, type Width } from './wide.ts'
import { errorRequest, SPANS_OF_REQUEST, spansRequest } from './wide-events.ts'

export interface History {
  readonly organisation: string
  /** What the clock has to show when it goes on. */
  readonly untilMs: number
  readonly wide: WideInstallation
  readonly builtInSeconds: number
  /** What was sent and stored. */
  readonly errors: number
  readonly spans: number
}

export interface HistoryOptions {
  readonly product: Product
  readonly data: string
  readonly width: Width
  readonly onProgress: (line: string) => void
}

const DAY_MS = 86_400_000
const DAYS = 22
/** A machine that stores less than was planned in so long has less history, and says so. */
const FILL_SECONDS_MAX = 110
const TRIAL = 2_000
/** Of the rate that the trial was stored at. */
const PACE = 0.8
const PACE_MAX = 3_000
const SLICE = 10_000
const CONNECTIONS = 16

export async function buildHistory(options: HistoryOptions): Promise<History> {
  const { product, data, width, onProgress } = options
  const startedMs = performance.now()
  const { organisation } = await setUp(product, data)
  const firstMs = Date.now()
  const {
    done: { wide, pace },
  } = await during(options, { startMs: firstMs, rate: 1 }, async (errata) => {
    const built = await buildWide(errata, organisation, width)
    onProgress(`wide: projects, people and rules in ${seconds(startedMs)} s`)
    return { wide: built, pace: await tryPace(errata, built.senders) }
  })
  const [errors, containers] = [width.errors, Math.ceil(width.spans / SPANS_OF_REQUEST)]
  const part = Math.min(1, (pace * FILL_SECONDS_MAX) / (errors + containers))
  const plan = { errors: Math.floor(errors * part), containers: Math.floor(containers * part), pace }
  const fillMs = ((plan.errors + plan.containers) / pace) * 1_000
  const clock = { startMs: Date.now(), rate: (DAYS * DAY_MS) / fillMs }
  const { untilMs } = await during(options, clock, (errata, nowMs) =>
    fill(errata, { ...plan, senders: wide.senders, issues: width.issues, nowMs, rate: clock.rate }),
  )
  const builtInSeconds = seconds(startedMs)
  onProgress(`wide: built in ${builtInSeconds} s, ${plan.errors} errors at ${Math.round(pace)}/s`)
  return {
    ...{ organisation, untilMs, wide, builtInSeconds },
    ...{ errors: plan.errors + TRIAL, spans: plan.containers * SPANS_OF_REQUEST },
  }
}

const seconds = (sinceMs: number) => Math.round((performance.now() - sinceMs) / 1_000)

/** What runs by a clock of its own; all that was sent is stored at its end. */
async function during<T>(
  { product, data }: HistoryOptions,
  { startMs, rate }: { readonly startMs: number; readonly rate: number },
  work: (errata: Address, nowMs: () => number) => Promise<T>,
): Promise<{ readonly done: T; readonly untilMs: number }> {
  const clock = { startMs, sinceMs: Date.now(), rate }
  const errata: RunningSimulation = await startSimulated(product, { data, clock })
  try {
    const nowMs = () => startMs + (Date.now() - clock.sinceMs) * rate
    const done = await work({ ...errata, origin: `http://localhost:${errata.port}` }, nowMs)
    await untilStored(errata)
    await errata.stop()
    return { done, untilMs: nowMs() }
  } finally {
    await errata[Symbol.asyncDispose]()
  }
}

async function tryPace(errata: Address, senders: readonly Sender[]): Promise<number> {
  const startMs = performance.now()
  const atMs = Date.now()
  const requests = numbers(TRIAL).map(
    (at) =>
      errorRequest({ sender: ofNumber(senders, at), type: `Wide${at}`, number: FIRST_TRIAL + at, atMs })
        .request,
  )
  await runClosed({ target: targetOf(errata), requests, connections: CONNECTIONS })
  await untilStored(errata)
  return Math.min(PACE_MAX, (TRIAL * PACE * 1_000) / (performance.now() - startMs))
}

const FIRST_TRIAL = 1e9

interface Fill {
  readonly errors: number
  readonly containers: number
  readonly pace: number
  readonly senders: readonly Sender[]
  readonly issues: number
  readonly nowMs: () => number
  readonly rate: number
}

/** Every issue once, then some of them far more often than others; spans evenly between. */
async function fill(errata: Address, given: Fill): Promise<void> {
  const { errors, containers, pace, senders, issues, nowMs, rate } = given
  const every = Math.max(1, Math.round(errors / Math.max(1, containers)))
  for (let first = 0; first < errors; first += SLICE) {
    const fromMs = nowMs()
    const requests: Buffer[] = []
    for (const at of numbers(Math.min(SLICE, errors - first))) {
      const number = first + at
      const atMs = fromMs + (requests.length / pace) * 1_000 * rate
      const issue = number < issues ? number : Math.floor(issues * ((number * 0.618) % 1) ** 3)
      const type = `Wide${issue}`
      requests.push(errorRequest({ sender: ofNumber(senders, issue), type, number, atMs }).request)
      if (number % every === 0) requests.push(spansRequest(ofNumber(senders, number / every), number, atMs))
    }
    const target = targetOf(errata)
    const { byStatus } = await runOpen({ target, requests, connections: CONNECTIONS, rate: pace })
    const refused = Object.entries(byStatus).filter(([status]) => status !== '200')
    if (refused.length > 0) throw new Error(`the history could not be sent: ${JSON.stringify(byStatus)}`)
  }
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
