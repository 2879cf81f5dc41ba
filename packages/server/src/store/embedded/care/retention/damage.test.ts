import assert from 'node:assert/strict'
import { readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { dayOf, seq } from '#base/ids.ts'
import { KINDS } from '#kinds/kinds.ts'
import { fileStem } from '#model/file-name.ts'
import { anActor } from '#testing/builders/actor.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import {
  answers,
  aWorld,
  filesIn,
  type Opened,
  setPeriod,
  store,
  storedSeqs,
  type World,
} from '#testing/worlds/retention.ts'
import { batchOf, processedEnvelope } from '#testing/worlds/stores.ts'
import { rebuildColumns } from '../rebuild.ts'

/** Three events a day, each a batch, for so many days up to today. */
function threeADay(world: World, days: number, change: object = {}) {
  return Array.from({ length: days * 3 }, (_, index) => ({
    ...{ from: world.shop, name: `event ${index}`, group: `group ${index % 3}` },
    receivedMs: NOW - (days - 1 - Math.floor(index / 3)) * DAY,
    ...change,
  }))
}

/** Changes one byte of a block of the payload file of a day; answers the block before and after. */
function damageBlock(
  { directory }: World,
  ageDays: number,
  [number, place]: readonly [number: number, place: 'header' | 'body'],
): { readonly sound: Buffer; readonly damaged: Buffer } {
  const path = payloadsOf({ directory }, ageDays)
  const bytes = readFileSync(path)
  let start = -1
  for (let block = 0; block < number; block++) start = bytes.indexOf('EBLK', start + 1)
  const next = bytes.indexOf('EBLK', start + 1)
  const end = next < 0 ? bytes.length : next
  const sound = Buffer.from(bytes.subarray(start, end))
  const at = place === 'header' ? start + 30 : end - 20
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
  return { sound, damaged: Buffer.from(bytes.subarray(start, end)) }
}

function stemOf(ageDays: number): string {
  return fileStem({ kind: 'error', day: dayOf(NOW - ageDays * DAY), retentionDays: 90 })
}

async function rebuild({ house }: Opened) {
  const { segments, telemetry, control } = house
  return rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
}

const payloadsOf = (world: Pick<World, 'directory'>, ageDays: number) =>
  join(world.directory, 'payloads', `${stemOf(ageDays)}.seg`)
const columnsOf = (world: World, ageDays: number) =>
  join(world.directory, 'columns', `${stemOf(ageDays)}.duckdb`)

describe('compaction of files whose columns lack rows', () => {
  for (const loss of ['gone', 'set aside', 'set aside, and newer rows came'] as const) {
    it(`leaves all as it is where columns are ${loss}, and does so again every time`, async (t) => {
      const world = await aWorld(t)
      const first = await world.open()
      await store(first, threeADay(world, 2), 1)
      await first.house.close()
      if (loss === 'gone') rmSync(columnsOf(world, 1))
      else renameSync(columnsOf(world, 1), `${columnsOf(world, 1)}.damaged`)
      const opened = await world.open()
      if (loss.includes('newer')) {
        await store(opened, [{ from: world.shop, name: 'late', receivedMs: NOW - DAY }])
      }
      const payloads = (await storedSeqs(opened)).payloads
      // An odd period makes compaction look into every file.
      await setPeriod(opened, { org: world.org, project: world.blog.projectId, days: 1 })
      for (const includeToday of [false, true]) await opened.retention.compactNow({ includeToday })
      assert.deepEqual((await storedSeqs(opened)).payloads, payloads)
      assert.deepEqual((await opened.house.reader.upkeepDone(10)).removals, [])
      assert.ok((await filesIn(world.directory, 'columns')).includes(`${stemOf(1)}.duckdb.damaged`))
      assert.deepEqual((await opened.retention.overview()).missingColumns.map(fileStem), [stemOf(1)])
      await rebuild(opened)
      await opened.retention.compactNow({ includeToday: true })
      assert.deepEqual(await storedSeqs(opened), { columns: payloads, payloads })
    })
  }

  it('keeps a deletion for as long as columns may be made anew without it', async (t) => {
    const world = await aWorld(t)
    const first = await world.open()
    const all = await store(first, threeADay(world, 2, { people: ['id:1'], user: 'id:1' }), 1)
    const deletion = { orgId: world.org, projectId: world.shop.projectId, person: 'id:1' }
    value(await first.deletePerson(deletion, anActor(NOW)))
    await first.house.close()
    rmSync(columnsOf(world, 1))
    const opened = await world.open()
    world.clock.advance(2 * DAY)
    await opened.retention.compact()
    assert.equal((await opened.retention.overview()).pendingDeletions, 1)
    await rebuild(opened)
    assert.equal((await answers(opened, all)).rows.length, 0)
    await opened.retention.compact()
    assert.equal((await opened.retention.overview()).pendingDeletions, 0)
    assert.deepEqual(await storedSeqs(opened), { columns: [], payloads: [] })
  })
})

