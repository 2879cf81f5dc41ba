import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { PERMISSIONS, type PermissionEntry, SCOPES } from '#access/permissions.ts'
import { secretHash } from '#access/secrets.ts'
import { ROLES } from '#ports/accounts.ts'
import { anActor } from '#testing/builders/actor.ts'
import { anAlert } from '#testing/builders/alert-message.ts'
import { aMetricRule, anIssueRule } from '#testing/builders/alert-rule.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { spanId, TRACE, transactionEnvelope } from '#testing/builders/spans.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import {
  type ApiPerson,
  asking,
  callerOf,
  openShop,
  type Shop,
  send,
  sendEnvelope,
  unwrap,
} from '#testing/worlds/api.ts'
import type { ApiRoute } from './call.ts'
import { API_ROUTES } from './routes.ts'

/** Every parameter filled with something of Acme that exists. */
async function addresses(shop: Shop): Promise<(route: ApiRoute) => string> {
  const contexts = { trace: { trace_id: TRACE, span_id: spanId('a') } }
  const event = await send(shop, shop.dsn, anError({ tags: { digest: '2741933020' }, contexts }))
  const end = shop.clock.now() / 1_000
  const transaction = {
    ...{ event_id: 'ab'.repeat(16), transaction: 'GET /', start_timestamp: end - 1, timestamp: end },
    contexts: { trace: { trace_id: TRACE, span_id: spanId('a'), op: 'http.server' } },
  }
  await sendEnvelope(shop, shop.dsn, transactionEnvelope(transaction))
  const scope = await shop.people.owner.scope()
  const [key] = await shop.queries.keys(scope, shop.shop.id)
  const release = { version: 'shop@1.0.0', projects: ['shop'], body: {} }
  unwrap(await shop.commands.run('createRelease', asking(await shop.people.owner.viewer(), scope), release))
  const chunk = { type: 'ChunkLoadError', value: 'Failed to load chunk /_next/static/chunks/a.js' }
  const stale = { platform: 'javascript', release: 'shop@0.9.0', exception: { values: [chunk] } }
  await send(shop, shop.dsn, anError(stale))
  const deploy = await skewedDeploy(shop)
  const params: Readonly<Record<string, string>> = {
    org: 'acme',
    project: 'shop',
    team: 'acme',
    member: String((await shop.people.member.viewer()).user.id),
    key: key?.public ?? '',
    issue: 'SHOP-1', // the rival has none of this name
    short: 'SHOP-1',
    event,
    number: '2741933020',
    comment: '1',
    trace: TRACE,
    span: spanId('a'),
    deploy,
    version: RELEASE,
    environment: 'production',
    filter: 'localhost',
    file: await aReleaseFile(shop),
    search: await aSharedSearch(shop),
    rule: await anAlertRule(shop),
    metricRule: await anAlertRule(shop, 'metric'),
    ...(await aChannel(shop)),
    tracker: await aTracker(shop),
    attachment: await anAttachment(shop, event),
    link: '1',
  }
  return ({ pattern }) => {
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'key' && pattern.includes('/tags/') ? 'level' : (params[name] ?? ''),
    )
    if (pattern === '/organizations/{org}/events/') return `${path}?field=title&field=count()`
    if (pattern.endsWith('/trace-items/{span}/')) return `${path}?trace_id=${TRACE}`
    if (pattern.endsWith('/person-data/')) return `${path}?person=1`
    // A bulk change names nothing that exists, so that walking the table changes nothing.
    return path.endsWith('/issues/') ? `${path}?id=999999` : path
  }
}

const RELEASE = 'shop@1.0.0'

async function skewedDeploy({ queries, people, clock }: Shop): Promise<string> {
  const range = { startMs: clock.now() - DAY, endMs: clock.now() + DAY }
  const filter = { range, project: null, environment: null }
  const [row] = await queries.skewDeploys(await people.owner.scope(), filter)
  assert.ok(row !== undefined)
  return row.id
}

