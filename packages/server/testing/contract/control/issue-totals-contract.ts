/** Contract of totals: several searches counted at once say what each of their lists says. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IssueFilter } from '#ports/issues.ts'
import { anActor } from '../../builders/actor.ts'
import { aFilter, someConditions } from '../../builders/issue-filter.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'

export function issueTotalsContract(open: ControlFactory): void {
  describe('Totals of searches', () => {
    const { stores, world, send, idOf } = openForEachTest(open)

    const listed = (filters: readonly IssueFilter[], scope = world.scope) =>
      Promise.all(
        filters.map(async (filter) => {
          const page = { sort: 'date' as const, limit: 1, cursor: null }
          return (await stores.read.list(scope, filter, page)).total
        }),
      )
    const text = (word: string) => ({ text: [{ value: word, negated: false }] })
    const recent = { startMs: NOW - 2 * HOUR }

    it('are those of the lists, whatever is asked for together', async () => {
      await send(
        { group: 'early', timestampMs: NOW - 9 * HOUR },
        { group: 'late', timestampMs: NOW - HOUR, level: 'fatal' },
        { group: 'blog', projectId: world.blog, timestampMs: NOW - HOUR, level: 'warning' },
        { group: 'done', timestampMs: NOW - HOUR, user: 'id:1' },
      )
      const ids = [await idOf('done')]
      const choice = { orgId: world.org, projects: world.scope.projects, ids }
      value(await stores.write.resolve(choice, anActor()))
      const filters = [
        aFilter(recent),
        aFilter({ ...recent, status: ['unresolved'] }),
        aFilter({ ...recent, status: ['unresolved', 'resolved'] }),
        aFilter({ ...recent, ...text('late') }),
        aFilter({ ...recent, either: [[someConditions(text('late')), someConditions(text('blog'))]] }),
        aFilter({ ...recent, priorities: [{ value: 'high', negated: false }] }),
        aFilter({ ...recent, levels: [{ value: 'warning', negated: true }] }),
        aFilter({ ...recent, projects: [world.blog] }),
        aFilter({}),
        aFilter({ ...recent, issueIds: ids }),
      ]
      const totals = await stores.read.totals(world.scope, filters)
      assert.deepEqual(totals, await listed(filters))
      assert.deepEqual([totals[0], totals[1], totals[3], totals[4], totals[7], totals[8]], [3, 2, 1, 2, 1, 4])
      assert.equal(totals[9], 1)
    })

    it('of searches that each name few issues are those of the lists, too', async () => {
      await send({ group: 'alpha' }, { group: 'beta' }, { group: 'alphabet' })
      const filters = [text('alpha'), text('beta'), text('gamma')].map((each) => aFilter(each))
      assert.deepEqual(await stores.read.totals(world.scope, filters), [2, 1, 0])
      assert.deepEqual(await listed(filters), [2, 1, 0])
    })

    it('tell nothing of projects that may not be read', async () => {
      await send({ group: 'shop' }, { group: 'blog', projectId: world.blog })
      const filters = [aFilter({}), aFilter({ projects: [world.blog] }), aFilter(text('blog'))]
      assert.deepEqual(await stores.read.totals(world.shopScope, filters), [1, 0, 0])
    })

    it('are none for none', async () => {
      assert.deepEqual(await stores.read.totals(world.scope, []), [])
    })
  })
}
