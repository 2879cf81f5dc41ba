/** Alert rules fire from what a real SDK sends over HTTP: each once, across a kill in the middle of a commit and a replay. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Measure } from '../../packages/server/src/model/alert-rule.ts'
import { aMetricRule, anIssueRule } from '../../packages/server/testing/builders/alert-rule.ts'
import { apiGet, issues } from '../support/api.ts'
import { changeBeside } from '../support/beside.ts'
import { signIn } from '../support/person.ts'
import { newDataDirectory, OWNER, type SetUp, serve, setUp } from '../support/start-errata.ts'
import { waitFor } from '../support/wait-for.ts'

const SENDER = fileURLToPath(new URL('./senders/alerts-app.mjs', import.meta.url))
const ESCALATING = fileURLToPath(new URL('./senders/escalating-app.mjs', import.meta.url))
const PRELOAD = fileURLToPath(new URL('../faults/kill-at-step.mjs', import.meta.url))
const run = promisify(execFile)

interface Fired {
  readonly name: string
  readonly firedByDay: readonly number[]
}

const ANY = { route: null, kind: null } as const
/** Each is beyond its threshold with the first that the app sends, and stays there. */
const METRICS: Readonly<Record<string, readonly [Measure, 'above' | 'below', number]>> = {
  'event count': [{ of: 'events' }, 'above', 0],
  'user count': [{ of: 'users' }, 'above', 0],
  requests: [{ of: 'requests', ...ANY }, 'above', 0],
  'failure rate': [{ of: 'failure-rate', ...ANY }, 'above', 10],
  apdex: [{ of: 'apdex', thresholdMs: 60_000, ...ANY }, 'below', 2],
  percentile: [{ of: 'duration', percentile: 95, ...ANY }, 'above', 0],
  'crash-free': [{ of: 'crash-free', what: 'sessions' }, 'below', 101],
  outcomes: [{ of: 'outcomes', outcomes: ['client_discard'] }, 'above', 0],
  silence: [{ of: 'silence' }, 'above', 0],
}

const NOW = { everyMinutes: 0 } as const
const RULES = [
  anIssueRule({ on: 'new' }, { name: 'new', ...NOW }),
  anIssueRule({ on: 'regressed' }, { name: 'regressed', ...NOW }),
  anIssueRule({ on: 'resolved' }, { name: 'resolved', ...NOW }),
  anIssueRule({ on: 'frequency', of: 'events', atLeast: 1, withinMinutes: 60 }, { name: 'events', ...NOW }),
  anIssueRule({ on: 'frequency', of: 'users', atLeast: 1, withinMinutes: 60 }, { name: 'users', ...NOW }),
  anIssueRule(
    { on: 'increase', of: 'events', times: 1, atLeast: 1, withinMinutes: 60 },
    { name: 'increase', ...NOW },
  ),
  anIssueRule({ on: 'activity', what: ['comment'] }, { name: 'comment', ...NOW }),
  anIssueRule({ on: 'activity', what: ['assignment'] }, { name: 'assignment', ...NOW }),
  anIssueRule({ on: 'digest', atLeast: 1, withinMinutes: 60 }, { name: 'digest', ...NOW }),
  ...Object.entries(METRICS).map(([name, [measure, direction, critical]]) =>
    aMetricRule({ measure, direction, critical, warning: null, windowMinutes: 60 }, { name, ...NOW }),
  ),
]

