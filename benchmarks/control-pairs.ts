/**
 * Measures what the control store's commit costs in two trees, in one process and in turns: CPU of this thread while batches of 1,000 errors
 * are committed, by set, medians of ratios.
 *
 *   node scripts/with-node24.mjs benchmarks/control-pairs.ts --against DIR [--rounds 7] [--only 3|400|all]
 *
 * DIR is a folder with the sources of another commit, and what they need installed. Columns and payloads are written too, by
 * both; their own threads are not counted.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ROOT } from '../scripts/node24.mjs'
import { type CorpusSpec, corpusEvent, envelopeOf, type Stacks } from './corpus/corpus.ts'

type Worlds = typeof import('../packages/server/testing/worlds/api.ts')
type Shop = Awaited<ReturnType<Worlds['openShop']>>

const SETS: readonly { readonly name: string; readonly stacks: Stacks }[] = [
  { name: 'known groups (3 stacks)', stacks: 3 },
  { name: '400 stacks', stacks: 400 },
  { name: 'all new', stacks: 'all' },
]
const BATCH = 1_000
const WARM_ROUNDS = 3

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
  },
})
if (values.against === undefined) throw new Error('name another tree with --against')
const trees = await Promise.all([ROOT, resolve(values.against)].map(worldsOf))
for (const set of SETS) if ((values.only ?? `${set.stacks}`) === `${set.stacks}`) await compare(set)

async function worldsOf(root: string): Promise<Worlds> {
  const file = join(root, 'packages/server/testing/worlds/api.ts')
  return import(pathToFileURL(file).href) as Promise<Worlds> // the same module of another tree
}

async function compare({ name, stacks }: (typeof SETS)[number]): Promise<void> {
  const shops = await Promise.all(trees.map(({ openShop }) => openShop()))
  const ratios: number[] = []
  const micros: number[][] = [[], []]
  for (let round = 0; round < WARM_ROUNDS + Number(values.rounds); round++) {
    const cost = [0, 0]
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const shop = shops[side]
      if (shop === undefined) continue
      cost[side] = await costOf(shop, { kind: 'error-5k', stacks, seed: 7 }, round * BATCH)
    }
    if (round < WARM_ROUNDS) continue
    ratios.push((cost[0] ?? 0) / (cost[1] ?? 1))
    for (const side of [0, 1]) micros[side]?.push((cost[side] ?? 0) / BATCH)
  }
  for (const shop of shops) await shop.close()
  const [now, before] = micros.map((all) => median(all).toFixed(1))
  console.log(`${name}: ${median(ratios).toFixed(3)} (${now} µs an event, before ${before})`)
}

async function costOf(shop: Shop, spec: CorpusSpec, first: number): Promise<number> {
  const { username, pathname } = new URL(shop.dsn)
  for (let number = first; number < first + BATCH; number++) {
    const atMs = shop.clock.now() - BATCH + (number - first)
    await shop.accept.accept({
      ...{ projectRef: pathname.slice(1), format: 'envelope' },
      body: Buffer.from(envelopeOf(spec, corpusEvent(spec, number, atMs), atMs)),
      query: new URLSearchParams({ sentry_key: username }),
      ...{ sentryAuth: null, authorization: null, origin: null, referer: null, relay: null },
      ...{ contentEncoding: null, contentType: 'application/x-sentry-envelope' },
      ...{ userAgent: 'sdk/1', clientAddress: '198.51.100.4' },
    })
  }
  let micros = 0
  await shop.drain(BATCH, async (work) => {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    micros += user + system
  })
  return micros
}

function median(all: readonly number[]): number {
  const sorted = all.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
