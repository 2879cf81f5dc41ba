import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { envelopeOf } from '#testing/builders/records.ts'
import { DAY, HOUR, NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, sendEnvelope } from '#testing/worlds/api.ts'

const ORG = '/organizations/acme'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const sid = (number: number) => number.toString(16).padStart(32, '0')

interface SentSession {
  readonly number: number
  readonly release?: string
  readonly environment?: string
  readonly agoMs?: number
  readonly status?: string
  readonly did?: string
}

const aSession = ({
  number,
  release = 'web@1.0.0',
  environment = 'production',
  agoMs = 0,
  ...rest
}: SentSession) => ({
  ...{ sid: sid(number), init: true, started: new Date(NOW - agoMs).toISOString(), ...rest },
  attrs: { release, environment },
})

describe('release health in the web API', () => {
  let shop: Shop
  let call: (line: string, body?: unknown) => Promise<{ status: number; body: Json; headers: Headers }>

  before(async () => {
    shop = await openShop()
    const callAs = callerOf(shop)
    call = (line, body) => callAs(shop.people.owner, line, body)
    const sent = [
      aSession({ number: 1, did: 'ann' }),
      aSession({ number: 1, did: 'ann', status: 'crashed' }),
      aSession({ number: 2, did: 'bo', agoMs: 2 * HOUR }),
      aSession({ number: 3, did: 'bo', status: 'errored', agoMs: 2 * HOUR }),
      aSession({ number: 4, release: 'web@2.0.0', did: 'cy', environment: 'staging' }),
      aSession({ number: 5, release: 'web@2.0.0', did: 'cy', status: 'unhandled', agoMs: 3 * DAY }),
    ]
    await sendEnvelope(shop, shop.dsn, envelopeOf(...sent.map((one) => ['session', one] as const)))
    const aggregates = [{ started: new Date(NOW).toISOString(), exited: 5, abnormal: 1 }]
    const counted = { aggregates, attrs: { release: 'api@1.0.0', environment: 'production' } }
    await sendEnvelope(shop, shop.vaultDsn, envelopeOf(['sessions', counted]))
  })
  after(() => shop.close())

  const stats = async (query: string) => (await call(`GET ${ORG}/sessions/?${query}`)).body

  it('sums sessions and people up, by release', async () => {
    const { groups } = await stats(
      'field=sum(session)&field=count_unique(user)&field=crash_free_rate(session)&groupBy=release&statsPeriod=7d&interval=1d',
    )
    assert.deepEqual(
      groups.map(({ by, totals }: Json) => [by.release, ...Object.values(totals)]),
      [
        ['api@1.0.0', 6, 0, 1],
        ['web@1.0.0', 3, 2, 1 - 1 / 3],
        ['web@2.0.0', 2, 1, 1],
      ],
    )
  })

  it('shows intervals that cover the range, and values for each', async () => {
    const body = await stats('field=sum(session)&statsPeriod=3h&interval=1h&query=release:web@1.0.0')
    assert.deepEqual(body.groups[0].series['sum(session)'], [0, 2, 0, 1])
    assert.deepEqual([body.intervals.length, body.intervals[3]], [4, new Date(NOW).toISOString()])
    assert.deepEqual(body.groups[0].by, {})
  })

  it('tells statuses apart', async () => {
    const { groups } = await stats(
      'field=sum(session)&groupBy=session.status&statsPeriod=7d&project=shop&interval=1d',
    )
    assert.deepEqual(
      Object.fromEntries(
        groups.map(({ by, totals }: Json) => [by['session.status'], totals['sum(session)']]),
      ),
      { healthy: 2, errored: 1, unhandled: 1, abnormal: 0, crashed: 1 },
    )
  })

  it('takes terms of release and environment, and lists of them', async () => {
    const count = async (query: string) => {
      const { groups } = await stats(
        `field=sum(session)&statsPeriod=7d&interval=1d&query=${encodeURIComponent(query)}`,
      )
      return groups[0].totals['sum(session)']
    }
    assert.equal(await count('release:"web@1.0.0"'), 3)
    assert.equal(await count('release:[web@1.0.0, "web@2.0.0"] environment:production'), 4)
    assert.equal(await count('environment:staging'), 1)
    assert.equal(await count('release:none'), 0)
  })

  const refused: readonly (readonly [string, string])[] = [
    ['field=p50(session.duration)', 'field'],
    ['field=sum(session)&groupBy=browser', 'groupBy'],
    ['field=sum(session)&interval=15m', 'interval'],
    ['field=sum(session)&interval=1h&statsPeriod=360d', 'interval'],
    ['field=count_unique(user)&interval=1h&statsPeriod=30d', 'interval'],
    ['field=sum(session)&query=browser:Chrome', 'query'],
  ]
  for (const [query, field] of refused) {
    it(`refuses "${query}", naming ${field}`, async () => {
      const answer = await call(`GET ${ORG}/sessions/?${query}`)
      assert.deepEqual([answer.status, Object.keys(answer.body)], [400, [field]])
    })
  }

  it('shows a member what their projects have', async () => {
    const { body } = await callerOf(shop)(
      shop.people.member,
      `GET ${ORG}/sessions/?field=sum(session)&statsPeriod=7d&interval=1d`,
    )
    assert.equal((body as Json).groups[0].totals['sum(session)'], 5)
  })

  it('adds health to releases where it is asked for', async () => {
    const plain = await call(`GET ${ORG}/releases/`)
    assert.equal(plain.body[0].projects[0].healthData, undefined)
    const { body } = await call(`GET ${ORG}/releases/?health=1&summaryStatsPeriod=14d&query=web`)
    const shown = body.map(({ version, projects: [{ healthData: of }] }: Json) => [
      ...[version, of.hasHealthData, of.totalSessions, of.sessionsCrashed, of.totalSessions24h],
      ...[of.sessionsAdoption, of.crashFreeUsers],
    ])
    assert.deepEqual(shown.sort(), [
      ['web@1.0.0', true, 3, 1, 3, 75, 50],
      ['web@2.0.0', true, 2, 0, 1, 25, 100],
    ])
    const one = await call(`GET ${ORG}/releases/web@2.0.0/?health=true`)
    assert.equal(one.body.projects[0].healthData.adoption, (1 / 3) * 100)
  })
})
