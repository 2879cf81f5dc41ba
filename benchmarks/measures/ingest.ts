/**
 * Rounds of load on Errata and, in between, the same bytes on the bare sink. A round is over when every acknowledged
 * event is visible; what Errata's process spent until then, divided by what the sink's spent, is the cost ratio.
 */
import { medianOf } from '../load/latencies.ts'
import type { RunSpec } from '../load/messages.ts'
import type { LoadResult } from '../load/run-load.ts'
import { ingestRows } from '../report/goals.ts'
import type { BytesReport, IngestReport, IngestRound } from '../report/ingest-report.ts'
import { directoryBytes } from '../server/directory-bytes.ts'
import { type RunningErrata, type SetUp, setUp, startErrata } from '../server/errata.ts'
import { type RunningSink, startSink } from '../server/start-sink.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { cpuMicros, memoryOf } from '../server/usage.ts'
import { turnOffCaps, untilDrained } from '../server/web-api.ts'
import { compactedBytes } from './compaction.ts'
import { eventsOfRound, type IngestCase } from './rounds.ts'
import type { Measured, Tools } from './tools.ts'

/** The first events of a process: most of its code is not compiled yet. */
const FRESH_EVENTS = 3_000
/** After so many of them nearly all of it is. */
const WARM_AFTER_EVENTS = 10_000
const SINK_PASSES = 4

export async function measureIngest(given: IngestCase, tools: Tools): Promise<IngestReport> {
  using directory = temporaryDirectory()
  const report = await measureIn(directory.path, given, tools)
  // What the latency measure halves.
  tools.found.drainedPerSecond ??= report.drainedPerSecond
  return report
}

export function describeIngest(reports: readonly IngestReport[]): Measured {
  const [first] = reports
  return {
    name: 'ingest',
    rows: reports.flatMap(ingestRows),
    notes: first === undefined ? [] : [`project: ${first.caps}`, launcherNote(first)],
    details: reports,
  }
}

function launcherNote({ memory }: IngestReport): string {
  const beside = memory.launcher === null ? 'none' : `${Math.round(memory.launcher)} MB`
  return `memory is that of the serving process; its launcher beside it: ${beside}`
}

async function measureIn(data: string, given: IngestCase, tools: Tools): Promise<IngestReport> {
  const shop = await setUp(tools.product, data)
  await using sink = await startSink()
  await using errata = await startErrata({ product: tools.product, data, profiles: tools.options.profiles })
  const caps = await turnOffCaps(errata, shop)
  const idle = memoryOf(errata.pid)?.rss ?? null
  const stage: Stage = {
    given,
    tools,
    shop,
    sink,
    errata,
    sent: 0,
    acknowledged: 0,
    byStatus: {},
    prepared: [],
  }
  const fresh = await oneRound(stage, FRESH_EVENTS)
  tools.onProgress(`${given.name}: fresh: ${roundLine(fresh)}`)
  const { drainedPerSecond } = await oneRound(stage, WARM_AFTER_EVENTS - FRESH_EVENTS)
  const count = eventsOfRound(drainedPerSecond, given)
  const rounds: IngestRound[] = []
  for (let round = 0; round < given.rounds; round++) {
    const done = await oneRound(stage, count)
    rounds.push(done)
    tools.onProgress(`${given.name}: round ${round + 1}: ${roundLine(done)}`)
  }
  const { counted } = await untilDrained(errata, shop, { expected: stage.acknowledged })
  const memory = memoryOf(errata.pid)
  const launcher = errata.launcherPid === errata.pid ? null : (memoryOf(errata.launcherPid)?.rss ?? null)
  await errata.stop()
  return {
    name: given.name,
    corpus: given.corpus,
    connections: tools.options.connections,
    fresh: { events: FRESH_EVENTS, ratio: ratioOf(fresh), ...fresh },
    warmAfter: WARM_AFTER_EVENTS,
    rounds,
    ...mediansOf(rounds),
    acknowledged: stage.acknowledged,
    stored: counted.accepted,
    counted: counted.other,
    byStatus: stage.byStatus,
    bytes: await bytesOf(stage, data, counted.accepted),
    memory: { idle, peak: memory?.peak ?? null, after: memory?.rss ?? null, launcher },
    caps,
  }
}

interface Stage {
  readonly given: IngestCase
  readonly tools: Tools
  readonly shop: SetUp
  readonly sink: RunningSink
  readonly errata: RunningErrata
  sent: number
  acknowledged: number
  readonly byStatus: Record<string, number>
  /** Weighted by events. */
  readonly prepared: { readonly count: number; readonly jsonBytes: number; readonly gzipBytes: number }[]
}

