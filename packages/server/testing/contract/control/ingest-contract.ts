/** Contract of the commit's side: exactly once, counts, transitions, tombstones. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest, type IssueId, keyId, projectId, seq } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { NO_FIGURES_CHANGED } from '#ports/ingest.ts'
import { UNARCHIVE_JOB } from '#ports/issues.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { anActor } from '../../builders/actor.ts'
import { archivedUntil } from '../../builders/archived-until.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { aHash, anEventId } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { anOutcome } from '../../builders/outcome.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'
import { commit } from './world.ts'

const TRACE = 'ab'.repeat(16)

export function ingestContract(open: ControlFactory): void {
  describe('ControlCommit', () => {
    const { stores, world } = openForEachTest(open)
    const onlyIssue = async () => {
      const page = await stores.read.list(world.scope, aFilter(), { sort: 'date', limit: 10, cursor: null })
      assert.equal(page.rows.length, 1)
      const [row] = page.rows
      assert.ok(row)
      return row
    }
    const choice = (ids: readonly IssueId[]) => ({
      orgId: world.org,
      projects: world.scope.projects,
      ids,
    })

    it('starts at zero and remembers the last seq', async () => {
      assert.equal(await stores.write.appliedSeq(), 0)
      const answer = await stores.write.applyBatch(aBatch(1, [anEvent({ projectId: world.shop })]))
      assert.deepEqual(answer, {
        ...{ appliedSeq: 1, newIssues: 1, regressedIssues: 0, firstEvents: [world.shop] },
        figures: NO_FIGURES_CHANGED,
      })
      assert.equal(await stores.write.appliedSeq(), 1)
      assert.equal((await stores.read.counters()).appliedSeq, 1)
    })

    it('tells how many payloads an issue may keep, and counts those it kept', async () => {
      const event = (name: string, minute: number, group = 'boom') => {
        const atMs = NOW + minute * 60_000
        return anEvent({ projectId: world.shop, group, name, timestampMs: atMs, receivedMs: atMs })
      }
      const ask = { projectId: world.shop, hash: aHash('boom'), events: 1 }
      const hour = NOW / HOUR
      const cap = max('payloadsPerIssueHourDefault')
      const windowOf = async (events: number) => (await stores.write.payloadWindows([{ ...ask, events }]))[0]
      const none = { cap, issueId: null, hour: 0, events: 0, digests: null, begins: { hour: 0, count: 0 } }
      assert.deepEqual(await windowOf(1), none)
      assert.deepEqual(await windowOf(cap + 1), { ...none, digests: new Set() })
      const batch = aBatch(1, [event('1', 1), event('2', 2), event('3', 3)], {}, new Set([1]))
      await stores.write.applyBatch(batch)
      const { id, eventCount, payloadCount } = await onlyIssue()
      assert.deepEqual([eventCount, payloadCount], [3, 2])
      const known = { ...none, issueId: id, hour, events: 3, begins: null }
      assert.deepEqual(await windowOf(1), known)
      assert.deepEqual(await windowOf(cap), { ...known, digests: new Set() })
      await stores.write.applyBatch(aBatch(4, [event('4', 60), event('5', 61)], {}, new Set([0, 1])))
      assert.deepEqual(await windowOf(1), { ...known, hour: hour + 1, events: 2 })
      assert.deepEqual([(await onlyIssue()).eventCount, (await onlyIssue()).payloadCount], [5, 2])
      const [group] = await stores.read.groups(world.scope, id)
      assert.deepEqual(
        [group?.payloadCount, group?.newestPayload],
        [2, { eventId: anEventId('3'), atMs: NOW + 180_000 }],
      )
    })

    it('counts the issues that begin in an hour, and looks nothing up where nothing is bounded', async () => {
      const names = ['one', 'two', 'three']
      const atMs = NOW + 1
      await stores.write.applyBatch(
        aBatch(
          1,
          names.map((group) => anEvent({ projectId: world.shop, group, receivedMs: atMs })),
        ),
      )
      const asks = ['one', 'four'].map((group) => ({
        ...{ projectId: world.shop, hash: aHash(group), events: 1 },
      }))
      const begins = async () => (await stores.write.payloadWindows(asks)).map((window) => window.begins)
      assert.deepEqual(await begins(), [null, { hour: NOW / HOUR, count: 3 }])
      await stores.write.applyBatch(
        aBatch(4, [anEvent({ projectId: world.shop, group: 'later', receivedMs: NOW + HOUR })]),
      )
      assert.deepEqual(await begins(), [null, { hour: NOW / HOUR + 1, count: 1 }])
      const options = { ...PROJECT_OPTIONS_DEFAULT, payloadsPerIssueHour: null, spikeProtection: false }
      value(await stores.write.updateProject(world.org, world.shop, { options }, anActor()))
      const free = { cap: null, issueId: null, hour: 0, events: 0, digests: null, begins: null }
      assert.deepEqual(await stores.write.payloadWindows(asks), [free, free])
    })

    it('leaves a digest with an event that can be read', async () => {
      const event = (name: string, second: number) =>
        anEvent({ projectId: world.shop, name, timestampMs: NOW + second * 1_000, digests: ['77'] })
      const named = async () => (await stores.read.digests(world.scope, [digest('77')]))[0]
      await stores.write.applyBatch(aBatch(1, [event('a', 1), event('b', 2)], {}, new Set([1])))
      assert.deepEqual([(await named())?.eventId, (await named())?.count], [anEventId('a'), 2])
      await stores.write.applyBatch(aBatch(3, [event('c', 3)], {}, new Set([0])))
      assert.deepEqual([(await named())?.eventId, (await named())?.count], [anEventId('a'), 3])
      assert.equal((await named())?.lastSeenMs, NOW + 3_000)
      await stores.write.applyBatch(aBatch(4, [event('d', 4)]))
      assert.equal((await named())?.eventId, anEventId('d'))
    })

    it('shares the hour of merged issues, and sums their payloads up', async () => {
      const event = (group: string, name: string) => anEvent({ projectId: world.shop, group, name })
      const first = [event('a', '1'), event('a', '2'), event('b', '3')]
      await stores.write.applyBatch(aBatch(1, first, {}, new Set([1])))
      const idOf = async (group: string) => {
        const issue = await stores.read.issueOfGroup(world.scope, world.shop, aHash(group))
        assert.ok(issue !== null)
        return issue.id
      }
      const [a, b] = [await idOf('a'), await idOf('b')]
      value(await stores.write.merge(choice([a, b]), a, anActor()))
      assert.equal((await onlyIssue()).payloadCount, 2)
      const asks = [{ projectId: world.shop, hash: aHash('b'), events: 1 }]
      const [window] = await stores.write.payloadWindows(asks)
      assert.deepEqual([window?.issueId, window?.hour, window?.events], [a, NOW / HOUR, 3])
    })

    it('changes nothing when a batch is applied again', async () => {
      const event = anEvent({
        projectId: world.shop,
        user: 'id:1',
        tags: { environment: 'production' },
        digests: ['1234567890'],
      })
      const batch = aBatch(1, [event, event], {
        outcomes: [anOutcome({ projectId: world.shop, quantity: 2 })],
      })
      const [before] = await commit(stores, world.scope, batch)
      const answer = await stores.write.applyBatch(batch)
      const nothing = { newIssues: 0, regressedIssues: 0, firstEvents: [], figures: NO_FIGURES_CHANGED }
      assert.deepEqual(answer, { appliedSeq: 2, ...nothing })
      const [after] = await commit(stores, world.scope, batch)
      assert.deepEqual(after, before)
      assert.equal(after?.eventCount, 2)
      const [found] = await stores.read.digests(world.scope, [digest('1234567890')])
      assert.equal(found?.count, 2)
      const query = { startMs: NOW - HOUR, endMs: NOW + HOUR, intervalMs: null, projects: null, keys: null }
      const { groups } = await stores.read.outcomes(world.scope, { ...query, groupBy: ['outcome'] })
      assert.deepEqual(groups, [{ outcome: 'accepted', total: 2, series: [] }])
    })

    it('refuses a batch that reaches back below what is applied, and changes nothing', async () => {
      await stores.write.applyBatch(aBatch(1, [anEvent({ projectId: world.shop })]))
      const straddling = aBatch(1, [anEvent({ projectId: world.shop }), anEvent({ projectId: world.shop })])
      await assert.rejects(stores.write.applyBatch(straddling), /applied_seq/)
      assert.equal((await onlyIssue()).eventCount, 1)
    })

    it('makes one issue of a group, numbered within its project', async () => {
      const issues = await commit(
        stores,
        world.scope,
        aBatch(1, [
          anEvent({ projectId: world.shop, group: 'a', timestampMs: NOW - 3 }),
          anEvent({ projectId: world.shop, group: 'b', timestampMs: NOW - 2 }),
          anEvent({ projectId: world.blog, group: 'a', timestampMs: NOW - 1 }),
          anEvent({ projectId: world.shop, group: 'a', timestampMs: NOW - 5 }),
        ]),
      )
      assert.deepEqual(
        issues.map(({ shortId, eventCount }) => [shortId, eventCount]),
        [
          ['BLOG-1', 1],
          ['SHOP-2', 1],
          ['SHOP-1', 2],
        ],
      )
      const [, , oldest] = issues
      assert.equal(oldest?.firstSeenMs, NOW - 5)
      assert.equal(oldest?.lastSeenMs, NOW - 3)
      assert.equal(oldest?.status, 'unresolved')
      assert.equal(oldest?.substatus, 'new')
    })

    it('takes title facts from the newest event, whatever the order of arrival', async () => {
      const titled = (title: string, timestampMs: number) =>
        anEvent({
          projectId: world.shop,
          timestampMs,
          receivedMs: NOW,
          facts: { title, culprit: `at ${title}` },
        })
      await commit(stores, world.scope, aBatch(1, [titled('second', NOW - 20), titled('first', NOW - 30)]))
      assert.equal((await onlyIssue()).title, 'second')
      await commit(stores, world.scope, aBatch(3, [titled('late', NOW - 25)]))
      assert.equal((await onlyIssue()).title, 'second')
      await commit(stores, world.scope, aBatch(4, [titled('third', NOW - 10)]))
      const issue = await onlyIssue()
      assert.deepEqual([issue.title, issue.culprit], ['third', 'at third'])
      const search = (text: string) =>
        stores.read.list(world.scope, aFilter({ text: [{ value: text, negated: false }] }), {
          sort: 'date',
          limit: 1,
          cursor: null,
        })
      assert.equal((await search('third')).total, 1)
      assert.equal((await search('second')).total, 0)
    })

    it('knows first and last release by the time of their events', async () => {
      const released = (release: string | null, timestampMs: number) =>
        anEvent({ projectId: world.shop, release, timestampMs, receivedMs: NOW })
      await commit(stores, world.scope, aBatch(1, [released('2.0', NOW - 20), released(null, NOW - 10)]))
      await commit(stores, world.scope, aBatch(3, [released('1.0', NOW - 40), released('1.5', NOW - 30)]))
      const issue = await onlyIssue()
      assert.deepEqual([issue.firstRelease, issue.lastRelease], ['1.0', '2.0'])
    })

    it('counts mirrors, kinds and routes', async () => {
      const events = [
        anEvent({ projectId: world.shop, requestKind: 'action', route: '/cart' }),
        anEvent({ projectId: world.shop, requestKind: 'document', route: '/' }),
        anEvent({ projectId: world.shop, requestKind: 'document', route: '/' }),
        anEvent({ projectId: world.shop, requestKind: 'browser', isMirror: true }),
      ]
      await commit(stores, world.scope, aBatch(1, events))
      await commit(stores, world.scope, aBatch(5, events))
      const issue = await onlyIssue()
      assert.equal(issue.mirrorCount, 2)
      assert.deepEqual(issue.kinds, [
        { kind: 'document', count: 4 },
        { kind: 'action', count: 2 },
        { kind: 'browser', count: 2 },
      ])
      assert.equal(issue.route, '/')
    })

    it('counts users exactly up to the bound and as a sketch beyond it', async () => {
      const users = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) =>
          anEvent({ projectId: world.shop, user: `id:${from + index}` }),
        )
      const exact = max('usersExactMax')
      await commit(stores, world.scope, aBatch(1, [...users(0, exact), ...users(0, 10)]))
      assert.deepEqual((await onlyIssue()).users, { count: exact, isExact: true })
      await commit(stores, world.scope, aBatch(1_000, users(exact - 1, exact)))
      assert.deepEqual((await onlyIssue()).users, { count: exact, isExact: true })
      await commit(stores, world.scope, aBatch(2_000, users(exact, 2 * exact)))
      const sketched = (await onlyIssue()).users
      assert.equal(sketched.isExact, false)
      assert.ok(Math.abs(sketched.count - 2 * exact) < 2 * exact * 0.08, `${sketched.count} is far off`)
    })

    it('brings a resolved issue back with the next event received after it, and says so', async () => {
      await commit(stores, world.scope, aBatch(1, [anEvent({ projectId: world.shop })]))
      const { id } = await onlyIssue()
      value(await stores.write.resolve(choice([id]), anActor(NOW + 1_000)))
      assert.equal((await onlyIssue()).status, 'resolved')
      const before = anEvent({ projectId: world.shop, receivedMs: NOW + 500 })
      assert.equal((await stores.write.applyBatch(aBatch(2, [before]))).regressedIssues, 0)
      const still = await onlyIssue()
      assert.deepEqual([still.status, still.eventCount], ['resolved', 2])
      const facts = { release: '2.0', traceId: TRACE }
      const after = anEvent({ projectId: world.shop, receivedMs: NOW + 1_500, name: 'back', ...facts })
      assert.equal((await stores.write.applyBatch(aBatch(3, [after]))).regressedIssues, 1)
      const back = await onlyIssue()
      assert.deepEqual(
        [back.status, back.substatus, back.statusChangedMs],
        ['unresolved', 'regressed', NOW + 1_500],
      )
      const [note] = await stores.read.activity(world.scope, id, 1)
      assert.deepEqual(
        [note?.kind, note?.actor, note?.userId, note?.atMs, note?.detail],
        ['regressed', 'Errata', null, NOW + 1_500, { eventId: anEventId('back'), ...facts }],
      )
    })

    it('counts down an archived issue by real events and brings it back at the last', async () => {
      await commit(stores, world.scope, aBatch(1, [anEvent({ projectId: world.shop })]))
      const { id } = await onlyIssue()
      value(await stores.write.archive(choice([id]), archivedUntil({ eventsMore: 3 }), anActor(NOW + 1)))
      const event = (isMirror: boolean) => anEvent({ projectId: world.shop, receivedMs: NOW + 10, isMirror })
      await commit(stores, world.scope, aBatch(2, [event(false), event(true), event(true), event(false)]))
      const waiting = await onlyIssue()
      assert.deepEqual([waiting.substatus, waiting.archivedEventsLeft], ['archived_until', 1])
      const answer = await stores.write.applyBatch(aBatch(6, [event(false)]))
      assert.equal(answer.regressedIssues, 1)
      const back = await onlyIssue()
      assert.deepEqual(
        [back.status, back.substatus, back.archivedEventsLeft],
        ['unresolved', 'ongoing', null],
      )
      const [note] = await stores.read.activity(world.scope, id, 1)
      assert.deepEqual([note?.kind, note?.actor], ['unarchived', 'Errata'])
    })

    it('brings an issue back with the user until whom it was archived', async () => {
      const from = (user: string, receivedMs = NOW + 10) =>
        anEvent({ projectId: world.shop, user, receivedMs })
      await commit(stores, world.scope, aBatch(1, [from('id:1', NOW)]))
      const { id } = await onlyIssue()
      value(await stores.write.archive(choice([id]), archivedUntil({ usersMore: 2 }), anActor(NOW + 1)))
      await commit(stores, world.scope, aBatch(2, [from('id:1'), from('id:2'), from('id:2')]))
      const waiting = await onlyIssue()
      assert.deepEqual([waiting.substatus, waiting.archivedUsersLeft], ['archived_until', 1])
      await commit(stores, world.scope, aBatch(5, [from('id:3')]))
      const back = await onlyIssue()
      assert.deepEqual([back.status, back.substatus, back.archivedUsersLeft], ['unresolved', 'ongoing', null])
    })

    it('brings an issue back when its time has come, with an event or without', async () => {
      await commit(stores, world.scope, aBatch(1, [anEvent({ projectId: world.shop })]))
      const { id } = await onlyIssue()
      const archive = (atMs: number) =>
        stores.write.archive(choice([id]), archivedUntil({ atMs }), anActor(NOW + 1))
      value(await archive(NOW + 100))
      assert.equal((await onlyIssue()).archivedUntilMs, NOW + 100)
      const event = (receivedMs: number) => anEvent({ projectId: world.shop, receivedMs })
      await commit(stores, world.scope, aBatch(2, [event(NOW + 99)]))
      assert.equal((await onlyIssue()).status, 'archived')
      await commit(stores, world.scope, aBatch(3, [event(NOW + 101)]))
      assert.deepEqual(
        [(await onlyIssue()).status, (await onlyIssue()).archivedUntilMs],
        ['unresolved', null],
      )
      assert.equal(await stores.write.nextJobMs([UNARCHIVE_JOB]), NOW + 100)
      value(await archive(NOW + 200))
      assert.equal(await stores.write.nextJobMs([UNARCHIVE_JOB]), NOW + 100, 'the soonest')
      assert.deepEqual(await stores.write.unarchiveDue(NOW + 199), { issues: 0, nextMs: NOW + 200 })
      assert.deepEqual(await stores.write.unarchiveDue(NOW + 200), { issues: 1, nextMs: null })
      assert.deepEqual(await stores.write.unarchiveDue(NOW + 200), { issues: 0, nextMs: null })
      const back = await onlyIssue()
      assert.deepEqual([back.status, back.substatus, back.archivedUntilMs], ['unresolved', 'ongoing', null])
      const [note] = await stores.read.activity(world.scope, id, 1)
      assert.deepEqual([note?.kind, note?.actor, note?.userId], ['unarchived', 'Errata', null])
      assert.equal((await archive(NOW)).ok, false, 'a time that is over')
      // The next batch goes by what is stored, not by what it remembers.
      await commit(stores, world.scope, aBatch(4, [event(NOW + 300)]))
      assert.equal((await onlyIssue()).status, 'unresolved')
    })

    it('leaves an issue archived for ever where it is', async () => {
      await commit(stores, world.scope, aBatch(1, [anEvent({ projectId: world.shop })]))
      const { id } = await onlyIssue()
      value(await stores.write.archive(choice([id]), archivedUntil(), anActor(NOW + 1)))
      await commit(stores, world.scope, aBatch(2, [anEvent({ projectId: world.shop, receivedMs: NOW + 9 })]))
      const issue = await onlyIssue()
      assert.deepEqual([issue.status, issue.substatus, issue.eventCount], ['archived', 'archived_forever', 2])
    })

    it('notes the first event of a project and the use of a key, to the minute', async () => {
      const event = anEvent({ projectId: world.shop, receivedMs: NOW + 90_500 })
      const keysUsed = [{ keyId: world.shopKey, atMs: NOW + 90_500 }]
      const { firstEvents } = await stores.write.applyBatch(aBatch(1, [event], { keysUsed }))
      assert.deepEqual(firstEvents, [world.shop])
      assert.equal((await stores.read.project(world.scope, 'shop'))?.firstEventMs, NOW + 90_500)
      assert.equal((await stores.read.keys(world.scope, world.shop))[0]?.usedMs, NOW + 60_000)
      const again = await stores.write.applyBatch(
        aBatch(2, [anEvent({ projectId: world.shop })], { keysUsed: [{ keyId: world.shopKey, atMs: NOW }] }),
      )
      assert.deepEqual(again.firstEvents, [])
      assert.equal((await stores.read.keys(world.scope, world.shop))[0]?.usedMs, NOW + 60_000)
    })

    it('counts what belongs to a project that is gone, and stores none of it', async () => {
      const gone = projectId(987_654)
      const events = [
        anEvent({ projectId: gone }),
        anEvent({ projectId: gone }),
        anEvent({ projectId: world.shop }),
      ]
      const outcomes = [
        anOutcome({ projectId: gone, keyId: keyId(9) }),
        anOutcome({ projectId: world.shop }),
        anOutcome({ projectId: gone, outcome: 'rate_limited', reason: 'key_limit', quantity: 5 }),
      ]
      const answer = await stores.write.applyBatch(aBatch(1, events, { outcomes }))
      assert.deepEqual(answer.firstEvents, [world.shop])
      assert.equal(answer.newIssues, 1)
      const since = { refusedSinceMs: NOW - HOUR, lostSinceMs: NOW - HOUR }
      const { refused } = await stores.read.withoutProject(since)
      assert.deepEqual(
        refused.map(({ reason, quantity }) => [reason, quantity]),
        [
          ['key_limit', 5],
          ['unknown_key', 2],
        ],
      )
    })

    it('lists the quarantined, newest first', async () => {
      const one = {
        seq: seq(1),
        projectId: world.shop,
        receivedMs: NOW,
        reason: 'RangeError: deep',
        bytes: 12,
      }
      const two = { ...one, seq: seq(2) }
      await stores.write.applyBatch(aBatch(1, [], { lastSeq: seq(2), quarantined: [one, two] }))
      assert.deepEqual(await stores.read.quarantined(), [two, one])
    })

    it('buries deleted issues up to what is applied, and begins anew with the next event', async () => {
      const event = () =>
        anEvent({ projectId: world.shop, tags: { environment: 'staging' }, digests: ['42'] })
      await commit(stores, world.scope, aBatch(1, [event(), event()]))
      const { id } = await onlyIssue()
      assert.deepEqual(value(await stores.write.deleteIssues(choice([id]), anActor())), [id])
      const buried = { projectId: world.shop, hash: aHash('boom'), upToSeq: seq(2) }
      assert.deepEqual((await stores.write.hidden()).tombstones, [buried])
      assert.equal(await stores.read.issue(world.scope, String(id)), null)
      assert.deepEqual(await stores.read.digests(world.scope, [digest('42')]), [])
      assert.deepEqual(
        (await stores.read.facetValues(world.scope, 'environment', '', 10)).map(({ value }) => value),
        [],
      )
      await commit(stores, world.scope, aBatch(3, [event()]))
      const fresh = await onlyIssue()
      assert.deepEqual([fresh.shortId, fresh.eventCount, fresh.substatus], ['SHOP-2', 1, 'new'])
      value(await stores.write.deleteIssues(choice([fresh.id]), anActor()))
      assert.deepEqual((await stores.write.hidden()).tombstones, [{ ...buried, upToSeq: seq(3) }])
    })

    it('leaves nothing of a deleted project, and a tombstone for all of it', async () => {
      const events = [anEvent({ projectId: world.shop, tags: { a: 'b' }, digests: ['42'] })]
      const outcomes = [anOutcome({ projectId: world.shop })]
      await commit(stores, world.scope, aBatch(1, events, { outcomes }))
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      const page = await stores.read.list(world.scope, aFilter(), { sort: 'date', limit: 10, cursor: null })
      assert.equal(page.total, 0)
      assert.deepEqual(await stores.read.digests(world.scope, [digest('42')]), [])
      const [tombstone] = (await stores.write.hidden()).tombstones
      assert.deepEqual([tombstone?.projectId, tombstone?.hash], [world.shop, null])
      assert.ok((tombstone?.upToSeq ?? 0) >= 1)
      const { issues, groups } = await stores.read.counters()
      assert.deepEqual([issues, groups], [0, 0])
    })

    it('takes a thousand new groups in one batch', async () => {
      const events = Array.from({ length: 1_000 }, (_, index) =>
        anEvent({
          projectId: world.shop,
          group: `group ${index}`,
          timestampMs: NOW - index,
          tags: { index: `${index % 7}` },
        }),
      )
      const { newIssues } = await stores.write.applyBatch(aBatch(1, events))
      assert.equal(newIssues, 1_000)
      const page = await stores.read.list(world.scope, aFilter(), { sort: 'new', limit: 1, cursor: null })
      assert.equal(page.total, 1_000)
    })

    it('keeps the days of receipt and retention classes on which a group occurred, and what is in each', async () => {
      await commit(
        stores,
        world.scope,
        aBatch(1, [
          anEvent({ projectId: world.shop, receivedMs: NOW }),
          anEvent({ projectId: world.shop, receivedMs: NOW, retentionDays: 30 }),
          anEvent({ projectId: world.shop, timestampMs: NOW - DAY, receivedMs: NOW + DAY }),
        ]),
      )
      const [group] = await stores.read.groups(world.scope, (await onlyIssue()).id)
      const today = Math.floor(NOW / DAY)
      const late = { projectId: world.shop, timestampMs: NOW - 5 * DAY + 0.75, receivedMs: NOW }
      await commit(
        stores,
        world.scope,
        aBatch(4, [anEvent(late), anEvent({ ...late, timestampMs: NOW + 2 })]),
      )
      const [after] = await stores.read.groups(world.scope, (await onlyIssue()).id)
      const once = (atMs: number) => ({ events: 1, firstMs: atMs, lastMs: atMs })
      assert.deepEqual(group?.files, [
        { kind: 'error', day: today, retentionDays: 30, holds: once(NOW) },
        { kind: 'error', day: today, retentionDays: 90, holds: once(NOW) },
        { kind: 'error', day: today + 1, retentionDays: 90, holds: once(NOW - DAY) },
      ])
      assert.deepEqual(after?.files, [
        { kind: 'error', day: today, retentionDays: 30, holds: once(NOW) },
        {
          kind: 'error',
          day: today,
          retentionDays: 90,
          holds: { events: 3, firstMs: NOW - 5 * DAY, lastMs: NOW + 2 },
        },
        { kind: 'error', day: today + 1, retentionDays: 90, holds: once(NOW - DAY) },
      ])
      assert.equal(group?.eventCount, 3)
    })
  })
}
