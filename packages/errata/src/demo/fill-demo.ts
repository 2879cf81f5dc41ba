/**
 * The sample organisation: events that real SDKs sent (see `origin` of each payload), given new ids, people and
 * times over the last 14 days, and sent to Errata's own ingest endpoint like anybody's. Errata's clock is 14 days behind
 * when it begins and goes forward with what is sent, so that everything counted stands on the day on which it happened.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { catchUp, clockOf, type LateClock, lateClock } from '@errata/server/clock'
import { findDigestsInText } from '@errata/server/digest-text'
import { addSampleFigures, keepSampleSessions } from '@errata/server/offline/sample-figures'
import { COMMAND_LINE_FACTS, unwrap } from '../local-answers.ts'
import type { StartedErrata } from '../start-errata.ts'
import { demoChannels } from './alert-channels.ts'
import { alertSteps, demoRules, FAILING_RULE } from './alert-rules.ts'
import { atBuild } from './built-frames.ts'
import { DEMO_TRACKER, trackerSteps } from './issue-tracker.ts'
import payloads from './payloads.json' with { type: 'json' }
import {
  DEMO_DAYS,
  type DemoItem,
  type DemoPayload,
  makeEnvelope,
  type Planned,
  planEvents,
} from './plan-events.ts'
import { planFailures } from './plan-failures.ts'
import { type FigureProjects, planFigures, planMinutes, planOutcomes } from './plan-figures.ts'
import { planSessions } from './plan-sessions.ts'
import { planOldTabs, planSkew } from './plan-skew.ts'
import { planSpans, TRACED_DAYS } from './plan-spans.ts'
import { sendSample } from './send-sample.ts'
import { habitSteps, makeHabits } from './team-habits.ts'
import { flagSteps } from './tell-flags.ts'
import { type DemoOrganisation, type DemoStep, releaseSteps } from './tell-releases.ts'
import { startTrickle } from './trickle.ts'

const EMAIL = 'rosa@marlowfinch.example'
const ORGANISATION = 'Marlow & Finch'
const FIRST_PROJECT = 'storefront'
/** So many at once share a commit; a few would cost one each. */
const SENDERS = 64
const PLATFORMS: Readonly<Record<string, string>> = {
  warehouse: 'python',
  billing: 'go',
}

const HOUR_MS = 3_600_000
/** Between the organisation's first day and its first event. */
const SETTING_UP_MS = 2 * HOUR_MS

/** The clock to start a demo with; `null`, the machine's, where the data directory holds something already. */
export function demoClock(data: string): LateClock | null {
  return isEmpty(data) ? lateClock(DEMO_DAYS * 24 * HOUR_MS + SETTING_UP_MS) : null
}

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === 'ENOENT') return true
    if (code === 'ENOTDIR')
      throw new Error(`${directory} is no directory; choose another with --data`, { cause })
    throw cause
  }
}

/**
 * Fills an empty installation, and answers what ends the visits that go on in it. `print`: the sign-in first, then how far it is.
 * `stop`: nothing is sent or waited for any more.
 */
export async function fillDemo(
  { engine, url, drained }: StartedErrata,
  clock: LateClock | null,
  { print, stop }: { readonly print: (line: string) => void; readonly stop: AbortSignal },
): Promise<() => void> {
  if (clock === null || !(await engine.queries.needsSetup())) {
    print(asBefore(url))
    return () => {}
  }
  const nowMs = Date.now()
  const { data } = engine.settings
  try {
    const password = randomBytes(9).toString('base64url')
    const { dsns, asking, token, failingRule, figured } = await makeOrganisation(engine, {
      password,
      nowMs: clockOf(clock).now(),
    })
    print(signIn({ url, password }))
    const planned = { nowMs, random: () => randomInt(0, 2 ** 32) / 2 ** 32 }
    const rows = planFigures(figured, planned)
    const [minutes, outcomes] = [planMinutes(failingRule, planned), planOutcomes(figured, planned)]
    addSampleFigures(data, { rows, minutes, outcomes }, nowMs)
    const sampled = payloads.map(atBuild)
    const plan = planAll(sampled, planned)
    const steps = [
      ...releaseSteps({ engine, asking, token, url }, nowMs),
      ...flagSteps({ engine, asking, token, url }, nowMs),
      ...habitSteps({ engine, asking }, nowMs),
      ...trackerSteps({ engine, asking }, nowMs),
      ...alertSteps(nowMs, {
        drained,
        fires: () => fires(engine, { asking, failingRule }),
        passTo: (atMs) => catchUp(clock, atMs),
      }),
    ]
    const stepsInOrder = steps.sort((a, b) => a.atMs - b.atMs)
    const keep = () => keepSampleSessions(data, clockOf(clock).now())
    const to = { dsns, url, clock, stop, sent: progress(plan.length, { print, keep }) }
    await tellAll(plan, stepsInOrder, to)
    await engine.commands.signOut(asking)
    catchUp(clock, Number.POSITIVE_INFINITY)
    keep()
    print(summary(plan))
    return startTrickle({ payloads: sampled, send: (item) => send(item, to) })
  } finally {
    catchUp(clock, Number.POSITIVE_INFINITY)
  }
}

