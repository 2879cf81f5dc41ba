/**
 * A data directory with weeks of receipt in it, made by the built product itself with a clock that runs faster, chunk
 * after chunk. Kept in the system's temporary folder for the next run of the same code.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tools } from '../measures/tools.ts'
import { type SetUp, setUp } from '../server/errata.ts'
import { startSimulated } from '../server/start-simulated.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { keepForAYear, turnOffCaps, untilDrained } from '../server/web-api.ts'

export interface DatasetSize {
  readonly events: number
  readonly issues: number
  readonly days: number
}

const QUICK_SIZE: DatasetSize = { events: 6_000, issues: 300, days: 6 }
const FULL_SIZE: DatasetSize = { events: 1_000_000, issues: 20_000, days: 90 }

export interface Dataset extends Disposable {
  /** The run's own copy: may be changed; gone when the block is left. */
  readonly data: string
  readonly shop: SetUp
  readonly size: DatasetSize
  readonly seed: number
  /** `kept` from an earlier run, or built in this one. */
  readonly origin: string
}

const DAY_MS = 86_400_000
const KEPT_MAX = 2
const SHOP_FILE = 'bench-setup.json'
const keptFolder = () => join(tmpdir(), 'errata-bench-datasets')

export async function openDataset(tools: Tools): Promise<Dataset> {
  const { options, product } = tools
  const size = options.full ? FULL_SIZE : QUICK_SIZE
  const name = `${size.events}-${size.issues}-${size.days}-seed${options.seed}`
  const kept = findKept(name, product.hash, options.anyDataset)
  const origin = kept ?? (await build(tools, { size, name }))
  const directory = temporaryDirectory()
  const data = join(directory.path, 'data')
  cpSync(origin, data, { recursive: true, preserveTimestamps: true })
  const shop = JSON.parse(readFileSync(join(data, SHOP_FILE), 'utf8')) as SetUp // written below
  rmSync(join(data, SHOP_FILE))
  return {
    ...{ data, shop, size, seed: options.seed },
    origin: kept === null ? 'built in this run' : 'kept from an earlier run',
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  }
}

/** Newest first. */
function findKept(name: string, hash: string, any: boolean): string | null {
  if (!existsSync(keptFolder())) return null
  const folders = readdirSync(keptFolder())
    .filter(
      (each) => (any ? each.startsWith(`${name}-`) : each === `${name}-${hash}`) && !each.endsWith('.part'),
    )
    .map((each) => join(keptFolder(), each))
  return folders.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0] ?? null
}

interface Plan {
  readonly size: DatasetSize
  readonly name: string
}

async function build(tools: Tools, { size, name }: Plan): Promise<string> {
  const { product, onProgress } = tools
  const finished = join(keptFolder(), `${name}-${product.hash}`)
  const part = `${finished}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(keptFolder(), { recursive: true, mode: 0o700 })
  const shop = await setUp(product, part)
  await fill(tools, { data: part, shop, size })
  writeFileSync(join(part, SHOP_FILE), JSON.stringify(shop), { mode: 0o600 })
  renameSync(part, finished)
  const old = readdirSync(keptFolder())
    .map((each) => join(keptFolder(), each))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const folder of old.slice(KEPT_MAX)) rmSync(folder, { recursive: true, force: true })
  onProgress(`dataset: kept in ${finished}`)
  return finished
}

interface Fill {
  readonly data: string
  readonly shop: SetUp
  readonly size: DatasetSize
}

const CHUNK_EVENTS = 20_000
/** The first chunk only shows how fast this machine is. */
const FIRST_CHUNK_EVENTS = 2_000
/** Part of the drained rate that a chunk is sent at: it ends on time even when the machine is slower for a while. */
const PACE = 0.7
const FIRST_PACE = 500
/** Events a second: the simulated clock goes on until the last is counted, and must not leave the first behind. */
const PACE_MAX = 1_000
/** A chunk that took at most so much longer than planned kept up: the next may go twice as fast. */
const KEPT_UP = 1.2
/** The simulated clock goes on while the last events of a chunk are drained: so far, at most, before they are all counted. */
const LATE_DAYS_MAX = 200
/** The last event lies so far back that a late chunk does not reach into the future. */
const MARGIN_MS = DAY_MS

async function fill(tools: Tools, { data, shop, size }: Fill): Promise<void> {
  const spanMs = size.days * DAY_MS
  const startMs = Math.floor((Date.now() - MARGIN_MS - spanMs) / DAY_MS) * DAY_MS
  let [sent, rate] = [0, FIRST_PACE]
  while (sent < size.events) {
    const wanted = sent === 0 ? FIRST_CHUNK_EVENTS : CHUNK_EVENTS
    const count = Math.min(wanted, size.events - sent)
    const chunkMs = (spanMs * count) / size.events
    const chunk = { first: sent, count, rate, fromMs: startMs + (spanMs * sent) / size.events, chunkMs }
    rate = nextPace(rate, await oneChunk(tools, { data, shop, size, chunk }))
    sent += count
    tools.onProgress(`dataset: ${sent} of ${size.events} events`)
  }
}

/** An open loop that keeps up shows its own pace alone: whether there is more can only be tried. */
function nextPace(rate: number, drained: number): number {
  const isKeptUp = drained * KEPT_UP >= rate
  return isKeptUp ? Math.min(2 * rate, PACE_MAX) : PACE * drained
}

interface Chunk {
  readonly first: number
  readonly count: number
  /** Events a real second. */
  readonly rate: number
  readonly fromMs: number
  /** Time of the simulation that the chunk covers. */
  readonly chunkMs: number
}

/** Sends one chunk over its stretch of time; answers how many a second this machine drained. */
async function oneChunk(tools: Tools, given: Fill & { readonly chunk: Chunk }): Promise<number> {
  const { generator, product, options } = tools
  const { data, shop, size, chunk } = given
  const { first, count, rate, fromMs, chunkMs } = chunk
  await generator.prepare({
    corpus: { kind: 'error-5k', stacks: size.issues, seed: options.seed },
    ...{ first, count, fromMs, stepMs: chunkMs / count },
    address: { host: 'localhost', project: shop.projectId, key: shop.key },
  })
  const clock = { startMs: fromMs, sinceMs: Date.now(), rate: (chunkMs * rate) / (count * 1_000) }
  await using errata = await startSimulated(product, { data, clock })
  if (first === 0) {
    await turnOffCaps(errata, shop)
    await keepForAYear(errata, shop)
  }
  const target = { host: errata.host, port: errata.port, tls: false }
  const startMs = performance.now()
  const result = await generator.run({ target, from: 0, to: count, connections: options.connections, rate })
  if (result.accepted !== count)
    throw new Error(`the dataset could not be sent: ${JSON.stringify(result.byStatus)}`)
  await untilDrained(errata, shop, { expected: first + count, sinceDays: size.days + LATE_DAYS_MAX })
  const tookMs = performance.now() - startMs
  await errata.stop()
  return (count * 1_000) / tookMs
}
