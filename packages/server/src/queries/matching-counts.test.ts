/** Every number of a list under a search, against the events themselves. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { asking, callerOf, openShop, type Shop, send, unwrap } from '#testing/worlds/api.ts'
import type { IssueList, IssueListParams } from './types.ts'

interface Json {
  readonly count: string
  readonly userCount: number
  readonly firstSeen: string
}

/** Sent event, as it counts. */
interface Sent {
  readonly project: 'shop' | 'vault'
  readonly type: string
  readonly text: string
  readonly atMs: number
  readonly release: string
  readonly environment: string
  readonly level: string
  readonly user: string | null
  readonly plan: string | null
  readonly transaction: string
  readonly handled: boolean
}

const START = NOW - 6 * DAY_MS
const RANGE = { startMs: START - HOUR_MS, endMs: NOW + HOUR_MS }
const LIST: IssueListParams = {
  ...{ query: '', projects: [], environments: [], range: RANGE },
  ...{ sort: 'date', limit: 100, cursor: null },
}
const TYPES = ['TypeError', 'RangeError', 'KeyError', 'Timeout', 'NotFound'] as const

/** The same each time, with every value beside every other. */
function someEvents(): readonly Sent[] {
  return Array.from({ length: 240 }, (_, n) => ({
    project: n % 7 === 0 ? 'vault' : 'shop',
    type: TYPES[(n * 3) % 5] ?? 'TypeError',
    text: `order ${n % 11} failed`,
    atMs: START + ((n * 7_919) % 518_000) * 1_000,
    release: ['shop@1.0.0', 'shop@1.1.0', 'shop@2.0.0'][(n * 5) % 3] ?? '',
    environment: ['production', 'staging', 'preview'][Math.floor(n / 3) % 3] ?? '',
    level: ['error', 'warning', 'fatal'][Math.floor(n / 5) % 3] ?? '',
    user: n % 4 === 3 ? null : `u-${n % 9}`,
    plan: ['gold', 'silver', null][Math.floor(n / 2) % 3] ?? null,
    transaction: ['GET /cart', 'POST /pay'][Math.floor(n / 4) % 2] ?? '',
    handled: n % 6 === 0,
  }))
}

function eventOf(sent: Sent, index: number) {
  const { type, text } = sent
  const mechanism = { type: 'generic', handled: sent.handled }
  const frame = { filename: `app/${type}.ts`, function: `fail${type}`, lineno: 1, in_app: true }
  return anError({
    event_id: index.toString(16).padStart(32, '0'),
    timestamp: sent.atMs / 1_000,
    ...{ release: sent.release, environment: sent.environment, level: sent.level },
    exception: { values: [{ type, value: text, mechanism, stacktrace: { frames: [frame] } }] },
    tags: sent.plan === null ? {} : { plan: sent.plan },
    user: sent.user === null ? undefined : { id: sent.user },
    transaction: sent.transaction,
    request: undefined,
  })
}

type Meets = (event: Sent) => boolean
const isOf = (release: string) => (event: Sent) => event.release === release

/** A search, what it chooses beside, and the same asked of an event. */
const SEARCHES: readonly [query: string, meets: Meets, chosen?: Partial<IssueListParams>][] = [
  ['user:u-3', ({ user }) => user === 'u-3'],
  ['user.id:u-3', ({ user }) => user === 'u-3'],
  ['!user:u-3', ({ user }) => user !== 'u-3'],
  ['has:user', ({ user }) => user !== null],
  ['release:shop@1.1.0', isOf('shop@1.1.0')],
  ['release:latest', isOf('shop@2.0.0')],
  ['!release:latest', (event) => !isOf('shop@2.0.0')(event)],
  ['release:[shop@1.0.0, latest]', ({ release }) => release !== 'shop@1.1.0'],
  ['environment:staging', ({ environment }) => environment === 'staging'],
  ['', ({ environment }) => environment !== 'preview', { environments: ['production', 'staging'] }],
  ['level:warning', ({ level }) => level === 'warning'],
  ['level:warning level:fatal', ({ level }) => level !== 'error'],
  ['!level:error', ({ level }) => level !== 'error'],
  ['plan:gold', ({ plan }) => plan === 'gold'],
  ['!plan:gold', ({ plan }) => plan !== 'gold'],
  ['has:plan', ({ plan }) => plan !== null],
  ['plan:*l*', ({ plan }) => plan !== null],
  ['"order 7"', ({ text }) => text.includes('order 7')],
  ['order !failed', () => false],
  ['TypeError', ({ type }) => type === 'TypeError'],
  ['error.type:KeyError', ({ type }) => type === 'KeyError'],
  ['is:unhandled', ({ handled }) => !handled],
  ['transaction:"POST /pay"', ({ transaction }) => transaction === 'POST /pay'],
  [
    'environment:staging release:shop@1.1.0 plan:gold',
    ({ environment, release, plan }) =>
      environment === 'staging' && release === 'shop@1.1.0' && plan === 'gold',
  ],
  ['user:u-1 level:fatal order', ({ user, level }) => user === 'u-1' && level === 'fatal', { sort: 'freq' }],
  ['plan:gold OR user:u-2', ({ plan, user }) => plan === 'gold' || user === 'u-2', { sort: 'user' }],
  [
    'environment:staging (is:resolved OR plan:silver)',
    ({ environment, plan }) => environment === 'staging' && plan === 'silver',
  ],
  ['timestamp:>2026-11-13T10:20:30', ({ atMs }) => atMs > Date.parse('2026-11-13T10:20:30Z')],
  [
    'plan:gold',
    ({ plan, atMs }) => plan === 'gold' && atMs >= NOW - 3 * DAY_MS && atMs < NOW - DAY_MS,
    { range: { startMs: NOW - 3 * DAY_MS, endMs: NOW - DAY_MS } },
  ],
  [
    'environment:staging',
    (event) => event.project === 'vault' && event.environment === 'staging',
    { projects: ['vault'] },
  ],
  ['is:unresolved plan:gold', ({ plan }) => plan === 'gold', { sort: 'freq', tab: 'unresolved' }],
]