async function fires(
  { queries }: Engine,
  { asking, failingRule }: Pick<MadeOrganisation, 'asking' | 'failingRule'>,
): Promise<boolean> {
  const view = await queries.alertRule(asking.scope, failingRule)
  return view !== null && view.state !== null && view.state.level !== 'ok'
}

/** Oldest first. */
function planAll(sampled: readonly DemoPayload[], planned: Planned): readonly DemoItem[] {
  const events = planEvents(sampled, planned)
  const plan = [
    ...[...events, ...planFailures(planned), ...planSkew(planned), ...planOldTabs(planned)],
    ...[...planSessions({ project: FIRST_PROJECT, package: 'shop' }, planned), ...planSpans(events, planned)],
  ]
  return plan.sort((a, b) => a.atMs - b.atMs)
}

function asBefore(url: string): string {
  return [
    '',
    'This data directory is filled already, and stays as it is: the demo fills an empty one only.',
    `  Sign in      ${url}/sign-in, as before`,
    `  New password errata user reset-password EMAIL`,
  ].join('\n')
}

const PROGRESS_STEPS = 5
/** The clock passes less than a day from one to the next. */
const KEPT_STEPS = 40

interface Progress {
  readonly print: (line: string) => void
  /** Called often. */
  readonly keep: () => void
}

/** Called for each that was sent. */
function progress(all: number, { print, keep }: Progress): () => void {
  let sent = 0
  return () => {
    const [before, now] = [sent / all, ++sent / all]
    if (Math.floor(now * KEPT_STEPS) > Math.floor(before * KEPT_STEPS)) keep()
    const step = Math.floor(now * PROGRESS_STEPS)
    if (step > Math.floor(before * PROGRESS_STEPS) && step < PROGRESS_STEPS)
      print(`  Filling      ${(100 * step) / PROGRESS_STEPS} %`)
  }
}

function signIn({ url, password }: { readonly url: string; readonly password: string }): string {
  const digest = findDigestsInText(JSON.stringify(payloads).match(/"digest": ?"(\d+)"/)?.[0] ?? '')[0]
  return [
    '',
    'The sample organisation:',
    `  Sign in      ${url}/sign-in`,
    `  Email        ${EMAIL}`,
    `  Password     ${password}`,
    `  A digest     ${digest ?? 'none'}  (paste it at ${url}/digest)`,
    '',
    `Filling it with ${DEMO_DAYS} days takes about 20 seconds. Until then, its clock is behind and pages are incomplete.`,
  ].join('\n')
}

function summary(plan: readonly DemoItem[]): string {
  const events = plan.filter(({ type }) => type === 'event').length
  const traced = plan.filter(({ type }) => type === 'span' || type === 'transaction').length
  return [
    `The sample organisation is filled: ${events} events of the last ${DEMO_DAYS} days, ${traced} requests and page loads of the last ${TRACED_DAYS},`,
    'and the figures of more than 20,000 requests a day. New visits keep arriving while it runs.',
  ].join('\n')
}

type Engine = StartedErrata['engine']

interface MadeOrganisation extends Pick<DemoOrganisation, 'token'> {
  /** Caller with the rights of its owner. */
  readonly asking: DemoOrganisation['asking'] & Parameters<Engine['commands']['signOut']>[0]
  /** By project slug. */
  readonly dsns: ReadonlyMap<string, string>
  /** Id of the rule on failing actions. */
  readonly failingRule: number
  readonly figured: FigureProjects
}

