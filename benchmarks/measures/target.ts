/** The ingest part against any server that speaks the protocol: what it acknowledges, and how fast. */
import type { CorpusKind } from '../corpus/corpus.ts'
import { type LatencySummary, latencyOf, medianOf } from '../load/latencies.ts'
import { atMost, number } from '../report/goals.ts'
import type { ResultRow } from '../report/result-row.ts'
import { eventsOfRound, ingestCases } from './rounds.ts'
import type { Measured, Tools } from './tools.ts'

export interface TargetCase {
  readonly name: string
  readonly kind: CorpusKind
  readonly acceptedPerSecond: number
  /** `null`: nobody said how many are stored. */
  readonly drainedPerSecond: number | null
  readonly closed: LatencySummary
  readonly halfRate: number
  readonly open: LatencySummary
  readonly byStatus: Readonly<Record<string, number>>
}

export interface TargetReport {
  /** Number of the first event in the corpus. */
  readonly first: number
  readonly seed: number
  readonly cases: readonly TargetCase[]
}

/** More than a generator can send: a run ends at a lower number than the next begins. */
const NUMBERS_A_MS = 100
const WARM_UP_EVENTS = 1_500
const OPEN_SECONDS = 8
const STORED_POLL_MS = 100
const STORED_WITHIN_MS = 300_000

type TargetTools = Pick<Tools, 'options' | 'generator' | 'onProgress'>

/** Returns where a run begins that was not told: behind every run before it. */
export function firstOfRun(nowMs: number): number {
  return Math.floor(nowMs) * NUMBERS_A_MS
}

export async function measureTarget(tools: TargetTools): Promise<TargetReport> {
  const { options, onProgress } = tools
  // A server keeps its events from run to run, and an id it knows is a duplicate, not work.
  const first = options.first ?? firstOfRun(Date.now())
  onProgress(`first event: ${first} of seed ${options.seed}`)
  const cases: TargetCase[] = []
  let next = first
  for (const given of ingestCases(options)) {
    const { report, sent } = await measureCase(tools, { given, first: next })
    cases.push(report)
    next += sent
  }
  return { first, seed: options.seed, cases }
}

interface CaseStart {
  readonly given: ReturnType<typeof ingestCases>[number]
  readonly first: number
}

async function measureCase(tools: TargetTools, { given, first }: CaseStart) {
  const { generator, options, onProgress } = tools
  const place = targetOf(options.target ?? '', options.dsn ?? '')
  const byStatus: Record<string, number> = {}
  let next = first
  const send = async (count: number, rate: number | null) => {
    await generator.prepare({ corpus: given.corpus, first: next, count, address: place.address })
    next += count
    const storedBefore = await storedCount(tools)
    const startMs = performance.now()
    const result = await generator.run({
      target: place.target,
      from: 0,
      to: count,
      connections: options.connections,
      rate,
    })
    for (const [status, answers] of Object.entries(result.byStatus))
      byStatus[status] = (byStatus[status] ?? 0) + answers
    const isDrained = storedBefore !== null && (await untilStored(tools, storedBefore + result.accepted))
    const perSecond = (ms: number) => (result.accepted * 1_000) / Math.max(1, ms)
    return {
      accepted: perSecond(result.elapsedMs),
      drained: isDrained ? perSecond(performance.now() - startMs) : null,
      latency: result.latency,
    }
  }
  const warm = await send(WARM_UP_EVENTS, null)
  const rounds = []
  for (let round = 0; round < given.rounds; round++) {
    const done = await send(eventsOfRound(warm.accepted, given), null)
    rounds.push(done)
    onProgress(`${given.name}: round ${round + 1}: ${number(done.accepted)} accepted/s`)
  }
  const acceptedPerSecond = medianOf(rounds.map(({ accepted }) => accepted))
  const drained = rounds.map((round) => round.drained).filter((rate) => rate !== null)
  const drainedPerSecond = drained.length === 0 ? null : medianOf(drained)
  const halfRate = Math.max(1, (drainedPerSecond ?? acceptedPerSecond) / 2)
  const open = await send(Math.ceil(halfRate * OPEN_SECONDS), halfRate)
  const closed = rounds.at(-1)?.latency ?? warm.latency
  const report: TargetCase = {
    ...{ name: given.name, kind: given.corpus.kind, acceptedPerSecond, drainedPerSecond, closed, halfRate },
    open: open.latency,
    byStatus,
  }
  return { report, sent: next - first }
}

function targetOf(url: string, dsn: string) {
  const [server, source] = [new URL(url), new URL(dsn)]
  const tls = server.protocol === 'https:'
  const port = Number(server.port === '' ? (tls ? 443 : 80) : server.port)
  const project = source.pathname.split('/').at(-1) ?? ''
  return {
    target: { host: server.hostname, port, tls },
    address: { host: server.host, project, key: source.username },
  }
}

/** The first number of what the drained address answers; `null` when none was given. */
async function storedCount({ options }: Pick<TargetTools, 'options'>): Promise<number | null> {
  if (options.drainedUrl === null) return null
  const [name, ...value] = (options.drainedHeader ?? '').split(':')
  const headers = name === undefined || name === '' ? {} : { [name.trim()]: value.join(':').trim() }
  const answer = await fetch(options.drainedUrl, { headers, signal: AbortSignal.timeout(30_000) })
  const text = await answer.text()
  const count = /\d+/.exec(text)?.[0]
  if (!answer.ok || count === undefined)
    throw new Error(`--drained-url: ${answer.status} ${text.slice(0, 100)}`)
  return Number(count)
}

async function untilStored(tools: TargetTools, expected: number): Promise<boolean> {
  const end = performance.now() + STORED_WITHIN_MS
  while (performance.now() < end) {
    if (((await storedCount(tools)) ?? 0) >= expected) return true
    await new Promise((resolve) => setTimeout(resolve, STORED_POLL_MS))
  }
  return false
}

export function describeTarget(report: TargetReport): Measured {
  const { first, seed, cases } = report
  return {
    name: 'target',
    rows: cases.flatMap(rowsOf),
    notes: [
      'another server: what "accepted" promises there (memory, disk, stored) is its own; only the drained rate compares',
      `events from number ${first} of seed ${seed} on: --first ${first} sends them again, as duplicates where they are known`,
      'its caps and limits are as it was set up; CPU and memory of another machine are not measured',
    ],
    details: report,
  }
}

function rowsOf(report: TargetCase): readonly ResultRow[] {
  const { name, drainedPerSecond: drained, closed, open, halfRate, byStatus } = report
  return [
    {
      measure: `${name}: drained`,
      result: drained === null ? 'unknown' : `${number(drained)} /s`,
      goal: '',
      met: null,
    },
    { measure: `${name}: accepted`, result: `${number(report.acceptedPerSecond)} /s`, goal: '', met: null },
    atMost(`${name}: acknowledged p50, closed loop`, latencyOf(closed, 'p50'), null, 'ms'),
    atMost(`${name}: acknowledged p99, closed loop`, latencyOf(closed, 'p99'), null, 'ms'),
    atMost(
      `${name}: acknowledged p50 at ${number(halfRate)}/s, open loop`,
      latencyOf(open, 'p50'),
      null,
      'ms',
    ),
    atMost(
      `${name}: acknowledged p99 at ${number(halfRate)}/s, open loop`,
      latencyOf(open, 'p99'),
      null,
      'ms',
    ),
    { measure: `${name}: answers`, result: JSON.stringify(byStatus), goal: '', met: null },
  ]
}