/** Creates a rule for a project that every role sees. */
async function anAlertRule({ commands, people, shop }: Shop, kind = 'issue'): Promise<string> {
  const who = asking(await people.owner.viewer(), await people.owner.scope())
  const own = { projects: [shop.id] }
  const draft = kind === 'issue' ? anIssueRule({ on: 'new' }, own) : aMetricRule({}, own)
  return String(unwrap(await commands.run('createRule', who, draft)).id)
}

/** A file of the event that every role sees. */
async function anAttachment(shop: Shop, event: string): Promise<string> {
  const file = '{"type":"attachment","length":4,"filename":"a.log"}\nfile\n'
  await sendEnvelope(shop, shop.dsn, Buffer.from(`{"event_id":"${event}"}\n${file}`))
  const files = await shop.queries.attachments(await shop.people.owner.scope(), 'shop', event)
  assert.ok(files?.[0] !== undefined)
  return files[0].id
}

async function aTracker({ commands, people }: Shop): Promise<string> {
  const values = { place: 'acme/shop', token: 'secret' }
  const given = { kind: 'github', name: 'Shop', values, resolvesHere: false, closesThere: false }
  const who = asking(await people.owner.viewer(), await people.owner.scope())
  return String(unwrap(await commands.run('createTracker', who, given)).id)
}

/** A channel, and a message that went there. */
async function aChannel({ commands, people, control, queries, shop }: Shop) {
  const scope = await people.owner.scope()
  const given = { kind: 'email', name: 'Ops', values: { address: 'ops@example.com' } }
  const { id } = unwrap(
    await commands.run('createChannel', asking(await people.owner.viewer(), scope), given),
  )
  const target = { to: 'channel', channelId: id } as const
  const to = {
    orgId: scope.orgId,
    projectId: shop.id,
    target,
    firingId: null,
    issueId: null,
    occasion: null,
    heldUntilMs: null,
    projects: null,
  }
  await control.queueMessages([{ ...to, message: anAlert() }], NOW)
  const { entries } = await queries.deliveryLog(scope, { rule: 'rules' })
  return { channel: String(id), message: String(entries[0]?.id) }
}

async function aReleaseFile({ commands, people }: Shop): Promise<string> {
  const who = asking(await people.owner.viewer(), await people.owner.scope())
  const form = new FormData()
  form.set('file', new Blob(['throw 1']), 'app.js')
  form.set('name', '~/app.js')
  const sent = new Response(form)
  const request = { contentType: sent.headers.get('content-type') ?? '', body: await sent.bytes() }
  const made = await commands.uploadReleaseFile(who, { projects: ['shop'], release: RELEASE, request })
  return String(unwrap(made).id)
}

/** With a link of the issue, which its call reads. */
async function aSharedSearch({ commands, people }: Shop): Promise<string> {
  const who = asking(await people.owner.viewer(), await people.owner.scope())
  unwrap(await commands.run('shareIssue', who, { ref: 'SHOP-1' }))
  const search = { name: 'Ours', query: 'is:new', sort: 'date', isShared: true } as const
  return String(unwrap(await commands.run('createSearch', who, search)).id)
}

/** Statuses that mean: the permission was there, and the (empty) body, the unknown issue or the number of tries is what is wrong. */
const isLetThrough = (status: number): boolean =>
  status < 300 || status === 400 || status === 404 || status === 409 || status === 429
/** Parameters that are read only if another name for the same is absent. */
const ALTERNATIVES = new Set(['limit', 'per_page', 'end'])
const isWrite = ({ method }: ApiRoute): boolean => method !== 'GET'
/** Calls that would delete what the other rows of the table need. */
const isDestructive = ({ method, pattern }: ApiRoute): boolean =>
  method === 'DELETE' && pattern !== '/organizations/{org}/issues/' && !pattern.endsWith('{project}/issues/')
const entryOf = (route: ApiRoute): PermissionEntry | null =>
  route.permission === 'anyone' || route.permission === 'signed-in' ? null : PERMISSIONS[route.permission]