describe('the issue list under a search', () => {
  let shop: Shop
  const events = someEvents()
  /** The two that become one. */
  const issueOf = ({ project, type }: Sent) =>
    `${project} ${project === 'shop' && type === 'KeyError' ? 'TypeError' : type}`
  before(async () => {
    shop = await openShop()
    for (const [index, sent] of events.entries())
      await send(shop, sent.project === 'shop' ? shop.dsn : shop.vaultDsn, eventOf(sent, index))
    const scope = await shop.people.owner.scope()
    const refOf = async (type: string) =>
      (await listOf({ query: `error.type:${type}`, projects: ['shop'] })).rows[0]?.shortId ?? ''
    const [into, from] = [await refOf('TypeError'), await refOf('KeyError')]
    unwrap(
      await shop.commands.run('mergeIssues', asking(await shop.people.owner.viewer(), scope), {
        selection: { refs: [into, from] },
      }),
    )
  })
  after(() => shop.close())

  const listOf = async (change: Partial<IssueListParams>): Promise<IssueList> =>
    shop.queries.issueList(await shop.people.owner.scope(), { ...LIST, ...change })

  for (const [query, meets, chosen = {}] of SEARCHES) {
    const name = `${query} ${JSON.stringify(chosen)}`
    it(`counts what matches: ${name}`, async () => {
      const list = await listOf({ query, ...chosen })
      assert.deepEqual(list.problems, [])
      const matching = Map.groupBy(events.filter(meets), issueOf)
      const told = list.rows.map((row) => {
        const one = row.matching
        return [one?.events, one?.users.count, one?.firstSeenMs, one?.lastSeenMs]
      })
      const own = [...matching.values()].map((some) => [
        some.length,
        new Set(some.flatMap(({ user }) => user ?? [])).size,
        Math.min(...some.map(({ atMs }) => atMs)),
        Math.max(...some.map(({ atMs }) => atMs)),
      ])
      const order = (some: typeof told) => some.map((one) => one.join()).toSorted()
      assert.deepEqual(order(told), order(own))
      assert.equal(list.total, matching.size)
      assert.equal(list.tabs.all, matching.size)
      assert.equal(list.inexact, null)
      assert.equal(
        list.eventsMatching ?? 0,
        own.reduce((sum, [count = 0]) => sum + count, 0),
      )
      const by = { date: 3, freq: 0, user: 1, new: 2, trends: 0, priority: 0 }[chosen.sort ?? 'date']
      const keys = told.map((one) => one[by] ?? 0)
      assert.deepEqual(
        keys,
        keys.toSorted((a, b) => b - a),
      )
      for (const { matching: one, eventCountInRange } of list.rows)
        assert.ok((one?.events ?? 0) <= eventCountInRange)
      const bars = list.rows.flatMap(({ matching: one }) => one?.trend.counts ?? [])
      assert.equal(
        bars.reduce((sum, count) => sum + count, 0),
        own.reduce((sum, [count = 0]) => sum + count, 0),
      )
    })
  }

  it('answers over the web API as Sentry does', async () => {
    const call = callerOf(shop)
    const ask = async (query: string) => {
      const rest = `query=${encodeURIComponent(query)}&project=vault&statsPeriod=7d`
      const { body } = await call(shop.token, `GET /organizations/acme/issues/?${rest}`)
      return body as readonly { readonly count: string; readonly filtered: Json | null }[]
    }
    const [first] = await ask('plan:gold TypeError')
    const own = events.filter(
      ({ project, plan, type }) => project === 'vault' && plan === 'gold' && type === 'TypeError',
    )
    assert.equal(first?.filtered?.count, String(own.length))
    assert.equal(first?.filtered?.userCount, new Set(own.flatMap(({ user }) => user ?? [])).size)
    assert.equal(first?.filtered?.firstSeen, new Date(Math.min(...own.map(({ atMs }) => atMs))).toISOString())
    assert.ok(Number(first?.count) > own.length)
    assert.deepEqual(
      (await ask('is:unresolved')).map(({ filtered }) => filtered).filter((one) => one !== null),
      [],
    )
  })

  it('estimates users where they are too many to tell apart', async () => {
    const scope = await shop.people.owner.scope()
    const files = await shop.telemetry.files()
    const groups = await shop.telemetry.groupsMatching(scope, { files }, 100)
    const hashes = await shop.telemetry.groupPeopleHashes(scope, { files, groups })
    const users = new Set(hashes.map(({ user }) => user))
    assert.equal(users.size, new Set(events.flatMap(({ user }) => user ?? [])).size)
    assert.equal(await shop.telemetry.groupPeople(scope, { files, groups }, 3), null)
    assert.ok(((await shop.telemetry.groupPeople(scope, { files, groups }, 1_000)) ?? []).length > 20)
  })

  it('tells nothing apart where the search asks the events nothing', async () => {
    const list = await listOf({ query: 'is:unresolved' })
    assert.deepEqual([...new Set(list.rows.map(({ matching }) => matching))], [null])
    assert.equal(list.eventsMatching, null)
    assert.equal(list.eventsInRange, events.length)
  })
})
