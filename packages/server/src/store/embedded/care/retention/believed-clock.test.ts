import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catchUp, clockOf, lateClock } from '#base/clock.ts'
import { ErrataError } from '#base/errors.ts'
import { dayOf, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { EventRow } from '#kinds/error/fields.ts'
import { DAY, NOW } from '#testing/builders/times.ts'
import { aWorld, type Opened, setPeriod, store, storedSeqs, type World } from '#testing/worlds/retention.ts'
import { BelievedClock } from './believed-clock.ts'

const HOUR = DAY / 24

function daily(world: World, days: number, from = world.shop) {
  return Array.from({ length: days }, (_, index) => ({
    ...{ from, name: `${from.projectId} ${index}`, retentionDays: 30 as const },
    receivedMs: NOW - (days - 1 - index) * DAY,
  }))
}

/** Files removed; compaction, which runs after it, may only put the others in order. */
async function retain({ retention }: Opened): Promise<number> {
  const { files } = await retention.retain()
  await retention.compact()
  return files
}

describe('a clock that is suddenly ahead', () => {
  it('removes nothing by class or period before it has been ahead for a day, and is told', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await store(opened, daily(world, 4))
    await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 20 })
    await opened.retention.compact()
    const before = await storedSeqs(opened)
    world.clock.jump(1_000 * DAY)
    assert.equal(await retain(opened), 0)
    assert.equal((await opened.retention.overview()).believedMs, NOW)
    // Put right, it is believed at once.
    world.clock.jump(-1_000 * DAY)
    assert.equal(await retain(opened), 0)
    assert.equal((await opened.retention.overview()).believedMs, null)
    world.clock.jump(1_000 * DAY)
    for (let hour = 0; hour < 23; hour++) {
      assert.equal(await retain(opened), 0)
      world.clock.advance(HOUR)
    }
    assert.deepEqual(await storedSeqs(opened), before)
    world.clock.advance(2 * HOUR)
    assert.equal((await opened.retention.retain()).files, 4)
    assert.equal((await opened.retention.overview()).believedMs, null)
  })

  it('is believed by a machine that was off for a month and is off at night', async (t) => {
    const world = await aWorld(t)
    const first = await world.open()
    await store(first, daily(world, 2))
    await setPeriod(first, { org: world.org, project: world.shop.projectId, days: 30 })
    world.clock.jump(60 * DAY)
    for (let day = 0; day < 3; day++) {
      const opened = await world.open()
      for (let hour = 0; hour < 7; hour++) {
        world.clock.advance(HOUR)
        assert.equal(await retain(opened), 0)
      }
      world.clock.jump(17 * HOUR)
    }
    const opened = await world.open()
    world.clock.advance(4 * HOUR)
    assert.equal((await opened.retention.retain()).files, 2)
  })

  it('is told by files where nothing else is known, and runs as fast as a simulated one', async () => {
    let times: Awaited<ReturnType<ConstructorParameters<typeof BelievedClock>[0]['control']['knownTime']>> =
      null
    const control = {
      knownTime: async () => times,
      setKnownTime: async (time: NonNullable<typeof times>) => {
        times = time
      },
    }
    let realMs = 0
    let nowMs = NOW
    const clock = { now: () => nowMs + realMs * 1_000, elapsed: () => realMs, rate: 1_000 }
    const file = { kind: 'error', day: dayOf(NOW), retentionDays: 30 as const }
    nowMs += 40 * DAY
    const late = new BelievedClock({ clock, log: silentLog, control })
    await late.start([file])
    assert.ok((await late.now()) <= NOW + DAY)
    realMs += (25 * HOUR) / 1_000
    assert.equal(await late.now(), clock.now())
    realMs += (30 * DAY) / 1_000
    assert.equal(late.doubted, null)
    assert.equal(await late.now(), clock.now())
  })

  it('believes one that was behind and caught up', async () => {
    const behind = lateClock(14 * DAY)
    const control = { knownTime: async () => null, setKnownTime: async () => {} }
    const clock = clockOf(behind)
    const believed = new BelievedClock({ clock, log: silentLog, control })
    await believed.start([])
    catchUp(behind, Date.now())
    assert.equal(believed.doubted, null)
    assert.ok(Date.now() - (await believed.now()) < HOUR)
  })

  it('begins on a full disk, on which nothing is removed before what is known was kept', async () => {
    let isFull = true
    const control = {
      knownTime: async () => ({ knownMs: NOW, doubtedMs: 0 }),
      setKnownTime: async () => {
        if (isFull) throw new ErrataError('store_full', 'database or disk is full')
      },
    }
    let realMs = 0
    const clock = { now: () => NOW + 40 * DAY + realMs, elapsed: () => realMs }
    const full = new BelievedClock({ clock, log: silentLog, control })
    await full.start([])
    assert.deepEqual(full.doubted, { believedMs: NOW })
    await assert.rejects(full.now(), /disk is full/)
    realMs += HOUR
    isFull = false
    assert.equal(await full.now(), NOW + HOUR)
    const broken = { ...control, setKnownTime: async () => Promise.reject(new Error('broken')) }
    await assert.rejects(new BelievedClock({ clock, log: silentLog, control: broken }).start([]), /broken/)
  })
})

describe('a project that keeps its events for longer than before', () => {
  it('keeps those of the shorter class too, and no other project’s', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await store(opened, [...daily(world, 2), ...daily(world, 2, world.blog)])
    for (const { projectId: project } of [world.shop, world.blog]) {
      await setPeriod(opened, { org: world.org, project, days: 30 })
    }
    await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 90 })
    world.clock.advance(40 * DAY)
    assert.equal((await opened.retention.retain()).files, 0)
    await opened.retention.compact()
    await opened.retention.retain()
    assert.deepEqual(await storedSeqs(opened), { columns: [1, 2], payloads: [1, 2] })
    const [place] = await opened.house.telemetry.files()
    assert.ok(place !== undefined)
    const [row] = await opened.house.telemetry.rows(place, seq(0), 1)
    assert.ok(row !== undefined)
    const { eventId } = row as EventRow // of the one kind there is
    assert.equal((await opened.house.eventIds.find(row.projectId, eventId, place.kind)).length, 1)
    world.clock.advance(52 * DAY)
    assert.equal((await opened.retention.retain()).files, 2)
  })

  it('keeps no file of which nothing can be seen', async (t) => {
    const world = await aWorld(t)
    const opened = await world.open()
    await store(opened, daily(world, 2, world.blog))
    await setPeriod(opened, { org: world.org, project: world.blog.projectId, days: 30 })
    await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 365 })
    world.clock.advance(40 * DAY)
    assert.equal((await opened.retention.retain()).files, 2)
  })
})
