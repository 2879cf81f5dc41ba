/** Contract of changes of feature flags: told once, read by access, kept for a while and within a bound. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import type { PreparedOf } from '#commands/table.ts'
import { max } from '#limits/limits.ts'
import type { FlagChangesAsked } from '#ports/flags.ts'
import type { ReadScope } from '#ports/scope.ts'
import { anActor } from '../../builders/actor.ts'
import { scopeForTest } from '../../builders/scope.ts'
import { NOW } from '../../builders/times.ts'
import { changesOf } from '../../changes.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged, value } from './stores.ts'

type Told = PreparedOf<'tellFlagChanges'>[number]

export function flagsContract(open: ControlFactory): void {
  describe('changes of feature flags', () => {
    const { stores, world, clock } = openForEachTest(open)

    const aChange = (changeId: string, atMs: number, projectId: ProjectId | null = null): Told => ({
      ...{ changeId, atMs, projectId, flag: `flag-${changeId}`, action: 'updated' },
      ...{ author: 'ada@example.com', authorType: 'email' },
    })
    const tell = async (told: readonly Told[], scope: ReadScope = world.scope) =>
      value(await changesOf(stores.write)('tellFlagChanges', told, { scope, actor: anActor(NOW) })).added
    const read = async (asked: Partial<FlagChangesAsked> = {}, scope: ReadScope = world.scope) => {
      const all = { projects: null, flag: null, startMs: 0, endMs: NOW + 1, after: null, limit: 50 }
      const rows = await stores.read.flagChanges(scope, { ...all, ...asked })
      return rows.map(({ changeId }) => changeId)
    }

    it('are stored once each, however often they are told, in each organisation', async () => {
      assert.equal(await tell([aChange('1', NOW - 2), aChange('2', NOW - 1), aChange('2', NOW - 1)]), 2)
      assert.equal(await tell([aChange('2', NOW - 1), aChange('3', NOW)]), 1)
      assert.equal(await tell([aChange('1', NOW)], world.otherScope), 1)
      assert.deepEqual(await read(), ['3', '2', '1'])
      assert.deepEqual(await read({}, world.otherScope), ['1'])
      const [newest] = await stores.read.flagChanges(world.scope, {
        ...{ projects: null, flag: null, startMs: NOW, endMs: NOW + 1, after: null, limit: 1 },
      })
      assert.ok(newest !== undefined)
      assert.deepEqual(newest, { id: newest.id, ...aChange('3', NOW) })
    })

    it('are read newest first, of a stretch without its end, of one flag, page by page', async () => {
      await tell([aChange('c', NOW - 20), aChange('a', NOW - 10), aChange('b', NOW - 10), aChange('d', NOW)])
      assert.deepEqual(await read(), ['d', 'b', 'a', 'c'])
      assert.deepEqual(await read({ startMs: NOW - 10, endMs: NOW }), ['b', 'a'])
      assert.deepEqual(await read({ startMs: NOW - 9, endMs: NOW }), [])
      assert.deepEqual(await read({ flag: 'flag-a' }), ['a'])
      assert.deepEqual(await read({ limit: 2 }), ['d', 'b'])
      const [, second] = await stores.read.flagChanges(world.scope, {
        ...{ projects: null, flag: null, startMs: 0, endMs: NOW + 1, after: null, limit: 2 },
      })
      assert.ok(second !== undefined)
      assert.deepEqual(await read({ after: second }), ['a', 'c'])
    })

    it('of a project are for whoever may read it, those of all projects for everybody', async () => {
      await tell([
        aChange('all', NOW - 2),
        aChange('shop', NOW - 1, world.shop),
        aChange('blog', NOW, world.blog),
      ])
      assert.deepEqual(await read(), ['blog', 'shop', 'all'])
      assert.deepEqual(await read({ projects: [world.blog] }), ['blog', 'all'])
      assert.deepEqual(await read({}, world.shopScope), ['shop', 'all'])
      assert.deepEqual(await read({ projects: [world.blog] }, world.shopScope), ['all'])
      assert.deepEqual(await read({}, scopeForTest({ orgId: world.org, projects: [] })), ['all'])
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      assert.deepEqual(await read(), ['blog', 'all'])
    })

    it('are so many, and those that were told first go', async () => {
      const most = max('flagChangesPerOrgMax')
      await tell([aChange('other', NOW)], world.otherScope)
      await tell(Array.from({ length: most }, (_, at) => aChange(String(at), NOW - at)))
      assert.deepEqual(await read({ limit: 1 }), ['0'])
      await tell([aChange('last', NOW - most), aChange('one more', NOW - most)])
      assert.deepEqual(await read({ limit: 2 }), ['2', '3'])
      assert.equal((await read({ limit: most + 1 })).length, most)
      assert.deepEqual(await read({}, world.otherScope), ['other'])
    })

    it('are kept for as long as the limits say', async () => {
      const days = max('flagChangeDays')
      await tell([aChange('old', NOW - 1), aChange('kept', NOW)])
      clock.advance(days * DAY_MS)
      await removeAllAged(stores, clock)
      assert.deepEqual(await read(), ['kept'])
    })
  })
}
