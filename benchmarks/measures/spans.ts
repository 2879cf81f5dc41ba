/**
 * Spans: what a second stores of them and at which cost, what they take on the disk, and how long people wait for the
 * table of routes and for a long trace.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { envelopeOf, gzipped } from '../corpus/corpus.ts'
import { makeSpanBatch, routeName, SPANS_PER_BATCH, traceOf } from '../corpus/span-batch.ts'
import { medianOf, percentileOf } from '../load/latencies.ts'
import { formOf } from '../options.ts'
import { atLeast, atMost, GOALS, passed } from '../report/goals.ts'
import { type RunningErrata, type SetUp, setUp, startErrata } from '../server/errata.ts'
import { type RunningSink, startSink } from '../server/start-sink.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { timedGet, untilDrained } from '../server/web-api.ts'
import { compactedBytes } from './compaction.ts'
import { onSinkAgain, withCpu } from './ingest.ts'
import type { Measured, Tools } from './tools.ts'

interface SpanRound {
  readonly spansPerSecond: number
  readonly cpuPerBatch: number | null
  readonly cpuPerSinkRequest: number | null
}

export interface SpansReport {
  readonly rounds: readonly SpanRound[]
  readonly sent: number
  readonly stored: number
  readonly bytesPerSpan: number
  readonly routesMs: readonly number[]
  readonly seeded: { readonly spans: number; readonly rows: number }
  readonly traceMs: readonly number[]
}

const SIZES = {
  quick: { rounds: 2, batches: 600, warmUp: 400, samples: 20 },
  full: { rounds: 5, batches: 4_000, warmUp: 2_000, samples: 100 },
}
const TRACE_SPANS = 5_000
/** No container of the load has it. */
const TRACE_NUMBER = 1_000_000_000
const WARM_UPS = 5

export async function measureSpans(tools: Tools): Promise<SpansReport> {
  using directory = temporaryDirectory()
  const data = directory.path
  const { rounds: count, batches, warmUp, samples } = SIZES[formOf(tools.options)]
  const shop = await setUp(tools.product, data)
  const loaded = await withLoad(tools, { data, shop, count, batches, warmUp })
  const { total } = await compactedBytes(tools.product, data)
  const seeded = seedSums(join(data, 'control.sqlite'))
  await using errata = await startErrata({ product: tools.product, data })
  await sendTrace(errata, shop, tools.options.seed)
  await untilDrained(errata, shop, { expected: loaded.stored + TRACE_SPANS })
  const org = `/organizations/${shop.organisation}`
  const trace = `${org}/events-trace/${traceOf(tools.options.seed, TRACE_NUMBER)}/`
  const routesMs = await sampled(samples, () => timedGet(errata, shop, `${org}/requests/?statsPeriod=30d`))
  const traceMs = await sampled(samples, () => timedGet(errata, shop, trace))
  await errata.stop()
  return { ...loaded, bytesPerSpan: total / Math.max(1, loaded.stored), seeded, routesMs, traceMs }
}

interface Load {
  readonly data: string
  readonly shop: SetUp
  readonly count: number
  readonly batches: number
  readonly warmUp: number
}

async function withLoad(tools: Tools, { data, shop, count, batches, warmUp }: Load) {
  await using sink = await startSink()
  await using errata = await startErrata({ product: tools.product, data, profiles: tools.options.profiles })
  const stage: Stage = { tools, shop, sink, errata, sent: 0, acknowledged: 0 }
  await oneRound(stage, warmUp)
  const rounds: SpanRound[] = []
  for (let round = 0; round < count; round++) {
    const done = await oneRound(stage, batches)
    rounds.push(done)
    const ratio = ratioOf(done)?.toFixed(1) ?? 'not measured'
    tools.onProgress(
      `spans: round ${round + 1}: ${Math.round(done.spansPerSecond)} spans/s, CPU ÷ sink ${ratio}`,
    )
  }
  const { counted } = await untilDrained(errata, shop, { expected: stage.acknowledged * SPANS_PER_BATCH })
  await errata.stop()
  return { rounds, sent: stage.acknowledged * SPANS_PER_BATCH, stored: counted.accepted }
}

interface Stage {
  readonly tools: Tools
  readonly shop: SetUp
  readonly sink: RunningSink
  readonly errata: RunningErrata
  sent: number
  acknowledged: number
}

async function oneRound(stage: Stage, count: number): Promise<SpanRound> {
  const { tools, shop, sink, errata } = stage
  const { generator, options } = tools
  const address = { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key }
  const corpus = { kind: 'spans-30k', stacks: 'all', seed: options.seed } as const
  await generator.prepare({ corpus, first: stage.sent, count, address })
  stage.sent += count
  const run = { from: 0, to: count, connections: options.connections, rate: null }
  const onSink = await withCpu(sink.pid, () => onSinkAgain(generator, run, sink.port))
  const startMs = performance.now()
  const onErrata = await withCpu(errata.pid, async () => {
    const target = { host: errata.host, port: errata.port, tls: false }
    const { accepted } = await generator.run({ ...run, target })
    stage.acknowledged += accepted
    const expected = stage.acknowledged * SPANS_PER_BATCH
    const { atMs } = await untilDrained(errata, shop, { expected })
    return { accepted, ms: atMs - startMs }
  })
  const { accepted, ms } = onErrata.value
  const each = (micros: number | null, of: number) => (micros === null ? null : micros / Math.max(1, of))
  return {
    spansPerSecond: (accepted * SPANS_PER_BATCH * 1_000) / Math.max(1, ms),
    cpuPerBatch: each(onErrata.micros, accepted),
    cpuPerSinkRequest: each(onSink.micros, onSink.value.accepted),
  }
}

