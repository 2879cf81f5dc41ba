/** Contract of who is counted of a failure with two halves: a visitor once, by whichever name each half has. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { aHash } from '../../builders/ids.ts'
import { lostCounts } from '../../builders/person-deletion.ts'
import type { EventShape } from '../../builders/stored-event.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'

const ADDRESS = 'ip:203.0.113.7'

export function mirroredPeopleContract(open: ControlFactory): void {
  describe('people of mirrors', () => {
    const { stores, world, send } = openForEachTest(open)

    type Sent = Partial<EventShape>
    const server = (address = ADDRESS): Sent => ({
      ...{ group: 'server', requestKind: 'document', route: '/orders', handled: false, digests: ['77'] },
      ...{ user: address, people: [address], tags: { user: address } },
    })
    const mirror = (user = 'id:42', address: string | null = ADDRESS): Sent => ({
      ...{ projectId: world.blog, group: 'mirror', isMirror: true, requestKind: 'browser', digests: ['77'] },
      ...{ user, people: address === null ? [user] : [user, address], tags: { user } },
    })
    const issueOf = async (group: string) => {
      const project = group === 'mirror' ? world.blog : world.shop
      const issue = await stores.read.issueOfGroup(world.scope, project, aHash(group))
      assert.ok(issue, `no issue of ${group}`)
      return issue
    }
    const usersOf = async (group = 'server') => (await issueOf(group)).users
    const choice = async (...groups: readonly string[]) => ({
      ...{ orgId: world.org, projects: world.scope.projects },
      ids: await Promise.all(groups.map(async (group) => (await issueOf(group)).id)),
    })

    for (const isServerFirst of [true, false]) {
      it(`are one with the address that the server saw, its half ${isServerFirst ? 'first' : 'last'}`, async () => {
        const halves = [server(), mirror()]
        for (const half of isServerFirst ? halves : halves.reverse()) await send(half)
        assert.deepEqual(await usersOf(), { count: 1, isExact: true })
        await send(server(), mirror(), server('ip:203.0.113.8'))
        assert.deepEqual(await usersOf(), { count: 2, isExact: true })
        await send(mirror('id:43'))
        assert.deepEqual(await usersOf(), { count: 3, isExact: true })
        await send(mirror('id:42', 'ip:203.0.113.8'))
        assert.deepEqual(await usersOf(), { count: 2, isExact: true })
      })
    }

    it('are counted as before where no address is known of them, and where nothing else is', async () => {
      await send(server(), mirror('id:42', null))
      assert.equal((await usersOf()).count, 2)
      await send(mirror(ADDRESS))
      assert.equal((await usersOf()).count, 2)
    })

    it('are told apart again with the halves', async () => {
      await send(server(), mirror())
      const { id } = await issueOf('server')
      const change = { orgId: world.org, projects: world.scope.projects, id, groups: null }
      value(await stores.write.keepApart(change, anActor()))
      assert.deepEqual([(await usersOf()).count, (await usersOf('mirror')).count], [1, 1])
    })

    it('are one when issues are merged, and two issues’ when that is taken back', async () => {
      await send(server(), mirror(), { ...server(), group: 'other', digests: [], route: '/cart' })
      const change = await choice('server', 'other')
      const [into] = change.ids
      assert.ok(into)
      value(await stores.write.merge(change, into, anActor()))
      assert.deepEqual(await usersOf(), { count: 1, isExact: true })
      value(await stores.write.undoMerge(await choice('server'), anActor()))
      assert.deepEqual([(await usersOf()).count, (await usersOf('other')).count], [1, 1])
    })

    it('leave the address of a person who is deleted to those who are left', async () => {
      await send(server(), mirror(), mirror('id:43'))
      const deletion = { orgId: world.org, projectId: world.blog, people: [], events: 1 }
      const remove = async (person: string) => {
        const groups = [{ hash: aHash('mirror'), users: [person], lost: lostCounts() }]
        value(await stores.write.deletePerson({ ...deletion, person, groups }, anActor()))
        return (await usersOf()).count
      }
      assert.equal(await usersOf().then(({ count }) => count), 2)
      assert.equal(await remove('id:42'), 1)
      assert.equal(await remove('id:43'), 1, 'the server’s, by address')
      await send(mirror('id:44'))
      assert.equal((await usersOf()).count, 1)
    })

    it('are about right where one has more addresses than are told apart', async () => {
      const many = Array.from(
        { length: max('usersExactMax') + 1 },
        (_, index) => `ip:10.0.${index >> 8}.${index & 255}`,
      )
      await send(...many.map((address) => mirror('id:42', address)))
      await send(server('ip:203.0.113.99'))
      assert.deepEqual(await usersOf(), { count: 2, isExact: false })
    })
  })
}