/** Rosa's organisation and its projects, and the token of its build. */
async function makeOrganisation(
  engine: Engine,
  { password, nowMs }: { readonly password: string; readonly nowMs: number },
): Promise<MadeOrganisation> {
  const made = unwrap(
    await engine.commands.setup(COMMAND_LINE_FACTS, {
      code: null,
      email: EMAIL,
      name: 'Rosa Kim',
      password,
      organisation: ORGANISATION,
      project: FIRST_PROJECT,
      platform: 'javascript-nextjs',
    }),
  )
  const viewer = await engine.access.authenticateSession(made.signedIn.cookie, nowMs)
  const scope = viewer === null ? null : engine.access.scope(viewer, made.organisation)
  if (viewer === null || scope === null) throw new Error('the sample owner cannot sign in')
  const asking = { viewer, scope, ...COMMAND_LINE_FACTS }
  const dsns = new Map([[FIRST_PROJECT, made.dsn]])
  const ids = new Map<string, FigureProjects['shop']>()
  for (const name of new Set(payloads.map(({ project }) => project))) {
    if (dsns.has(name)) continue
    const input = { name, slug: name, platform: PLATFORMS[name] ?? null, teams: [] }
    const created = unwrap(await engine.commands.run('createProject', asking, input))
    const { project, keyPublic } = created
    dsns.set(name, engine.queries.dsn({ public: keyPublic, projectId: project.id }))
    ids.set(name, project.id)
  }
  let failingRule = 0
  const first = await engine.queries.project(scope, FIRST_PROJECT)
  if (first !== null) {
    ids.set(FIRST_PROJECT, first.id)
    const change = { options: { filters: { crawlers: true }, codeMappings: [CODE_MAPPING] } }
    unwrap(await engine.commands.run('updateProject', asking, { project: first.id, change }))
    const channels = new Map<string, number>()
    for (const channel of demoChannels())
      channels.set(channel.kind, unwrap(await engine.commands.run('createChannel', asking, channel)).id)
    unwrap(await engine.commands.run('createTracker', asking, DEMO_TRACKER))
    for (const [place, rule] of demoRules(first.id, channels).entries()) {
      const { id } = unwrap(await engine.commands.run('createRule', asking, rule))
      if (place === FAILING_RULE) failingRule = id
    }
  }
  await makeHabits({ engine, asking })
  const build = { name: 'ci-deploy', scopes: ['org:ci'], personal: false }
  const { token } = unwrap(await engine.commands.createToken(asking, build))
  const [shop, warehouse] = [ids.get(FIRST_PROJECT), ids.get('warehouse')]
  if (shop === undefined || warehouse === undefined) throw new Error('the sample lacks a project')
  const [shopKey] = await engine.queries.keys(scope, shop)
  if (shopKey === undefined) throw new Error('the sample lacks a key')
  return { dsns, asking, token, failingRule, figured: { shop, warehouse, shopKey: shopKey.id } }
}

const CODE_MAPPING = {
  stackRoot: 'src/',
  sourceRoot: 'src/',
  repository: 'https://git.marlowfinch.example/shop/storefront',
  host: 'forgejo',
  branch: 'main',
} as const

interface Receiver {
  readonly dsns: ReadonlyMap<string, string>
  readonly url: string
  readonly clock: LateClock
  readonly stop: AbortSignal
  /** Called for each that was sent. */
  readonly sent: () => void
}

/** Each step once everything before it was sent. */
async function tellAll(plan: readonly DemoItem[], steps: readonly DemoStep[], to: Receiver): Promise<void> {
  let fromMs = Number.NEGATIVE_INFINITY
  for (const step of steps) {
    await sendAll(
      plan.filter(({ atMs }) => atMs >= fromMs && atMs < step.atMs),
      to,
    )
    catchUp(to.clock, step.atMs)
    await step.run()
    fromMs = step.atMs
  }
  await sendAll(
    plan.filter(({ atMs }) => atMs >= fromMs),
    to,
  )
}

async function sendAll(plan: readonly DemoItem[], to: Receiver): Promise<void> {
  let next = 0
  const sender = async () => {
    for (let item = plan[next++]; item !== undefined; item = plan[next++]) {
      catchUp(to.clock, item.atMs)
      await send(item, to)
      to.sent()
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

async function send(
  item: DemoItem,
  { dsns, url, stop }: Pick<Receiver, 'dsns' | 'url' | 'stop'>,
): Promise<void> {
  const { username: key, pathname } = new URL(dsns.get(item.project) ?? '')
  // The public address may be another machine's name: the sample goes to this process, by the project of the DSN.
  const target = new URL(`/api${pathname}/envelope/?sentry_key=${key}&sentry_version=7`, url)
  await sendSample(target, makeEnvelope(item), stop)
}