describe('every call of the web API', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let address: (route: ApiRoute) => string
  const tokens = new Map<string, string>()

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    address = await addresses(shop)
    const [viewer, scope] = [await shop.people.owner.viewer(), await shop.people.owner.scope()]
    for (const each of SCOPES) {
      const made = await shop.commands.createToken(asking(viewer, scope), {
        name: each,
        scopes: [each],
        personal: false,
      })
      tokens.set(each, unwrap(made).token)
    }
  })
  after(() => shop.close())

  const body = (route: ApiRoute) => (isWrite(route) && route.method !== 'DELETE' ? {} : undefined)

  for (const route of API_ROUTES) {
    const name = `${route.method} ${route.pattern}`
    const entry = entryOf(route)

    it(`${name} asks for a token, or a signature, first`, async () => {
      const { status } = await call(null, `${route.method} ${address(route)}`, body(route))
      const open = /\/(?:slack|webhook)\/$/.test(route.pattern) ? 403 : 200
      assert.equal(status, route.permission === 'anyone' ? open : 401)
    })

    if (entry === null) continue

    it(`${name} is not there for another organisation`, async () => {
      const { status, body: answer } = await call(
        shop.people.rival,
        `${route.method} ${address(route)}`,
        body(route),
      )
      assert.equal(status, 404)
      assert.deepEqual(answer, { detail: 'The requested resource does not exist', code: 'not_found' })
    })

    for (const role of ROLES) {
      const isAllowed = entry.roles.includes(role)
      if (isAllowed && isDestructive(route)) continue
      it(`${name} ${isAllowed ? 'is open to' : 'is closed to'} the role ${role}`, async () => {
        const { status } = await call(shop.people[role], `${route.method} ${address(route)}`, body(route))
        if (isAllowed) assert.ok(isLetThrough(status), String(status))
        else assert.equal(status, 403)
        if (isAllowed && !isWrite(route)) assert.equal(status, 200)
      })
    }

    for (const scope of SCOPES) {
      const isAllowed = entry.scopes.includes(scope)
      if (isAllowed && isDestructive(route)) continue
      it(`${name} ${isAllowed ? 'is open to' : 'is closed to'} a token with ${scope}`, async () => {
        const { status } = await call(
          tokens.get(scope) ?? '',
          `${route.method} ${address(route)}`,
          body(route),
        )
        if (isAllowed) assert.ok(isLetThrough(status), String(status))
        else assert.equal(status, 403)
      })
    }
  }

  it('reads of a query string what it is described with, and all of that', async (t) => {
    const names = new Set<string>()
    const { prototype } = URLSearchParams
    for (const reading of ['get', 'getAll', 'has'] as const) {
      const original: (name: string) => unknown = prototype[reading]
      t.mock.method(prototype, reading, function (this: URLSearchParams, name: string) {
        names.add(name)
        return original.call(this, name)
      })
    }
    const wrong: string[] = []
    for (const route of API_ROUTES.filter((one) => one.method === 'GET')) {
      names.clear()
      const path = address(route)
      await call(shop.people.owner, `GET ${path}${path.includes('?') ? '' : '?health=1'}`)
      const described = (route.query ?? []).map(({ name }) => name)
      const unread = described.filter((name) => !names.has(name) && !ALTERNATIVES.has(name))
      const untold = [...names].filter((name) => !described.includes(name))
      if (unread.length > 0 || untold.length > 0)
        wrong.push(`${route.pattern}: reads ${untold.join()} untold, never ${unread.join()}`)
    }
    assert.deepEqual(wrong, [])
  })

  it('with a personal token does no more than the role of its person', async () => {
    const tokenOf = async (person: ApiPerson): Promise<string> => {
      const input = { name: 'mine', scopes: [...SCOPES], personal: true }
      return unwrap(
        await shop.commands.createToken(asking(await person.viewer(), await person.scope()), input),
      ).token
    }
    for (const role of ROLES) {
      const token = await tokenOf(shop.people[role])
      for (const route of API_ROUTES) {
        const entry = entryOf(route)
        if (entry === null || (isDestructive(route) && entry.roles.includes(role))) continue
        const { status } = await call(token, `${route.method} ${address(route)}`, body(route))
        const isAllowed = entry.roles.includes(role)
        assert.equal(status === 403, !isAllowed, `${role}: ${route.method} ${route.pattern}: ${status}`)
      }
    }
  })

  for (const role of ['member', 'guest'] as const)
    it(`shows a ${role} nothing of a project that is not open to them`, async () => {
      const hidden = await send(
        shop,
        shop.vaultDsn,
        anError({ exception: { values: [{ type: 'Vaulted', value: 'x' }] }, tags: { digest: '1122334455' } }),
      )
      const scope = await shop.people.owner.scope()
      const [key] = await shop.queries.keys(scope, shop.vault.id)
      const paths = [
        '/projects/acme/vault/',
        `/projects/acme/${shop.vault.id}/`,
        '/projects/acme/vault/keys/',
        `/projects/acme/vault/keys/${key?.public}/`,
        `/projects/acme/shop/keys/${key?.public}/`,
        '/projects/acme/vault/issues/',
        '/organizations/acme/issues/?project=vault',
        '/organizations/acme/issues/VAULT-1/',
        '/organizations/acme/issues/VAULT-1/events/',
        '/organizations/acme/issues/VAULT-1/events/latest/',
        '/organizations/acme/issues/VAULT-1/tags/',
        '/organizations/acme/issues/VAULT-1/hashes/',
        '/organizations/acme/issues/VAULT-1/activities/',
        `/organizations/acme/issues/SHOP-1/events/${hidden}/`,
        `/projects/acme/vault/events/${hidden}/`,
        `/projects/acme/shop/events/${hidden}/`,
        `/organizations/acme/eventids/${hidden}/`,
        '/organizations/acme/shortids/VAULT-1/',
        '/organizations/acme/digests/1122334455/',
        '/organizations/acme/stats_v2/?project=vault',
      ]
      const asker = shop.people[role]
      for (const path of paths) {
        assert.equal((await call(asker, `GET ${path}`)).status, 404, path)
      }
      assert.equal((await call(shop.people.owner, `GET /projects/acme/vault/events/${hidden}/`)).status, 200)
      for (const query of ['Vaulted', '1122334455', hidden, '']) {
        const { body: rows } = await call(asker, `GET /organizations/acme/issues/?query=${query}`)
        assert.ok(
          (rows as readonly { title: string }[]).every(({ title }) => !title.includes('Vaulted')),
          query,
        )
      }
      const vaultIssue = (
        await shop.queries.issueList(scope, {
          query: 'Vaulted',
          projects: [],
          environments: [],
          range: { startMs: 0, endMs: shop.clock.now() },
          sort: 'date',
          limit: 1,
          cursor: null,
        })
      ).rows[0]
      for (const path of [
        `/organizations/acme/issues/${vaultIssue?.id}/`,
        `/organizations/acme/issues/?id=${vaultIssue?.id}`,
      ]) {
        assert.equal((await call(asker, `PUT ${path}`, { status: 'resolved' })).status, 404, path)
      }
      assert.equal((await call(shop.people.owner, 'GET /organizations/acme/issues/VAULT-1/')).status, 200)
      const stats = await call(asker, 'GET /organizations/acme/stats_v2/?groupBy=project')
      const counted = (stats.body as { groups: readonly { by: { project: number } }[] }).groups.map(
        ({ by }) => by.project,
      )
      assert.ok(!counted.includes(shop.vault.id))
      const teams = (await call(asker, 'GET /organizations/acme/projects/')).body as readonly {
        slug: string
      }[]
      assert.deepEqual(
        teams.map(({ slug }) => slug),
        ['shop'],
      )
    })

  it('ends with the membership and with the token', async () => {
    const { member, owner } = shop.people
    const input = { name: 'mine', scopes: ['event:read'], personal: true }
    const made = unwrap(
      await shop.commands.createToken(asking(await member.viewer(), await member.scope()), input),
    )
    assert.equal((await call(made.token, 'GET /organizations/acme/issues/')).status, 200)
    const [viewer, scope] = [await owner.viewer(), await owner.scope()]
    const user = (await member.viewer()).user.id
    unwrap(await shop.commands.run('removeMember', asking(viewer, scope), { user }))
    assert.equal((await call(made.token, 'GET /organizations/acme/issues/')).status, 401)
    assert.equal((await call(member, 'GET /organizations/acme/issues/')).status, 404)
    const all = (await shop.queries.tokens(scope)).find(({ name }) => name === 'all')
    assert.ok(all !== undefined)
    assert.equal((await call(shop.token, 'GET /organizations/')).status, 200)
    unwrap(await shop.commands.revokeToken(asking(viewer, scope), all.id))
    assert.equal((await call(shop.token, 'GET /organizations/')).status, 401)
  })

  it('with a session that a provider began does what its role says, in its organisation alone', async () => {
    const rival = await shop.people.rival.viewer()
    const own = rival.memberships[0]?.organisation.slug ?? ''
    const { orgId } = await shop.people.owner.scope()
    const wrong: string[] = []
    for (const role of ['manager', 'member', 'viewer'] as const) {
      const cookie = `session-of-a-provider-for-a-${role}`
      const session = { tokenHash: secretHash(cookie), userAgent: null }
      const arrival = {
        ...{ orgId, issuer: 'https://id.acme.test', subject: 'rival', email: rival.user.email, name: '' },
        ...{ mayJoin: true, role, setsRole: true, session, confirmedBy: rival.user.id },
      }
      unwrap(await shop.control.arrive(arrival, anActor(shop.clock.now())))
      const who = { ...shop.people.rival, cookie }
      for (const route of API_ROUTES) {
        const entry = entryOf(route)
        if (entry === null) continue
        const isAllowed = entry.roles.includes(role)
        const name = `${role}: ${route.method} ${route.pattern}`
        if (!(isAllowed && isDestructive(route))) {
          const { status } = await call(who, `${route.method} ${address(route)}`, body(route))
          if (isAllowed ? !isLetThrough(status) : status !== 403) wrong.push(`${name}: ${status}`)
        }
        if (!route.pattern.includes('{org}')) continue
        const elsewhere = address(route).replace('/acme/', `/${own}/`)
        const { status } = await call(who, `${route.method} ${elsewhere}`, body(route))
        if (status !== 404) wrong.push(`${name} of another organisation of theirs: ${status}`)
      }
    }
    assert.deepEqual(wrong, [])
  })
})