describe('compaction of damaged payloads', () => {
  for (const [what, place] of [
    ['the body of a block', [3, 'body']],
    ['the header of a block', [2, 'header']],
  ] as const) {
    it(`takes ${what} over as it is, compacts all files and forgets what is deleted`, async (t) => {
      const world = await aWorld(t)
      const first = await world.open()
      const events = threeADay(world, 4)
      const all = await store(first, [...events, { from: world.shop, people: ['id:1'], user: 'id:1' }], 1)
      const deletion = { orgId: world.org, projectId: world.shop.projectId, person: 'id:1' }
      value(await first.deletePerson(deletion, anActor(NOW)))
      await first.house.close()
      const { sound, damaged } = damageBlock(world, 2, place)
      const opened = await world.open()
      world.clock.advance(2 * DAY)
      const read = (await storedSeqs(opened)).columns
      const run = await opened.retention.compact()
      assert.deepEqual([run.files, run.failure], [4, null])
      assert.equal((await opened.retention.overview()).pendingDeletions, 0)
      assert.deepEqual((await storedSeqs(opened)).columns, read.slice(0, -1))
      assert.equal((await opened.retention.compact()).files, 0)
      // Put right by hand, it is read again.
      await opened.house.close()
      const path = payloadsOf(world, 2)
      const bytes = readFileSync(path)
      sound.copy(bytes, bytes.indexOf(damaged))
      writeFileSync(path, bytes)
      const again = await world.open()
      assert.deepEqual((await storedSeqs(again)).payloads, read.slice(0, -1))
      assert.equal((await answers(again, all)).rows.length, 12)
    })
  }

  it('leaves a block out that cannot be read, where all of it is deleted', async (t) => {
    const world = await aWorld(t)
    const first = await world.open()
    await store(first, threeADay(world, 2), 1)
    await first.house.close()
    damageBlock(world, 1, [3, 'body'])
    const opened = await world.open()
    value(await opened.house.control.deleteProject(world.org, world.shop.projectId, anActor(NOW)))
    await opened.retention.refresh()
    await opened.retention.compactNow({ includeToday: true })
    assert.deepEqual(await opened.house.segments.files(), [])
    assert.deepEqual(await opened.house.telemetry.files(), [])
  })

  it('goes on with the next file where one fails, and says so', async (t) => {
    const world = await aWorld(t)
    const broken = stemOf(3)
    const opened = await world.open({
      onStep(step, file) {
        if (step === 'compact:payloads' && fileStem(file) === broken) throw new Error('no such luck')
      },
    })
    await store(opened, threeADay(world, 4), 1)
    await assert.rejects(opened.retention.compact(), /no such luck/)
    const [run] = (await opened.house.reader.upkeepDone(1)).runs
    assert.deepEqual([run?.files, run?.failure], [2, 'no such luck'])
    assert.equal((await opened.house.control.fileStates()).length, 2)
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    assert.ok((await opened.house.reader.issue(scope, 'SHOP-1')) !== null)
  })

  it('tells of payloads that were cut, when the server starts', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await store(opened, threeADay(world, 2), 1)
    assert.deepEqual((await (await world.open()).retention.overview()).missingPayloads, [])
    const path = payloadsOf(world, 0)
    truncateSync(path, Math.floor(statSync(path).size / 2))
    const again = await world.open()
    const missing = async () => (await again.retention.overview()).missingPayloads.map(fileStem)
    assert.deepEqual(await missing(), [stemOf(0)])
    await store(again, threeADay(world, 1, { name: 'later' }), 1)
    assert.deepEqual(await missing(), [stemOf(0)])
  })

  for (const what of ['an envelope that stores nothing', 'a duplicate', 'a quarantined envelope'] as const) {
    it(`says nothing of payloads after a batch that ends with ${what}`, async (t) => {
      const world = await aWorld(t)
      const opened = await world.open()
      await store(opened, threeADay(world, 2), 3)
      const applied = seq((await opened.house.control.appliedSeq()) + 2)
      const later = processedEnvelope(applied - 1, world.shop, { name: 'later' })
      const { projectId } = later
      const quarantined = [
        { seq: applied, projectId, receivedMs: NOW, reason: 'crash', body: Buffer.from('{}') },
      ]
      const last = { ...processedEnvelope(applied, world.shop, { name: 'later' }), quarantined }
      const batch = batchOf([later, what === 'a duplicate' ? { ...last, quarantined: [] } : last])
      const isQuarantined = what === 'a quarantined envelope'
      await opened.house.commit.commit(isQuarantined ? batch : { ...batch, quarantined: [] })
      assert.equal(await opened.house.control.appliedSeq(), applied)
      const again = await world.open()
      const { missingPayloads, missingColumns } = await again.retention.overview()
      assert.deepEqual([missingPayloads, missingColumns], [[], []])
      // What was cut is told as before.
      await again.house.close()
      truncateSync(payloadsOf(world, 0), Math.floor(statSync(payloadsOf(world, 0)).size / 2))
      const cut = await (await world.open()).retention.overview()
      assert.deepEqual(cut.missingPayloads.map(fileStem), [stemOf(0)])
    })
  }
})
