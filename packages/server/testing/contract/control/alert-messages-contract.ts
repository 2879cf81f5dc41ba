/** Contract of channels and of the messages on their way there. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { NewChannel } from '#ports/channels.ts'
import type { ClaimedMessage, DeliveryLogQuery, MessageSettlement, NewMessage } from '#ports/messages.ts'
import { anActor } from '../../builders/actor.ts'
import { anAlert } from '../../builders/alert-message.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { aHash } from '../../builders/ids.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { NOW } from '../../builders/times.ts'
import { channelChanges } from './channel-changes.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, removeAllAged, value } from './stores.ts'
import { addMember, commit } from './world.ts'

const SLACK: NewChannel = {
  kind: 'slack',
  name: '#shop-alerts',
  settings: { style: 'full' },
  secrets: { url: 'https://hooks.slack.com/services/T0/B0/secret' },
}
const SENT: MessageSettlement = { state: 'sent', says: 'Answered 200.', tookMs: 30 }
const ALL: DeliveryLogQuery = {
  ...{ of: 'rules', ruleId: null, kind: null, channelId: null, states: null },
  ...{ sinceMs: 0, text: '', before: null, limit: 100 },
}

export function alertMessagesContract(open: ControlFactory): void {
  describe('Channels and messages of alerts', () => {
    const { stores, world, clock } = openForEachTest(open)

    const create = (channel: Partial<NewChannel> = {}, org = world.org) =>
      channelChanges(stores.write).createChannel(org, { ...SLACK, ...channel }, anActor())
    const claim = (lease = `lease ${clock.now()}`) =>
      stores.write.claimMessages({ nowMs: clock.now(), leaseMs: 60_000, lease, limit: 100, triesMax: 3 })
    /** When the first is due of those that wait. */
    const next = async (by: 'mail' | 'call') => (await stores.write.waitingMessages(by))[0]?.dueMs ?? null
    const settle = (message: ClaimedMessage | undefined, settlement: MessageSettlement = SENT) =>
      stores.write.settleMessage(message ?? assert.fail('nothing claimed'), settlement, clock.now())
    const log = (query: Partial<DeliveryLogQuery> = {}, scope = world.scope) =>
      stores.read.deliveryLog(scope, { ...ALL, ...query })
    const message = (over: Partial<NewMessage> = {}): NewMessage => ({
      ...{ orgId: world.org, firingId: 1, projectId: world.shop, issueId: null, heldUntilMs: null },
      occasion: null,
      projects: null,
      ...{ target: { to: 'members' }, message: anAlert() },
      ...over,
    })
    const queue = (...messages: readonly Partial<NewMessage>[]) =>
      stores.write.queueMessages(messages.map(message), clock.now())
    const toChannel = async (channel: Partial<NewChannel> = {}) => {
      const { id } = value(await create(channel))
      return { to: 'channel', channelId: id } as const
    }
    const headlines = (claimed: readonly ClaimedMessage[]) => claimed.map((one) => one.message.headline)

    describe('channels', () => {
      it('keep what is secret to themselves, and give it to the loop', async () => {
        const { id } = value(await create())
        const [channel] = await stores.read.channels(world.scope)
        assert.deepEqual(channel?.secretsSet, ['url'])
        assert.equal(JSON.stringify(channel).includes('services/T0'), false)
        const target = await stores.read.channelTarget(world.org, id)
        assert.deepEqual(target?.values, { ...SLACK.settings, ...SLACK.secrets })
      })

      it('change name, settings and single secrets', async () => {
        const { id } = value(await create({ secrets: { url: 'one', token: 'two' } }))
        const change = { name: '#shop', settings: { style: 'short' }, secrets: { token: 'three' } }
        value(await channelChanges(stores.write).changeChannel(world.org, id, change, anActor()))
        const target = await stores.read.channelTarget(world.org, id)
        assert.deepEqual(
          [target?.name, target?.values],
          ['#shop', { style: 'short', url: 'one', token: 'three' }],
        )
      })

      it('are written over by nobody who has not seen them', async () => {
        const { id } = value(await create())
        const { name, settings } = SLACK
        const seen = { name, settings }
        value(
          await channelChanges(stores.write).changeChannel(world.org, id, { name: '#shop', seen }, anActor()),
        )
        const stale = { settings: {}, seen }
        assert.equal(
          refusal(await channelChanges(stores.write).changeChannel(world.org, id, stale, anActor())),
          'conflict',
        )
        const target = await stores.read.channelTarget(world.org, id)
        assert.deepEqual([target?.name, target?.values], ['#shop', { ...settings, ...SLACK.secrets }])
      })

      it('have names of their own within a kind', async () => {
        const { id } = value(await create())
        assert.equal(refusal(await create()), 'conflict')
        value(await create({ kind: 'discord' }))
        const other = value(await create({ name: '#other' }))
        const taken = await channelChanges(stores.write).changeChannel(
          world.org,
          other.id,
          { name: SLACK.name },
          anActor(),
        )
        assert.equal(refusal(taken), 'conflict')
        value(
          await channelChanges(stores.write).changeChannel(world.org, id, { name: SLACK.name }, anActor()),
        )
      })

      it('belong to one organisation', async () => {
        const { id } = value(await create())
        assert.deepEqual(await stores.read.channels(world.otherScope), [])
        assert.equal(await stores.read.channel(world.otherScope, id), null)
        assert.equal(await stores.read.channelTarget(world.otherOrg, id), null)
        assert.equal(
          refusal(await channelChanges(stores.write).changeChannel(world.otherOrg, id, {}, anActor())),
          'not_found',
        )
        assert.equal(
          refusal(await channelChanges(stores.write).deleteChannel(world.otherOrg, id, anActor())),
          'not_found',
        )
        assert.equal((await stores.read.channelForCallback(id))?.orgId, world.org)
      })

      it('are bounded in number', async () => {
        for (let index = 0; index < max('channelsPerOrgMax'); index++)
          value(await create({ name: `#${index}` }))
        assert.equal(refusal(await create({ name: 'one more' })), 'conflict')
      })

      it('take their waiting messages with them', async () => {
        const target = await toChannel()
        await queue({ target })
        value(await channelChanges(stores.write).deleteChannel(world.org, target.channelId, anActor()))
        assert.deepEqual(await claim(), [])
        const [entry] = (await log()).entries
        assert.deepEqual([entry?.state, entry?.to], ['cancelled', '#shop-alerts'])
      })
    })

    describe('messages', () => {
      it('tell of an issue that a person sends, to a channel of the organisation alone', async () => {
        const target = await toChannel()
        await stores.write.applyBatch(aBatch(1, [anEvent({ projectId: world.shop, group: 'a' })]))
        const issue = await stores.read.issueOfGroup(world.scope, world.shop, aHash('a'))
        assert.ok(issue !== null)
        const chosen = { orgId: world.org, projects: world.scope.projects, ids: [issue.id] }
        const sent = { issue: chosen, channelId: target.channelId, note: 'please look' }
        const ada = anActor(NOW, { userId: world.owner, label: 'Ada' })
        value(await stores.write.sendIssue(sent, ada))
        const [claimed] = await claim()
        assert.deepEqual(
          [claimed?.message.because, claimed?.message.issue?.shortId, claimed?.message.rule],
          ['Ada: please look', 'SHOP-1', null],
        )
        const [entry] = await stores.read.audit(world.scope, { limit: 1, before: null })
        assert.deepEqual([entry?.action, entry?.target], ['issue.sent', 'SHOP-1'])
        const unreadable = { ...sent, issue: { ...chosen, projects: [world.blog] } }
        assert.equal(refusal(await stores.write.sendIssue(unreadable, ada)), 'not_found')
        const foreign = value(await create({}, world.otherOrg))
        assert.equal(
          refusal(await stores.write.sendIssue({ ...sent, channelId: foreign.id }, ada)),
          'not_found',
        )
        assert.deepEqual(await claim('another'), [])
      })

      it('go to a channel once, with what it needs', async () => {
        const target = await toChannel()
        await queue({ target })
        assert.equal(await next('call'), NOW)
        const [claimed, ...others] = await claim()
        assert.deepEqual(others, [])
        assert.equal(claimed?.to.to === 'channel' && claimed.to.channel.values.url, SLACK.secrets.url)
        assert.deepEqual(await claim(), [])
        assert.equal(await settle(claimed), true)
        assert.equal(await next('call'), null)
        assert.equal(await settle(claimed), false)
        const [channel] = await stores.read.channels(world.scope)
        assert.deepEqual(channel?.last, { isDelivered: true, says: 'Answered 200.', atMs: NOW })
      })

      it('go to each person who may read the project', async () => {
        const { org, team } = world
        await addMember(stores, { org, email: 'in@example.com', role: 'viewer', teams: [team] })
        const away = await addMember(stores, { org, email: 'away@example.com', role: 'manager' })
        await stores.write.setNoticeMailOf(away, false, anActor())
        await queue({})
        const emails = (await claim()).map(({ to }) => (to.to === 'person' ? to.email : ''))
        assert.deepEqual(emails.toSorted(), ['Ada@Example.com', 'in@example.com'])
      })

      it('go to who is assigned, to a team, to one person', async () => {
        const { org, owner, team, scope, shop } = world
        const [issue] = await commit(stores, scope, aBatch(1, [anEvent({ projectId: shop })]))
        assert.ok(issue !== undefined)
        await queue({ target: { to: 'assignee' }, issueId: issue.id })
        assert.deepEqual(await claim(), [])
        const change = { orgId: org, projects: scope.projects, ids: [issue.id] }
        await stores.write.assign(change, owner, anActor())
        await queue({ target: { to: 'assignee' }, issueId: issue.id })
        await settle((await claim())[0])
        clock.advance(DAY_MS)
        const viewer = await addMember(stores, {
          org,
          email: 'in@example.com',
          role: 'viewer',
          teams: [team],
        })
        await queue({ target: { to: 'team', teamId: team } })
        const toTeam = await claim()
        assert.equal(toTeam.length, 2)
        for (const one of toTeam) await settle(one)
        clock.advance(DAY_MS)
        await queue({ target: { to: 'user', userId: viewer } })
        assert.equal((await claim()).length, 1)
      })

      it('say why they went to nobody', async () => {
        await queue({ target: { to: 'user', userId: world.otherOwner } })
        assert.deepEqual(await claim(), [])
        const [entry] = (await log()).entries
        assert.equal(entry?.state, 'cancelled')
        assert.match(entry.says ?? '', /no access to the project/)
      })

      it('are cancelled for who lost access meanwhile', async () => {
        const { org, team } = world
        const viewer = await addMember(stores, {
          org,
          email: 'in@example.com',
          role: 'viewer',
          teams: [team],
        })
        await queue({ target: { to: 'user', userId: viewer } })
        value(await stores.write.removeMember(org, { user: viewer }, anActor()))
        assert.deepEqual(await claim(), [])
        assert.equal((await log()).entries[0]?.state, 'cancelled')
      })

      it('of several projects go to owners and managers alone', async () => {
        const { org, team } = world
        await addMember(stores, { org, email: 'in@example.com', role: 'viewer', teams: [team] })
        await queue({ projectId: null })
        assert.equal((await claim()).length, 1)
      })

      it('that are tests go at once, and hold nothing up', async () => {
        const target = await toChannel()
        const queued = async (moment: 'test' | 'fired', headline: string) =>
          queue({ target, firingId: moment === 'test' ? null : 1, message: anAlert({ moment, headline }) })
        await queued('test', 'a test')
        await queued('fired', 'one')
        const [first, second, ...none] = await claim()
        assert.deepEqual(
          [headlines([first, second].flatMap((one) => one ?? [])), none],
          [['a test', 'one'], []],
        )
        await queued('fired', 'two')
        await queued('test', 'another test')
        assert.deepEqual(headlines(await claim('later')), ['another test'])
      })

      it('that follow within a minute are one', async () => {
        const target = await toChannel()
        await queue({ target, message: anAlert({ headline: 'first' }) })
        const [first] = await claim()
        await settle(first)
        clock.advance(10_000)
        await queue({ target, message: anAlert({ headline: 'second' }) })
        clock.advance(10_000)
        await queue({ target, message: anAlert({ headline: 'third', level: 'critical' }) })
        assert.deepEqual(await claim(), [])
        clock.advance(NOW + max('alertGatherMs') - clock.now())
        const [one, ...others] = await claim()
        assert.deepEqual([others.length, one?.message.moment, one?.message.level], [0, 'storm', 'critical'])
        assert.deepEqual(one?.message.gathered, { headlines: ['second', 'third'], total: 2 })
        await settle(one)
        const { counts, entries } = await log()
        assert.deepEqual([counts.sent, counts.gathered], [2, 1])
        assert.deepEqual(
          entries.map(({ gatheredIn }) => gatheredIn),
          [null, one?.id, null].toSorted((a, b) => Number(b !== null) - Number(a !== null)),
        )
        clock.advance(max('alertGatherMs'))
        await queue({ target, message: anAlert({ headline: 'fourth' }) })
        assert.deepEqual(headlines(await claim()), ['fourth'])
      })

      it('to a pager or a script are never gathered', async () => {
        const target = await toChannel({ kind: 'pagerduty' })
        await queue({ target }, { target, firingId: 2 }, { target, firingId: 3 })
        assert.equal((await claim()).length, 3)
      })

      it('of one firing come in turn: no end before what it ends was brought', async () => {
        const target = await toChannel({ kind: 'pagerduty' })
        await queue({ target, message: anAlert({ headline: 'begun' }) })
        await queue({ target, message: anAlert({ headline: 'over', moment: 'resolved' }) })
        const [begun, ...others] = await claim()
        assert.deepEqual([begun?.message.headline, others], ['begun', []])
        const nextMs = NOW + 60_000
        await settle(begun, { state: 'waiting', says: 'Answered 503.', tookMs: 5, nextMs })
        assert.deepEqual([await claim(), await next('call')], [[], nextMs])
        clock.advance(60_000)
        const [again, ...none] = await claim('again')
        assert.deepEqual([again?.message.headline, none], ['begun', []])
        await settle(again)
        assert.deepEqual(headlines(await claim('last')), ['over'])
      })

      it('of quiet hours come in the morning, as one', async () => {
        const target = await toChannel()
        const heldUntilMs = NOW + 8 * 3_600_000
        await queue({ target, heldUntilMs, message: anAlert({ headline: 'one' }) })
        await queue({ target, heldUntilMs, message: anAlert({ headline: 'two' }) })
        await queue({ target, firingId: 2, message: anAlert({ headline: 'critical' }) })
        const now = await claim()
        assert.deepEqual(headlines(now), ['critical'])
        await settle(now[0])
        clock.advance(heldUntilMs - clock.now())
        const [held, ...others] = await claim()
        assert.deepEqual([others.length, held?.message.moment], [0, 'held'])
        assert.deepEqual(held?.message.gathered?.headlines, ['one', 'two'])
      })

      it('that are held are told by what goes out of the same firing', async () => {
        const [target, other] = [await toChannel(), await toChannel({ name: 'another' })]
        const heldUntilMs = NOW + 8 * 3_600_000
        await queue({ target, heldUntilMs }, { target: other, heldUntilMs })
        await queue({ target, message: anAlert({ headline: 'critical' }) })
        const now = await claim()
        assert.deepEqual(headlines(now), ['critical'])
        await settle(now[0])
        clock.advance(heldUntilMs - clock.now())
        const [held, ...others] = await claim()
        assert.equal(others.length, 0)
        assert.ok(held?.to.to === 'channel' && held.to.channel.name === 'another')
      })

      it('leave out of one message what a person may not read any more', async () => {
        const { shop, blog, org, team } = world
        const ops = value(await stores.write.createTeam(org, 'ops', 'Ops', anActor()))
        const member = { email: 'in@example.com', role: 'viewer' } as const
        const reader = await addMember(stores, { org, ...member, teams: [team] })
        value(await stores.write.setTeam(org, team, { projects: [shop] }, anActor()))
        value(await stores.write.setTeam(org, ops, { projects: [blog], members: [reader] }, anActor()))
        const target = { to: 'user', userId: reader } as const
        await queue({ target, projectId: shop }, { target, firingId: 2, projectId: blog })
        await queue({ target, projectId: shop, message: anAlert({ headline: 'another' }) })
        value(await stores.write.setTeam(org, ops, { members: [] }, anActor()))
        clock.advance(max('alertGatherMs'))
        const [one, ...others] = await claim()
        assert.deepEqual([others.length, one?.message.gathered?.total], [0, 2])
        const { counts } = await log()
        assert.deepEqual([counts.cancelled, counts.gathered, counts.sending], [1, 1, 1])
      })

      it('are told where the oldest of them is of what a person may not read any more', async () => {
        const { shop, blog, org, team } = world
        const ops = value(await stores.write.createTeam(org, 'ops', 'Ops', anActor()))
        const member = { email: 'in@example.com', role: 'viewer' } as const
        const reader = await addMember(stores, { org, ...member, teams: [team] })
        value(await stores.write.setTeam(org, team, { projects: [shop] }, anActor()))
        value(await stores.write.setTeam(org, ops, { projects: [blog], members: [reader] }, anActor()))
        const target = { to: 'user', userId: reader } as const
        await queue({ target, firingId: 2, projectId: blog })
        await queue({ target, projectId: shop }, { target, projectId: shop })
        value(await stores.write.setTeam(org, ops, { members: [] }, anActor()))
        clock.advance(max('alertGatherMs'))
        const told = [...(await claim()), ...(await claim())]
        assert.deepEqual(
          told.map(({ message }) => message.gathered?.total),
          [2],
        )
        const { counts } = await log()
        assert.deepEqual([counts.cancelled, counts.gathered, counts.sending], [1, 1, 1])
      })

      it('are tried again with the same key, and end after so many tries', async () => {
        const target = await toChannel()
        await queue({ target })
        const [first] = await claim('one')
        await settle(first, { state: 'waiting', says: 'Answered 503.', tookMs: 5, nextMs: NOW + 1_000 })
        clock.advance(1_000)
        const [second] = await claim('two')
        assert.deepEqual([second?.key, second?.tries], [first?.key, 2])
        clock.advance(60_000)
        const [third] = await claim('three')
        assert.equal(third?.tries, 3)
        assert.equal(await settle(second), false)
        clock.advance(60_000)
        assert.deepEqual(await claim('four'), [])
        const [entry] = (await log()).entries
        assert.equal(entry?.state, 'failed')
        assert.deepEqual(entry.tries, [{ atMs: NOW, says: 'Answered 503.', tookMs: 5 }])
      })

      it('of one story know what the service called the first', async () => {
        const target = await toChannel({ kind: 'slack-bot' })
        await queue({ target, message: anAlert({ story: 'issue-1' }) })
        await settle((await claim())[0], { ...SENT, thread: '1700000000.000100' })
        clock.advance(max('alertGatherMs'))
        await queue({ target, message: anAlert({ story: 'issue-1' }) })
        const [next] = await claim()
        assert.equal(next?.to.to === 'channel' && next.to.thread, '1700000000.000100')
        await settle(next)
        clock.advance(max('alertGatherMs'))
        await queue({ target, message: anAlert({ story: 'issue-2' }) })
        const [other] = await claim()
        assert.equal(other?.to.to === 'channel' ? other.to.thread : '', null)
      })

      it('are sent again under a new key', async () => {
        const target = await toChannel()
        await queue({ target })
        const [first] = await claim()
        assert.equal(await stores.write.sendAgain(world.org, first?.id ?? 0, clock.now()), false)
        await settle(first, { state: 'failed', says: 'Answered 404.', tookMs: 1 })
        assert.equal(await stores.write.sendAgain(world.otherOrg, first?.id ?? 0, clock.now()), false)
        assert.equal(await stores.write.sendAgain(world.org, first?.id ?? 0, clock.now()), true)
        const [again] = await claim('again')
        assert.notEqual(again?.key, first?.key)
        assert.deepEqual([again?.id, again?.tries], [first?.id, 1])
      })
    })

    describe('the log', () => {
      it('shows what the scope holds, and nothing of other organisations', async () => {
        const target = await toChannel()
        await queue({ target, projectId: world.blog }, { target, projectId: null })
        assert.equal((await log()).entries.length, 2)
        assert.equal((await log({}, world.shopScope)).entries.length, 1)
        assert.equal((await log({}, world.otherScope)).entries.length, 0)
        const [hidden] = (await log()).entries.filter(({ id }) => id === 1)
        assert.equal(await stores.read.messageSent(world.shopScope, hidden?.id ?? 0), null)
        assert.notEqual(await stores.read.messageSent(world.scope, hidden?.id ?? 0), null)
      })

      it('shows one that others were gathered in to those alone who may read all of them', async () => {
        const target = await toChannel()
        await queue({ target })
        await settle((await claim())[0])
        await queue({ target }, { target, projectId: world.blog })
        clock.advance(max('alertGatherMs'))
        const [both] = await claim()
        assert.equal(both?.message.gathered?.total, 2)
        assert.equal((await log()).entries.length, 3)
        assert.equal((await log({}, world.shopScope)).entries.length, 1)
        assert.equal(await stores.read.messageSent(world.shopScope, both?.id ?? 0), null)
      })

      it('is asked by rule, kind, channel, state and text, and paged', async () => {
        const target = await toChannel()
        const rule = { id: 7, name: 'Checkout' }
        await queue({ target, message: anAlert({ headline: 'Checkout fails', rule }) })
        await settle((await claim())[0])
        await queue({})
        assert.equal((await log({ ruleId: 7 })).entries.length, 1)
        assert.equal((await log({ kind: 'email' })).entries.length, 1)
        assert.equal((await log({ channelId: target.channelId })).counts.sent, 1)
        assert.equal((await log({ channelId: target.channelId + 1 })).entries.length, 0)
        assert.equal((await log({ states: ['sent'] })).entries.length, 1)
        assert.equal((await log({ text: 'checkout' })).entries.length, 1)
        assert.equal((await log({ text: 'SHOP-alerts' })).entries.length, 1)
        const [newest] = (await log({ limit: 1 })).entries
        const older = await log({ before: newest?.ref ?? '' })
        assert.equal(older.entries.length, 1)
        assert.deepEqual([older.counts.sent, older.counts.waiting], [1, 1])
        assert.equal(older.medianMs, 0)
      })

      it('loses what is too old, once a day', async () => {
        const target = await toChannel()
        await queue({ target })
        await settle((await claim())[0])
        clock.advance((max('alertMessageDays') + 1) * DAY_MS)
        await removeAllAged(stores, clock)
        assert.deepEqual((await log()).entries, [])
      })
    })
  })
}
