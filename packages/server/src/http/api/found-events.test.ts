import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const AT = Date.UTC(2026, 10, 16, 9)
const HOUR = 3_600_000

/** Events of two issues and a message, hours apart, by two people. */
describe('events of projects', () => {
  let shop: Shop
  let get: (path: string) => Promise<{ status: number; body: Json; headers: Headers }>
  const sent: string[] = []
  before(async () => {
    shop = await openShop()
    const call = callerOf(shop)
    get = async (path) => {
      const { status, body, headers } = await call(shop.token, `GET ${path.replaceAll(' ', '%20')}`)
      return { status, body, headers }
    }
    const failing = (type: string, hour: number, more: object = {}) =>
      anError({
        exception: { values: [{ type, value: 'boom' }] },
        timestamp: (AT + hour * HOUR) / 1_000,
        ...more,
      })
    for (const [type, hour, more] of [
      ['Slow', 0, { environment: 'production', user: { id: '1' } }],
      ['Slow', 1, { environment: 'production', user: { id: '2' } }],
      ['Slow', 1, { environment: 'staging', user: { id: '2' }, tags: { tier: 'gold' } }],
      ['Fast', 2, { environment: 'production', level: 'warning', user: { email: 'ada@shop.example' } }],
    ] as const)
      sent.push(await send(shop, shop.dsn, failing(type, hour, more)))
    await send(shop, shop.vaultDsn, failing('Vaulted', 2, { environment: 'production' }))
  })
  after(() => shop?.close())

  const DAY = 'start=2026-11-16T09:00:00Z&end=2026-11-16T13:00:00Z'

  it('come newest first, page by page, and all of them when asked', async () => {
    const first = await get(`/projects/acme/shop/events/?${DAY}&per_page=3`)
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual(
      first.body.map(({ eventID }: Json) => eventID),
      [sent[3], ...[sent[1] ?? '', sent[2] ?? ''].sort().reverse()],
    )
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(first.headers.get('link') ?? '')?.[1]
    const second = await get(`/projects/acme/shop/events/?${DAY}&per_page=3&cursor=${cursor}`)
    assert.deepEqual(
      second.body.map(({ eventID }: Json) => eventID),
      [sent[0]],
    )
    assert.match(second.headers.get('link') ?? '', /rel="next"; results="false"/)
    const [full] = (await get(`/projects/acme/shop/events/?${DAY}&full=true&per_page=1`)).body
    assert.equal(full.entries[0].type, 'exception')
  })

  it('are narrowed by search, environment and time', async () => {
    const count = async (query: string) => {
      const { status, body } = await get(`/projects/acme/shop/events/?${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.length
    }
    assert.equal(await count(DAY), 4)
    assert.equal(await count(`${DAY}&environment=staging`), 1)
    assert.equal(await count(`${DAY}&environment=staging&environment=production`), 4)
    assert.equal(await count(`${DAY}&query=tier:gold`), 1)
    assert.equal(await count(`${DAY}&query=issue:SHOP-1`), 3)
    assert.equal(await count(`${DAY}&query=issue:SHOP-1 user.id:1`), 1)
    assert.equal(await count(`${DAY}&query=event.type:error`), 4)
    assert.equal(await count(`${DAY}&query=!event.type:error`), 0)
    assert.equal(await count(`${DAY}&query=event.type:transaction`), 0)
    assert.equal(await count('start=2026-11-16T10:30:00Z&end=2026-11-16T13:00:00Z'), 1)
    const { status } = await get(`/projects/acme/shop/events/?${DAY}&query=events:>5`)
    assert.equal(status, 400)
  })

  const errors = (rest: string) => get(`/organizations/acme/events/?${DAY}&${rest}`)

  it('are rows of the fields that are asked for', async () => {
    const fields = [
      'issue',
      'issue.id',
      'project',
      'title',
      'timestamp',
      'level',
      'error.type',
      'tier',
      'user.id',
    ]
    const { status, body } = await errors(
      `dataset=errors&project=shop&${fields.map((field) => `field=${field}`).join('&')}`,
    )
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.data.length, 4)
    const { 'issue.id': issueId, ...newest } = body.data[0]
    assert.equal(typeof issueId, 'number')
    assert.deepEqual(newest, {
      ...{ issue: 'SHOP-2', project: 'shop', title: 'Fast: boom', timestamp: '2026-11-16T11:00:00.000Z' },
      ...{ level: 'warning', 'error.type': 'Fast', tier: null, 'user.id': null },
    })
    assert.equal(body.meta.fields.timestamp, 'date')
    assert.equal(
      (await errors('field=title')).body.data.length,
      5,
      'errors are what is meant where nothing is said',
    )
  })

  it('are figures of all, and by what stands beside them', async () => {
    const all = await errors('project=shop&field=count()&field=count_unique(user)&field=last_seen()')
    assert.deepEqual(all.body.data, [
      { 'count()': 4, 'count_unique(user)': 3, 'last_seen()': '2026-11-16T11:00:00.000Z' },
    ])
    const byIssue = await errors(
      'project=shop&field=issue&field=title&field=project&field=count()&sort=-count',
    )
    assert.deepEqual(byIssue.body.data, [
      { issue: 'SHOP-1', title: 'Slow: boom', project: 'shop', 'count()': 3 },
      { issue: 'SHOP-2', title: 'Fast: boom', project: 'shop', 'count()': 1 },
    ])
    const byEnvironment = await errors('field=environment&field=count()&sort=-count()&query=!title:Vaulted')
    assert.deepEqual(byEnvironment.body.data, [
      { environment: 'production', 'count()': 3 },
      { environment: 'staging', 'count()': 1 },
    ])
    const none = await errors('field=count()&field=count_unique(user)&query=title:nothing')
    assert.deepEqual(none.body.data, [{ 'count()': 0, 'count_unique(user)': 0 }])
    for (const wrong of [
      'field=p95(transaction.duration)',
      'field=trace&field=count()',
      'field=title&sort=loud',
    ])
      assert.equal((await errors(wrong)).status, 400, wrong)
  })

  it('count by time, of all and of the most frequent', async () => {
    const stats = async (rest: string) => {
      const { status, body } = await get(
        `/organizations/acme/events-stats/?${DAY}&interval=1h&project=shop&${rest}`,
      )
      assert.equal(status, 200, JSON.stringify(body))
      return body
    }
    const counts = (set: Json) => set.data.map(([, [{ count }]]: Json) => count)
    assert.deepEqual(counts(await stats('')), [1, 2, 1, 0])
    const start = Date.parse('2026-11-16T09:00:00Z') / 1_000
    assert.deepEqual((await stats('')).data[0], [start, [{ count: 1 }]])
    const axes = await stats('yAxis=count()&yAxis=count_unique(user)')
    assert.deepEqual(counts(axes['count_unique(user)']), [1, 1, 1, 0])
    const top = await stats('yAxis=count()&field=title&field=count()&topEvents=5')
    assert.deepEqual(Object.keys(top), ['Slow: boom', 'Fast: boom'])
    assert.deepEqual([counts(top['Slow: boom']), top['Fast: boom'].order], [[1, 2, 0, 0], 1])
    assert.deepEqual(Object.keys(await stats('field=issue&topEvents=1')), ['SHOP-1'])
    // What Grafana asks for without groups.
    assert.deepEqual(
      counts(await stats('yAxis=count()&field=count()&topEvents=10&partial=1&excludeOther=1')),
      [1, 2, 1, 0],
    )
    const series = await get(
      `/organizations/acme/events-timeseries/?${DAY}&interval=1h&project=shop&yAxis=count()&groupBy=title&topEvents=1`,
    )
    const [only] = series.body.timeSeries
    assert.deepEqual(
      [only.yAxis, only.groupBy, only.values.map(({ value }: Json) => value)],
      ['count()', [{ key: 'title', value: 'Slow: boom' }], [1, 2, 0, 0]],
    )
  })

  it('of a project that somebody may not read are nowhere', async () => {
    const call = callerOf(shop)
    const member = async (path: string): Promise<Json> =>
      (await call(shop.people.member, `GET ${path}`)).body as Json
    const titles = (await member(`/organizations/acme/events/?${DAY}&field=title`)).data
    assert.ok(titles.length === 4 && !JSON.stringify(titles).includes('Vaulted'))
    const counted = (await member(`/organizations/acme/events/?${DAY}&field=project&field=count()`)).data
    assert.deepEqual(counted, [{ project: 'shop', 'count()': 4 }])
    const byTime = await member(`/organizations/acme/events-stats/?${DAY}&interval=1d`)
    assert.equal(
      byTime.data.reduce((sum: number, [, [{ count }]]: Json) => sum + count, 0),
      4,
    )
    for (const path of [
      '/projects/acme/vault/events/',
      '/projects/acme/vault/tags/',
      '/projects/acme/vault/tags/level/values/',
      '/projects/acme/vault/users/',
      '/projects/acme/vault/stats/',
      '/projects/acme/vault/filters/',
      '/projects/acme/vault/members/',
      '/organizations/acme/tags/?project=vault',
      '/organizations/acme/events/?field=title&project=vault',
      '/organizations/acme/events-stats/?project=vault',
      '/organizations/acme/stats-summary/?project=vault',
      '/organizations/acme/issues-count/?query=a&project=vault',
    ])
      assert.equal((await call(shop.people.member, `GET ${path}`)).status, 404, path)
  })

  it('have tags whose values are counted, and people', async () => {
    const keys = (await get('/projects/acme/shop/tags/')).body
    assert.deepEqual(
      keys.find(({ key }: Json) => key === 'tier'),
      { key: 'tier', name: 'Tier', totalValues: 1, canDelete: false },
    )
    assert.ok(
      (await get('/organizations/acme/tags/?limit=100')).body.some(({ key }: Json) => key === 'level'),
    )
    const values = (await get('/projects/acme/shop/tags/environment/values/')).body
    assert.deepEqual(
      values.map(({ value, count }: Json) => [value, count]),
      [
        ['production', 3],
        ['staging', 1],
      ],
    )
    assert.equal((await get('/projects/acme/shop/tags/environment/values/?query=sta')).body.length, 1)
    assert.equal((await get('/organizations/acme/tags/nope/values/')).status, 404)
    const users = (await get('/projects/acme/shop/users/')).body
    assert.deepEqual(
      users.map(({ tagValue }: Json) => tagValue),
      ['id:2', 'email:ada@shop.example', 'id:1'],
    )
    const [found, ...others] = (await get('/projects/acme/shop/users/?query=ada')).body
    assert.deepEqual([found.email, found.identifier, others], ['ada@shop.example', null, []])
  })

  it('are counted in the older calls for outcomes, too', async () => {
    const { start, end, projects } = (await get('/organizations/acme/stats-summary/?statsPeriod=1d')).body
    assert.ok(Date.parse(end) > Date.parse(start))
    const own = projects.find(({ slug }: Json) => slug === 'shop')
    const [error] = own.stats.filter(({ category }: Json) => category === 'error')
    assert.deepEqual(
      [error.outcomes.accepted, error.outcomes.filtered, error.totals],
      [4, 0, { dropped: 0, 'sum(quantity)': 4 }],
    )
    for (const [stat, sum] of [
      ['received', 4],
      ['generated', 4],
      ['rejected', 0],
      ['blacklisted', 0],
    ] as const) {
      const { status, body } = await get(`/projects/acme/shop/stats/?stat=${stat}&resolution=1h`)
      assert.equal(status, 200)
      assert.equal(
        body.reduce((total: number, [, count]: Json) => total + count, 0),
        sum,
        stat,
      )
    }
    const days = (await get(`/projects/acme/shop/stats/?resolution=1d&since=${AT / 1_000 - 864_000}`)).body
    assert.ok(days.length >= 2 && days.every(([second]: Json) => second % 86_400 === 0))
    assert.equal((await get('/projects/acme/shop/stats/?since=x')).status, 400)
  })

  it('make issues that searches count, and that grow', async () => {
    const counts = await get(
      '/organizations/acme/issues-count/?query=is:unresolved&query=level:warning&query=issue.category:performance&project=shop',
    )
    assert.deepEqual(counts.body, {
      ...{ 'is:unresolved': 2, 'level:warning': 1, 'issue.category:performance': 0 },
    })
    assert.equal((await get('/organizations/acme/issues-count/?query=events:x')).status, 400)
    const titles = async (rest: string) =>
      (await get(`/organizations/acme/issues/?project=shop&${rest}`)).body.map(({ title }: Json) => title)
    assert.deepEqual(await titles('query=issue.category:error issue.type:error&sort=new'), [
      'Fast: boom',
      'Slow: boom',
    ])
    assert.deepEqual(await titles('query=!issue.category:error'), [])
    assert.deepEqual(await titles('query=issue.category:[error,cron]&sort=freq'), [
      'Slow: boom',
      'Fast: boom',
    ])
    // Of four hours the first two have all events of one, and the last two all of the other.
    assert.deepEqual(await titles(`${DAY}&sort=trends`), ['Fast: boom', 'Slow: boom'])
    const first = await get(`/organizations/acme/issues/?project=shop&${DAY}&sort=trends&limit=1`)
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(first.headers.get('link') ?? '')?.[1]
    assert.deepEqual(await titles(`${DAY}&sort=trends&limit=1&cursor=${cursor}`), ['Slow: boom'])
  })
})
