/** Contract of issue trackers, of links to their issues, and of what they are asked. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssueConditions } from '#ports/issues.ts'
import type { NewTracker, RemoteIssue, TrackerSettlement } from '#ports/trackers.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, removeAllAged, value } from './stores.ts'
import { commit } from './world.ts'

const GITHUB: NewTracker = {
  ...{ kind: 'github', name: 'Shop', resolvesHere: true, closesThere: true },
  settings: { place: 'acme/shop' },
  secrets: { token: 'hidden', secret: 'signing' },
}

const aRemote = (change: Partial<RemoteIssue> = {}): RemoteIssue => ({
  ...{ ref: 'acme/shop#12', url: 'https://github.com/acme/shop/issues/12', title: 'It fails' },
  ...{ state: 'open', changedMs: NOW },
  ...change,
})

export function trackersContract(open: ControlFactory): void {
  describe('issue trackers', () => {
    const { stores, world, clock } = openForEachTest(open)
    let issue: IssueId
    let tracker: number
    beforeEach(async () => {
      const batch = aBatch(1, [anEvent({ projectId: world.shop, group: 'a' })])
      const [found] = await commit(stores, world.scope, batch)
      assert.ok(found !== undefined)
      issue = found.id
      tracker = await add()
    })

    const add = async (change: Partial<NewTracker> = {}) =>
      value(await stores.write.createTracker(world.org, { ...GITHUB, ...change }, anActor())).id
    const change = (ids: readonly IssueId[] = [issue]) => ({
      ...{ orgId: world.org, projects: world.scope.projects, ids },
    })
    const link = async (remote: RemoteIssue = aRemote(), trackerId: number = tracker) =>
      stores.write.linkIssue(change(), { trackerId, remote, isNew: false }, anActor())
    const links = () => stores.read.trackerLinks(world.scope, issue)
    const states = async () => (await links()).map(({ state }) => state)
    const statusOf = async () => (await stores.read.issue(world.scope, String(issue)))?.status
    const resolve = async () => value(await stores.write.resolve(change(), anActor()))
    const claim = (nowMs: number, lease = 'lease') =>
      stores.write.claimTrackerWork({ nowMs, leaseMs: 60_000, lease, limit: 5, triesMax: 3 })
    const next = async () => (await stores.write.waitingTrackerWork())[0]?.dueMs ?? null
    const later = NOW + max('trackerCloseDelayMs')
    const done: TrackerSettlement = {
      ...{ state: 'sent', says: 'Closed.', tookMs: 5 },
      remote: aRemote({ state: 'closed', changedMs: NOW + 1_000 }),
    }
    const log = () => stores.read.trackerLog(world.scope, { trackerId: tracker, limit: 10 })

    it('are kept without showing what is secret, each name once, and so many', async () => {
      const [shown] = await stores.read.trackers(world.scope)
      assert.deepEqual(shown?.secretsSet.toSorted(), ['secret', 'token'])
      assert.ok(!JSON.stringify(shown).includes('hidden'))
      assert.equal((await stores.read.trackerTarget(world.org, tracker))?.values.token, 'hidden')
      assert.equal(await stores.read.trackerTarget(world.otherOrg, tracker), null)
      assert.equal((await stores.read.trackerForCallback(tracker))?.orgId, world.org)
      assert.equal(refusal(await stores.write.createTracker(world.org, GITHUB, anActor())), 'conflict')
      for (let index = 1; index < max('trackersPerOrgMax'); index++) await add({ name: `Shop ${index}` })
      const oneMore = await stores.write.createTracker(world.org, { ...GITHUB, name: 'More' }, anActor())
      assert.equal(refusal(oneMore), 'conflict')
    })

    it('are written over by nobody who has not seen them', async () => {
      const { org } = world
      const { name, closesThere } = GITHUB
      const seen = { name, closesThere }
      value(await stores.write.changeTracker(org, tracker, { closesThere: !closesThere, seen }, anActor()))
      const stale = await stores.write.changeTracker(org, tracker, { name: 'Mine', seen }, anActor())
      assert.equal(refusal(stale), 'conflict')
      const shown = await stores.read.tracker(world.scope, tracker)
      assert.deepEqual([shown?.name, shown?.closesThere], [name, !closesThere])
    })

    it('change what is given alone, and keep their secrets', async () => {
      const { org } = world
      value(
        await stores.write.changeTracker(org, tracker, { name: 'New', secrets: { token: 'b' } }, anActor()),
      )
      const target = await stores.read.trackerTarget(org, tracker)
      assert.deepEqual([target?.name, target?.values.token, target?.values.secret], ['New', 'b', 'signing'])
      value(await stores.write.changeTracker(org, tracker, { closesThere: false }, anActor()))
      const shown = await stores.read.tracker(world.scope, tracker)
      assert.deepEqual([shown?.closesThere, shown?.resolvesHere], [false, true])
      assert.equal(
        refusal(await stores.write.changeTracker(world.otherOrg, tracker, {}, anActor())),
        'not_found',
      )
      const audit = await stores.read.audit(world.scope, { limit: 10, before: null })
      assert.deepEqual(
        audit.filter(({ action }) => action.startsWith('tracker.')).map(({ action }) => action),
        ['tracker.changed', 'tracker.changed', 'tracker.created'],
      )
      assert.ok(!JSON.stringify(audit).includes('hidden'))
    })

    it('take their links and their work along when they are deleted', async () => {
      value(await link())
      await resolve()
      value(await stores.write.deleteTracker(world.org, tracker, anActor()))
      assert.deepEqual(await links(), [])
      assert.equal(await next(), null)
      assert.equal(refusal(await stores.write.deleteTracker(world.org, tracker, anActor())), 'not_found')
    })

    it('tell issues that are linked from others', async () => {
      const [other] = await commit(
        stores,
        world.scope,
        aBatch(2, [anEvent({ projectId: world.shop, group: 'b' })]),
      )
      const found = async (...links: IssueConditions['links']) => {
        const page = { sort: 'date', limit: 10, cursor: null } as const
        const { rows } = await stores.read.list(world.scope, aFilter({ links }), page)
        return rows.map(({ id }) => id)
      }
      const [has, hasNot] = [{ negated: false }, { negated: true }]
      assert.deepEqual(await found(has), [])
      const { id } = value(await link())
      assert.deepEqual([await found(has), await found(hasNot)], [[issue], [other?.id]])
      assert.deepEqual(await found(has, hasNot), [])
      value(await stores.write.unlinkIssue(change(), id, anActor()))
      assert.deepEqual(await found(has), [])
    })

    it('have their issues linked once, so many of them, and recorded', async () => {
      const { id } = value(await link())
      assert.equal(refusal(await link()), 'conflict')
      assert.deepEqual(
        (await links()).map(({ ref, state, tracker: { name } }) => [ref, state, name]),
        [['acme/shop#12', 'open', 'Shop']],
      )
      assert.deepEqual(await stores.read.trackerLinks(world.otherScope, issue), [])
      value(await stores.write.unlinkIssue(change(), id, anActor()))
      assert.equal(refusal(await stores.write.unlinkIssue(change(), id, anActor())), 'not_found')
      const kinds = (await stores.read.activity(world.scope, issue, 10)).map(({ kind }) => kind)
      assert.deepEqual(kinds.filter((kind) => kind.endsWith('linked')).toSorted(), ['linked', 'unlinked'])
      for (let index = 0; index < max('trackerLinksPerIssueMax'); index++)
        value(await link(aRemote({ ref: `acme/shop#${index + 100}` })))
      assert.equal(refusal(await link()), 'conflict')
    })

    it('link nothing that may not be read', async () => {
      const outside = { orgId: world.org, projects: [world.blog], ids: [issue] }
      const asked = { trackerId: tracker, remote: aRemote(), isNew: false }
      assert.equal(refusal(await stores.write.linkIssue(outside, asked, anActor())), 'not_found')
      const theirs = { orgId: world.otherOrg, projects: [world.otherShop], ids: [issue] }
      assert.equal(refusal(await stores.write.linkIssue(theirs, asked, anActor())), 'not_found')
    })

    it('are asked to close what is resolved here, after a moment, once', async () => {
      value(await link())
      await resolve()
      assert.equal(await next(), later)
      assert.deepEqual(await claim(later - 1), [])
      const [work] = await claim(later)
      assert.deepEqual(
        [work?.what, work?.ref, work?.tracker.values.token],
        ['close', 'acme/shop#12', 'hidden'],
      )
      assert.deepEqual(await claim(later), [], 'under its lease')
      assert.ok(work !== undefined)
      assert.equal(await stores.write.settleTrackerWork({ ...work, lease: 'other' }, done, later), false)
      assert.equal(await stores.write.settleTrackerWork(work, done, later), true)
      assert.deepEqual(await states(), ['closed'])
      assert.equal(await next(), null)
      const [entry] = await log()
      assert.deepEqual([entry?.state, entry?.says, entry?.tries.length], ['sent', 'Closed.', 1])
      // Its webhook tells what is known.
      assert.deepEqual(await stores.write.takeNews(tracker, aRemote({ state: 'closed' }), later), [])
      value(await stores.write.unresolve(change(), anActor()))
      await resolve()
      assert.equal(await next(), null, 'closed there already')
    })

    it('are tried again after a failure, and after a lease that ran out', async () => {
      value(await link())
      await resolve()
      const [first] = await claim(later)
      assert.ok(first !== undefined)
      const failed = { state: 'waiting', says: 'Answered 502.', nextMs: later + 500, tookMs: 1 } as const
      await stores.write.settleTrackerWork(first, failed, later)
      assert.equal(await next(), later + 500)
      const [second] = await claim(later + 500)
      assert.equal(second?.tries, 2)
      const [third] = await claim(later + 500 + 60_000, 'next')
      assert.equal(third?.tries, 3)
      assert.deepEqual(await claim(later + 500 + 120_000, 'last'), [])
      assert.equal((await log())[0]?.state, 'failed')
    })

    it('are not asked to close what is unresolved, unlinked or closed meanwhile', async () => {
      const { id } = value(await link())
      await resolve()
      value(await stores.write.unresolve(change(), anActor()))
      assert.deepEqual(await claim(later), [])
      await resolve()
      value(await stores.write.unlinkIssue(change(), id, anActor()))
      assert.deepEqual(await claim(later), [])
      value(await stores.write.unresolve(change(), anActor()))
      value(await link())
      await resolve()
      await stores.write.takeNews(tracker, aRemote({ state: 'closed', changedMs: NOW + 1 }), NOW)
      assert.deepEqual(await claim(later), [])
      assert.deepEqual(
        (await log()).map(({ state, says }) => [state, says]),
        [
          ['cancelled', 'It is already closed.'],
          ['cancelled', 'The link was removed.'],
          ['cancelled', 'The issue is no longer resolved.'],
        ],
      )
    })

    it('close nothing where that is not asked for', async () => {
      const quiet = await add({ name: 'Quiet', closesThere: false, resolvesHere: false })
      value(await link(aRemote(), quiet))
      await resolve()
      assert.equal(await next(), null)
      value(await stores.write.unresolve(change(), anActor()))
      assert.deepEqual(await stores.write.takeNews(quiet, aRemote({ state: 'closed' }), NOW), [])
      assert.deepEqual([await states(), await statusOf()], [['closed'], 'unresolved'])
    })

    it('resolve here what is closed there, once, and close nothing because of it', async () => {
      value(await link())
      const closed = aRemote({ state: 'closed', title: 'Renamed', changedMs: NOW + 1_000 })
      assert.deepEqual(await stores.write.takeNews(tracker, closed, NOW + 2_000), [issue])
      assert.equal(await statusOf(), 'resolved')
      assert.equal(await next(), null)
      assert.equal((await links())[0]?.title, 'Renamed')
      assert.equal((await stores.read.tracker(world.scope, tracker))?.heardMs, NOW + 2_000)
      const [newest] = (await stores.read.activity(world.scope, issue, 10)).filter(
        ({ kind }) => kind === 'resolved',
      )
      assert.equal(newest?.actor, 'GitHub acme/shop#12')
      // It came back: the same webhook once more says nothing new.
      value(await stores.write.unresolve(change(), anActor()))
      assert.deepEqual(await stores.write.takeNews(tracker, closed, NOW + 3_000), [])
      // Opened and closed again there: an old webhook in between is old news.
      await stores.write.takeNews(tracker, aRemote({ changedMs: NOW + 5_000 }), NOW + 5_000)
      assert.deepEqual(await stores.write.takeNews(tracker, closed, NOW + 6_000), [])
      assert.deepEqual([await states(), await statusOf()], [['open'], 'unresolved'])
      const again = aRemote({ state: 'closed', changedMs: NOW + 7_000 })
      assert.deepEqual(await stores.write.takeNews(tracker, again, NOW + 7_000), [issue])
    })

    it('close at other trackers what one of them closed', async () => {
      const other = await add({ name: 'Second', kind: 'jira' })
      value(await link())
      value(await link(aRemote({ ref: 'SHOP-1' }), other))
      await stores.write.takeNews(tracker, aRemote({ state: 'closed' }), NOW)
      assert.deepEqual(
        (await claim(later)).map(({ ref }) => ref),
        ['SHOP-1'],
      )
    })

    it('are asked again for what is looked at, not too often, and resolve by what they say then', async () => {
      value(await link())
      assert.equal(await stores.write.refreshLinks(issue, NOW + 1), 0)
      const due = NOW + max('trackerRefreshMs')
      assert.equal(await stores.write.refreshLinks(issue, due), 1)
      assert.equal(await stores.write.refreshLinks(issue, due), 0, 'who looks at the same time asks nothing')
      const [work] = await claim(due)
      assert.equal(work?.what, 'refresh')
      assert.ok(work !== undefined)
      await stores.write.settleTrackerWork(work, done, due)
      assert.deepEqual([await states(), await statusOf()], [['closed'], 'resolved'])
      assert.deepEqual(await log(), [], 'a look is not in the log')
      const gone = due + max('trackerRefreshMs')
      await stores.write.refreshLinks(issue, gone)
      const [second] = await claim(gone)
      assert.ok(second !== undefined)
      const missing = { state: 'sent', says: 'Not there.', tookMs: 1, remote: 'missing' } as const
      await stores.write.settleTrackerWork(second, missing, gone)
      assert.deepEqual(await states(), ['missing'])
    })

    it('follow an issue into the one that takes it in', async () => {
      const batch = aBatch(2, [anEvent({ projectId: world.shop, group: 'b' })])
      const others = await commit(stores, world.scope, batch)
      const into = others.find(({ id }) => id !== issue)?.id
      assert.ok(into !== undefined)
      value(await link())
      value(await link(aRemote({ ref: 'acme/shop#13' })))
      const asked = { trackerId: tracker, remote: aRemote(), isNew: false }
      value(await stores.write.linkIssue(change([into]), asked, anActor()))
      value(await stores.write.merge(change([issue, into]), into, anActor()))
      const refs = (await stores.read.trackerLinks(world.scope, into)).map(({ ref }) => ref)
      assert.deepEqual(refs.toSorted(), ['acme/shop#12', 'acme/shop#13'])
    })

    it('lose what was closed long ago, once a day', async () => {
      value(await link())
      await resolve()
      const [work] = await claim(later)
      assert.ok(work !== undefined)
      await stores.write.settleTrackerWork(work, done, later)
      clock.advance((max('trackerLogDays') + 1) * DAY_MS)
      await removeAllAged(stores, clock)
      assert.deepEqual(await log(), [])
    })

    it('go with their issue', async () => {
      value(await link())
      value(await stores.write.deleteIssues(change(), anActor()))
      assert.deepEqual(await stores.write.takeNews(tracker, aRemote({ state: 'closed' }), NOW), [])
    })
  })
}
