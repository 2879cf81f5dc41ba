import assert from 'node:assert/strict'
import { it } from 'node:test'
import { day, seq } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { NOTHING_HIDDEN } from '#model/hidden.ts'
import { BLOG, eventIdOf, GROUP_A, GROUP_B, SHOP } from '../../builders/ids.ts'
import { anEventRow, FIRST_DAY, placeInFile } from '../../builders/stored-event.ts'
import type { StoreUnderTest } from './store-under-test.ts'

const OLD: FileName = { kind: 'error', day: day(FIRST_DAY + 60), retentionDays: 90 }
const NEW: FileName = { kind: 'error', day: day(FIRST_DAY + 61), retentionDays: 90 }
const [ONE, TWO] = ['1'.repeat(32), '2'.repeat(32)]

function row(number: number, change: Partial<EventRow>, file = NEW): EventRow {
  const name = { seq: seq(number), eventId: eventIdOf(number) }
  return anEventRow({ ...placeInFile(file), ...name, release: null, missedMaps: null, ...change })
}

/** Finding groups of which events missed a source map. */
export function groupsThatMissedTests({ store, append }: StoreUnderTest): void {
  const found = async (query: { debugIds?: string[]; release?: string; groupsMax?: number }) => {
    const all = { projects: [SHOP], debugIds: [], release: null, groupsMax: 10, ...query }
    const groups = await store().groupsThatMissed(all)
    return groups.map(({ hash, file, events }) => [hash, file.day, events])
  }

  it('finds them by debug id or release, the newest and oldest event of the newest file', async () => {
    await append(
      [row(1, { missedMaps: ONE }, OLD), row(2, { missedMaps: `${TWO} ${ONE}`, groupHash: GROUP_B }, OLD)],
      seq(2),
    )
    const rows = [
      row(3, { missedMaps: ONE }),
      row(4, { missedMaps: ONE }),
      row(5, { missedMaps: ONE }),
      row(6, { release: 'v1' }),
      row(7, { missedMaps: '-', release: 'v1', groupHash: GROUP_B }),
      row(8, { missedMaps: ONE, projectId: BLOG }),
    ]
    await append(rows, seq(8))
    const newest = [GROUP_A, NEW.day, [eventIdOf(5), eventIdOf(3)]]
    assert.deepEqual(await found({ debugIds: [ONE] }), [newest, [GROUP_B, OLD.day, [eventIdOf(2)]]])
    assert.deepEqual(await found({ debugIds: [TWO] }), [[GROUP_B, OLD.day, [eventIdOf(2)]]])
    assert.deepEqual(await found({ release: 'v1' }), [[GROUP_B, NEW.day, [eventIdOf(7)]]])
    assert.deepEqual(await found({ release: "v1' OR 1=1 --", debugIds: ["x' OR 1=1 --"] }), [])
    assert.deepEqual(await found({ debugIds: [ONE], groupsMax: 1 }), [newest])
    assert.deepEqual(await found({ debugIds: ['-', ''] }), [[GROUP_B, NEW.day, [eventIdOf(7)]]])
  })

  it('finds the events of one file, newest first', async () => {
    const events = async (query: { debugIds?: string[]; release?: string }, limit = 10, file = NEW) => {
      const all = { projects: [SHOP], debugIds: [], release: null, ...query }
      const found = await store().eventsThatMissed(file, all, limit)
      return found.map(({ projectId, eventId }) => [projectId, eventId])
    }
    const ofShop = (...numbers: number[]) => numbers.map((number) => [SHOP, eventIdOf(number)])
    assert.deepEqual(await events({ debugIds: [ONE] }), ofShop(5, 4, 3))
    assert.deepEqual(await events({ debugIds: [ONE] }, 2), ofShop(5, 4))
    assert.deepEqual(await events({ debugIds: [ONE], release: 'v1' }), ofShop(7, 5, 4, 3))
    assert.deepEqual(await events({ debugIds: [TWO] }), [])
    assert.deepEqual(
      await events({ debugIds: [ONE] }, 10, { ...NEW, day: day(FIRST_DAY + 62) }),
      [],
      'no such file',
    )
  })

  it('leaves out what is deleted', async () => {
    const tombstones = [{ projectId: SHOP, hash: GROUP_A, upToSeq: seq(9) }]
    await store().setHidden({ ...NOTHING_HIDDEN, tombstones })
    assert.deepEqual(await found({ debugIds: [ONE] }), [[GROUP_B, OLD.day, [eventIdOf(2)]]])
    const all = { projects: [SHOP], debugIds: [ONE], release: null }
    assert.deepEqual(await store().eventsThatMissed(NEW, all, 10), [])
    await store().setHidden(NOTHING_HIDDEN)
  })
}
