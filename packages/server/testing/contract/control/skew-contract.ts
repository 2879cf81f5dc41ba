/** Contract of deploy skew: each stale click counts once, whoever tells of it and in whatever order. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import type { StaleClickSeen, StaleSum } from '#ports/skew.ts'
import { anActor } from '../../builders/actor.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aStaleClick, aStaleRequest, NEW, OLD } from '../../builders/stale-click.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { type ControlFactory, type ControlStores, value } from './stores.ts'
import { aWorld, type World } from './world.ts'

export function skewContract(open: ControlFactory): void {
  describe('Deploy skew', () => {
    let clock: ReturnType<typeof manualClock>
    let stores: ControlStores
    let world: World
    let seq: number

    beforeEach(async () => {
      clock = manualClock(NOW)
      stores = await open(clock)
      world = await aWorld(stores)
      seq = 1
    })
    afterEach(() => stores.close())

    const click = (change: Parameters<typeof aStaleClick>[0] = {}) =>
      aStaleClick({ projectId: world.shop, ...change })
    const request = (change: Parameters<typeof aStaleRequest>[0] = {}) =>
      aStaleRequest({ projectId: world.shop, ...change })
    const send = (...stale: readonly StaleClickSeen[]) =>
      stores.write.applyBatch(aRequestsBatch(seq++, { stale }))
    const sums = (scope = world.scope) =>
      stores.read.staleSums(scope, { projects: null, startMs: NOW - 100 * DAY, endMs: NOW + 100 * DAY })
    const countOf = ({ slots }: StaleSum) => slots.reduce((sum, { count }) => sum + count, 0)
    const count = async () => (await sums()).reduce((sum, one) => sum + countOf(one), 0)
    const one = async () => {
      const all = await sums()
      assert.equal(all.length, 1)
      const [found] = all
      assert.ok(found !== undefined)
      return found
    }

    for (const [order, halves] of [
      ['browser first', [click, request]],
      ['server first', [request, click]],
    ] as const) {
      for (const isTogether of [true, false]) {
        it(`counts a click once, ${order}, ${isTogether ? 'in one batch' : 'in two'}`, async () => {
          const seen = halves.map((half) => half())
          if (isTogether) await send(...seen)
          else for (const half of seen) await send(half)
          const { release, fromRelease, route, failure, example, slots } = await one()
          assert.deepEqual([release, fromRelease, route, failure], [NEW, OLD, '/cart', 'action'])
          assert.deepEqual([await count(), slots[0]?.users.state.length], [1, 8])
          assert.deepEqual([example.httpStatus, example.eventId], [404, click().eventId])
        })
      }
    }

    it('changes nothing by a batch that comes again', async () => {
      const batch = aRequestsBatch(seq++, { stale: [click()] })
      await stores.write.applyBatch(batch)
      await stores.write.applyBatch(batch)
      assert.equal(await count(), 1)
    })

    it('counts what comes of the same span again once, days later as well', async () => {
      await send(request())
      await send(request({ receivedMs: NOW + DAY }))
      assert.equal(await count(), 1)
    })

    it('counts two clicks in one trace apart, each with its own half', async () => {
      const later = { atMs: NOW + 5_000 }
      await send(click(), click(later), request(later), request())
      assert.equal(await count(), 2)
    })

    it('counts another project, subject and kind apart', async () => {
      await send(click(), click({ projectId: world.blog }), click({ subject: 'another' }))
      await send(click({ failure: 'chunk', subject: '/assets/a-1.js' }))
      assert.equal(await count(), 4)
    })

    it('joins halves of different traces by subject within seconds, and each with one', async () => {
      const file = { failure: 'chunk', subject: '/assets/a-BxT3f9.js' } as const
      await send(click({ ...file, user: 1n }), click({ ...file, name: 'b', user: 2n }))
      await send(request({ ...file, name: 'c' }), request({ ...file, name: 'd', atMs: NOW + 900 }))
      assert.equal(await count(), 2)
      await send(request({ ...file, name: 'e', atMs: NOW + max('staleTogetherMs') + 2_000 }))
      assert.equal(await count(), 3)
    })

    it('does not take two people for one', async () => {
      await send(click({ user: 1n }), request({ name: 'b', user: 2n }))
      assert.equal(await count(), 2)
    })

    it('keeps times, and counts by ten minutes', async () => {
      await send(click({ name: 'a', user: 1n }), click({ name: 'b', user: 2n, atMs: NOW + HOUR }))
      const { firstMs, lastMs, slots } = await one()
      assert.deepEqual([firstMs, lastMs, slots[1]?.users.state.length], [NOW, NOW + HOUR, 8])
      assert.deepEqual(
        slots.map((slot) => slot.count),
        [1, 1],
      )
      assert.equal((slots[1]?.startMs ?? 0) - (slots[0]?.startMs ?? 0), HOUR)
    })

    it('shows whoever asks their own projects alone', async () => {
      await send(click())
      assert.deepEqual(await sums(world.otherScope), [])
    })

    it('is gone with its project', async () => {
      await send(click())
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      assert.deepEqual(await sums(), [])
    })

    it('is forgotten with the days that the project keeps', async () => {
      await send(click())
      clock.advance(max('retentionDaysDefault') * DAY + DAY)
      await send(click({ name: 'new', atMs: clock.now(), receivedMs: clock.now() }))
      const all = await stores.read.staleSums(world.scope, {
        projects: null,
        startMs: 0,
        endMs: clock.now() + DAY,
      })
      assert.deepEqual(
        all.map(({ firstMs, slots }) => [firstMs > NOW || slots.length, slots.length]),
        [[1, 1]],
      )
    })

    it('knows when releases came to run', async () => {
      const place = { orgId: world.org, readable: [world.shop], version: NEW }
      const change = { projects: [world.shop], releasedMs: NOW - HOUR }
      value(await stores.write.putRelease(place, change, anActor()))
      const deploy = { environment: 'production', name: null, url: null, startedMs: null, finishedMs: NOW }
      value(await stores.write.addDeploy(place, deploy, anActor()))
      const of = { projectId: world.shop, version: NEW }
      assert.deepEqual(await stores.read.knownBuilds(world.scope, null), [
        { ...of, environment: 'production', atMs: NOW, isDeploy: true },
        { ...of, environment: '', atMs: NOW - HOUR, isDeploy: false },
      ])
      assert.deepEqual(await stores.read.knownBuilds(world.scope, [world.blog]), [])
    })
  })
}