function ratioOf({ cpuPerBatch, cpuPerSinkRequest }: SpanRound): number | null {
  return cpuPerBatch === null || cpuPerSinkRequest === null ? null : cpuPerBatch / cpuPerSinkRequest
}

async function sendTrace(errata: RunningErrata, shop: SetUp, seed: number): Promise<void> {
  const atMs = Date.now()
  const batch = makeSpanBatch({ seed, number: TRACE_NUMBER, atMs, spans: TRACE_SPANS })
  const event = { id: '', json: JSON.stringify(batch) }
  const envelope = envelopeOf({ kind: 'spans-30k', stacks: 'all', seed }, event, atMs)
  const url = `http://${errata.host}:${errata.port}/api/${shop.projectId}/envelope/?sentry_key=${shop.key}`
  const body = new Uint8Array(gzipped(envelope))
  const answer = await fetch(url, { method: 'POST', headers: { 'content-encoding': 'gzip' }, body })
  if (!answer.ok) throw new Error(`the trace was not taken: ${answer.status} ${await answer.text()}`)
}

const ROUTES = 200
const HOURS_KEPT = 72
const DAYS = 27
const SPANS_SEEDED = 10_000_000

/** Sums as ten million spans of a month leave them, each with the sketch of an hour that was measured. */
function seedSums(path: string): SpansReport['seeded'] {
  const db = new DatabaseSync(path)
  const [row] = db
    .prepare('SELECT sketch, count FROM request_sums ORDER BY length(sketch) DESC LIMIT 1')
    .all()
  const [project] = db.prepare('SELECT project_id AS id FROM request_series LIMIT 1').all()
  if (row === undefined || project === undefined) throw new Error('the load left no sums of requests')
  const hour = Math.floor(Date.now() / 3_600_000)
  const day = Math.floor(hour / 24) * 24
  const series = db.prepare(
    `INSERT INTO request_series (project_id, kind, route, environment, release, last_hour)
      VALUES (?, 'document', ?, 'staging', 'shop@seeded', ?)`,
  )
  const sum = db.prepare(
    `INSERT INTO request_sums (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch)
      VALUES (?, ?, ?, ?, ?, 1, 0, 0, ?, ?)`,
  )
  const places = [
    ...Array.from({ length: HOURS_KEPT }, (_, at) => [hour - at, 1] as const),
    ...Array.from({ length: DAYS }, (_, at) => [day - (at + 4) * 24, 24] as const),
  ]
  const requests = Math.round(SPANS_SEEDED / SPANS_PER_BATCH / ROUTES / places.length)
  db.exec('BEGIN')
  for (let route = 0; route < ROUTES; route++) {
    const { lastInsertRowid: id } = series.run(Number(project.id), `${routeName(route)}/${route}`, hour)
    for (const [at, hours] of places) {
      sum.run(id, at, hours, requests, requests, requests * 300, new Uint8Array(row.sketch as Uint8Array)) // a BLOB
    }
  }
  db.exec('COMMIT')
  db.close()
  return { spans: SPANS_SEEDED, rows: ROUTES * places.length }
}

async function sampled(samples: number, get: () => Promise<number>): Promise<readonly number[]> {
  for (let at = 0; at < WARM_UPS; at++) await get()
  const times: number[] = []
  for (let at = 0; at < samples; at++) times.push(await get())
  return times
}

export function describeSpans(report: SpansReport): Measured {
  const { rounds, sent, stored, bytesPerSpan, routesMs, traceMs, seeded } = report
  const median = (of: (round: SpanRound) => number | null): number | null => {
    const values = rounds.map(of).filter((value) => value !== null)
    return values.length === 0 ? null : medianOf(values)
  }
  const { cpuRatio, bytesPerSpan: bytesGoal, routesP95Ms } = GOALS.spans
  const million = seeded.spans / 1e6
  return {
    name: 'spans',
    rows: [
      atLeast(
        'spans: drained',
        median((round) => round.spansPerSecond),
        null,
        'spans/s',
      ),
      atMost(
        'spans: CPU a drained container',
        median((round) => round.cpuPerBatch),
        null,
        'µs',
      ),
      atMost('spans: a container ÷ CPU of the bare sink', median(ratioOf), cpuRatio, ''),
      atMost('spans: bytes kept a span, after compaction', bytesPerSpan, bytesGoal, 'bytes'),
      atMost(
        `spans: routes of ${million} M spans, API: p95`,
        percentileOf([...routesMs], 0.95),
        routesP95Ms,
        'ms',
      ),
      atMost(`spans: trace of ${TRACE_SPANS} spans, API: p95`, percentileOf([...traceMs], 0.95), null, 'ms'),
      passed('spans: acknowledged − stored', sent === stored, String(sent - stored)),
    ],
    notes: [
      `spans: containers of ${SPANS_PER_BATCH} spans, about 37 KB, gzip-6; the table of routes reads ${seeded.rows} seeded sums of hours and days`,
    ],
    details: report,
  }
}