async function oneRound(stage: Stage, count: number): Promise<IngestRound> {
  const { tools, shop, sink, errata, given } = stage
  const { generator } = tools
  const { connections } = tools.options
  const address = { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key }
  const prepared = await generator.prepare({ corpus: given.corpus, first: stage.sent, count, address })
  stage.prepared.push({ count, ...prepared })
  stage.sent += count
  const run = { from: 0, to: count, connections, rate: null }
  const onSink = await withCpu(sink.pid, () => onSinkAgain(generator, run, sink.port))
  const startMs = performance.now()
  const onErrata = await withCpu(errata.pid, async () => {
    const result = await generator.run({
      ...run,
      target: { host: errata.host, port: errata.port, tls: false },
    })
    stage.acknowledged += result.accepted
    const { atMs } = await untilDrained(errata, shop, { expected: stage.acknowledged })
    return { result, drainedMs: atMs - startMs }
  })
  const { result, drainedMs } = onErrata.value
  addStatuses(stage.byStatus, result)
  return {
    acknowledged: result.accepted,
    drainedPerSecond: perSecond(result.accepted, drainedMs),
    acceptedPerSecond: perSecond(result.accepted, result.elapsedMs),
    cpuPerEvent: onErrata.micros === null ? null : onErrata.micros / Math.max(1, result.accepted),
    cpuPerSinkRequest: onSink.micros === null ? null : onSink.micros / Math.max(1, onSink.value.accepted),
    sinkPerSecond: perSecond(onSink.value.accepted, onSink.value.elapsedMs),
    latency: result.latency,
  }
}

/** The sink is done in a fraction of a second, and the kernel counts CPU time in hundredths: it gets the load again. */
export async function onSinkAgain(
  generator: Tools['generator'],
  run: Omit<RunSpec, 'target'>,
  port: number,
): Promise<Pick<LoadResult, 'accepted' | 'elapsedMs'>> {
  const sum = { accepted: 0, elapsedMs: 0 }
  for (let pass = 0; pass < SINK_PASSES; pass++) {
    const done = await generator.run({ ...run, target: { host: '127.0.0.1', port, tls: false } })
    sum.accepted += done.accepted
    sum.elapsedMs += done.elapsedMs
  }
  return sum
}

export async function withCpu<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ value: T; micros: number | null }> {
  const before = cpuMicros(pid)
  const value = await work()
  const after = cpuMicros(pid)
  return { value, micros: before === null || after === null ? null : after - before }
}

function mediansOf(rounds: readonly IngestRound[]) {
  const median = (of: (round: IngestRound) => number | null): number | null => {
    const values = rounds.map(of).filter((value) => value !== null)
    return values.length === 0 ? null : medianOf(values)
  }
  return {
    drainedPerSecond: median((round) => round.drainedPerSecond) ?? 0,
    acceptedPerSecond: median((round) => round.acceptedPerSecond) ?? 0,
    cpuPerEvent: median((round) => round.cpuPerEvent),
    cpuPerSinkRequest: median((round) => round.cpuPerSinkRequest),
    ratio: median(ratioOf),
  }
}

function ratioOf({ cpuPerEvent, cpuPerSinkRequest }: IngestRound): number | null {
  return cpuPerEvent === null || cpuPerSinkRequest === null ? null : cpuPerEvent / cpuPerSinkRequest
}

async function bytesOf(stage: Stage, data: string, stored: number): Promise<BytesReport> {
  const events = stage.prepared.reduce((sum, { count }) => sum + count, 0)
  const mean = (of: 'jsonBytes' | 'gzipBytes') =>
    stage.prepared.reduce((sum, each) => sum + each[of] * each.count, 0) / Math.max(1, events)
  const before = directoryBytes(data)
  const after = await compactedBytes(stage.tools.product, data)
  const gzip = mean('gzipBytes')
  const kept = before.total / Math.max(1, stored)
  return {
    json: mean('jsonBytes'),
    gzip,
    kept,
    ratioBeforeCompaction: kept / gzip,
    ratioAfterCompaction:
      after.parts.payloads === before.parts.payloads ? null : after.total / Math.max(1, stored) / gzip,
    parts: before.parts,
    partsAfterCompaction: after.parts,
  }
}

function addStatuses(sums: Record<string, number>, { byStatus }: LoadResult): void {
  for (const [status, count] of Object.entries(byStatus)) sums[status] = (sums[status] ?? 0) + count
}

function perSecond(count: number, ms: number): number {
  return (count * 1_000) / Math.max(1, ms)
}

function roundLine(round: IngestRound): string {
  const { drainedPerSecond, acceptedPerSecond, cpuPerEvent, cpuPerSinkRequest } = round
  const ratio = ratioOf(round) ?? Number.NaN
  const cpu =
    cpuPerEvent === null
      ? 'not measured'
      : `${cpuPerEvent.toFixed(0)} µs ÷ ${cpuPerSinkRequest?.toFixed(0)} µs = ${ratio.toFixed(1)}`
  return `${drainedPerSecond.toFixed(0)} drained/s, ${acceptedPerSecond.toFixed(0)} accepted/s, CPU ${cpu}`
}
