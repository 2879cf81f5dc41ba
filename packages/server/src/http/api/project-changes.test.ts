import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const titled = (type: string) => anError({ exception: { values: [{ type, value: 'boom' }] } })

describe('changing projects and keys over the web API', () => {
  let shop: Shop
  let call: (path: string, body?: unknown) => Promise<{ status: number; body: Json }>
  before(async () => {
    shop = await openShop()
    call = (path, body) => callerOf(shop)(shop.token, path, body)
  })
  after(() => shop.close())

  it('creates a project that takes events at once, and deletes it', async () => {
    const { status, body } = await call('POST /organizations/acme/projects/', {
      name: 'Café Münster',
      platform: 'python',
    })
    assert.deepEqual(
      [status, body.slug, body.name, body.platform, body.firstEvent],
      [201, 'cafe-munster', 'Café Münster', 'python', null],
    )
    const [key] = (await call('GET /projects/acme/cafe-munster/keys/')).body
    const id = await send(shop, key.dsn.public, anError())
    assert.equal((await call(`GET /projects/acme/cafe-munster/events/${id}/`)).status, 200)
    assert.equal((await call('DELETE /projects/acme/cafe-munster/')).status, 204)
    assert.equal((await call('GET /projects/acme/cafe-munster/')).status, 404)
    assert.equal((await call(`GET /organizations/acme/eventids/${id}/`)).status, 404)
    await assert.rejects(send(shop, key.dsn.public, anError()), /not accepted/)
  })

  it('creates a project for a team', async () => {
    const { status, body } = await call('POST /teams/acme/closed/projects/', {
      name: 'Tools',
      slug: 'tool-box',
    })
    assert.deepEqual(
      [status, body.slug, body.teams.map(({ slug }: Json) => slug)],
      [201, 'tool-box', ['closed']],
    )
    assert.equal((await call('POST /teams/acme/nobody/projects/', { name: 'Tools' })).status, 404)
  })

  it('refuses a taken or impossible slug', async () => {
    const taken = await call('POST /organizations/acme/projects/', { name: 'Shop', slug: 'shop' })
    assert.deepEqual([taken.status, taken.body.code], [409, 'conflict'])
    for (const slug of ['Shop!', 'a', '-a-', '123', 'x'.repeat(51), 'a b']) {
      const refused = await call('POST /organizations/acme/projects/', { name: 'X', slug })
      assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['slug']], slug)
    }
    const noName = await call('POST /organizations/acme/projects/', { name: '' })
    assert.deepEqual([noName.status, Object.keys(noName.body)], [400, ['name']])
  })

  it('passes over fields that are not known, as Sentry does', async () => {
    const made = await call('POST /organizations/acme/projects/', {
      ...{ name: 'Ruled', default_rules: true, team_slugs: ['acme'], wat: { deep: [1] } },
    })
    assert.deepEqual([made.status, made.body.slug], [201, 'ruled'])
    const changed = await call('PUT /projects/acme/ruled/', {
      ...{ name: 'Rules', resolveAge: 720, highlightTags: ['plan'], wat: 1, isBookmarked: true },
      options: { 'filters:react-hydration-errors': true, 'sentry:origins': '*' },
    })
    assert.deepEqual([changed.status, changed.body.name, changed.body.resolveAge], [200, 'Rules', 0])
    const key = await call('POST /projects/acme/ruled/keys/', { name: 'CI', useCase: 'user', wat: 1 })
    assert.equal(key.status, 201)
    const renamed = await call(`PUT /projects/acme/ruled/keys/${key.body.id}/`, {
      ...{ name: 'Build', browserSdkVersion: 'latest', dynamicSdkLoaderOptions: { hasReplay: true } },
      rateLimit: { window: 0, count: 0 },
    })
    assert.deepEqual([renamed.status, renamed.body.name, renamed.body.rateLimit], [200, 'Build', null])
    assert.equal((await call('DELETE /projects/acme/ruled/')).status, 204)
  })

  it('takes what Sentry says beside the options, and says it again', async () => {
    const given = {
      ...{ allowedDomains: ['shop.example', '*.shop.example'], fingerprintingRules: 'type:A -> a' },
      ...{ sensitiveFields: ['pin'], safeFields: ['pinned'], scrubIPAddresses: true },
      options: {
        'filters:blacklisted_ips': '192.0.2.7\n10.0.0.0/8\n',
        'filters:releases': '1.*',
        'filters:error_messages': 'TypeError*\n*ResizeObserver*',
      },
    }
    const { status, body } = await call('PUT /projects/acme/vault/', given)
    assert.equal(status, 200, JSON.stringify(body))
    const { options, organization, allowedDomains, fingerprintingRules, sensitiveFields, safeFields } = body
    assert.deepEqual(
      { allowedDomains, fingerprintingRules, sensitiveFields, safeFields },
      {
        ...{ allowedDomains: given.allowedDomains, fingerprintingRules: given.fingerprintingRules },
        ...{ sensitiveFields: given.sensitiveFields, safeFields: given.safeFields },
      },
    )
    assert.equal(organization.slug, 'acme')
    assert.deepEqual(options.filters.addresses, ['192.0.2.7', '10.0.0.0/8'])
    assert.deepEqual(options.filters.messages, ['TypeError*', '*ResizeObserver*'])
    assert.equal(options['filters:blacklisted_ips'], '192.0.2.7\n10.0.0.0/8')
    assert.equal(options.scrub.clientAddress, 'drop')
    const again = await call('PUT /projects/acme/vault/', { options: { 'filters:releases': '' } })
    assert.deepEqual(
      [again.body.options.filters.releases, again.body.options.filters.messages.length],
      [[], 2],
    )
    const wrong = await call('PUT /projects/acme/vault/', {
      options: { 'filters:blacklisted_ips': 'not an address' },
    })
    assert.equal(wrong.status, 400)
    await call('PUT /projects/acme/vault/', {
      ...{ allowedDomains: [], fingerprintingRules: '', sensitiveFields: [], safeFields: [] },
      ...{ scrubIPAddresses: false },
      options: { 'filters:blacklisted_ips': '', 'filters:error_messages': '' },
    })
  })

  it('takes no list where an object belongs', async () => {
    const { status, body } = await call('POST /projects/acme/vault/keys/', [])
    assert.deepEqual([status, body.code], [400, 'bad_request'])
  })

  it('changes name, slug, platform and options', async () => {
    const before = (await call('GET /projects/acme/vault/')).body
    const options = {
      ...before.options,
      scrub: { extraKeys: ['iban'], allowedKeys: [], clientAddress: 'drop' },
      allowedDomains: ['*.example.com', 'https://shop.test'],
      retentionDays: 30,
      spanRetentionDays: 14,
      spanSampling: { share: 0.1, slowMs: 500 },
    }
    const { status, body } = await call('PUT /projects/acme/vault/', {
      name: 'Safe',
      platform: null,
      options,
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.name, body.options], ['Safe', options])
    assert.deepEqual((await call('GET /projects/acme/vault/')).body, body)
    const part = await call('PUT /projects/acme/vault/', { options: { scrub: { extraKeys: ['pin'] } } })
    const kept = { ...options, scrub: { ...options.scrub, extraKeys: ['pin'] } }
    assert.deepEqual([part.status, part.body.options], [200, kept])
    const table: readonly [object, string][] = [
      [{ options: { ...options, retentionDays: 366 } }, 'options.retentionDays'],
      [{ options: { ...options, spanRetentionDays: 0 } }, 'options.spanRetentionDays'],
      [{ options: { ...options, spanSampling: { share: 1, slowMs: 1 } } }, 'options.spanSampling.share'],
      [{ options: { ...options, spanSampling: { share: 0.5, slowMs: 0 } } }, 'options.spanSampling.slowMs'],
      [{ options: { ...options, filters: { crawlers: 'yes' } } }, 'options.filters.crawlers'],
      [{ options: { ...options, filters: { addresses: ['10.0.0.0/33'] } } }, 'options.filters.addresses.0'],
      [{ options: { ...options, filters: { messages: ['***********'] } } }, 'options.filters.messages.0'],
      [{ options: { ...options, payloadsPerIssueHour: 0 } }, 'options.payloadsPerIssueHour'],
      [{ options: { ...options, spikeProtection: 1 } }, 'options.spikeProtection'],
      [{ options: { ...options, allowedDomains: ['javascript:alert(1)'] } }, 'options.allowedDomains.0'],
      [{ options: { ...options, rateLimit: { window: 0, count: 1 } } }, 'options.rateLimit.window'],
      [{ slug: 'No' }, 'slug'],
    ]
    for (const [change, field] of table) {
      const refused = await call('PUT /projects/acme/vault/', change)
      assert.deepEqual([refused.status, Object.keys(refused.body)], [400, [field]])
    }
  })

  it('takes fingerprint rules that can be read, says which line is wrong, and previews them', async () => {
    const path = '/projects/acme/shop/'
    const put = async (fingerprintingRules: string) =>
      call(`PUT ${path}`, { options: { fingerprintingRules } })
    const wrong = await put('type:A -> a\ntype:A')
    assert.equal(wrong.status, 400)
    assert.match(JSON.stringify(wrong.body), /Line 2: Say which fingerprint it sets/)
    for (const title of ['Ruled 1', 'Ruled two']) await send(shop, shop.dsn, titled(title))
    const preview = async (rules: string) =>
      (await call(`POST ${path}fingerprinting-preview/`, { fingerprintingRules: rules })).body
    const rule = 'error.type:"Ruled*" -> ruled title="All ruled"'
    const { events, issues, looked, met } = await preview(`# comment\n${rule}`)
    assert.deepEqual([events, issues, met], [2, 2, [{ line: 2, events: 2, title: 'All ruled' }]])
    assert.ok(looked >= 2)
    assert.deepEqual((await preview('nonsense')).problems.length, 1)
    assert.equal((await put(rule)).status, 200)
    assert.equal((await preview(rule)).events, 0, 'as it is already')
    assert.equal((await preview('')).events, 2)
    await send(shop, shop.dsn, titled('Ruled three'))
    const found = (await call('GET /organizations/acme/issues/?query=%22All+ruled%22')).body
    assert.deepEqual(
      found.map(({ title, count }: Json) => [title, count]),
      [['All ruled', '1']],
    )
    await put('')
  })

  it('changes filters, the payload cap, spike protection and the period, each alone', async () => {
    const before = (await call('GET /projects/acme/vault/')).body.options
    const put = async (options: object) => {
      const { status, body } = await call('PUT /projects/acme/vault/', { options })
      assert.equal(status, 200, JSON.stringify(body))
      return body.options
    }
    const filters = { ...before.filters, crawlers: true, addresses: ['10.0.0.0/8', '2001:db8::/32'] }
    assert.deepEqual(await put({ filters: { crawlers: true, addresses: filters.addresses } }), {
      ...before,
      filters,
      'filters:blacklisted_ips': '10.0.0.0/8\n2001:db8::/32',
    })
    const all = await put({ ...before, filters: { ...filters, addresses: ['192.0.2.0/24'] } })
    assert.equal(
      all['filters:blacklisted_ips'],
      '192.0.2.0/24',
      'all that was answered, with one thing changed',
    )
    await put({ filters })
    const messages = ['*ResizeObserver loop*']
    assert.deepEqual((await put({ filters: { messages } })).filters, { ...filters, messages })
    assert.equal((await put({ payloadsPerIssueHour: null })).payloadsPerIssueHour, null)
    assert.equal((await put({ spikeProtection: false })).spikeProtection, false)
    const last = await put({ retentionDays: 45 })
    assert.deepEqual([last.retentionDays, last.payloadsPerIssueHour, last.spikeProtection], [45, null, false])
  })

  it('creates, limits, disables and deletes keys', async () => {
    const made = await call('POST /projects/acme/shop/keys/', {
      name: 'Mobile',
      rateLimit: { window: 60, count: 2 },
    })
    assert.deepEqual(
      [made.status, made.body.label, made.body.rateLimit],
      [201, 'Mobile', { window: 60, count: 2 }],
    )
    const path = `/projects/acme/shop/keys/${made.body.id}/`
    const changed = await call(`PUT ${path}`, { name: 'Phone', isActive: false, rateLimit: null })
    assert.deepEqual(
      [changed.body.name, changed.body.isActive, changed.body.rateLimit],
      ['Phone', false, null],
    )
    await assert.rejects(send(shop, changed.body.dsn.public, anError()), /not accepted/)
    assert.equal((await call(`PUT ${path}`, { isActive: true })).body.isActive, true)
    await send(shop, changed.body.dsn.public, anError())
    for (const [body, field] of [
      [{ rateLimit: { window: 1 } }, 'rateLimit.count'],
      [{ isActive: 'yes' }, 'isActive'],
    ] as const) {
      const refused = await call(`PUT ${path}`, body)
      assert.deepEqual([refused.status, Object.keys(refused.body)], [400, [field]])
    }
    assert.equal((await call(`DELETE ${path}`)).status, 204)
    assert.equal((await call(`GET ${path}`)).status, 404)
    assert.equal((await call(`GET /projects/acme/vault/keys/${made.body.id}/`)).status, 404)
  })

  it('tells the second of two admins who change settings at once, and loses nothing of the first', async () => {
    const ask = (line: string, body?: unknown, headers = {}) =>
      callerOf(shop)(shop.people.owner, line, body, headers)
    const versionOf = async (path: string) => (await ask(`GET ${path}`)).headers.get('etag') ?? ''
    const put = (path: string, body: object, ifMatch: string) =>
      ask(`PUT ${path}`, body, { 'if-match': ifMatch })
    const idOf = async (line: string, body: object): Promise<string> => {
      const made: Json = await ask(line, body)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      return made.body.id
    }
    const [key] = (await call('GET /projects/acme/shop/keys/')).body
    const topic = { values: { topic: 'shop', server: 'https://ntfy.example.com' } }
    const channel = await idOf('POST /organizations/acme/alert-channels/', {
      kind: 'ntfy',
      name: 'x',
      ...topic,
    })
    const values = { place: 'acme/shop', token: 'x', secret: 'a secret to sign with' }
    const tracker = await idOf('POST /organizations/acme/trackers/', {
      kind: 'github',
      name: 'Forge',
      values,
    })
    for (const [path, first, second] of [
      ['/projects/acme/shop/', { options: { retentionDays: 40 } }, { name: 'Lost' }],
      ['/projects/acme/shop/', { platform: 'python' }, { options: { filters: { crawlers: true } } }],
      [`/projects/acme/shop/keys/${key.id}/`, { name: 'First' }, { rateLimit: { window: 1, count: 1 } }],
      ['/projects/acme/shop/ownership/', { raw: 'path:a/* #acme' }, { raw: 'path:b/* #acme' }],
      [`/organizations/acme/alert-channels/${channel}/`, { name: 'A', ...topic }, { name: 'B', ...topic }],
      [`/organizations/acme/trackers/${tracker}/`, { name: 'C', values }, { name: 'D', values }],
    ] as const) {
      const seen = await versionOf(path)
      assert.match(seen, /^"[\w-]{22}"$/, path)
      const won = await put(path, first, seen)
      assert.equal(won.status, 200, `${path}: ${JSON.stringify(won.body)}`)
      assert.notEqual(won.headers.get('etag'), seen, path)
      assert.equal(won.headers.get('etag'), await versionOf(path), path)
      const kept = (await ask(`GET ${path}`)).body
      const lost = await put(path, second, seen)
      assert.deepEqual([lost.status, (lost.body as Json).code], [412, 'version_changed'], path)
      assert.deepEqual((await ask(`GET ${path}`)).body, kept, path)
      for (const other of ['"other"', 'nonsense', ''])
        assert.equal((await put(path, second, other)).status, 412, other)
      // As a proxy that compresses writes it; one of several; any at all.
      for (const right of [`W/${await versionOf(path)}`, `"x", ${await versionOf(path)}`, '*'])
        assert.equal((await put(path, first, right)).status, 200, right)
    }
  })

  it('keeps code mappings that several calls set at once', async () => {
    const roots = Array.from({ length: 4 }, (_, at) => `apps/${at}/`)
    const set = (stackRoot: string) =>
      call('POST /organizations/acme/code-mappings/bulk/', {
        ...{ project: 'vault', repository: 'acme/vault', defaultBranch: 'main' },
        mappings: [{ stackRoot, sourceRoot: '' }],
      })
    const answers = await Promise.all(roots.map(set))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.created]),
      roots.map(() => [200, 1]),
    )
    const { body } = await call('GET /projects/acme/vault/')
    const kept = body.options.codeMappings.map(({ stackRoot }: Json) => stackRoot)
    assert.deepEqual(kept.toSorted(), roots)
  })

  it('reaches the project that Errata reports itself to by no token of an organisation', async () => {
    assert.equal((await call('DELETE /projects/acme/errata/')).status, 404)
    assert.equal((await call('DELETE /projects/system/errata/')).status, 404)
  })
})
