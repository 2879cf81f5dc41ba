/** Contract of taking a merge back: every issue is as it was, and what came since counts where it belongs. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { IssueId, UserId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { aHash } from '../../builders/ids.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'
import { addMember } from './world.ts'

export function mergeUndoContract(open: ControlFactory): void {
  describe('a merge that is taken back', () => {
    const { stores, world, send, issueOf, choice } = openForEachTest(open)
    let rosa: UserId
    beforeEach(async () => {
      rosa = await addMember(stores, { org: world.org, email: 'rosa@example.com', role: 'manager' })
    })

    const ada = (atMs = NOW) => anActor(atMs, { userId: world.owner, label: 'Ada' })
    const undo = (id: IssueId, actor = ada(NOW + 50)) => stores.write.undoMerge(choice(id), actor)
    const told = async (id: IssueId) => ({
      activity: (await stores.read.activity(world.scope, id, 50)).map(({ id: one, kind }) => [one, kind]),
      marks: await stores.read.marksOf(world.scope, rosa, [id]),
      people: await stores.read.followers(world.scope, id),
    })
    const soundStore = async () => assert.deepEqual(await stores.read.contradictions(10), [])

    const three = async () => {
      await send(
        { group: 'a', user: 'id:1', route: '/a', release: '1', timestampMs: NOW - 3 * HOUR },
        { group: 'a', user: 'id:2', route: '/a', release: '1', timestampMs: NOW - 2 * HOUR },
        { group: 'b', user: 'id:2', route: '/b', release: '2', timestampMs: NOW - HOUR, level: 'fatal' },
        { group: 'c', user: 'id:3', route: '/c', release: '3', timestampMs: NOW },
      )
      const [a, b, c] = [(await issueOf('a')).id, (await issueOf('b')).id, (await issueOf('c')).id]
      value(await stores.write.comment(choice(b), { text: 'mine', mentions: [] }, ada(NOW + 1)))
      value(await stores.write.assign(choice(b), rosa, ada(NOW + 2)))
      value(await stores.write.prioritise(choice(b), 'low', ada(NOW + 3)))
      value(await stores.write.resolve(choice(b), ada(NOW + 4)))
      value(await stores.write.bookmark(choice(c), { user: rosa, isBookmarked: true }))
      const before = [await issueOf('a'), await issueOf('b'), await issueOf('c')]
      return { a, b, c, before, tellings: await Promise.all([a, b, c].map(told)) }
    }

    it('leaves every issue as it was: number, state, people, comments, numbers', async () => {
      const { a, b, c, before, tellings } = await three()
      value(await stores.write.merge(choice(b, c), a, ada(NOW + 10)))
      assert.equal((await issueOf('c')).id, a)
      assert.deepEqual(value(await undo(a)), [b, c])
      assert.deepEqual([await issueOf('a'), await issueOf('b'), await issueOf('c')], before)
      const [ofA, ...others] = await Promise.all([a, b, c].map(told))
      assert.deepEqual(others, tellings.slice(1))
      const kinds = ofA?.activity.map(([, kind]) => kind)
      assert.deepEqual(kinds, ['unmerged', 'unmerged', 'merged', 'first_seen'])
      assert.deepEqual(ofA?.marks, tellings[0]?.marks)
      assert.equal((await stores.read.issue(world.scope, before[1]?.shortId ?? ''))?.id, b)
      assert.deepEqual(value(await undo(a)), [], 'once')
      await soundStore()
    })

    it('counts what came since where it belongs, and new events go on to it', async () => {
      const { a, b, c } = await three()
      value(await stores.write.merge(choice(b, c), a, ada(NOW + 10)))
      await send({ group: 'b', user: 'id:7' }, { group: 'a', user: 'id:8' })
      value(await undo(a))
      await send({ group: 'b', user: 'id:9' })
      const issues = [await issueOf('a'), await issueOf('b'), await issueOf('c')]
      const counts = issues.map(({ eventCount }) => eventCount)
      assert.deepEqual(counts, [3, 3, 1])
      assert.equal((await issueOf('b')).id, b)
      assert.equal((await issueOf('b')).users.count, 3)
      assert.equal((await issueOf('c')).id, c)
      await soundStore()
    })

    it('can be merged again, and an older merge comes back as one', async () => {
      const { a, b, c } = await three()
      value(await stores.write.merge(choice(c), b, ada(NOW + 10)))
      const both = await issueOf('b')
      value(await stores.write.merge(choice(b), a, ada(NOW + 11)))
      assert.deepEqual(value(await undo(a)), [b])
      assert.deepEqual(await issueOf('c'), both)
      assert.equal((await stores.read.issue(world.scope, String(c)))?.id, b, 'its old address leads there')
      value(await stores.write.merge(choice(b), a, ada(NOW + 60)))
      assert.equal((await issueOf('c')).eventCount, 4)
      await soundStore()
    })

    it('takes the mirrors along that came since', async () => {
      const server = { requestKind: 'document', handled: false, route: '/o' } as const
      await send({ ...server, group: 'a', digests: ['7'] }, { ...server, group: 'b', digests: ['8'] })
      const [a, b] = [(await issueOf('a')).id, (await issueOf('b')).id]
      value(await stores.write.merge(choice(b), a, ada()))
      const mirror = {
        projectId: world.blog,
        isMirror: true,
        requestKind: 'browser',
        digests: ['8'],
      } as const
      await send({ group: 'mirror', ...mirror })
      assert.equal((await issueOf('mirror', world.blog)).id, a)
      assert.deepEqual(value(await undo(a)), [b])
      assert.equal((await issueOf('mirror', world.blog)).id, b)
      await soundStore()
    })

    it('is nobody else’s, not for long, and not of groups that have gone elsewhere', async () => {
      const { a, b, c } = await three()
      value(await stores.write.merge(choice(b), a, ada(NOW + 10)))
      const others = anActor(NOW + 50, { userId: rosa, label: 'rosa' })
      assert.deepEqual(value(await undo(a, others)), [])
      assert.deepEqual(value(await undo(a, ada(NOW + 11 + max('mergeUndoMs')))), [])
      const parting = { ...choice(), id: a, groups: [aHash('b')], reason: null }
      value(await stores.write.unmerge(parting, ada(NOW + 20)))
      assert.deepEqual(value(await undo(a)), [])
      const hidden = { orgId: world.org, projects: [world.blog], ids: [a] }
      value(await stores.write.merge(choice(c), a, ada(NOW + 30)))
      assert.deepEqual(value(await stores.write.undoMerge(hidden, ada(NOW + 50))), [])
      assert.equal((await issueOf('c')).id, a)
      await soundStore()
    })
  })
}
