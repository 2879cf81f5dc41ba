/**
 * Measures what the control store's commit costs in two trees, in one process and in turns: CPU of this thread while batches of 1,000 errors
 * are committed, by set, medians of ratios.
 *
 *   node scripts/with-node24.mjs benchmarks/control-pairs.ts [--against DIR] [--rounds 7] [--only 3|400|all|wide]
 *
 * DIR is a folder with the sources of another commit, and what they need installed; without it, this tree is measured alone. Columns
 * and payloads are written too, by both; their own threads are not counted. `wide` has events of more groups, in more projects, than are
 * remembered: each is of another group than those before.
 */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { anActor } from '../packages/server/testing/builders/actor.ts'
import { ROOT } from '../scripts/node24.mjs'
import { type CorpusSpec, corpusEvent, envelopeOf, type Stacks } from './corpus/corpus.ts'
import { errorEnvelope } from './dataset/wide-events.ts'

type Worlds = typeof import('../packages/server/testing/worlds/api.ts')
type Shop = Awaited<ReturnType<Worlds['openShop']>>

/** Event by number, and who sends it, of as many projects as the shop has. */
interface Sent {
  readonly body: Buffer
  readonly project: number
}

interface EventSet {
  readonly name: string
  readonly only: string
  /** Projects beside the shop's own. */
  readonly projects: number
  /** Rounds before the first that counts. */
  readonly warmRounds: number
  sent(number: number, atMs: number): Sent
}

const WARM_ROUNDS = 3
const PROJECTS = 905
/** More than `groupsRememberedMax`. */
const GROUPS = 12_000

const SETS: readonly EventSet[] = [
  ofStacks('known groups (3 stacks)', 3),
  ofStacks('400 stacks', 400),
  ofStacks('all new', 'all'),
  {
    ...{ name: `wide (${GROUPS} groups of ${PROJECTS} projects)`, only: 'wide', projects: PROJECTS },
    warmRounds: 12 + WARM_ROUNDS,
    sent: (number, atMs) => ({
      body: errorEnvelope({ type: `Wide${number % GROUPS}`, number, atMs }).body,
      project: (number % GROUPS) % PROJECTS,
    }),
  },
]
const BATCH = 1_000

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string' },
  },
})
const roots = values.against === undefined ? [ROOT] : [ROOT, resolve(values.against)]
const trees = await Promise.all(roots.map(worldsOf))
for (const set of SETS) if ((values.only ?? set.only) === set.only) await compare(set)

function ofStacks(name: string, stacks: Stacks): EventSet {
  const spec: CorpusSpec = { kind: 'error-5k', stacks, seed: 7 }
  return {
    ...{ name, only: `${stacks}`, projects: 0, warmRounds: WARM_ROUNDS },
    sent: (number, atMs) => ({
      body: Buffer.from(envelopeOf(spec, corpusEvent(spec, number, atMs), atMs)),
      project: 0,
    }),
  }
}

async function worldsOf(root: string): Promise<Worlds> {
  const file = join(root, 'packages/server/testing/worlds/api.ts')
  return import(pathToFileURL(file).href) as Promise<Worlds> // the same module of another tree
}

async function compare(set: EventSet): Promise<void> {
  const shops = await Promise.all(trees.map(({ openShop }) => openShop()))
  const senders = await Promise.all(shops.map((shop) => sendersOf(shop, set.projects)))
  const ratios: number[] = []
  const micros: number[][] = [[], []]
  for (let round = 0; round < set.warmRounds + Number(values.rounds); round++) {
    const cost = [0, 0]
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const [shop, from] = [shops[side], senders[side]]
      if (shop === undefined || from === undefined) continue
      cost[side] = await costOf(shop, { set, from, first: round * BATCH })
    }
    if (round < set.warmRounds) continue
    ratios.push((cost[0] ?? 0) / (cost[1] ?? 1))
    for (const side of [0, 1]) micros[side]?.push((cost[side] ?? 0) / BATCH)
  }
  for (const shop of shops) await shop.close()
  const [now, before] = micros.map((all) => median(all).toFixed(1))
  if (shops.length === 1) console.log(`${set.name}: ${now} µs an event`)
  else console.log(`${set.name}: ${median(ratios).toFixed(3)} (${now} µs an event, before ${before})`)
}

interface Sender {
  readonly ref: string
  readonly key: string
}

/** The shop's own project, and others beside it. */
async function sendersOf(shop: Shop, others: number): Promise<readonly Sender[]> {
  const { username, pathname } = new URL(shop.dsn)
  const senders = [{ ref: pathname.slice(1), key: username }]
  const actor = anActor()
  const { orgId } = await shop.people.owner.scope('acme')
  for (let at = 0; at < others; at++) {
    const key = (at + 1).toString(16).padStart(32, '0')
    const project = { orgId, slug: `app-${at}`, name: `App ${at}`, platform: 'node', teams: [] }
    const made = await shop.control.createProject({ ...project, keyPublic: key }, actor)
    if (!made.ok) throw new Error(made.message)
    senders.push({ ref: String(made.value.id), key })
  }
  await shop.refreshDirectory()
  return others === 0 ? senders : senders.slice(1)
}

interface Costed {
  readonly set: EventSet
  readonly from: readonly Sender[]
  readonly first: number
}

async function costOf(shop: Shop, { set, from, first }: Costed): Promise<number> {
  for (let number = first; number < first + BATCH; number++) {
    const { body, project } = set.sent(number, shop.clock.now() - BATCH + (number - first))
    const sender = from[project]
    if (sender === undefined) throw new Error(`no project ${project}`)
    await shop.accept.accept({
      ...{ projectRef: sender.ref, format: 'envelope', body },
      query: new URLSearchParams({ sentry_key: sender.key }),
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
