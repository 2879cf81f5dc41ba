/** Contract of the commit's side: what becomes of a batch that cannot be stored. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digest } from '#base/ids.ts'
import { aBatch, withGroups } from '../../builders/control-batch.ts'
import { aHash } from '../../builders/ids.ts'
import { aFilter } from '../../builders/issue-filter.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { openForEachTest } from './each-test.ts'
import type { ControlFactory } from './stores.ts'

export function failedBatchContract(open: ControlFactory): void {
  describe('ControlCommit, when a batch fails', () => {
    const { stores, world } = openForEachTest(open)

    it('forgets all of a batch that failed in the middle, and takes the same when it comes again', async () => {
      const shop = { projectId: world.shop }
      const events = ['one', 'two', 'three'].map((group) =>
        anEvent({ ...shop, group, tags: { plan: group }, digests: [digest('1234567890')] }),
      )
      await stores.write.applyBatch(aBatch(1, events.slice(0, 1)))
      const batch = aBatch(2, events)
      const isLast = ({ hash }: { readonly hash: string }) => hash === aHash('three')
      const broken = withGroups(batch, (group) => (isLast(group) ? { ...group, facts: 'no JSON' } : group))
      const counted = async () => {
        const { issues, groups, appliedSeq } = await stores.read.counters()
        return { issues, groups, appliedSeq }
      }
      await assert.rejects(stores.write.applyBatch({ ...batch, parts: broken }))
      assert.deepEqual(await counted(), { issues: 1, groups: 1, appliedSeq: 1 })
      await stores.write.applyBatch(batch)
      const { rows } = await stores.read.list(world.scope, aFilter(), {
        sort: 'date',
        limit: 10,
        cursor: null,
      })
      assert.deepEqual(rows.map(({ eventCount }) => eventCount).sort(), [1, 1, 2])
      assert.deepEqual(await counted(), { issues: 3, groups: 3, appliedSeq: 4 })
    })
  })
}
