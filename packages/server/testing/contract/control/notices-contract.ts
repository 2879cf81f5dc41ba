/** Contract of the notices port: what is queued with a batch, how deliveries are claimed and settled, who is told. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ClaimedDelivery, NoticeChannel, NoticeLogEntry } from '#ports/notices.ts'
import { anActor } from '../../builders/actor.ts'
import { archivedUntil } from '../../builders/archived-until.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { anEvent, type EventShape } from '../../builders/stored-event.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, removeAllAged, value } from './stores.ts'
import { addMember, commit } from './world.ts'

const TRACE = 'ab'.repeat(16)

const MINUTE = 60_000
const SECRET = 's'.repeat(43)
const WEBHOOK = { url: 'https://hooks.example.com/errata', secret: SECRET }

type Shape = Omit<EventShape, 'projectId'> & { readonly projectId?: ProjectId }

export function noticesContract(open: ControlFactory): void {
  describe('NoticeQueue, NoticesRead and NoticesWrite', () => {
    const { stores, world, clock } = openForEachTest(open)
    let seqNext = 1
    let leases = 0
    beforeEach(() => {
      seqNext = 1
    })

    /** Events as one batch, received now. */
    async function arriveWith(mail: boolean, shapes: readonly Shape[]) {
      const events = shapes.map((shape) =>
        anEvent({ projectId: world.shop, timestampMs: clock.now(), ...shape }),
      )
      const batch = aBatch(seqNext, events)
      seqNext += events.length
      const issues = await commit(stores, world.scope, batch)
      await evaluate(mail)
      return issues
    }
    const arrive = (...shapes: Parameters<typeof arriveWith>[1]) => arriveWith(true, shapes)
    /** Without a mail server. */
    const arriveWithout = (...shapes: Parameters<typeof arriveWith>[1]) => arriveWith(false, shapes)
    /** Does what the beat does of what came. */
    const evaluate = (mail = true) => stores.write.evaluateDue(clock.now(), { metrics: false, mail })
    const openDue = (mail = true) => stores.write.openDueNotices({ nowMs: clock.now(), limit: 100, mail })
    const claim = async (limit = 100) => [
      ...(await claimOf('mail', limit)),
      ...(await claimOf('webhook', limit)),
    ]
    const claimOf = (channel: NoticeChannel, limit: number) =>
      stores.write.claimDeliveries({
        channel,
        nowMs: clock.now(),
        leaseMs: 2 * MINUTE,
        lease: `lease ${++leases}`,
        limit,
        triesMax: 3,
      })
    const settle = (delivery: ClaimedDelivery) =>
      stores.write.settleDelivery(delivery, { state: 'sent', says: 'Answered 204.' }, clock.now())
    const log = (scope = world.scope, project = world.shop) =>
      stores.read.noticeLog(scope, project, { limit: 100, before: null })
    const kinds = (entries: readonly NoticeLogEntry[]) => entries.map(({ kind }) => kind)
    const claimedNow = async () => {
      await openDue()
      return claim()
    }

    it('queues a notice with the batch that begins an issue, once however often the batch is applied', async () => {
      const batch = aBatch(1, [
        anEvent({ projectId: world.shop, group: 'a' }),
        anEvent({ projectId: world.shop, group: 'a' }),
        anEvent({ projectId: world.shop, group: 'b' }),
      ])
      await stores.write.applyBatch(batch)
      await stores.write.applyBatch(batch)
      await evaluate()
      await evaluate()
      assert.deepEqual(kinds(await log()), ['new', 'new'])
      await arrive({ group: 'a' })
      assert.equal((await log()).length, 2, 'more of a known issue is no news')
    })

    it('tells what the error page, the kind of request and the event say', async () => {
      await arrive({
        group: 'boom',
        culprit: 'GET /cart',
        requestKind: 'action',
        route: '/orders/[id]',
        release: 'shop@2',
        tags: { environment: 'production' },
        digests: ['2674428404'],
        traceId: TRACE,
        name: 'first',
      })
      const [delivery] = await claimedNow()
      assert.deepEqual(delivery?.to, { channel: 'mail', email: 'Ada@Example.com', name: 'Ada' })
      assert.match(delivery?.key ?? '', /^[0-9a-f]{32}$/)
      const { issue, kind, organisation, project } = delivery?.notice ?? assert.fail('nothing was claimed')
      assert.deepEqual([kind, organisation, project.slug], ['new', 'acme', 'shop'])
      assert.deepEqual(
        [issue?.shortId, issue?.title, issue?.culprit, issue?.eventCount],
        ['SHOP-1', 'Error: boom', 'GET /cart', 1],
      )
      assert.deepEqual(
        [
          issue?.digest,
          issue?.requestKind,
          issue?.route,
          issue?.release,
          issue?.environment,
          issue?.isMirror,
          issue?.traceId,
        ],
        ['2674428404', 'action', '/orders/[id]', 'shop@2', 'production', false, TRACE],
      )
    })

    it('tells members who read the project, and nobody who does not, or takes no mail', async () => {
      const { org, team, owner } = world
      await addMember(stores, { org, email: 'outside@example.com', role: 'member' })
      await stores.write.setTeam(org, team, { members: [owner] }, anActor())
      const inside = await addMember(stores, {
        org,
        email: 'inside@example.com',
        role: 'viewer',
        teams: [team],
      })
      const silent = await addMember(stores, {
        org,
        email: 'silent@example.com',
        role: 'viewer',
        teams: [team],
      })
      const outside = await stores.read.userByEmail('outside@example.com')
      assert.ok(outside !== null)
      await stores.write.setTeam(org, team, { members: [owner, inside, silent] }, anActor())
      await stores.write.setNoticeMailOf(silent, false, anActor())
      assert.equal(await stores.read.noticeMailOf(silent), false)
      await arrive({})
      const told = (await claimedNow()).map(({ to }) => (to.channel === 'mail' ? to.email : to.url))
      assert.deepEqual(told.sort(), ['Ada@Example.com', 'inside@example.com'])
    })

    it('cancels what waits for somebody who may no longer read the project', async () => {
      const { org, team } = world
      const leaving = await addMember(stores, {
        org,
        email: 'leaving@example.com',
        role: 'viewer',
        teams: [team],
      })
      await arrive({})
      await openDue()
      value(await stores.write.removeMember(org, { user: leaving }, anActor()))
      const claimed = await claim()
      assert.equal(claimed.length, 1)
      const states = (await log())[0]?.deliveries.map(({ state, count }) => `${count} ${state}`)
      assert.deepEqual(states, ['1 cancelled', '1 sending'])
    })

    it('keeps an issue quiet that was told of, counts that, and tells again afterwards', async () => {
      const [issue] = await arrive({ group: 'a' })
      assert.ok(issue !== undefined)
      for (const delivery of await claimedNow()) await settle(delivery)
      const resolve = () =>
        stores.write.resolve(
          { orgId: world.org, projects: [world.shop], ids: [issue.id] },
          anActor(clock.now()),
        )
      await resolve()
      clock.advance(HOUR)
      await arrive({ group: 'a' })
      const [entry, ...others] = await log()
      assert.deepEqual([entry?.kind, entry?.heldBack, others.length], ['new', 1, 0])
      assert.equal((await stores.read.heldBack(world.scope, world.shop, NOW)).quiet, 1)
      await resolve()
      clock.advance(24 * HOUR)
      await arrive({ group: 'a' })
      assert.deepEqual(kinds(await log()), ['regressed', 'new'])
    })

    it('tells every return where quiet hours are 0, and of what is back from the archive', async () => {
      const change = { mail: true, quietHours: 0 }
      value(await stores.write.setNotices(world.org, world.shop, change, anActor()))
      const [issue] = await arrive({ group: 'a' })
      assert.ok(issue !== undefined)
      const chosen = { orgId: world.org, projects: [world.shop], ids: [issue.id] }
      await stores.write.resolve(chosen, anActor(clock.now()))
      clock.advance(MINUTE)
      await arrive({ group: 'a' })
      await stores.write.archive(chosen, archivedUntil({ eventsMore: 1 }), anActor(clock.now()))
      clock.advance(MINUTE)
      await arrive({ group: 'a' })
      assert.deepEqual(kinds(await log()), ['unarchived', 'regressed', 'new'])
    })

    it('tells of a return as it was, whatever people made of the issue before it was looked at', async () => {
      const change = { mail: true, quietHours: 0 }
      value(await stores.write.setNotices(world.org, world.shop, change, anActor()))
      const [issue] = await arrive({ group: 'a' })
      assert.ok(issue !== undefined)
      const chosen = { orgId: world.org, projects: [world.shop], ids: [issue.id] }
      const back = async () => {
        clock.advance(MINUTE)
        const event = anEvent({ projectId: world.shop, group: 'a', timestampMs: clock.now() })
        await stores.write.applyBatch(aBatch(seqNext++, [event]))
        await stores.write.resolve(chosen, anActor(clock.now()))
        await evaluate()
      }
      await stores.write.resolve(chosen, anActor(clock.now()))
      await back()
      await stores.write.archive(chosen, archivedUntil({ eventsMore: 1 }), anActor(clock.now()))
      await back()
      assert.deepEqual(kinds(await log()), ['unarchived', 'regressed', 'new'])
    })

    it('tells the first of a flood one by one and the rest in one summary', async () => {
      const most = max('noticesPerMinuteMax')
      const flood = (from: number, count: number) =>
        arrive(...Array.from({ length: count }, (_, index) => ({ group: `flood ${from + index}` })))
      await flood(0, most + 400)
      await flood(1_000, 12)
      const entries = await log()
      assert.equal(entries.length, most + 1)
      const summary = entries.find(({ kind }) => kind === 'summary')
      assert.deepEqual(summary?.rest, { newIssues: 412, returnedIssues: 0, echoIssues: 0 })
      assert.equal((await stores.read.heldBack(world.scope, world.shop, NOW)).summarised, 412)
      await openDue()
      const single = await claim(1_000)
      assert.equal(single.length, most)
      for (const delivery of single) await settle(delivery)
      clock.advance(max('noticeSummaryWaitMs'))
      const [told] = await claimedNow()
      assert.deepEqual(told?.notice.rest, { newIssues: 412, returnedIssues: 0, echoIssues: 0 })
      await flood(2_000, most + 1)
      const next = (await log()).find(({ kind, dueMs }) => kind === 'summary' && dueMs !== null)
      assert.equal(next?.dueMs, NOW + HOUR, 'one summary an hour')
      clock.advance(HOUR)
      await flood(3_000, 1)
      assert.equal(kinds(await log())[0], 'new', 'the next hour has room again')
    })

    it('puts mirrors that stand alone beyond the bound into the summary, as what they are', async () => {
      const most = max('noticesPerMinuteMax')
      const mirrors = Array.from({ length: most + 30 }, (_, index) => ({
        ...{ group: `mirror ${index}`, isMirror: true, digests: [`${1_000 + index}`] },
      }))
      await arrive(...mirrors)
      assert.deepEqual(await log(), [], 'they wait')
      clock.advance(max('mirrorWaitMs'))
      await stores.write.standAlone(clock.now())
      await evaluate()
      const summary = (await log()).find(({ kind }) => kind === 'summary')
      assert.deepEqual(summary?.rest, { newIssues: 0, returnedIssues: 0, echoIssues: 30 })
      await openDue()
      clock.advance(max('noticeSummaryWaitMs'))
      const told = (await claimedNow()).find(({ notice }) => notice.kind === 'summary')
      assert.equal(told?.notice.rest?.echoIssues, 30)
    })

    it('does not let one project’s flood silence another', async () => {
      await arrive(...Array.from({ length: 50 }, (_, index) => ({ group: `flood ${index}` })))
      await arrive({ group: 'quiet place', projectId: world.blog })
      assert.deepEqual(kinds(await log(world.scope, world.blog)), ['new'])
    })

    it('tells the exception and never its mirror beside it, whichever comes first', async () => {
      const mirror = { group: 'mirror', isMirror: true, digests: ['42'] }
      await arrive(mirror)
      await openDue()
      assert.equal((await claim()).length, 0, 'a mirror waits for its exception')
      await arrive({ group: 'exception', projectId: world.blog, digests: ['42'] })
      clock.advance(max('mirrorWaitMs'))
      await stores.write.standAlone(clock.now())
      await arrive({ ...mirror, user: 'id:2' })
      const told = await claimedNow()
      assert.deepEqual(
        told.map(({ notice }) => notice.issue?.shortId),
        ['BLOG-1'],
      )
      assert.deepEqual(await log(), [])
    })

    it('tells of a mirror whose exception never came, and not when it came at last before that was told', async () => {
      const alone = (group: string, digest: string, projectId = world.shop) => {
        return arrive({ group, isMirror: true, digests: [digest], projectId })
      }
      for (const digest of ['50', '51', '52']) await alone(digest, digest, world.blog)
      await alone('mirror', '42')
      await alone('another', '44')
      // Beyond what one turn opens.
      await alone('late', '43')
      clock.advance(max('mirrorWaitMs'))
      await stores.write.standAlone(clock.now())
      await evaluate()
      clock.advance(MINUTE)
      await arrive({ group: 'exception', projectId: world.blog, digests: ['43'] })
      const told = await claimedNow()
      assert.deepEqual(
        told.slice(3).map(({ notice }) => [notice.issue?.shortId, notice.issue?.isMirror]),
        [
          ['SHOP-1', true],
          ['SHOP-2', true],
          ['BLOG-4', false],
        ],
      )
      const dropped = (await log()).find((entry) => entry.dropped !== null)
      assert.match(dropped?.dropped ?? '', /copy of BLOG-4/)
      assert.equal(dropped?.issue, null, 'no issue of this project any more')
      const outside = (await log(world.shopScope)).find((entry) => entry.dropped !== null)
      assert.match(outside?.dropped ?? '', /a server failure, which has its own alert/)
      assert.ok(!JSON.stringify(outside).includes('BLOG'), 'no name of an issue that the viewer may not read')
      assert.equal((await stores.read.heldBack(world.scope, world.shop, NOW)).mirror, 1)
    })

    it('gives a delivery to one loop alone, and after its lease the same one with the same key', async () => {
      await arrive({})
      await openDue()
      const [first] = await claim()
      assert.ok(first !== undefined)
      assert.deepEqual(await claim(), [], 'another loop gets nothing')
      const receiver = { orgId: world.org, isPager: false, receiver: `mail:${world.org}` }
      assert.deepEqual(await stores.write.waitingDeliveries('mail'), [
        { ...receiver, dueMs: NOW + 2 * MINUTE },
      ])
      clock.advance(2 * MINUTE)
      const [second] = await claim()
      assert.deepEqual([second?.id, second?.key, second?.tries], [first.id, first.key, 2])
      assert.equal(await settle(first), false, 'the lease is another’s')
      assert.ok(second !== undefined && (await settle(second)))
      assert.equal(await settle(second), false, 'settled once')
      clock.advance(DAY)
      assert.deepEqual(await claim(), [])
      assert.deepEqual(await stores.write.waitingDeliveries('mail'), [])
    })

    it('gives at once, with its key, what a process had under way that ended', async () => {
      await arrive({})
      await openDue()
      const [first] = await claim()
      await stores.write.endLeases(NOW)
      const [again, ...others] = await claim()
      assert.deepEqual([again?.key, again?.tries, others], [first?.key, 2, []])
      assert.equal(first !== undefined && (await settle(first)), false, 'the lease is another’s')
    })

    it('gives up a delivery whose loops died as often as it may be tried', async () => {
      await arrive({})
      await openDue()
      for (let tries = 1; tries <= 3; tries++) {
        assert.equal((await claim())[0]?.tries, tries)
        clock.advance(2 * MINUTE)
      }
      assert.deepEqual(await claim(), [])
      assert.deepEqual((await log())[0]?.deliveries[0]?.state, 'failed')
    })

    it('tries again when it was told to, not before', async () => {
      await arrive({})
      const [delivery] = await claimedNow()
      assert.ok(delivery !== undefined)
      const nextMs = NOW + 10 * MINUTE
      const again = { state: 'waiting' as const, says: 'Answered 503.', nextMs }
      assert.equal(await stores.write.settleDelivery(delivery, again, NOW), true)
      assert.deepEqual((await log())[0]?.deliveries[0], {
        ...{ channel: 'mail', state: 'waiting', count: 1, tries: 1 },
        ...{ says: 'Answered 503.', nextMs, settledMs: null, receivers: [] },
      })
      clock.advance(10 * MINUTE - 1)
      assert.deepEqual(await claim(), [])
      clock.advance(1)
      assert.equal((await claim())[0]?.tries, 2)
    })

    it('calls the webhook a project set, keeps its secret to itself, and cancels what waits when it goes', async () => {
      const { org, shop, scope } = world
      const without = await stores.write.setWebhook(org, shop, { url: WEBHOOK.url }, anActor())
      assert.equal(refusal(without), 'conflict')
      value(await stores.write.setWebhook(org, shop, WEBHOOK, anActor(NOW)))
      const settings = await stores.read.noticeSettings(scope, shop)
      assert.deepEqual(settings.webhook, { url: WEBHOOK.url, changedMs: NOW })
      await arrive({})
      const told = (await claimedNow()).find(({ to }) => to.channel === 'webhook')
      assert.deepEqual(told?.to, { channel: 'webhook', ...WEBHOOK })
      value(await stores.write.setWebhook(org, shop, { url: 'https://other.example/' }, anActor(NOW + 1)))
      assert.equal((await stores.read.webhookTarget(scope, shop))?.secret, SECRET, 'a new address keeps it')
      await arrive({ group: 'b' })
      await openDue()
      value(await stores.write.removeWebhook(org, shop, anActor()))
      assert.equal(refusal(await stores.write.removeWebhook(org, shop, anActor())), 'not_found')
      assert.ok((await claim()).every(({ to }) => to.channel === 'mail'))
      const audit = await stores.read.audit(scope, { limit: 10, before: null })
      assert.deepEqual(
        audit.slice(0, 3).map(({ action }) => action),
        ['webhook.removed', 'webhook.changed', 'webhook.created'],
      )
      assert.ok(!JSON.stringify(audit).includes(SECRET))
    })

    it('sends what was under way to a webhook that was removed to none that is set afterwards', async () => {
      const { org, shop } = world
      value(await stores.write.setWebhook(org, shop, WEBHOOK, anActor()))
      await arrive({})
      const calls = (await claimedNow()).filter(({ to }) => to.channel === 'webhook')
      value(await stores.write.removeWebhook(org, shop, anActor()))
      value(
        await stores.write.setWebhook(org, shop, { ...WEBHOOK, url: 'https://other.example/' }, anActor()),
      )
      const again = { state: 'waiting' as const, says: 'Answered 503.', nextMs: clock.now() }
      const settled = calls.map((call) => stores.write.settleDelivery(call, again, clock.now()))
      assert.deepEqual(await Promise.all(settled), [false])
      clock.advance(DAY)
      assert.ok((await claim()).every(({ to }) => to.channel === 'mail'))
      const [call] = (await log())[0]?.deliveries.filter(({ channel }) => channel === 'webhook') ?? []
      assert.deepEqual(
        [call?.state, call?.says],
        ['cancelled', 'The webhook was removed while it was called; it may have arrived.'],
      )
    })

    it('queues nothing for a project that told nobody anything, and says why nobody was told', async () => {
      const off = { mail: false, quietHours: 24 }
      value(await stores.write.setNotices(world.org, world.shop, off, anActor()))
      await arrive({})
      assert.deepEqual(await log(), [])
      await arriveWithout({ projectId: world.blog })
      const [entry] = await log(world.scope, world.blog)
      assert.match(entry?.dropped ?? '', /No mail server/)
    })

    it('drops the notice of an issue that was deleted, and follows one that was merged', async () => {
      const ofBlog = ['x', 'y', 'z'].map((group) => ({ group, projectId: world.blog }))
      // One turn opens all but the last.
      const issues = await arrive(...ofBlog, { group: 'a' }, { group: 'b' }, { group: 'c' })
      const idOf = (group: string) =>
        issues.find(({ title }) => title.endsWith(group))?.id ?? assert.fail(`no issue ${group}`)
      const change = (...groups: readonly string[]) => ({
        orgId: world.org,
        projects: [world.shop],
        ids: groups.map(idOf),
      })
      value(await stores.write.deleteIssues(change('a'), anActor()))
      value(await stores.write.merge(change('b', 'c'), idOf('b'), anActor()))
      const told = (await claimedNow()).slice(3).map(({ notice }) => notice.issue?.title)
      assert.deepEqual(told, ['Error: b', 'Error: b'])
      const says = (await log()).flatMap(({ deliveries }) => deliveries.map((one) => one.says))
      assert.equal(says.filter((text) => text === 'The issue was deleted.').length, 1)
      clock.advance(MINUTE)
      const later = ['x 2', 'y 2', 'z 2'].map((group) => ({ group, projectId: world.blog }))
      const more = await arrive(...later, { group: 'd' }, { group: 'e' }, { group: 'f' })
      const unopened = more.find(({ title }) => title === 'Error: f') ?? assert.fail('no issue f')
      value(await stores.write.deleteIssues({ ...change(), ids: [unopened.id] }, anActor()))
      await openDue()
      assert.equal((await log()).filter(({ dropped }) => dropped?.includes('deleted')).length, 1)
    })

    it('shows and changes nothing outside the scope', async () => {
      const { otherOrg, otherScope, shop } = world
      value(await stores.write.setWebhook(world.org, shop, WEBHOOK, anActor()))
      await arrive({})
      assert.deepEqual(await log(otherScope), [])
      assert.equal((await stores.read.noticeSettings(otherScope, shop)).webhook, null)
      const change = { mail: false, quietHours: 1 }
      assert.equal(refusal(await stores.write.setNotices(otherOrg, shop, change, anActor())), 'not_found')
      assert.equal(refusal(await stores.write.setWebhook(otherOrg, shop, WEBHOOK, anActor())), 'not_found')
      assert.equal(refusal(await stores.write.removeWebhook(otherOrg, shop, anActor())), 'not_found')
      assert.equal(await stores.read.webhookTarget(otherScope, shop), null)
    })

    it('forgets notices of age, and deletes those of a project with it', async () => {
      await arrive({ group: 'a' })
      clock.advance((max('noticeDays') + 1) * DAY)
      await removeAllAged(stores, clock)
      await arrive({ group: 'b' })
      assert.equal((await log()).length, 1)
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      assert.deepEqual(await log(), [])
      assert.equal(await stores.write.nextNoticeMs(), null)
    })
  })
}
