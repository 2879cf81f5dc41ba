import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { day, seq } from '#base/ids.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import type { FileName } from '#model/file-name.ts'
import { NOTHING_HIDDEN } from '#model/hidden.ts'
import { BLOG, eventIdOf, SHOP } from '../../builders/ids.ts'
import { aScope } from '../../builders/scope.ts'
import { anEventRow, FIRST_DAY, placeInFile } from '../../builders/stored-event.ts'
import type { StoreUnderTest } from './store-under-test.ts'

const FILE: FileName = { kind: 'error', day: FIRST_DAY, retentionDays: 90 }
const LATER: FileName = { kind: 'error', day: day(FIRST_DAY + 1), retentionDays: 90 }
const T = 1_728_000_000_000
const [ONE, TWO] = ['1'.repeat(32), '2'.repeat(32)]

function row(at: number, changes: Partial<EventRow>): EventRow {
  return anEventRow({ seq: seq(at), eventId: eventIdOf(at), timestampMs: T + at, release: 'a', ...changes })
}

const ROWS: readonly EventRow[] = [
  row(1, { missedMaps: ONE, mapFrames: '2/5' }),
  row(2, { missedMaps: `${ONE} ${TWO}`, release: 'b' }),
  row(3, { missedMaps: '-', release: null }),
  row(4, { missedMaps: '-', mapFrames: '0/1' }),
  row(5, { missedMaps: null, mapFrames: '40/40' }),
  row(6, { missedMaps: ONE, mapFrames: '1/2', projectId: BLOG }),
  row(7, { ...placeInFile(LATER), missedMaps: `${ONE} -`, mapFrames: '0/3', release: 'c' }),
]

export function missedMapsTests({ store, append }: StoreUnderTest): void {
  before(() => append(ROWS, seq(7)))

  const find = (startMs = 0, project = SHOP, projects = [SHOP, BLOG], limit = 10) =>
    store().missedMaps(aScope(...projects), { project, files: [LATER, FILE], startMs }, limit)

  it('counts events by debug id over all files, and names the newest event of each', async () => {
    const { events, missed } = await find()
    assert.equal(events, 5)
    const found = missed.map((each) => [each.debugId, each.release, each.events, each.newest.eventId])
    assert.deepEqual(found[0], [ONE, 'c', 3, eventIdOf(7)])
    assert.deepEqual(
      new Set(found.slice(1).map((each) => JSON.stringify(each))),
      new Set(
        [
          [TWO, 'b', 1, eventIdOf(2)],
          [null, null, 1, eventIdOf(3)],
          [null, 'a', 1, eventIdOf(4)],
          [null, 'c', 1, eventIdOf(7)],
        ].map((each) => JSON.stringify(each)),
      ),
    )
  })

  it('leaves out what is older, of another project, or not for the reader', async () => {
    assert.equal((await find(T + 4)).events, 2)
    assert.deepEqual(
      (await find(0, BLOG)).missed.map(({ debugId, events }) => [debugId, events]),
      [[ONE, 1]],
    )
    const nothing = { events: 0, missed: [], frames: { needed: 0, resolved: 0, events: 0 } }
    assert.deepEqual(await find(0, SHOP, [BLOG]), nothing)
    assert.equal((await find(0, SHOP, [SHOP], 1)).missed.length, 1)
  })

  it('counts frames of all events that say it, also of those that missed nothing', async () => {
    assert.deepEqual((await find()).frames, { needed: 49, resolved: 42, events: 3 })
    assert.deepEqual((await find(T + 4)).frames, { needed: 44, resolved: 40, events: 2 })
    assert.deepEqual((await find(0, BLOG)).frames, { needed: 2, resolved: 1, events: 1 })
  })

  it('leaves out what is deleted', async () => {
    await store().setHidden({
      ...NOTHING_HIDDEN,
      tombstones: [{ projectId: SHOP, hash: null, upToSeq: seq(3) }],
    })
    assert.equal((await find()).events, 2)
    await store().setHidden(NOTHING_HIDDEN)
  })
}
