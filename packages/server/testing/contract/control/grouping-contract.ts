/** Contract of groups that change issues by hand: exact numbers on both sides, and a record of who did it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type IssueId, issueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { aHash } from '../../builders/ids.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, refusal, value } from './stores.ts'

export function groupingContract(open: ControlFactory): void {
  describe('groups of an issue', () => {
    const { stores, world, send, issueOf, choice } = openForEachTest(open)

    const parting = (id: IssueId, ...groups: readonly string[]) => ({
      ...{ orgId: world.org, projects: world.scope.projects, id, reason: null },
      groups: groups.map(aHash),
    })
    const mergedGroups = async (id: IssueId) => {
      const groups = await stores.read.mergedGroups(world.scope, id)
      assert.ok(groups)
      return groups
    }
    const three = async () => {
      await send(
        { group: 'a', user: 'id:1', route: '/a', release: '1', timestampMs: NOW - 3 * HOUR },
        { group: 'a', user: 'id:2', route: '/a', release: '1', timestampMs: NOW - 2 * HOUR },
        { group: 'b', user: 'id:2', route: '/b', release: '2', timestampMs: NOW - HOUR, level: 'fatal' },
        { group: 'c', user: 'id:3', route: '/c', release: '3', timestampMs: NOW },
      )
      const [a, b, c] = [await issueOf('a'), await issueOf('b'), await issueOf('c')]
      value(await stores.write.merge(choice(b.id, c.id), a.id, anActor(NOW + 1)))
      return { a, b, c }
    }
    const soundStore = async () => assert.deepEqual(await stores.read.contradictions(10), [])

    it('are listed with their own names and numbers, an only one too', async () => {
      await send({ group: 'alone', user: 'id:1' })
      const [alone] = await mergedGroups((await issueOf('alone')).id)
      assert.deepEqual([alone?.title, alone?.eventCount, alone?.users.count], ['Error: alone', 1, 1])
      const { a } = await three()
      const groups = await mergedGroups(a.id)
      assert.deepEqual(
        groups.map(({ hash, title, eventCount, users, firstSeenMs, lastSeenMs }) => [
          ...[hash, title, eventCount, users.count, firstSeenMs, lastSeenMs],
        ]),
        [
          [aHash('a'), 'Error: a', 2, 2, NOW - 3 * HOUR, NOW - 2 * HOUR],
          [aHash('b'), 'Error: b', 1, 1, NOW - HOUR, NOW - HOUR],
          [aHash('c'), 'Error: c', 1, 1, NOW, NOW],
        ],
      )
      assert.equal(await stores.read.mergedGroups(world.otherScope, a.id), null)
    })

    it('get an issue of their own with exact numbers on both sides, and events go on to it', async () => {
      const { a, b, c } = await three()
      const given = { ...parting(a.id, 'b', 'c'), reason: ' Other cause ' }
      const own = value(await stores.write.unmerge(given, anActor(NOW + 2)))
      const [left, right] = [await issueOf('a'), await issueOf('b')]
      assert.deepEqual([left.id, right.id], [a.id, own])
      assert.ok(![a.id, b.id, c.id].includes(own))
      assert.deepEqual(
        [left.title, left.eventCount, left.users.count, left.route, left.lastRelease, left.lastSeenMs],
        ['Error: a', 2, 2, '/a', '1', NOW - 2 * HOUR],
      )
      assert.deepEqual(
        [right.title, right.eventCount, right.users.count, right.firstRelease, right.lastRelease],
        ['Error: c', 2, 2, '2', '3'],
      )
      assert.deepEqual([right.status, right.firstSeenMs, right.lastSeenMs], ['unresolved', NOW - HOUR, NOW])
      const detail = { count: 2, reason: 'Other cause' }
      const [gone] = await stores.read.activity(world.scope, a.id, 1)
      assert.deepEqual(
        [gone?.kind, gone?.detail],
        ['unmerged', { issue: right.shortId, title: 'Error: c', ...detail }],
      )
      const [came] = await stores.read.activity(world.scope, own, 1)
      assert.deepEqual(
        [came?.kind, came?.detail],
        ['split_off', { issue: left.shortId, title: 'Error: a', ...detail }],
      )
      await send({ group: 'a', user: 'id:9' }, { group: 'b', user: 'id:9' })
      assert.deepEqual([(await issueOf('a')).eventCount, (await issueOf('a')).users.count], [3, 3])
      assert.deepEqual([(await issueOf('c')).eventCount, (await issueOf('c')).users.count], [3, 3])
      assert.equal((await stores.read.issue(world.scope, b.shortId))?.id, a.id, 'links stay with the issue')
      await soundStore()
    })

    it('can be merged again, and the numbers are what they were', async () => {
      const { a } = await three()
      const before = await issueOf('a')
      const own = value(await stores.write.unmerge(parting(a.id, 'b'), anActor(NOW + 2)))
      value(await stores.write.merge({ ...choice(own), reason: 'Same after all' }, a.id, anActor(NOW + 3)))
      const { substatus: _, ...after } = await issueOf('b')
      const { substatus: __, ...was } = before
      assert.deepEqual(after, was)
      const [merged] = await stores.read.activity(world.scope, a.id, 1)
      assert.deepEqual([merged?.kind, merged?.detail.reason], ['merged', 'Same after all'])
      const long = { ...choice(own), reason: 'x'.repeat(max('reasonCharsMax') + 1) }
      assert.equal(refusal(await stores.write.merge(long, a.id, anActor())), 'invalid_input')
      await soundStore()
    })

    it('go to another issue of the project, which keeps what people chose for it', async () => {
      const { a } = await three()
      await send({ group: 'other' }, { group: 'blog', projectId: world.blog })
      const [other, blog] = [await issueOf('other'), await issueOf('blog', world.blog)]
      value(await stores.write.resolve(choice(other.id), anActor(NOW + 1)))
      const moving = { ...parting(a.id, 'b'), into: other.id }
      assert.equal(value(await stores.write.unmerge(moving, anActor(NOW + 2))), other.id)
      const took = await issueOf('b')
      assert.deepEqual(
        [took.id, took.shortId, took.status, took.eventCount],
        [other.id, other.shortId, 'resolved', other.eventCount + 1],
      )
      assert.equal((await issueOf('a')).eventCount, 3)
      const [came] = await stores.read.activity(world.scope, other.id, 1)
      assert.deepEqual([came?.kind, came?.detail.issue], ['split_off', a.shortId])
      for (const into of [a.id, blog.id, issueId(999_999)])
        assert.equal(
          refusal(await stores.write.unmerge({ ...parting(a.id, 'c'), into }, anActor())),
          'invalid_input',
        )
      await soundStore()
    })

    it('stay where nobody may take them, where none would be left, and where none is named', async () => {
      const { a } = await three()
      const cases = [
        [parting(a.id, 'a', 'b', 'c'), 'invalid_input'],
        [parting(a.id, 'unknown'), 'not_found'],
        [parting(a.id, 'b', 'unknown'), 'not_found'],
        [parting(a.id), 'not_found'],
        [{ ...parting(a.id, 'b'), projects: [world.blog] }, 'not_found'],
        [{ ...parting(a.id, 'b'), reason: 'x'.repeat(max('reasonCharsMax') + 1) }, 'invalid_input'],
      ] as const
      for (const [change, code] of cases)
        assert.equal(refusal(await stores.write.unmerge(change, anActor())), code)
      assert.equal((await mergedGroups(a.id)).length, 3)
    })

    it('take the mirrors that are folded into them along, which are not taken out by themselves', async () => {
      const server = { requestKind: 'document', handled: false, route: '/o' } as const
      await send(
        { ...server, group: 'a', digests: ['7'] },
        { ...server, group: 'b', digests: ['8'] },
        { group: 'mirror', projectId: world.blog, isMirror: true, requestKind: 'browser', digests: ['8'] },
      )
      const [a, b] = [await issueOf('a'), await issueOf('b')]
      value(await stores.write.merge(choice(b.id), a.id, anActor()))
      const listed = (await mergedGroups(a.id)).filter(({ isFolded }) => isFolded)
      assert.deepEqual(
        listed.map(({ hash, projectSlug }) => [hash, projectSlug]),
        [[aHash('mirror'), 'blog']],
      )
      assert.equal(refusal(await stores.write.unmerge(parting(a.id, 'mirror'), anActor())), 'not_found')
      const own = value(await stores.write.unmerge(parting(a.id, 'b'), anActor()))
      assert.equal((await issueOf('mirror', world.blog)).id, own)
      assert.deepEqual([(await issueOf('b')).eventCount, (await issueOf('b')).mirrorCount], [2, 1])
      assert.deepEqual([(await issueOf('a')).eventCount, (await issueOf('a')).mirrorCount], [1, 0])
      await soundStore()
    })

    it('lead to other issues of their type in their project', async () => {
      await send({ group: 'a' }, { group: 'b', timestampMs: NOW - HOUR }, { group: 'c' })
      await send({ group: 'd', projectId: world.blog })
      const { id } = await issueOf('a')
      const alike = await stores.read.issuesOfType(world.scope, id)
      assert.deepEqual(
        alike?.map(({ title, shortId, eventCount }) => [title, shortId, eventCount]),
        [
          ['Error: c', (await issueOf('c')).shortId, 1],
          ['Error: b', (await issueOf('b')).shortId, 1],
        ],
      )
      assert.equal(await stores.read.issuesOfType(world.otherScope, id), null)
    })
  })
}