it('rules fire once for each issue, whatever is killed and replayed', { timeout: 480_000 }, async () => {
  const data = await newDataDirectory()
  const first = await serve({ data })
  const { port } = first
  const shop = await setUp(data, first.url)
  for (const rule of RULES) await post(shop, '/organizations/shop/alerts/rules/', rule)
  await first.stop()
  // The process ends when the control transaction is written and nobody was told of it yet.
  const env = {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PRELOAD}`,
    ERRATA_TEST_KILL: 'columns:1',
  }
  const killed = await serve({ data, port, env })
  await run(process.execPath, [SENDER, '@sentry/node', shop.dsn], { timeout: 120_000 }).catch(() => null)
  await killed.ended
  await using running = await serve({ data, port })
  // What was acknowledged before the kill is replayed; the whole is sent once more besides.
  await run(process.execPath, [SENDER, '@sentry/node', shop.dsn], { timeout: 120_000 })
  const known = await waitFor('three issues', async () => {
    const found = await issues(shop)
    return found.length === 3 ? found : null
  })
  const [issue] = known
  assert.ok(issue)
  await put(shop, `/organizations/shop/issues/?id=${issue.id}`, { status: 'resolved' })
  await post(shop, `/organizations/shop/issues/${issue.id}/comments/`, { text: 'Looking into it' })
  await put(shop, `/organizations/shop/issues/?id=${issue.id}`, { assignedTo: OWNER.email })
  const rosa = await signIn(running.url, OWNER)
  for (let time = 0; time < 2; time++) await (await rosa.document('/digest/2674428404')).text()
  await run(process.execPath, [SENDER, '@sentry/node', shop.dsn], { timeout: 120_000 })
  const expected = {
    ...{ new: 3, regressed: 1, resolved: 1, events: 3, increase: 3, comment: 1 },
    ...{ assignment: 1, digest: 1 },
    ...Object.fromEntries(Object.keys(METRICS).map((name) => [name, 1])),
  }
  const fired = await waitFor(
    'every rule fired',
    async () => {
      const counts = await firedBy(shop)
      const isThere = Object.entries(expected).every(([name, count]) => (counts[name] ?? 0) >= count)
      return isThere && (counts.users ?? 0) >= 1 ? counts : null
    },
    100_000,
  ).catch(() => firedBy(shop))
  const { users, ...others } = fired
  assert.deepEqual(others, expected)
  // Only some of its events name a person.
  assert.ok(users !== undefined && users <= 3)
  assert.equal(await running.stop(), 0)
  const again = await serve({ data, port })
  assert.deepEqual(await firedBy(shop), fired, 'a restart fires nothing again')
  assert.equal(await again.stop(), 0)
  await rm(data, { recursive: true, force: true })
})

it('an archived issue escalates once, with what it sends in an hour', { timeout: 300_000 }, async () => {
  const data = await newDataDirectory()
  const { port, url, stop } = await serve({ data })
  // What is set up beside a running server is seen up to a second later: its key would be refused.
  assert.equal(await stop(), 0)
  const shop = await setUp(data, url)
  const first = await serve({ data, port })
  const sendTimes = (times: number) =>
    run(process.execPath, [ESCALATING, '@sentry/node', shop.dsn, String(times)], { timeout: 120_000 })
  const issue = async () => (await issues(shop))[0]
  const rule = anIssueRule({ on: 'escalating' }, { name: 'beyond its forecast' })
  await post(shop, '/organizations/shop/alerts/rules/', rule)
  const fired = async () => (await firedBy(shop, [rule]))[rule.name]
  await sendTimes(1)
  const { id } = await waitFor('the issue', async () => (await issue()) ?? null)
  const until = { status: 'ignored', substatus: 'archived_until_escalating' }
  await put(shop, `/organizations/shop/issues/?id=${id}`, until)
  assert.equal(await first.stop(), 0)
  makeOlder(data, 30)
  const env = {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PRELOAD}`,
    ERRATA_TEST_KILL: 'columns:1',
  }
  const killed = await serve({ data, port, env })
  await sendTimes(12).catch(() => null)
  await killed.ended
  const again = await serve({ data, port })
  await sendTimes(12)
  await waitFor(
    'the escalation',
    async () => ((await issue())?.substatus === 'escalating' ? true : null),
    60_000,
  )
  await waitFor('the firing', async () => ((await fired()) === 1 ? true : null))
  await sendTimes(12)
  await waitFor('all events', async () => (Number((await issue())?.count) >= 25 ? true : null))
  assert.equal(await again.stop(), 0)
  const last = await serve({ data, port })
  assert.equal(await fired(), 1, 'it fired once')
  assert.equal(await last.stop(), 0)
  await rm(data, { recursive: true, force: true })
})

/** Nothing has a forecast on its first day: all that is there happened so many hours earlier. */
function makeOlder(data: string, hours: number): void {
  const sql = `UPDATE group_hours SET hour = hour - ${hours};
    UPDATE issues SET first_seen_ms = first_seen_ms - ${hours * 3_600_000}`
  changeBeside(data, sql)
}

/** How often each of our rules fired. */
async function firedBy(
  shop: SetUp,
  ours: readonly { readonly name: string }[] = RULES,
): Promise<Readonly<Record<string, number>>> {
  const rules = await apiGet<readonly Fired[]>(shop, '/organizations/shop/alerts/rules/')
  const own = rules.filter(({ name }) => ours.some((rule) => rule.name === name))
  return Object.fromEntries(
    own.map(({ name, firedByDay }) => [name, firedByDay.reduce((sum, one) => sum + one, 0)]),
  )
}

async function send(
  shop: SetUp,
  method: 'POST' | 'PUT',
  ...[path, body]: readonly [string, unknown]
): Promise<void> {
  const answer = await fetch(`${shop.url}/api/0${path}`, {
    method,
    headers: { authorization: `Bearer ${shop.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.text()}`)
}

const post = (shop: SetUp, path: string, body: unknown) => send(shop, 'POST', path, body)
const put = (shop: SetUp, path: string, body: unknown) => send(shop, 'PUT', path, body)
