/** SIGKILL under load, again and again: everything acknowledged must be found afterwards, and nothing twice. */
import { eventIdOf } from '../corpus/error-event.ts'
import { diceOf } from '../corpus/random.ts'
import { formOf } from '../options.ts'
import { passed } from '../report/goals.ts'
import { type SetUp, setUp, startErrata } from '../server/errata.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { type Asked, countedEvents, exists, turnOffCaps, untilQuiet } from '../server/web-api.ts'
import type { Measured, Tools } from './tools.ts'

export interface KillReport {
  readonly kills: number
  readonly sent: number
  readonly acknowledged: number
  readonly acknowledgedAndFound: number
  /**
   * Events found. May be more than were acknowledged: an event may be stored without its answer having
   * arrived.
   */
  readonly found: number
  /** Events that the counters call stored. */
  readonly counted: number
  readonly restartsMs: readonly number[]
}

const KILLS = { quick: 2, full: 12 }
const EVENTS_A_KILL = { quick: 2_000, full: 8_000 }
const KILL_AFTER_MS = { least: 300, most: 1_500 }

export async function measureKill(tools: Tools): Promise<KillReport> {
  using directory = temporaryDirectory()
  return await measureIn(directory.path, tools)
}

async function measureIn(data: string, tools: Tools): Promise<KillReport> {
  const { product, options } = tools
  const shop = await setUp(product, data)
  const kills = KILLS[formOf(options)]
  const acknowledged = new Set<number>()
  const restartsMs: number[] = []
  let sent = 0
  for (let kill = 0; kill < kills; kill++) {
    const done = await loadAndKill(tools, { data, shop, first: sent, kill })
    for (const number of done.acknowledged) acknowledged.add(sent + number)
    if (kill > 0) restartsMs.push(done.startedInMs)
    tools.onProgress(`kill ${kill + 1}: ${done.acknowledged.length} acknowledged before it`)
    sent += done.sent
  }
  await using errata = await startErrata({ product, data })
  restartsMs.push(errata.startedInMs)
  await untilQuiet(errata, shop)
  const found = await findAll({ errata, shop, seed: options.seed, sent })
  const { accepted } = await countedEvents(errata, shop)
  await errata.stop()
  return {
    kills,
    sent,
    acknowledged: acknowledged.size,
    acknowledgedAndFound: [...acknowledged].filter((number) => found.has(number)).length,
    found: found.size,
    counted: accepted,
    restartsMs,
  }
}

interface KillRound {
  readonly data: string
  readonly shop: SetUp
  readonly first: number
  readonly kill: number
}

async function loadAndKill(tools: Tools, { data, shop, first, kill }: KillRound) {
  const { product, generator, options } = tools
  await using errata = await startErrata({ product, data })
  if (kill === 0) await turnOffCaps(errata, shop)
  const count = EVENTS_A_KILL[formOf(options)]
  const corpus = { kind: 'error-5k', stacks: 400, seed: options.seed } as const
  const address = { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key }
  await generator.prepare({ corpus, first, count, address })
  const { least, most } = KILL_AFTER_MS
  const killed = afterMs(least + diceOf(options.seed, kill).below(most - least)).then(() => errata.kill())
  const result = await generator.run({
    target: { host: errata.host, port: errata.port, tls: false },
    ...{ from: 0, to: count, connections: options.connections, rate: null },
    ...{ stopAfterBroken: options.connections * 2, listAcknowledged: true },
  })
  await killed
  return { acknowledged: result.acknowledged ?? [], sent: result.sent, startedInMs: errata.startedInMs }
}

function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const ASKED_AT_ONCE = 8

interface Search {
  readonly errata: Asked
  readonly shop: SetUp
  readonly seed: number
  readonly sent: number
}

/** Numbers of those that the web API finds by their id. */
async function findAll({ errata, shop, seed, sent }: Search): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  let next = 0
  const ask = async () => {
    for (let number = next++; number < sent; number = next++)
      if (await exists(errata, shop, eventIdOf(seed, number))) found.add(number)
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask))
  return found
}

export function describeKill(report: KillReport): Measured {
  const lost = report.acknowledged - report.acknowledgedAndFound
  const doubled = report.counted - report.found
  return {
    name: 'kill',
    rows: [
      passed(`SIGKILL under load, ${report.kills} times: acknowledged − found`, lost === 0, String(lost)),
      passed('SIGKILL under load: counted − found (doubled)', doubled === 0, String(doubled)),
    ],
    notes: [
      `SIGKILL: ${report.acknowledged} of ${report.sent} events were acknowledged; each was looked up by its id`,
    ],
    details: report,
  }
}
