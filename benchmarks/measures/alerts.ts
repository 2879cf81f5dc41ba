/**
 * What alert rules cost: CPU of the whole process for an event with ten rules on each of 100 projects, beside that without
 * any. Two processes take turns with the same events, so that what the machine does meanwhile happens to both.
 */
import type { CorpusSpec } from '../corpus/corpus.ts'
import { medianOf } from '../load/latencies.ts'
import { formOf } from '../options.ts'
import { atMost, GOALS } from '../report/goals.ts'
import { type RunningErrata, type SetUp, setUp, startErrata } from '../server/errata.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { cpuMicros } from '../server/usage.ts'
import { deleteAt, getJson, postJson, turnOffCaps, untilDrained } from '../server/web-api.ts'
import { eventsOfRound } from './rounds.ts'
import type { Measured, Tools } from './tools.ts'

export interface AlertsReport {
  /** CPU microseconds of an event, round by round. */
  readonly without: readonly number[]
  readonly with: readonly number[]
  /** Of ingest, that rules add. */
  readonly share: number
}

const PROJECTS = 100
const ROUNDS = {
  quick: { rounds: 3, seconds: 2, least: 4_000 },
  full: { rounds: 7, seconds: 6, least: 8_000 },
}
const WARM_UP_EVENTS = 3_000

export async function measureAlerts(tools: Tools): Promise<AlertsReport> {
  using first = temporaryDirectory()
  using second = temporaryDirectory()
  const bare = await stageAt(tools, first.path)
  const ruled = await stageAt(tools, second.path)
  await using _bare = bare.errata
  await using _ruled = ruled.errata
  for (const stage of [bare, ruled]) await removeRules(stage)
  await addRules(ruled)
  const { rounds, ...size } = ROUNDS[formOf(tools.options)]
  const rate = await warmUp(bare)
  await warmUp(ruled)
  const count = eventsOfRound(rate, size)
  const micros = { without: [] as number[], with: [] as number[] } // filled below
  for (let round = 0; round < (tools.options.rounds ?? rounds); round++) {
    micros.without.push(await oneRound(bare, count))
    micros.with.push(await oneRound(ruled, count))
    const [without, withRules] = [micros.without.at(-1), micros.with.at(-1)]
    tools.onProgress(
      `alerts: round ${round + 1}: ${withRules?.toFixed()} µs an event, without rules ${without?.toFixed()} µs`,
    )
  }
  await bare.errata.stop()
  await ruled.errata.stop()
  return { ...micros, share: medianOf(micros.with) / medianOf(micros.without) - 1 }
}

export function describeAlerts(report: AlertsReport): Measured {
  const rows = [
    atMost('alerts, 10 rules on each of 100 projects: CPU an event', medianOf(report.with), null, 'µs'),
    atMost('alerts: share of ingest CPU that rules add', 100 * report.share, 100 * GOALS.alertsCpuShare, '%'),
  ]
  return { name: 'alerts', rows, notes: [], details: report }
}

interface Stage {
  readonly tools: Tools
  readonly shop: SetUp
  readonly errata: RunningErrata
  sent: number
  acknowledged: number
}

async function stageAt(tools: Tools, data: string): Promise<Stage> {
  const shop = await setUp(tools.product, data)
  const errata = await startErrata({ product: tools.product, data, profiles: tools.options.profiles })
  await turnOffCaps(errata, shop)
  return { tools, shop, errata, sent: 0, acknowledged: 0 }
}

const RULES = '/organizations/ORG/alerts/rules/'

function rulesPath({ shop }: Stage): string {
  return RULES.replace('ORG', shop.organisation)
}

/** Those that every organisation begins with, too. */
async function removeRules(stage: Stage): Promise<void> {
  const rules = await getJson<readonly { readonly id: number }[]>(stage.errata, stage.shop, rulesPath(stage))
  for (const { id } of rules) await deleteAt(stage.errata, stage.shop, `${rulesPath(stage)}${id}/`)
}

async function addRules(stage: Stage): Promise<void> {
  const { errata, shop } = stage
  const projects = [Number(shop.projectId)]
  for (let number = 1; number < PROJECTS; number++) {
    const path = `/organizations/${shop.organisation}/projects/`
    const made = await postJson<{ readonly id: string }>(errata, shop, {
      path,
      body: { name: `Project ${number}` },
    })
    projects.push(Number(made.id))
  }
  for (const project of projects)
    for (const rule of rulesOf(project)) await postJson(errata, shop, { path: rulesPath(stage), body: rule })
}

/** One of each sort that an event has to be counted or looked at for. */
function rulesOf(project: number): readonly unknown[] {
  const own = { projects: [project], notify: [{ target: { to: 'members' } }], everyMinutes: 1_440 }
  const issue = (name: string, when: object, conditions: readonly object[] = []) => ({
    ...{ ...own, kind: 'issue', name, when: [when], if: { match: 'all', conditions } },
  })
  const metric = (name: string, measure: object, windowMinutes: number) => ({
    ...{ ...own, kind: 'metric', name },
    when: {
      ...{ measure, windowMinutes, direction: 'above', critical: 1_000_000, warning: null, resolved: null },
      ...{ atLeast: 0, timesLastWeek: null },
    },
  })
  const production = [{ is: 'environment', value: 'production' }]
  return [
    issue('new', { on: 'new' }),
    issue('regressed', { on: 'regressed' }, production),
    issue('escalating', { on: 'escalating' }),
    issue('events', { on: 'frequency', of: 'events', atLeast: 1_000_000, withinMinutes: 60 }),
    issue('users', { on: 'frequency', of: 'users', atLeast: 1_000_000, withinMinutes: 60 }),
    issue('production', { on: 'frequency', of: 'events', atLeast: 1_000_000, withinMinutes: 5 }, production),
    issue('increase', { on: 'increase', of: 'events', times: 1_000, atLeast: 1_000_000, withinMinutes: 60 }),
    metric('events', { of: 'events' }, 5),
    metric('users', { of: 'users' }, 60),
    metric('lost', { of: 'outcomes', outcomes: ['rate_limited', 'invalid'] }, 60),
  ]
}

async function warmUp(stage: Stage): Promise<number> {
  await oneRound(stage, WARM_UP_EVENTS)
  const startMs = performance.now()
  await oneRound(stage, WARM_UP_EVENTS)
  return (WARM_UP_EVENTS * 1_000) / (performance.now() - startMs)
}

/** CPU of an event, until the last of them is visible. */
async function oneRound(stage: Stage, count: number): Promise<number> {
  const { tools, shop, errata } = stage
  const corpus: CorpusSpec = { kind: 'error-5k', stacks: 400, seed: tools.options.seed }
  const address = { host: `localhost:${errata.port}`, project: shop.projectId, key: shop.key }
  await tools.generator.prepare({ corpus, first: stage.sent, count, address })
  stage.sent += count
  const before = cpuMicros(errata.pid)
  const target = { host: errata.host, port: errata.port, tls: false }
  const { connections } = tools.options
  const result = await tools.generator.run({ from: 0, to: count, connections, rate: null, target })
  stage.acknowledged += result.accepted
  await untilDrained(errata, shop, { expected: stage.acknowledged })
  return ((cpuMicros(errata.pid) ?? Number.NaN) - (before ?? Number.NaN)) / result.accepted
}
