/**
 * Hours of steady traffic on a clock that runs faster. The hours lie around a midnight, because files are kept by the
 * day: what was written before it is removed after it, so that the second half may not need more than the first.
 */
import { type Generator, startGenerator } from '../load/generator.ts'
import type { Product } from '../server/build.ts'
import { directoryBytes } from '../server/directory-bytes.ts'
import { type SetUp, setUp } from '../server/errata.ts'
import { type Clock, type RunningSimulation, startSimulated } from '../server/start-simulated.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { memoryOf } from '../server/usage.ts'
import { untilDrained } from '../server/web-api.ts'
import type { SoakOptions } from '../soak-options.ts'

export interface SoakSample {
  /** Simulated hours since the beginning. */
  readonly hour: number
  readonly acknowledged: number
  readonly memoryMb: number | null
  /** Everything kept; without the journal, which is a buffer and empties. */
  readonly diskBytes: number
  readonly journalBytes: number
}

export interface SoakReport {
  /** Simulated seconds a real one. */
  readonly speed: number
  /** Events a simulated second, as it came out. */
  readonly rate: number
  readonly acknowledged: number
  readonly refused: Readonly<Record<string, number>>
  /** Accepted and stored, whether or not retention has removed it since; and counted otherwise, by reason. */
  readonly stored: number
  readonly counted: Readonly<Record<string, number>>
  readonly samples: readonly SoakSample[]
  readonly diskAtEnd: Readonly<Record<string, number>>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CHUNK_EVENTS = 4_000
const WARM_UP_EVENTS = 9_000
/** Less than half of what drains leaves room for the generator, which makes every event while the others are sent. */
const PACE = 0.4
const EVENTS_A_SECOND_MAX = 2_000
const CONNECTIONS = 32

export interface SoakTools {
  readonly product: Product
  readonly options: SoakOptions
  readonly onProgress: (line: string) => void
}

export async function measureSoak(tools: SoakTools): Promise<SoakReport> {
  const { product, options } = tools
  using directory = temporaryDirectory()
  const data = directory.path
  const shop = await setUp(product, data)
  const lengthMs = options.hours * HOUR_MS
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - lengthMs / 2
  await using first = startGenerator()
  await using second = startGenerator()
  const sender: Sender = { tools, shop, generators: [first, second], sent: 0, acknowledged: 0, refused: {} }
  const drainedPerSecond = await warmUp(sender, { data, startMs })
  const pace = Math.min(EVENTS_A_SECOND_MAX, PACE * drainedPerSecond)
  const speed = pace / options.rate
  const clock = { startMs, sinceMs: Date.now(), rate: speed }
  await using errata = await startSimulated(product, { data, clock, maxDisk: options.maxDisk })
  const before = sender.acknowledged
  const samples = await sendAll(sender, { errata, data, clock, pace })
  const sinceDays = Math.ceil(options.hours / 24) + 2
  const { counted } = await untilDrained(errata, shop, { expected: sender.acknowledged, sinceDays })
  await errata.stop()
  return {
    speed,
    rate: (sender.acknowledged - before) / (options.hours * 3_600),
    acknowledged: sender.acknowledged,
    refused: sender.refused,
    stored: counted.accepted,
    counted: counted.other,
    samples,
    diskAtEnd: directoryBytes(data).parts,
  }
}

interface Sender {
  readonly tools: SoakTools
  readonly shop: SetUp
  /** Generators that take turns: one prepares while the other sends. */
  readonly generators: readonly [Generator, Generator]
  sent: number
  acknowledged: number
  readonly refused: Record<string, number>
}

/** How many events a second this machine drains, with a clock that stands still. */
async function warmUp(sender: Sender, { data, startMs }: { data: string; startMs: number }): Promise<number> {
  const { product } = sender.tools
  const clock = { startMs, sinceMs: Date.now(), rate: 0 }
  await using errata = await startSimulated(product, { data, clock })
  await prepare(sender, sender.generators[0], { count: WARM_UP_EVENTS, fromMs: startMs, stepMs: 1 })
  const began = performance.now()
  await send(sender, sender.generators[0], { errata, count: WARM_UP_EVENTS, pace: null })
  await untilDrained(errata, sender.shop, { expected: sender.acknowledged })
  const rate = (WARM_UP_EVENTS * 1_000) / (performance.now() - began)
  await errata.stop()
  return rate
}

interface Running {
  readonly errata: RunningSimulation
  readonly data: string
  readonly clock: Clock
  readonly pace: number
}

async function sendAll(
  sender: Sender,
  { errata, data, clock, pace }: Running,
): Promise<readonly SoakSample[]> {
  const { options, onProgress } = sender.tools
  const samples: SoakSample[] = []
  const nowMs = () => clock.startMs + (Date.now() - clock.sinceMs) * clock.rate
  const endMs = clock.startMs + options.hours * HOUR_MS
  const stepMs = 1_000 / options.rate
  const events = () => ({ count: CHUNK_EVENTS, fromMs: nowMs(), stepMs })
  let [sending, preparing] = sender.generators
  await prepare(sender, sending, events())
  while (nowMs() < endMs) {
    const next = prepare(sender, preparing, { ...events(), fromMs: nowMs() + CHUNK_EVENTS * stepMs })
    await send(sender, sending, { errata, count: CHUNK_EVENTS, pace })
    await next
    ;[sending, preparing] = [preparing, sending]
    const { total, parts } = directoryBytes(data)
    const journalBytes = parts.journal ?? 0
    const sample = {
      hour: (nowMs() - clock.startMs) / HOUR_MS,
      acknowledged: sender.acknowledged,
      memoryMb: memoryOf(errata.pid)?.rss ?? null,
      diskBytes: total - journalBytes,
      journalBytes,
    }
    samples.push(sample)
    onProgress(sampleLine(sample))
  }
  return samples
}

interface Batch {
  readonly count: number
  readonly fromMs: number
  readonly stepMs: number
}

async function prepare(sender: Sender, generator: Generator, batch: Batch): Promise<void> {
  const first = sender.sent
  sender.sent += batch.count
  await generator.prepare({
    corpus: { kind: 'error-5k', stacks: 400, seed: sender.tools.options.seed },
    ...{ first, ...batch },
    address: { host: 'localhost', project: sender.shop.projectId, key: sender.shop.key },
  })
}

interface Sending {
  readonly errata: RunningSimulation
  readonly count: number
  readonly pace: number | null
}

async function send(sender: Sender, generator: Generator, { errata, count, pace }: Sending): Promise<void> {
  const target = { host: errata.host, port: errata.port, tls: false }
  const result = await generator.run({ target, from: 0, to: count, connections: CONNECTIONS, rate: pace })
  sender.acknowledged += result.accepted
  for (const [status, answers] of Object.entries(result.byStatus))
    if (!status.startsWith('2')) sender.refused[status] = (sender.refused[status] ?? 0) + answers
}

function sampleLine({ hour, acknowledged, memoryMb, diskBytes }: SoakSample): string {
  const memory = memoryMb === null ? 'not measured' : `${memoryMb.toFixed(0)} MB`
  return `hour ${hour.toFixed(1)}: ${acknowledged} acknowledged, memory ${memory}, disk ${(diskBytes / 1e6).toFixed(0)} MB`
}
