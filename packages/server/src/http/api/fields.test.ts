import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, send, URL_HERE } from '#testing/worlds/api.ts'

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('what the web API answers', () => {
  let shop: Shop
  let older: string
  let newer: string
  let get: (path: string) => Promise<Json>

  before(async () => {
    shop = await openShop()
    const call = callerOf(shop)
    get = async (path) => {
      const { status, body } = await call(shop.token, `GET ${path}`)
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
      return body
    }
    older = await send(
      shop,
      shop.dsn,
      anError({ timestamp: NOW / 1000 - 3_600, tags: { plan: 'free', digest: '2741933020' } }),
    )
    newer = await send(
      shop,
      shop.dsn,
      anError({ timestamp: NOW / 1000 - 60, level: 'fatal', user: { id: '8' } }),
    )
    await send(
      shop,
      shop.dsn,
      anError({
        message: 'Disk is almost full',
        exception: undefined,
        level: 'warning',
        logger: 'ops',
        transaction: 'cron',
      }),
    )
  })
  after(() => shop.close())

  it('tells version, scopes and user', async () => {
    const { version, auth, user } = await get('/')
    assert.equal(version, '0')
    assert.ok(auth.scopes.includes('event:admin'))
    assert.equal(user, null, 'an organisation token is nobody')
    const anonymous = await callerOf(shop)(null, 'GET /')
    assert.deepEqual(anonymous.body, { version: '0', auth: null, user: null })
    const person = await callerOf(shop)(shop.people.member, 'GET /auth/')
    const { email, username, name, isAuthenticated } = person.body as Json
    assert.deepEqual(
      [email, username, name, isAuthenticated],
      ['member@acme.test', 'member@acme.test', 'member', true],
    )
  })

  it('describes organisation, project and key', async () => {
    const [organisation] = await get('/organizations/')
    assert.deepEqual(await get('/organizations/acme/'), organisation)
    const { orgRoleList, teamRoleList, ...plain } = organisation
    assert.deepEqual(
      [orgRoleList.map(({ id }: Json) => id), teamRoleList.map(({ id }: Json) => id)],
      [
        ['owner', 'manager', 'member', 'viewer', 'guest'],
        ['contributor', 'admin'],
      ],
    )
    assert.deepEqual(
      { ...plain, dateCreated: ISO.test(organisation.dateCreated) },
      {
        id: '1',
        slug: 'acme',
        name: 'Acme',
        dateCreated: true,
        status: { id: 'active', name: 'active' },
        isEarlyAdopter: false,
        require2FA: false,
        requireEmailVerification: false,
        features: [],
        avatar: { avatarType: 'letter_avatar', avatarUuid: null },
        links: { organizationUrl: `${URL_HERE}/acme`, regionUrl: URL_HERE },
      },
    )
    const project = await get('/projects/acme/shop/')
    assert.deepEqual(await get(`/projects/${organisation.id}/${project.id}/`), project, 'slug or id')
    assert.deepEqual(
      [project.slug, project.name, project.platform, project.id],
      ['shop', 'Shop', 'node', String(shop.shop.id)],
    )
    assert.match(project.firstEvent, ISO)
    assert.equal(project.options.retentionDays, 90)
    assert.deepEqual(
      project.teams.map(({ slug }: Json) => slug),
      ['acme'],
    )
    const [key] = await get('/projects/acme/shop/keys/')
    assert.deepEqual(Object.keys(key).sort(), [
      'browserSdkVersion',
      'dateCreated',
      'dsn',
      'dynamicSdkLoaderOptions',
      'id',
      'isActive',
      'label',
      'name',
      'projectId',
      'public',
      'rateLimit',
      'secret',
    ])
    assert.deepEqual(key.dsn, {
      public: shop.dsn,
      secret: null,
      csp: null,
      security: null,
      minidump: null,
      cdn: null,
    })
    assert.match(key.public, /^[0-9a-f]{32}$/)
    assert.deepEqual([key.id, key.secret, key.isActive, key.rateLimit], [key.public, '', true, null])
    assert.deepEqual(await get(`/projects/acme/shop/keys/${key.id}/`), key)
  })

  it('lists projects, teams and members', async () => {
    assert.deepEqual(
      (await get('/organizations/acme/projects/')).map(({ slug }: Json) => slug),
      ['shop', 'vault'],
    )
    assert.deepEqual(
      (await get('/organizations/acme/teams/')).map(({ slug }: Json) => slug),
      ['acme', 'closed'],
    )
    const members = await get('/organizations/acme/members/')
    assert.deepEqual(
      members
        .map(({ email, role, teams }: Json) => [email, role, teams])
        .find(([email]: Json) => email === 'member@acme.test'),
      ['member@acme.test', 'member', ['acme']],
    )
  })

  it('describes an issue field for field', async () => {
    const [issue] = await get('/organizations/acme/issues/?query=TypeError&statsPeriod=14d')
    const { filtered, lifetime, stats, firstSeen, lastSeen, ...rest } = issue
    assert.deepEqual(lifetime, { count: '2', userCount: 2, firstSeen, lastSeen })
    assert.deepEqual(rest, {
      id: issue.id,
      shareId: null,
      shortId: 'SHOP-1',
      title: 'TypeError: total is not a function',
      culprit: 'GET /cart',
      permalink: `${URL_HERE}/acme/issues/${issue.id}`,
      logger: null,
      level: 'fatal',
      status: 'unresolved',
      substatus: 'new',
      statusDetails: {},
      isPublic: false,
      platform: 'node',
      project: { id: String(shop.shop.id), slug: 'shop', name: 'Shop', platform: 'node' },
      type: 'error',
      metadata: {
        type: 'TypeError',
        value: 'total is not a function',
        filename: 'app/cart.ts',
        function: 'totalOf',
      },
      numComments: 0,
      assignedTo: null,
      priority: 'high',
      priorityLockedAt: null,
      isBookmarked: false,
      isSubscribed: false,
      subscriptionDetails: null,
      hasSeen: false,
      annotations: [],
      isUnhandled: true,
      count: '2',
      userCount: 2,
      errata: { category: 'server', digest: '2741933020' },
    })
    assert.deepEqual(
      [firstSeen, lastSeen],
      [new Date(NOW - 3_600_000).toISOString(), new Date(NOW - 60_000).toISOString()],
    )
    assert.deepEqual(Object.keys(stats), ['14d'])
    assert.deepEqual(filtered, { count: '2', userCount: 2, firstSeen, lastSeen, stats }, 'all of it matches')
    assert.equal(
      stats['14d'].reduce((sum: number, [, count]: Json) => sum + count, 0),
      2,
    )
    const detail = await get(`/organizations/acme/issues/${issue.id}/`)
    const mirrors = { count: 0, events: 0, eventsElsewhere: 0, folded: [] }
    const alone = { ...rest, firstSeen, lastSeen, errata: { ...rest.errata, mirrors } }
    assert.deepEqual(alone, Object.fromEntries(Object.keys(alone).map((name) => [name, detail[name]])))
    assert.deepEqual(await get('/organizations/acme/issues/shop-1/'), detail, 'by short id, in any case')
    const { group, ...place } = await get('/organizations/acme/shortids/SHOP-1/')
    assert.deepEqual(place, {
      organizationSlug: 'acme',
      projectSlug: 'shop',
      groupId: issue.id,
      shortId: 'SHOP-1',
    })
    assert.equal(group.id, issue.id)
  })

  it('calls a message a default issue', async () => {
    const [issue] = await get('/projects/acme/shop/issues/?query=level:warning')
    assert.deepEqual([issue.title, issue.type, issue.logger], ['Disk is almost full', 'default', 'ops'])
    const event = await get(`/organizations/acme/issues/${issue.id}/events/latest/`)
    assert.equal(event.type, 'default')
    assert.deepEqual(event.metadata, { title: 'Disk is almost full' })
    assert.deepEqual(
      event.entries.map(({ type }: Json) => type),
      ['message', 'breadcrumbs', 'request'],
    )
    assert.equal(event.entries[0].data.formatted, 'Disk is almost full')
  })

  it('describes an event with its entries in the names of Sentry', async () => {
    const event = await get(`/projects/acme/shop/events/${newer}/`)
    const [issue] = await get('/organizations/acme/issues/?query=TypeError')
    assert.deepEqual(
      [event.id, event.eventID, event.groupID, event.projectID],
      [newer, newer, issue.id, String(shop.shop.id)],
    )
    assert.deepEqual(
      [event.type, event.title, event.culprit, event.platform, event.location],
      ['error', 'TypeError: total is not a function', 'GET /cart', 'node', 'app/cart.ts'],
    )
    assert.deepEqual(
      [event.dateCreated, event.dateReceived],
      [new Date(NOW - 60_000).toISOString(), new Date(NOW).toISOString()],
    )
    assert.deepEqual([event.previousEventID, event.nextEventID], [older, null])
    assert.deepEqual(event.release, { version: 'shop@1.0.0' })
    assert.deepEqual(event.context, { cartSize: 3 })
    assert.deepEqual(event.packages, { left: '1.0.0' })
    assert.deepEqual(event.sdk, { name: 'sentry.javascript.node', version: '11.12.0' })
    assert.equal(event.contexts.runtime.name, 'node')
    assert.equal(event.user.id, '8')
    assert.equal(event.fingerprints.length, 1)
    assert.deepEqual(event.errors, [])
    const tags = Object.fromEntries(event.tags.map(({ key, value }: Json) => [key, value]))
    for (const [key, tag] of Object.entries({
      level: 'fatal',
      environment: 'production',
      server_name: 'web-1',
      transaction: 'GET /cart',
      handled: 'no',
      mechanism: 'generic',
      release: 'shop@1.0.0',
      plan: 'gold',
    })) {
      assert.equal(tags[key], tag, key)
    }
    assert.deepEqual(
      event.entries.map(({ type }: Json) => type),
      ['exception', 'breadcrumbs', 'request'],
    )
    const [exception, breadcrumbs, request] = event.entries
    const [thrown] = exception.data.values
    assert.deepEqual(
      [thrown.type, thrown.value, thrown.mechanism.handled],
      ['TypeError', 'total is not a function', false],
    )
    const frame = thrown.stacktrace.frames.at(-1)
    assert.deepEqual(
      [
        frame.filename,
        frame.absPath,
        frame.function,
        frame.module,
        frame.lineNo,
        frame.colNo,
        frame.inApp,
        frame.vars,
      ],
      ['app/cart.ts', '/srv/app/cart.ts', 'totalOf', 'cart', 12, 7, true, { cart: '[Object]' }],
    )
    assert.deepEqual(frame.context, [
      [10, 'const a = 1'],
      [11, 'const b = 2'],
      [12, 'return cart.total()'],
      [13, '}'],
    ])
    assert.deepEqual([exception.data.hasSystemFrames, thrown.stacktrace.frames[0].inApp], [true, false])
    assert.deepEqual(
      [breadcrumbs.data.values[0].category, breadcrumbs.data.values[0].timestamp],
      ['ui.click', new Date(NOW - 61_000).toISOString()],
    )
    assert.deepEqual(
      [request.data.url, request.data.method, request.data.query],
      ['https://shop.test/cart', 'GET', [['x', '1']]],
    )
    assert.deepEqual(request.data.headers, [['Host', 'shop.test']])
  })

  it('shows what was wrong with an event as its errors', async () => {
    const id = await send(
      shop,
      shop.dsn,
      anError({ level: 'loud', platform: 'node', timestamp: NOW / 1000 + 86_400 }),
    )
    const { errors } = await get(`/projects/acme/shop/events/${id}/`)
    assert.ok(errors.length >= 1)
    for (const error of errors) {
      assert.equal(typeof error.type, 'string')
      assert.equal(typeof error.data.name, 'string')
    }
    assert.ok(
      errors.some(({ type }: Json) => type === 'future_timestamp'),
      JSON.stringify(errors),
    )
  })

  it('gives the stored event back in the SDK’s own spelling', async () => {
    const json = await get(`/projects/acme/shop/events/${older}/json/`)
    assert.equal(json.event_id, older)
    assert.equal(json.exception.values[0].stacktrace.frames[1].in_app, true)
    assert.deepEqual(json.extra, { cartSize: 3 })
    for (const ours of ['problems', 'scrubbedPaths', 'other']) assert.ok(!(ours in json), ours)
    const [issue] = await get('/organizations/acme/issues/?query=TypeError')
    assert.deepEqual(await get(`/organizations/acme/issues/${issue.id}/events/${older}/json/`), json)
  })

  it('walks the events of an issue', async () => {
    const [issue] = await get('/organizations/acme/issues/?query=TypeError')
    const path = `/organizations/acme/issues/${issue.id}/events/`
    const rows = await get(path)
    assert.ok(rows.length >= 2)
    const dates = rows.map(({ dateCreated }: Json) => dateCreated)
    assert.deepEqual(dates, dates.toSorted().reverse(), 'newest first')
    assert.equal((await get(`${path}oldest/`)).eventID, older)
    assert.equal((await get(`${path}latest/`)).eventID, rows[0].eventID)
    assert.equal((await get(`${path}recommended/`)).eventID, rows[0].eventID)
    assert.deepEqual(
      (await get(`${path}?query=plan:free`)).map(({ eventID }: Json) => eventID),
      [older],
    )
    const full = await get(`${path}?full=true`)
    assert.deepEqual(
      full.map(({ eventID }: Json) => eventID),
      rows.map(({ eventID }: Json) => eventID),
    )
    assert.ok(full[0].entries.length > 0)
    const place = await get(`/organizations/acme/eventids/${older}/`)
    assert.deepEqual(
      [place.organizationSlug, place.projectSlug, place.groupId, place.eventId, place.event.eventID],
      ['acme', 'shop', issue.id, older, older],
    )
    assert.deepEqual(await get(`/organizations/acme/eventids/${older.toUpperCase()}/`), place)
  })

  it('counts tags and names groups', async () => {
    const path = '/organizations/acme/issues/SHOP-1'
    const plan = (await get(`${path}/tags/`)).find(({ key }: Json) => key === 'plan')
    assert.deepEqual(await get(`${path}/tags/plan/`), plan)
    assert.equal(plan.name, 'plan')
    const values = await get(`${path}/tags/plan/values/`)
    assert.deepEqual(values.map(({ value }: Json) => value).sort(), ['free', 'gold'])
    assert.equal(
      plan.totalValues,
      values.reduce((sum: number, { count }: Json) => sum + count, 0),
    )
    const [hash] = await get(`${path}/hashes/`)
    assert.match(hash.id, /^[0-9a-f]{32}$/)
    assert.equal(hash.latestEvent.eventID, (await get(`${path}/events/latest/`)).eventID)
    const { activity } = await get(`${path}/activities/`)
    assert.equal(activity.at(-1).type, 'first_seen')
  })

  it('accounts for everything that was sent', async () => {
    const stats = await get(
      '/organizations/acme/stats_v2/?field=sum(quantity)&groupBy=outcome&groupBy=category&statsPeriod=1d&interval=1h',
    )
    assert.ok(ISO.test(stats.start) && ISO.test(stats.end))
    const [accepted] = stats.groups.filter(({ by }: Json) => by.outcome === 'accepted')
    assert.deepEqual(accepted.by, { outcome: 'accepted', category: 'error' })
    assert.equal(accepted.totals['sum(quantity)'], 4)
    assert.equal(accepted.series['sum(quantity)'].length, stats.intervals.length)
    assert.equal(
      accepted.series['sum(quantity)'].reduce((sum: number, count: number) => sum + count, 0),
      4,
    )
    const byProject = await get(`/organizations/acme/stats_v2/?groupBy=project&project=shop&outcome=accepted`)
    assert.deepEqual(
      byProject.groups.map(({ by, totals }: Json) => [by, totals['sum(quantity)']]),
      [[{ project: shop.shop.id }, 4]],
    )
  })

  it('finds the issue behind a digest, however it was pasted', async () => {
    const { digest, matches } = await get('/organizations/acme/digests/2741933020/')
    assert.equal(digest, '2741933020')
    const [issue] = await get('/organizations/acme/issues/?query=TypeError')
    assert.deepEqual(Object.keys(matches[0]).sort(), [
      'count',
      'environment',
      'eventId',
      'firstSeen',
      'issueId',
      'lastSeen',
      'project',
      'release',
      'requestKind',
      'route',
      'shortId',
      'title',
      'traceId',
    ])
    assert.deepEqual(
      [matches[0].issueId, matches[0].shortId, matches[0].eventId, matches[0].project],
      [issue.id, 'SHOP-1', older, 'shop'],
    )
    const page =
      'Application error: a server-side exception has occurred while loading shop.test (see the server logs for more information).\n\nDigest: 2741933020'
    for (const query of [
      '2741933020',
      ' 2741933020 ',
      'Digest: 2741933020',
      'digest:2741933020',
      'ERROR 2741933020',
      '2741933020@E394',
      page,
    ]) {
      const found = await get(`/organizations/acme/issues/?query=${encodeURIComponent(query)}`)
      assert.deepEqual(
        found.map(({ id }: Json) => id),
        [issue.id],
        query,
      )
    }
    for (const query of ['2741933021', 'Digest: 2741933021', '2741933021@E394']) {
      assert.deepEqual(await get(`/organizations/acme/issues/?query=${encodeURIComponent(query)}`), [], query)
    }
    const unknown = await callerOf(shop)(shop.token, 'GET /organizations/acme/digests/2741933021/')
    assert.equal(unknown.status, 404)
    const { detail, help } = unknown.body as Json
    assert.match(detail, /2741933021/)
    assert.ok(help.length > 20)
  })

  it('narrows the issue of a digest by the other terms of a search', async () => {
    const [issue] = await get('/organizations/acme/issues/?query=TypeError')
    for (const [query, isFound] of [
      ['is:unresolved 2741933020', true],
      ['2741933020 level:error plan:free', true],
      ['is:unresolved Digest: 2741933020', true],
      ['is:resolved 2741933020', false],
      ['plan:bronze 2741933020', false],
      ['is:unresolved 2741933021', false],
    ] as const) {
      const found = await get(`/organizations/acme/issues/?query=${encodeURIComponent(query)}`)
      assert.deepEqual(
        found.map(({ id }: Json) => id),
        isFound ? [issue.id] : [],
        query,
      )
    }
  })

  it('finds the issue of a pasted event id', async () => {
    const [issue] = await get('/organizations/acme/issues/?query=TypeError')
    assert.deepEqual(
      (await get(`/organizations/acme/issues/?query=${older}`)).map(({ id }: Json) => id),
      [issue.id],
    )
    assert.deepEqual(await get(`/organizations/acme/issues/?query=${'f'.repeat(32)}`), [])
  })
})
