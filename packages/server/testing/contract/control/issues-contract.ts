/** Contract of single issues: what people do to them, merging, digests, tags, activity. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest, type IssueId, issueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { archivedUntil } from '../../builders/archived-until.ts'
import { aHash, anEventId } from '../../builders/ids.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'
import { addMember } from './world.ts'

export function issuesContract(open: ControlFactory): void {
  describe('IssuesRead, and changes of issues', () => {
    const { stores, world, send, issueOf, choice } = openForEachTest(open)

    const kinds = async (id: IssueId) =>
      (await stores.read.activity(world.scope, id, 50)).map(({ kind }) => kind)

    it('finds an issue by id and by short id in any case', async () => {
      await send({ group: 'a' })
      const issue = await issueOf('a')
      assert.deepEqual(await stores.read.issue(world.scope, String(issue.id)), issue)
      assert.deepEqual(await stores.read.issue(world.scope, 'shop-1'), issue)
      assert.deepEqual(await stores.read.issue(world.scope, 'SHOP-1'), issue)
      for (const ref of ['SHOP-2', 'NONE-1', '999999', '', '-1', 'SHOP-', "SHOP-1' OR 1=1", '9'.repeat(40)]) {
        assert.equal(await stores.read.issue(world.scope, ref), null, ref)
      }
    })

    it('finds many by their refs, each once, in the order they are named', async () => {
      await send({ group: 'a' }, { group: 'b' }, { group: 'c', projectId: world.blog })
      const [a, b, c] = [await issueOf('a'), await issueOf('b'), await issueOf('c', world.blog)]
      const refs = ['BLOG-1', 'nothing', 'shop-2', String(a.id), c.shortId, 'SHOP-1', '999999', '']
      assert.deepEqual(await stores.read.issuesByRefs(world.scope, refs), [c, b, a])
      assert.deepEqual(await stores.read.issuesByRefs(world.scope, []), [])
      const most = Array.from({ length: max('issuesPerChangeMax') }, (_, index) => `SHOP-${index + 1}`)
      assert.deepEqual(await stores.read.issuesByRefs(world.scope, most), [a, b])
      await assert.rejects(stores.read.issuesByRefs(world.scope, [...most, 'SHOP-1']))
    })

    it('says in its activity when it was first seen, however late that event came', async () => {
      await send({ group: 'a', timestampMs: NOW - DAY })
      await send({ group: 'a', timestampMs: NOW - 3 * DAY })
      const issue = await issueOf('a')
      const [first] = await stores.read.activity(world.scope, issue.id, 1)
      assert.deepEqual([first?.kind, first?.atMs], ['first_seen', NOW - 3 * DAY])
      assert.equal(issue.firstSeenMs, NOW - 3 * DAY)
    })

    it('takes back exactly what somebody resolved or archived, once and of their own', async () => {
      await send({ group: 'a', receivedMs: NOW })
      const fresh = await issueOf('a')
      assert.equal(fresh.substatus, 'new')
      const [ada, bob] = [NOW + 5, NOW + 6].map((atMs) =>
        anActor(atMs, { userId: world.owner, label: 'Ada' }),
      )
      const other = anActor(NOW + 7, { userId: null, label: 'token' })
      assert.ok(ada !== undefined && bob !== undefined)
      const { write } = stores
      const these = choice(fresh.id)
      const untilMs = NOW + HOUR
      value(await write.resolve(these, ada))
      assert.deepEqual(value(await write.undo(these, other)), [], 'somebody else’s')
      assert.deepEqual(value(await write.undo(these, bob)), [fresh.id])
      assert.deepEqual(await issueOf('a'), fresh)
      assert.deepEqual(value(await write.undo(these, bob)), [], 'once')
      value(await write.archive(these, archivedUntil({ eventsMore: 10, atMs: untilMs }), ada))
      const archived = await issueOf('a')
      value(await write.resolve(these, bob))
      assert.deepEqual(value(await write.undo(these, bob)), [fresh.id])
      assert.deepEqual(await issueOf('a'), archived)
      assert.deepEqual(await kinds(fresh.id), [
        'archived',
        'resolved',
        'archived',
        'unresolved',
        'resolved',
        'first_seen',
      ])
    })

    it('takes nothing back that an event has changed since', async () => {
      await send({ group: 'a', receivedMs: NOW })
      const { id } = await issueOf('a')
      const ada = anActor(NOW + 5, { userId: world.owner, label: 'Ada' })
      value(await stores.write.resolve(choice(id), ada))
      await send({ group: 'a', receivedMs: NOW + 50 })
      assert.deepEqual(value(await stores.write.undo(choice(id), ada)), [])
      assert.equal((await issueOf('a')).substatus, 'regressed')
    })

    it('resolves, reopens and archives, each with a record of who and when', async () => {
      await send({ group: 'a' })
      const { id } = await issueOf('a')
      const ada = anActor(NOW + 5, { userId: world.owner, label: 'Ada' })
      assert.deepEqual(value(await stores.write.resolve(choice(id), ada)), [id])
      assert.deepEqual(value(await stores.write.resolve(choice(id), ada)), [])
      const resolved = await issueOf('a')
      assert.deepEqual(
        [resolved.status, resolved.substatus, resolved.statusChangedMs],
        ['resolved', null, NOW + 5],
      )
      value(await stores.write.unresolve(choice(id), ada))
      value(await stores.write.archive(choice(id), archivedUntil({ eventsMore: 10 }), ada))
      const archived = await issueOf('a')
      assert.deepEqual([archived.status, archived.archivedEventsLeft], ['archived', 10])
      value(await stores.write.unresolve(choice(id), ada))
      assert.deepEqual(await kinds(id), ['unarchived', 'archived', 'unresolved', 'resolved', 'first_seen'])
      const [, note] = await stores.read.activity(world.scope, id, 2)
      assert.deepEqual(
        [note?.userId, note?.actor, note?.atMs, note?.detail],
        [world.owner, 'Ada', NOW + 5, { eventsMore: 10 }],
      )
      assert.equal(
        refusal(await stores.write.archive(choice(id), archivedUntil({ eventsMore: 0 }), ada)),
        'invalid_input',
      )
      assert.equal(
        refusal(await stores.write.archive(choice(id), archivedUntil({ usersMore: 1.5 }), ada)),
        'invalid_input',
      )
    })

    it('changes many at once, and leaves ids outside the projects and organisation alone', async () => {
      await send({ group: 'a' }, { group: 'b' }, { group: 'c', projectId: world.blog })
      await send({ group: 'd', projectId: world.otherShop })
      const ids = [(await issueOf('a')).id, (await issueOf('b')).id, (await issueOf('c', world.blog)).id]
      const foreign = await stores.read.issueOfGroup(world.otherScope, world.otherShop, aHash('d'))
      assert.ok(foreign)
      const change = {
        orgId: world.org,
        projects: [world.shop, world.otherShop],
        ids: [...ids, foreign.id, issueId(999)],
      }
      assert.deepEqual(value(await stores.write.resolve(change, anActor())), ids.slice(0, 2))
      assert.equal((await issueOf('c', world.blog)).status, 'unresolved')
      value(await stores.write.comment(change, { text: 'x', mentions: [] }, anActor()))
      const comments = await Promise.all(
        ids.map(async (id) => (await stores.read.activity(world.scope, id, 9, 'commented')).length),
      )
      assert.deepEqual(comments, [1, 1, 0])
      assert.deepEqual(await stores.read.activity(world.otherScope, foreign.id, 9, 'commented'), [])
      for (const attempt of [
        stores.write.archive(change, archivedUntil(), anActor()),
        stores.write.deleteIssues(change, anActor()),
      ]) {
        assert.deepEqual(value(await attempt), ids.slice(0, 2))
      }
      assert.equal((await stores.read.issue(world.otherScope, String(foreign.id)))?.status, 'unresolved')
      const many = {
        ...change,
        ids: Array.from({ length: max('issuesPerChangeMax') + 2 }, (_, id) => issueId(id)),
      }
      assert.equal(refusal(await stores.write.resolve(many, anActor())), 'invalid_input')
    })

    it('assigns only to members who can read the project', async () => {
      await send({ group: 'a' })
      const { id } = await issueOf('a')
      const team = value(await stores.write.createTeam(world.org, 'none', 'None', anActor()))
      const blind = await addMember(stores, {
        org: world.org,
        email: 'bo@example.com',
        role: 'member',
        teams: [team],
      })
      assert.equal(refusal(await stores.write.assign(choice(id), blind, anActor())), 'invalid_input')
      assert.equal(
        refusal(await stores.write.assign(choice(id), world.otherOwner, anActor())),
        'invalid_input',
      )
      assert.equal((await issueOf('a')).assignee, null)
      assert.deepEqual(value(await stores.write.assign(choice(id), world.owner, anActor())), [id])
      assert.deepEqual((await issueOf('a')).assignee, {
        userId: world.owner,
        name: 'Ada',
        email: 'Ada@Example.com',
      })
      assert.deepEqual(value(await stores.write.assign(choice(id), null, anActor())), [id])
      assert.deepEqual(await kinds(id), ['unassigned', 'assigned', 'first_seen'])
    })

    it('takes a bounded number of comments on an issue', async () => {
      await send({ group: 'a' })
      const { id } = await issueOf('a')
      for (let index = 0; index < max('commentsPerIssueMax'); index++)
        value(await stores.write.comment(choice(id), { text: `${index}`, mentions: [] }, anActor()))
      assert.equal(
        refusal(await stores.write.comment(choice(id), { text: 'one more', mentions: [] }, anActor())),
        'conflict',
      )
      assert.equal((await issueOf('a')).commentCount, max('commentsPerIssueMax'))
    })

    it('keeps comments', async () => {
      await send({ group: 'a' })
      const { id } = await issueOf('a')
      value(await stores.write.comment(choice(id), { text: '<b>look</b>', mentions: [] }, anActor()))
      assert.equal((await issueOf('a')).commentCount, 1)
      const [note] = await stores.read.activity(world.scope, id, 1)
      assert.deepEqual([note?.kind, note?.detail], ['commented', { text: '<b>look</b>' }])
      assert.equal(
        refusal(await stores.write.comment(choice(id), { text: '  ', mentions: [] }, anActor())),
        'invalid_input',
      )
      const long = 'x'.repeat(max('commentCharsMax') + 1)
      assert.equal(
        refusal(await stores.write.comment(choice(id), { text: long, mentions: [] }, anActor())),
        'invalid_input',
      )
    })

    it('merges: groups change hands, and every number is their sum or union', async () => {
      await send(
        {
          group: 'a',
          user: 'id:1',
          route: '/a',
          timestampMs: NOW - 3 * HOUR,
          tags: { os: 'linux' },
          digests: ['7'],
        },
        {
          group: 'a',
          user: 'id:2',
          route: '/b',
          timestampMs: NOW - 2 * HOUR,
          tags: { os: 'mac' },
          release: '1',
        },
        {
          group: 'b',
          user: 'id:2',
          route: '/b',
          timestampMs: NOW - HOUR,
          tags: { os: 'mac' },
          release: '2',
          isMirror: true,
        },
        { group: 'c', projectId: world.blog },
      )
      await stores.write.standAlone(NOW + DAY)
      const [a, b] = [await issueOf('a'), await issueOf('b')]
      value(await stores.write.comment(choice(b.id), { text: 'the same', mentions: [] }, anActor()))
      assert.equal(value(await stores.write.merge(choice(b.id), a.id, anActor(NOW + 1))), a.id)
      const merged = await issueOf('b')
      assert.equal(merged.id, a.id)
      assert.equal(merged.title, 'Error: b', 'the newest event names it')
      assert.deepEqual(
        [merged.eventCount, merged.mirrorCount, merged.users, merged.route, merged.commentCount],
        [3, 1, { count: 2, isExact: true }, '/b', 1],
      )
      assert.deepEqual([merged.firstSeenMs, merged.lastSeenMs], [NOW - 3 * HOUR, NOW - HOUR])
      assert.deepEqual([merged.firstRelease, merged.lastRelease], ['1', '2'])
      const [os] = await stores.read.tags(world.scope, a.id, 10)
      assert.deepEqual(
        os?.values.map(({ value: name, count }) => [name, count]),
        [
          ['mac', 2],
          ['linux', 1],
        ],
      )
      const [most] = await stores.read.tags(world.scope, a.id, 1)
      assert.deepEqual([most?.values.length, most?.valuesKept, most?.otherCount], [1, 2, 0])
      assert.equal((await stores.read.groups(world.scope, a.id)).length, 2)
      assert.equal((await stores.read.digestsOfIssue(world.scope, a.id, 10)).length, 1)
      assert.equal((await stores.read.issue(world.scope, b.shortId))?.id, a.id, 'old links lead on')
      assert.equal((await stores.read.issue(world.scope, String(b.id)))?.id, a.id)
      const both = await stores.read.issuesByRefs(world.scope, [b.shortId, a.shortId])
      assert.deepEqual(
        both.map(({ id }) => id),
        [a.id],
      )
      assert.deepEqual(await kinds(a.id), ['merged', 'commented', 'first_seen'])
      const range = { startMs: NOW - 4 * HOUR, endMs: NOW, stepMs: HOUR }
      assert.deepEqual((await stores.read.trend(world.scope, a.id, range)).counts, [0, 1, 1, 1])
      await send({ group: 'b', user: 'id:3' })
      const after = await issueOf('a')
      assert.deepEqual([after.eventCount, after.users.count], [4, 3])
    })

    it('sums up again what came to merged groups, with the times of their tags', async () => {
      const minutes = (count: number) => NOW - count * (HOUR / 60)
      await send(
        { group: 'a', route: '/a', release: '1', tags: { os: 'mac' }, timestampMs: minutes(50) },
        { group: 'b', route: '/b', release: '2', tags: { os: 'mac' }, timestampMs: minutes(40) },
        { group: 'c', route: '/c', release: '5', tags: { os: 'linux' }, timestampMs: minutes(30) },
      )
      const [a, b, c] = [await issueOf('a'), await issueOf('b'), await issueOf('c')]
      value(await stores.write.merge(choice(b.id), a.id, anActor()))
      await send(
        { group: 'a', route: '/b', release: '0', tags: { os: 'mac' }, timestampMs: minutes(60) },
        { group: 'b', route: '/b', release: '3', tags: { os: 'mac' }, timestampMs: minutes(20) },
      )
      const two = await issueOf('a')
      assert.deepEqual(
        [two.title, two.route, two.firstRelease, two.lastRelease],
        ['Error: b', '/b', '0', '3'],
      )
      value(await stores.write.merge(choice(c.id), a.id, anActor()))
      const all = await issueOf('c')
      assert.deepEqual(
        [all.id, all.title, all.route, all.firstRelease, all.lastRelease, all.eventCount],
        [a.id, 'Error: b', '/b', '0', '3', 5],
      )
      const [os] = await stores.read.tags(world.scope, a.id, 10)
      assert.deepEqual([os?.total, os?.otherCount], [5, 0])
      assert.deepEqual(
        os?.values.map((each) => [each.value, each.count, each.firstSeenMs, each.lastSeenMs]),
        [
          ['mac', 4, minutes(60), minutes(20)],
          ['linux', 1, minutes(30), minutes(30)],
        ],
      )
    })

    it('refuses to merge across projects, into what is absent, or beyond the bound', async () => {
      await send({ group: 'a' }, { group: 'c', projectId: world.blog })
      const [a, c] = [await issueOf('a'), await issueOf('c', world.blog)]
      assert.equal(refusal(await stores.write.merge(choice(c.id), a.id, anActor())), 'invalid_input')
      assert.equal(refusal(await stores.write.merge(choice(a.id), issueId(999), anActor())), 'not_found')
      assert.equal(value(await stores.write.merge(choice(a.id), a.id, anActor())), a.id)
      const many = Array.from({ length: max('groupsPerIssueMax') }, (_, index) => ({ group: `g${index}` }))
      await send(...many)
      const ids: IssueId[] = []
      for (const { group } of many) ids.push((await issueOf(group)).id)
      assert.equal(refusal(await stores.write.merge(choice(...ids), a.id, anActor())), 'conflict')
      assert.equal(value(await stores.write.merge(choice(...ids.slice(1)), a.id, anActor())), a.id)
      assert.equal((await issueOf('a')).eventCount, max('groupsPerIssueMax'))
    })

    it('buries every group of a merged issue that is deleted', async () => {
      await send({ group: 'a' }, { group: 'b' })
      const [a, b] = [await issueOf('a'), await issueOf('b')]
      value(await stores.write.merge(choice(b.id), a.id, anActor()))
      value(await stores.write.deleteIssues(choice(a.id), anActor()))
      const { tombstones } = await stores.write.hidden()
      assert.deepEqual(tombstones.map(({ hash }) => hash).sort(), [aHash('a'), aHash('b')].sort())
      assert.equal(await stores.read.issue(world.scope, b.shortId), null)
    })

    it('leads from a digest to its groups, newest release first, the failure before its echoes', async () => {
      await send(
        { group: 'a', name: 'old', release: '1', digests: ['99'], timestampMs: NOW - 3 * DAY },
        { group: 'a', name: 'stale tab', release: '1', digests: ['99'], timestampMs: NOW },
        {
          group: 'mirror',
          name: 'echo',
          release: '2',
          digests: ['99'],
          isMirror: true,
          timestampMs: NOW - HOUR,
        },
        {
          group: 'a',
          name: 'new',
          release: '2',
          digests: ['99', '100'],
          route: '/x',
          timestampMs: NOW - HOUR,
        },
      )
      const matches = await stores.read.digests(world.scope, [digest('99'), digest('12')])
      assert.deepEqual(
        matches.map((match) => [match.release, match.eventId, match.count, match.mirrorCount]),
        [
          ['2', anEventId('new'), 1, 0],
          ['2', anEventId('echo'), 1, 1],
          ['1', anEventId('stale tab'), 2, 0],
        ],
      )
      const [first] = matches
      assert.deepEqual(
        [first?.issueId, first?.groupHash, first?.route],
        [(await issueOf('a')).id, aHash('a'), '/x'],
      )
      assert.deepEqual([matches[2]?.firstSeenMs, matches[2]?.lastSeenMs], [NOW - 3 * DAY, NOW])
      assert.equal((await stores.read.digestsOfIssue(world.scope, (await issueOf('a')).id, 2)).length, 2)
    })

    it('keeps the newest digests of a group', async () => {
      const most = max('digestsPerGroupMax')
      await send(
        ...Array.from({ length: most }, (_, index) => ({
          digests: [`${index + 1}`],
          timestampMs: NOW - DAY + index,
        })),
      )
      await send({ digests: ['5000'], timestampMs: NOW })
      assert.deepEqual(await stores.read.digests(world.scope, [digest('1')]), [])
      assert.equal((await stores.read.digests(world.scope, [digest('2'), digest('5000')])).length, 2)
    })

    it('suggests values and keys of facets', async () => {
      await send(
        { tags: { environment: 'production' } },
        { tags: { environment: 'production' } },
        { tags: { environment: 'preview', engine: 'v8' } },
        { projectId: world.blog, tags: { environment: 'staging' } },
      )
      const { read } = stores
      assert.deepEqual(
        (await read.facetValues(world.scope, 'environment', '', 10)).map(({ value }) => value),
        ['production', 'preview', 'staging'],
      )
      assert.deepEqual(
        (await read.facetValues(world.scope, 'environment', 'pre', 10)).map(({ value }) => value),
        ['preview'],
      )
      assert.deepEqual(
        (await read.facetValues(world.shopScope, 'environment', '', 10)).map(({ value }) => value),
        ['production', 'preview'],
      )
      assert.deepEqual(
        (await read.facetValues(world.scope, 'environment', '', 1)).map(({ value }) => value),
        ['production'],
      )
      assert.deepEqual(await read.facetKeys(world.scope, 'en', 10), ['engine', 'environment'])
      assert.deepEqual(await read.facetKeys(world.scope, 'environ', 10), ['environment'])
      const counted = await read.facetKeyCounts(world.scope, ['environment', 'engine', 'nowhere'])
      assert.deepEqual(counted, [
        { value: 'engine', count: 1 },
        { value: 'environment', count: 4 },
      ])
      assert.deepEqual(await read.facetKeyCounts(world.shopScope, ['environment']), [
        { value: 'environment', count: 3 },
      ])
    })

    it('answers a trend in the asked steps, hours being the smallest', async () => {
      await send(
        { timestampMs: NOW - 5 * HOUR },
        { timestampMs: NOW - 10 * 60_000 },
        { timestampMs: NOW - 4 * HOUR },
      )
      const { id } = await issueOf('boom')
      const trend = (stepMs: number) =>
        stores.read.trend(world.scope, id, { startMs: NOW - 6 * HOUR, endMs: NOW, stepMs })
      assert.deepEqual(await trend(60_000), {
        startMs: NOW - 6 * HOUR,
        stepMs: HOUR,
        counts: [0, 1, 1, 0, 0, 1],
      })
      assert.deepEqual((await trend(3 * HOUR)).counts, [2, 1])
    })
  })
}
