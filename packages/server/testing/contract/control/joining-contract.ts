/** Contract of joining groups: events as they ran and as they were written are one issue. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { aHash } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'

export function joiningContract(open: ControlFactory): void {
  describe('joining groups', () => {
    const { stores, world, send, issueOf, choice } = openForEachTest(open)

    const join = (group: string, written: string, atMs = NOW) => {
      const { facts } = anEvent({ projectId: world.shop, group: written })
      return stores.write.joinGroups(
        { projectId: world.shop, hash: aHash(group), written: { hash: aHash(written), facts } },
        atMs,
      )
    }
    const count = async () => {
      const page = { sort: 'date', limit: 100, cursor: null } as const
      return (await stores.read.list(world.scope, aFilter(), page)).total
    }

    it('gives what comes as it was written to the issue of what ran, before any of it has come', async () => {
      await send({ group: 'min', user: 'id:1', digests: ['7'], timestampMs: NOW - 2 * HOUR })
      const before = await issueOf('min')
      assert.equal(await join('min', 'src'), 'joined')
      const joined = await issueOf('src')
      assert.deepEqual({ ...joined, title: '', value: '' }, { ...before, title: '', value: '' })
      assert.equal(joined.title, 'Error: src', 'it is called as it was written')
      assert.equal(await join('min', 'src'), 'same')
      const applied = await send({ group: 'src', user: 'id:2', timestampMs: NOW - HOUR })
      assert.equal(applied.newIssues, 0)
      const after = await issueOf('min')
      assert.deepEqual(
        [after.id, after.eventCount, after.users.count, after.firstSeenMs, after.lastSeenMs],
        [before.id, 2, 2, NOW - 2 * HOUR, NOW - HOUR],
      )
      assert.equal((await stores.read.digests(world.scope, [digest('7')]))[0]?.issueId, before.id)
      assert.equal(await count(), 1)
      assert.deepEqual(
        (await stores.read.activity(world.scope, before.id, 9)).map(({ kind }) => kind),
        ['first_seen'],
      )
    })

    it('makes one issue of two, the older one, with all counts and a record that says why', async () => {
      await send({ group: 'min-1', user: 'id:1', digests: ['7'], timestampMs: NOW - 3 * HOUR })
      await send(
        { group: 'min-2', user: 'id:2', digests: ['8'], timestampMs: NOW - 5 * HOUR },
        { group: 'min-2' },
      )
      const [older, younger] = [await issueOf('min-1'), await issueOf('min-2')]
      value(await stores.write.assign(choice(younger.id), world.owner, anActor()))
      value(await stores.write.comment(choice(younger.id), { text: 'look', mentions: [] }, anActor()))
      assert.equal(await join('min-2', 'src'), 'joined')
      assert.equal(await join('min-1', 'src', NOW + 1), 'merged')
      for (const group of ['min-1', 'min-2', 'src']) assert.equal((await issueOf(group)).id, older.id, group)
      const issue = await issueOf('src')
      assert.deepEqual([issue.eventCount, issue.users.count, issue.commentCount], [3, 2, 1])
      assert.deepEqual([issue.firstSeenMs, issue.lastSeenMs], [NOW - 5 * HOUR, NOW])
      assert.deepEqual([issue.title, issue.assignee?.userId], ['Error: src', world.owner])
      const digests = await stores.read.digestsOfIssue(world.scope, older.id, 9)
      assert.deepEqual(digests.map((each) => each.digest).sort(), ['7', '8'])
      assert.equal((await stores.read.issue(world.scope, younger.shortId))?.id, older.id, 'old links lead on')
      const activity = await stores.read.activity(world.scope, older.id, 9)
      const merged = activity.find(({ kind }) => kind === 'merged')
      assert.deepEqual(merged?.detail, { issues: younger.shortId, count: 1, by: 'source_maps' })
      assert.deepEqual([merged?.actor, merged?.userId, merged?.atMs], ['Errata', null, NOW + 1])
      assert.equal(await join('min-1', 'src'), 'same')
      assert.equal(await join('min-2', 'src'), 'same')
      assert.equal((await stores.read.activity(world.scope, older.id, 9)).length, activity.length)
      assert.equal(await count(), 1)
    })

    it('takes what began as it was written into the older one', async () => {
      await send({ group: 'min' })
      await send({ group: 'src' })
      const older = await issueOf('min')
      assert.equal(await join('min', 'src'), 'merged')
      assert.equal((await issueOf('src')).id, older.id)
      await send({ group: 'min' }, { group: 'src' })
      assert.equal((await issueOf('src')).eventCount, 4)
    })

    it('leaves open work open', async () => {
      await send({ group: 'min' }, { group: 'old' })
      const [resolved, archived] = [await issueOf('min'), await issueOf('old')]
      value(await stores.write.resolve(choice(resolved.id), anActor(NOW + 1)))
      const forEver = { eventsMore: null, usersMore: null, atMs: null }
      value(await stores.write.archive(choice(archived.id), forEver, anActor(NOW + 1)))
      await send({ group: 'src', timestampMs: NOW + 2 }, { group: 'else', timestampMs: NOW + 2 })
      assert.equal(await join('min', 'src', NOW + 3), 'merged')
      assert.equal(await join('old', 'else', NOW + 3), 'merged')
      const [open, kept] = [await issueOf('min'), await issueOf('old')]
      assert.deepEqual(
        [open.status, open.substatus, open.statusChangedMs],
        ['unresolved', 'regressed', NOW + 3],
      )
      assert.deepEqual([kept.status, kept.substatus], ['archived', 'archived_forever'])
      assert.equal((await stores.read.activity(world.scope, open.id, 1))[0]?.kind, 'regressed')
    })

    it('keeps resolved what was last seen before', async () => {
      await send({ group: 'min' }, { group: 'src' })
      const { id } = await issueOf('min')
      value(await stores.write.resolve(choice(id), anActor(NOW + 1)))
      assert.equal(await join('min', 'src', NOW + 3), 'merged')
      assert.equal((await issueOf('src')).status, 'resolved')
    })

    it('does nothing for a group that is gone', async () => {
      assert.equal(await join('min', 'src'), 'same')
      assert.equal(await stores.read.issueOfGroup(world.scope, world.shop, aHash('src')), null)
    })

    it('calls a group as it was written that is the same', async () => {
      await send({ group: 'min' })
      const before = await issueOf('min')
      const { facts } = anEvent({
        projectId: world.shop,
        group: 'min',
        facts: { culprit: 'pay(src/cart.ts)' },
      })
      const written = { hash: aHash('min'), facts }
      const named = () => stores.write.joinGroups({ projectId: world.shop, hash: aHash('min'), written }, NOW)
      assert.equal(await named(), 'same')
      assert.deepEqual(await issueOf('min'), { ...before, culprit: 'pay(src/cart.ts)' })
      assert.equal((await stores.read.groups(world.scope, before.id)).length, 1)
    })

    it('keeps the bound on groups of one issue', async () => {
      await send({ group: 'min' })
      const last = max('groupsPerIssueMax') - 1
      for (let n = 1; n <= last; n++) assert.equal(await join('min', `src-${n}`), 'joined')
      assert.equal(await join('min', 'one more'), 'full')
      await send({ group: 'two more' })
      assert.equal(await join('min', 'two more'), 'full')
      assert.notEqual((await issueOf('two more')).id, (await issueOf('min')).id)
      assert.equal((await stores.read.groups(world.scope, (await issueOf('min')).id)).length, last + 1)
    })
  })
}
