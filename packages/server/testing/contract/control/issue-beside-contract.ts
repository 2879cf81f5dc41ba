/** Contract of an issue's place in a list: its position, and what stands before and after it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IssueId } from '#base/ids.ts'
import type { IssueSort } from '#model/search-words.ts'
import type { IssueFilter } from '#ports/issues.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch } from '../../builders/control-batch.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { anEvent, type EventShape } from '../../builders/stored-event.ts'
import { HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, value } from './stores.ts'

export function issueBesideContract(open: ControlFactory): void {
  describe('the place of an issue in a list', () => {
    const { stores, world, idOf } = openForEachTest(open)

    const send = async (...events: readonly Partial<EventShape>[]) => {
      const shaped = events.map((event) => anEvent({ projectId: world.shop, ...event }))
      await stores.write.applyBatch(aBatch(1, shaped))
    }
    const list = (change: Partial<IssueFilter> = {}, sort: IssueSort = 'date') =>
      stores.read.list(world.scope, aFilter(change), { sort, limit: 25, cursor: null })
    const beside = async (place: { sort: IssueSort; id: IssueId }, change: Partial<IssueFilter> = {}) => {
      const found = await stores.read.beside(world.scope, aFilter(change), place)
      assert.ok(found)
      return found
    }

    it('tells where an issue stands in a list, in every sort, ties included', async () => {
      const groups = Array.from({ length: 7 }, (_, index) => `group ${index}`)
      await send(
        ...groups.map((group, index) => ({ group, timestampMs: NOW - Math.floor(index / 3) * HOUR })),
      )
      for (const sort of ['date', 'new', 'freq', 'user'] as const) {
        const { rows } = await list({}, sort)
        for (const [index, { id }] of rows.entries()) {
          assert.deepEqual(await beside({ sort, id }), {
            position: index + 1,
            total: 7,
            previous: rows[index - 1]?.shortId ?? null,
            next: rows[index + 1]?.shortId ?? null,
          })
        }
      }
    })

    it('keeps the place of an issue that has left the list', async () => {
      await send(...['a', 'b', 'b', 'c'].map((group, index) => ({ group, timestampMs: NOW - index * HOUR })))
      const { rows } = await list({ status: ['unresolved'] })
      const id = await idOf('b')
      value(
        await stores.write.resolve(
          { orgId: world.org, projects: world.scope.projects, ids: [id] },
          anActor(),
        ),
      )
      for (const sort of ['date', 'freq'] as const) {
        const { position, total, previous, next } = await beside({ sort, id }, { status: ['unresolved'] })
        assert.deepEqual([position, total], [null, 2])
        const order = sort === 'date' ? [rows[0]?.shortId, rows[2]?.shortId] : [null, rows[2]?.shortId]
        // As often as each other, the newer one first: both come after what has two events.
        assert.deepEqual([previous, next], order)
      }
    })

    it('tells nothing of an issue outside the scope', async () => {
      await send({ group: 'a', projectId: world.blog })
      const [issue] = (await list()).rows
      assert.ok(issue)
      const narrow = { ...world.scope, projects: [world.shop] }
      assert.equal(await stores.read.beside(narrow, aFilter({}), { sort: 'date', id: issue.id }), null)
    })
  })
}
