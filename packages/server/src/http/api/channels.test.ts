import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isObject } from '#base/json.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '#testing/builders/actor.ts'
import { anAlert } from '#testing/builders/alert-message.ts'
import { anError } from '#testing/builders/sent-event.ts'
import { type Hook, openHook } from '#testing/notices/receivers.ts'
import { asking, callerOf, FACTS, openShop, type Shop, send, unwrap } from '#testing/worlds/api.ts'

const CHANNELS = '/organizations/acme/alert-channels/'
const SECRET = 'signing secret of the app'

describe('channels of alerts in the web API', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let hook: Hook

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    hook = await openHook((request, response) => {
      const user = { profile: { email: 'owner@acme.test' } }
      const body = request.url?.startsWith('/api/users.info') ? { ok: true, user } : { ok: true, ts: '1.2' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  after(async () => {
    await hook.close()
    await shop.close()
  })

  const owner = (line: string, body?: unknown) => call(shop.people.owner, line, body)
  const create = (given: unknown) => owner(`POST ${CHANNELS}`, given)
  const bodyOf = ({ body }: { readonly body: unknown }) => (isObject(body) ? body : assert.fail('no object'))
  const slackBot = (name: string) =>
    create({
      ...{ kind: 'slack-bot', name },
      values: { token: 'xoxb-1', signingSecret: SECRET, channel: 'C024BE91L', server: hook.url('/api') },
    })

  it('are made, shown without their secrets, changed and deleted', async () => {
    const made = await create({
      kind: 'discord',
      name: 'Ops',
      values: { url: 'https://discord.com/api/webhooks/1/x' },
    })
    assert.equal(made.status, 201)
    const { id, secretsSet } = bodyOf(made)
    assert.deepEqual(secretsSet, ['url'])
    assert.equal(JSON.stringify(made.body).includes('webhooks/1'), false)
    const kept = await owner(`PUT ${CHANNELS}${id}/`, { name: 'Ops 2', values: {} })
    assert.deepEqual([kept.status, bodyOf(kept).name, bodyOf(kept).secretsSet], [200, 'Ops 2', ['url']])
    assert.equal((await owner(`DELETE ${CHANNELS}${id}/`)).status, 204)
    assert.equal((await owner(`GET ${CHANNELS}${id}/`)).status, 404)
  })

  it('send a token to no other server than it was entered for; what signs stays', async () => {
    const ntfy = { topic: 'shop', server: 'https://ntfy.example.com' }
    const { id } = bodyOf(await create({ kind: 'ntfy', name: 'Phones', values: { ...ntfy, token: 'tk_x' } }))
    const moved = { ...ntfy, server: 'https://evil.example' }
    assert.equal((await owner(`PUT ${CHANNELS}${id}/`, { name: 'Phones', values: moved })).status, 400)
    const entered = { ...moved, token: 'tk_y' }
    assert.equal((await owner(`PUT ${CHANNELS}${id}/`, { name: 'Phones', values: entered })).status, 200)
    const hook = { url: 'https://hooks.example.com/a', secret: 'a secret to sign with' }
    const made = bodyOf(await create({ kind: 'webhook', name: 'Hook', values: hook }))
    const elsewhere = { name: 'Hook', values: { url: 'https://other.example.com/a' } }
    assert.equal((await owner(`PUT ${CHANNELS}${made.id}/`, elsewhere)).status, 200)
  })

  it('name each field that broke a rule', async () => {
    const rules = async (kind: string, values: unknown) => {
      const { status, body } = await create({ kind, name: 'x', values })
      return [status, JSON.stringify(body)] as const
    }
    for (const [kind, values, said] of [
      ['slack', {}, /Webhook URL is required/],
      ['slack', { url: 'ftp://x' }, /https or http/],
      ['slack', { url: 'https://x.example/', other: 1 }, /no such field/],
      ['slack-bot', { token: 'x', signingSecret: 'y', channel: '#general' }, /A channel ID/],
      ['webhook', { url: 'https://x.example/', secret: 'short' }, /At least 16/],
      ['webhook', { url: 'https://x.example/', secret: 's'.repeat(16), template: '{' }, /isn’t JSON/],
      [
        'webhook',
        { url: 'https://x.example/', secret: 's'.repeat(16), template: '{"a":"{{b}}"}' },
        /no field/,
      ],
      ['email', { address: 'nobody' }, /name@example.com/],
      ['fax', {}, /A kind is one of/],
    ] as const) {
      const [status, body] = await rules(kind, values)
      assert.equal(status, 400, kind)
      assert.match(body, said)
    }
  })

  it('are tested at once, and not without end', async () => {
    const { id } = bodyOf(await slackBot('tested'))
    for (let time = 0; time < max('channelTestsPerMinute'); time++) {
      const tested = await owner(`POST ${CHANNELS}${id}/test/`, {})
      assert.deepEqual(tested.body, { sent: true, says: 'Answered 200.' })
    }
    const { last } = bodyOf(await owner(`GET ${CHANNELS}${id}/`))
    assert.match(JSON.stringify(last), /Answered 200/)
    assert.equal((await owner(`POST ${CHANNELS}${id}/test/`, {})).status, 429)
    assert.match(hook.calls[0]?.body ?? '', /this channel works/)
  })

  it('preview what is delivered, by the same renderer, and no secret', async () => {
    const values = { template: '{"text":"{{headline}}","n":"{{issue.events}}"}', secret: 'never shown here' }
    const preview = await owner(`POST ${CHANNELS}preview/`, { kind: 'webhook', values })
    assert.deepEqual(preview.body, { body: { text: 'Regressed: TypeError in OrderTotals', n: 31 } })
    const broken = await owner(`POST ${CHANNELS}preview/`, {
      kind: 'webhook',
      values: { template: '{"a":"{{x}}"}' },
    })
    assert.equal(broken.status, 400)
  })

  it('keep a log, which is asked, read and sent again', async () => {
    const { id } = bodyOf(await create({ kind: 'email', name: 'Log', values: { address: 'a@b.test' } }))
    const scope = await shop.people.owner.scope()
    const to = {
      orgId: scope.orgId,
      projectId: shop.vault.id,
      firingId: null,
      issueId: null,
      occasion: null,
      projects: null,
      heldUntilMs: null,
    }
    const target = { to: 'channel', channelId: Number(id) } as const
    await shop.control.queueMessages([{ ...to, target, message: anAlert() }], shop.clock.now())
    const [claimed] = await shop.control.claimMessages({
      ...{ nowMs: shop.clock.now(), leaseMs: 1_000, lease: 'x', limit: 1, triesMax: 3 },
    })
    assert.ok(claimed !== undefined)
    const failed = { state: 'failed', says: '550 mailbox unavailable', tookMs: 4 } as const
    await shop.control.settleMessage(claimed, failed, shop.clock.now())
    const { body } = await owner('GET /organizations/acme/alert-log/?state=failed&text=mailbox')
    assert.ok(isObject(body) && Array.isArray(body.messages))
    assert.equal(body.messages.length, 1)
    // Whoever may not read the project sees nothing of it.
    const { body: hidden } = await call(shop.people.viewer, 'GET /organizations/acme/alert-log/')
    assert.ok(isObject(hidden) && Array.isArray(hidden.messages))
    assert.equal(hidden.messages.length, 0)
    const one = `/organizations/acme/alert-log/${claimed.id}/`
    assert.equal((await call(shop.people.viewer, `GET ${one}`)).status, 404)
    assert.equal(bodyOf(await owner(`POST ${one}send/`, {})).state, 'waiting')
    assert.equal((await owner(`POST ${one}send/`, {})).status, 409)
  })

  describe('buttons in Slack', () => {
    let channel: string

    before(async () => {
      channel = String(bodyOf(await slackBot('#buttons')).id)
      await send(shop, shop.dsn, anError({}))
    })

    const press = (
      action: string,
      given: {
        readonly user?: string
        readonly at?: number
        readonly secret?: string
        readonly responseUrl?: string
      } = {},
    ) => {
      const { user = 'U1', at = shop.clock.now(), secret = SECRET } = given
      const payload = {
        type: 'block_actions',
        user: { id: user, name: 'nia' },
        response_url: given.responseUrl ?? null,
        actions: [{ action_id: action, value: 'SHOP-1' }],
      }
      const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`
      const timestamp = String(Math.floor(at / 1_000))
      const hex = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
      return call(null, `POST /alert-channels/${channel}/slack/`, body, {
        'x-slack-signature': `v0=${hex}`,
        'x-slack-request-timestamp': timestamp,
      })
    }
    const issue = async () => bodyOf(await owner('GET /organizations/acme/issues/SHOP-1/'))

    /** Follows the link shown in Slack, as a person in a browser does. */
    const connect = async (text: unknown, who: 'member' | 'viewer' | 'rival' | 'owner', isFresh = true) => {
      const ticket = new URL(/https?:\S+/.exec(String(text))?.[0] ?? '').searchParams.get('ticket') ?? ''
      const viewer = await shop.people[who].viewer()
      const confirmedMs = isFresh ? shop.clock.now() : 0
      const asking = { viewer: { ...viewer, session: { ...viewer.session, confirmedMs } }, ...FACTS }
      const done = await shop.commands.linkSlack(asking, ticket)
      return done.ok ? 'ok' : done.code
    }
    const told = async (...given: Parameters<typeof press>) => String(bodyOf(await press(...given)).text)

    it('change nothing for whom nobody said they are, whatever the channel’s server says of them', async () => {
      assert.match(await told('resolve'), /^Nothing was changed\. Connect your Errata account first: https?:/)
      assert.equal((await issue()).status, 'unresolved')
      assert.deepEqual(
        hook.calls.filter(({ url }) => url.includes('users.info')),
        [],
      )
    })

    it('act as who connected their account, signed in, and nobody else', async () => {
      const link = await told('resolve')
      assert.equal(await connect(link, 'rival'), 'link_expired')
      assert.equal(await connect(link, 'member', false), 'confirm_needed')
      assert.equal(await connect(link.replace('ticket=', 'ticket=A'), 'member'), 'link_expired')
      assert.equal(await connect(link, 'member'), 'ok')
      const resolved = await press('resolve')
      assert.deepEqual([resolved.status, bodyOf(resolved).text], [200, 'SHOP-1 is resolved.'])
      assert.equal((await issue()).status, 'resolved')
      await press('archive')
      assert.equal((await issue()).status, 'ignored')
      await press('assign')
      const { assignedTo } = await issue()
      assert.equal(isObject(assignedTo) && assignedTo.email, 'member@acme.test')
      assert.match(await told('resolve', { user: 'U2' }), /Connect your/)
    })

    it('are told of as by Slack, in the activity and the audit log', async () => {
      const { body } = await owner('GET /organizations/acme/issues/SHOP-1/activities/')
      assert.match(JSON.stringify(body), /by Slack/)
      const log = await shop.queries.audit(await shop.people.owner.scope(), { before: null })
      const [entry] = log.filter(({ action }) => action === 'slack.pressed')
      assert.deepEqual(
        [entry?.target, entry?.detail.did, entry?.detail.channel],
        ['SHOP-1', 'assign', '#buttons'],
      )
      assert.match(String(entry?.actor), / by Slack$/)
    })

    it('do no more than the role of who pressed allows', async () => {
      assert.equal(await connect(await told('resolve', { user: 'U3' }), 'viewer'), 'ok')
      await owner('PUT /organizations/acme/issues/SHOP-1/', { status: 'unresolved' })
      assert.match(await told('resolve', { user: 'U3' }), /role does|scopes of this token|not allow/)
      assert.equal((await issue()).status, 'unresolved')
    })

    it('are nobody’s any more for whoever signs with another secret', async () => {
      const put = (signingSecret: string) =>
        owner(`PUT ${CHANNELS}${channel}/`, {
          ...{ name: '#buttons' },
          values: { signingSecret, channel: 'C024BE91L', server: hook.url('/api') },
        })
      assert.equal((await put('mine')).status, 200)
      assert.match(await told('resolve', { secret: 'mine' }), /Connect your/)
      assert.equal((await put(SECRET)).status, 200)
      assert.match(await told('resolve'), /is resolved/)
    })

    it('ask for the second factor and the provider that the organisation asks for', async () => {
      const { owner: boss, member } = shop.people
      const who = asking(await boss.viewer(), await boss.scope())
      await shop.control.requireSecondFactor(who.scope.orgId, true, anActor())
      assert.match(await told('resolve'), /Connect your/)
      await shop.control.requireSecondFactor(who.scope.orgId, false, anActor())
      const provider = {
        ...{
          kind: 'oidc' as const,
          name: 'ID',
          issuer: 'https://id.acme.test',
          clientId: 'x',
          clientSecret: 'x',
        },
        ...{ domains: ['acme.test'], isRequired: true, organisations: [], roleDefault: null, roleClaim: '' },
        roles: [],
      }
      unwrap(
        await shop.control.setSignInProvider(who.scope.orgId, { ...provider, domainToken: 'd' }, anActor()),
      )
      unwrap(await shop.control.proveDomain(who.scope.orgId, 'acme.test', anActor()))
      assert.match(await told('resolve'), /Connect your/)
      await owner('PUT /organizations/acme/issues/SHOP-1/', { status: 'unresolved' })
      unwrap(await shop.control.removeSignInProvider(who.scope.orgId, 'oidc', anActor()))
      assert.match(await told('resolve'), /is resolved/)
      const [link] = await shop.queries.slackLinks(await member.viewer())
      unwrap(await shop.commands.unlinkSlack({ viewer: await member.viewer(), ...FACTS }, link?.id ?? 0))
      assert.match(await told('resolve'), /Connect your/)
    })

    it('answer where Slack says, at Slack or the channel’s server alone', async () => {
      const before = hook.calls.length
      await press('resolve', { responseUrl: hook.url('/answer') })
      assert.equal(hook.calls.length, before + 1)
      const elsewhere = await openHook((_, response) => response.end('{}'))
      await press('resolve', { responseUrl: elsewhere.url('/answer') })
      assert.deepEqual(elsewhere.calls, [])
      await elsewhere.close()
    })

    it('do nothing for a wrong or old signature, or another channel', async () => {
      assert.equal((await press('resolve', { secret: 'guessed' })).status, 403)
      assert.equal((await press('resolve', { at: shop.clock.now() - 3_600_000 })).status, 403)
      channel = '999'
      assert.equal((await press('resolve')).status, 403)
    })
  })
})
