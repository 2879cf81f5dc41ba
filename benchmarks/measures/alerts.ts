/**
 * Measures what alert rules cost: with ten on each of 100 projects, the share of the samples of V8's profiles that lie in counting
 * for rules and evaluating them, of all threads' while events come in. Both are of one process and the same seconds, so
 * that whatever the machine does besides happens to both; two processes that take turns differed by more than rules cost.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CorpusSpec } from '../corpus/corpus.ts'
import { medianOf } from '../load/latencies.ts'
import { formOf } from '../options.ts'
import { type CpuProfile, type Share, type Span, shareOf } from '../report/cpu-profile.ts'
import { atMost, GOALS } from '../report/goals.ts'
import { type RunningErrata, type SetUp, setUp, startErrata } from '../server/errata.ts'
import { temporaryDirectory } from '../server/temporary-directory.ts'
import { cpuMicros } from '../server/usage.ts'
import { deleteAt, getJson, postJson, turnOffCaps, untilDrained } from '../server/web-api.ts'
import { eventsOfRound } from './rounds.ts'
import type { Measured, Tools } from './tools.ts'

export interface AlertsReport {
  /** CPU microseconds of an event, round by round. */
  readonly micros: readonly number[]
  /** Share of ingest that rules take. */
  readonly share: number
}

/** Functions of evaluating that wait: what comes behind an `await` is below no other function. */
const EVALUATING = [
  ...['evaluateRules', 'evaluateWaiting', 'evaluateStretch', 'lookAtIssues', 'beginEscalations', 'meetRules'],
  ...[
    'readSlotSums',
    'saveStretch',
    'saveFirings',
    'closeIncidents',
    'loadStorms',
    'saveStorms',
    'tellStorms',
  ],
  ...[
    'tellSomeStorms',
    'closeStorms',
    'evaluateMinute',
    'evaluateMetrics',
    'concludeMetrics',
    'lookAtMetrics',
  ],
  ...['compareWithLastWeek', 'saveMetrics', 'readShown', 'askByRule', 'askFigures', 'askBySet'],
  ...['tellByPresets', 'changesToTell', 'findQuiet', 'planByBounds', 'saveNotices', 'saveSummaries'],
]
/** Functions in which rules are counted for and evaluated: whatever they call is theirs. */
const OF_RULES = new Set(['loadRules', 'countForRules', 'saveCounted', 'noteLookUps', ...EVALUATING])
const PROJECTS = 100
const ROUNDS = {
  quick: { rounds: 3, seconds: 2, least: 4_000 },
  full: { rounds: 7, seconds: 6, least: 8_000 },
}
const WARM_UP_EVENTS = 3_000

export async function measureAlerts(tools: Tools): Promise<AlertsReport> {
  using data = temporaryDirectory()
  using profiles = temporaryDirectory()
  const stage = await stageAt(tools, { data: data.path, profiles: profiles.path })
  await using _errata = stage.errata
  await removeRules(stage)
  await addRules(stage)
  const { rounds, ...size } = ROUNDS[formOf(tools.options)]
  const count = eventsOfRound(await warmUp(stage), size)
  const micros: number[] = []
  const spans: Span[] = []
  for (let round = 0; round < (tools.options.rounds ?? rounds); round++) {
    const fromMicros = nowMicros()
    micros.push(await oneRound(stage, count))
    spans.push({ fromMicros, toMicros: nowMicros() })
    tools.onProgress(`alerts: round ${round + 1}: ${micros.at(-1)?.toFixed()} µs an event`)
  }
  await stage.errata.stop()
  return { micros, share: shareOfRules(profiles.path, spans) }
}

function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

function shareOfRules(directory: string, spans: readonly Span[]): number {
  const threads = readdirSync(directory).map((name) => {
    const profile = JSON.parse(readFileSync(join(directory, name), 'utf8')) as CpuProfile // written by V8
    return shareOf(profile, OF_RULES, spans)
  })
  const sum = (of: (share: Share) => number) => threads.reduce((all, share) => all + of(share), 0)
  const within = sum((share) => share.within)
  // A renamed function must not look like rules that cost nothing.
  if (within === 0)
    throw new Error('no sample lies in the rules: is a function of theirs called otherwise now?')
  return within / sum((share) => share.busy)
}

export function describeAlerts(report: AlertsReport): Measured {
  const rows = [
    atMost('alerts, 10 rules on each of 100 projects: CPU an event', medianOf(report.micros), null, 'µs'),
    atMost(
      'alerts: share of ingest CPU that rules take',
      100 * report.share,
      100 * GOALS.alertsCpuShare,
      '%',
    ),
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

async function stageAt(
  tools: Tools,
  { data, profiles }: { readonly data: string; readonly profiles: string },
): Promise<Stage> {
  const shop = await setUp(tools.product, data)
  const errata = await startErrata({ product: tools.product, data, profiles })
  await turnOffCaps(errata, shop)
  return { tools, shop, errata, sent: 0, acknowledged: 0 }
}

const RULES = '/organizations/ORG/alerts/rules/'

function rulesPath({ shop }: Stage): string {
  return RULES.replace('ORG', shop.organisation)
}

/** Removes all rules, those that every organisation begins with too. */
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

/** Makes one rule of each sort that an event has to be counted or looked at for. */
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