describe('a button in Slack', () => {
  it('does what the role of whoever connected it says', async (t) => {
    const shop = await openShop()
    t.after(() => shop.close())
    const call = callerOf(shop)
    await send(shop, shop.dsn, anError({}))
    const who = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    const secret = 'of the app'
    const values = { token: 'xoxb-1', signingSecret: secret, channel: 'C024BE91L', server: '' }
    const made = unwrap(
      await shop.commands.run('createChannel', who, { kind: 'slack-bot', name: 'Buttons', values }),
    )
    const press = async (user: string, action: string, issue = 'SHOP-1') => {
      const payload = {
        type: 'block_actions',
        user: { id: user },
        actions: [{ action_id: action, value: issue }],
      }
      const sent = `payload=${encodeURIComponent(JSON.stringify(payload))}`
      const timestamp = String(Math.floor(shop.clock.now() / 1_000))
      const hex = createHmac('sha256', secret).update(`v0:${timestamp}:${sent}`).digest('hex')
      const headers = { 'x-slack-signature': `v0=${hex}`, 'x-slack-request-timestamp': timestamp }
      const answer = await call(null, `POST /alert-channels/${made.id}/slack/`, sent, headers)
      assert.equal(answer.status, 200)
      return JSON.stringify(answer.body)
    }
    const wrong: string[] = []
    for (const role of ROLES) {
      const ticket = /ticket=([\w-]+)/.exec(await press(`U${role}`, 'assign'))?.[1] ?? ''
      const viewer = await shop.people[role].viewer()
      const fresh = { ...viewer, session: { ...viewer.session, confirmedMs: shop.clock.now() } }
      unwrap(await shop.commands.linkSlack({ viewer: fresh, address: null, userAgent: null }, ticket))
      for (const action of ['assign', 'resolve', 'archive']) {
        const said = await press(`U${role}`, action)
        const isRefused = said.includes('not allow')
        if (isRefused === PERMISSIONS['issue.write'].roles.some((each) => each === role))
          wrong.push(`${role} ${action}: ${said}`)
      }
    }
    assert.deepEqual(wrong, [])
    assert.match(await press('Unobody', 'resolve'), /Nothing was changed/)
  })
})
