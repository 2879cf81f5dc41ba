/** Contract of release health: each session counts once, as the worst that became of it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import type { HealthFigures, HealthQuery, SessionDelta } from '#ports/health.ts'
import { anActor } from '../../builders/actor.ts'
import { aBatch, aSessionBatch } from '../../builders/control-batch.ts'
import { aSession, type SessionState } from '../../builders/session.ts'
import { anEvent } from '../../builders/stored-event.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged, value } from './stores.ts'

const HOUR_NOW = NOW / HOUR
const WEB = 'web@1.0.0'

const aQuery = (change: Partial<HealthQuery> = {}): HealthQuery => ({
  ...{ startHour: HOUR_NOW - 24 * 20, endHour: HOUR_NOW + 24, stepHours: null },
  ...{ projects: null, releases: null, environments: null, groupBy: [] },
  ...change,
})

const PROPERTY_RUNS = 20

export function healthContract(open: ControlFactory): void {
  describe('Release health', () => {
    const { stores, world, clock, nextSeq } = openForEachTest(open)

    const inShop = (change: Parameters<typeof aSession>[0] = {}) =>
      aSession({ projectId: world.shop, ...change })
    const send = (...sessions: readonly SessionDelta[]) =>
      stores.write.applyBatch(aSessionBatch(nextSeq(), sessions))
    const read = (change: Partial<HealthQuery> = {}, scope = world.scope) =>
      stores.read.health(scope, aQuery(change))
    const totals = async (change: Partial<HealthQuery> = {}): Promise<HealthFigures | undefined> =>
      (await read(change))[0]?.totals
    const counts = async (change: Partial<HealthQuery> = {}) => shortOf(await totals(change))

    it('counts a session once, as the worst that any update said', async () => {
      await send(inShop())
      await send(inShop({ state: 'crashed' }))
      await send(inShop({ state: 'errored' }), inShop(), inShop({ state: 'crashed' }))
      await send(inShop({ id: 'other', state: 'unhandled' }), inShop({ id: 'third', state: 'abnormal' }))
      assert.deepEqual(await counts(), {
        ...{ sessions: 3, errored: 0, unhandled: 1, abnormal: 1, crashed: 1 },
        ...{ people: 0, crashedPeople: 0 },
      })
    })

    it('says how much each release was used over time, of readable projects alone', async () => {
      const old = { release: 'web@0.9.0', id: null }
      await send(
        inShop({ ...old, startedMs: NOW - 5 * HOUR }),
        inShop({ ...old, startedMs: NOW - 4 * HOUR, environment: 'staging' }),
        inShop({ id: null }),
        aSession({ projectId: world.blog, id: null }),
        aSession({ projectId: world.otherShop, id: null }),
      )
      const range = { startHour: HOUR_NOW - 5, endHour: HOUR_NOW + 1, stepHours: 3 }
      const uses = async (scope: typeof world.scope, environments: readonly string[] | null = null) =>
        (await stores.read.sessionsByRelease(scope, { projects: null, environments, ...range })).map(
          ({ projectId, release, counts }) => [projectId, release, counts],
        )
      assert.deepEqual(await uses(world.shopScope), [
        [world.shop, old.release, [2, 0]],
        [world.shop, WEB, [0, 1]],
      ])
      assert.deepEqual(await uses(world.shopScope, ['staging']), [[world.shop, old.release, [1, 0]]])
      assert.deepEqual(
        (await uses(world.scope)).map(([project]) => project),
        [world.shop, world.shop, world.blog],
      )
      assert.equal((await uses(world.otherScope)).length, 1)
    })

    it('names environments that no event or deploy did, and finds their releases', async () => {
      await send(
        inShop({ environment: 'kiosk' }),
        inShop({ id: 'b', release: 'web@0.9.0', environment: '' }),
        aSession({ projectId: world.otherShop, environment: 'elsewhere' }),
      )
      const found = async (environment: string, scope = world.scope) => {
        const filter = { projects: null, status: null, text: '', environments: [environment] } as const
        const page = { offset: 0, limit: 9 }
        const { rows } = await stores.read.releases(scope, { ...filter, sort: 'date' }, page)
        return rows.map(({ version }) => version)
      }
      assert.deepEqual(await stores.read.releaseEnvironments(world.scope, 9), ['kiosk'])
      assert.deepEqual(await found('kiosk'), [WEB])
      assert.deepEqual(await found('elsewhere'), [])
      assert.deepEqual(await found('kiosk', world.otherScope), [])
    })

    it('counts what has no id by itself', async () => {
      const entry = { sessions: 12, errored: 2, unhandled: 0, abnormal: 1, crashed: 3 }
      await send(inShop({ id: null, counts: entry, person: 'ann' }), inShop({ id: null }))
      assert.deepEqual(await counts(), {
        ...{ sessions: 13, errored: 2, unhandled: 0, abnormal: 1, crashed: 3 },
        ...{ people: 1, crashedPeople: 1 },
      })
    })

    it('counts people once, and those who met a crash even where another update named them', async () => {
      await send(
        inShop({ person: 'ann' }),
        inShop({ id: 'b', person: 'ann' }),
        inShop({ id: 'c', person: 'bo' }),
      )
      assert.deepEqual([(await totals())?.people, (await totals())?.crashedPeople], [2, 0])
      await send(inShop({ state: 'crashed' }))
      assert.deepEqual([(await totals())?.people, (await totals())?.crashedPeople], [2, 1])
      await send(inShop({ person: 'cy' }))
      assert.deepEqual([(await totals())?.people, (await totals())?.crashedPeople], [3, 2])
    })

    it('says so once people are no longer counted exactly', async () => {
      const many = max('usersExactMax') + 100
      await send(
        ...Array.from({ length: many }, (_, index) => inShop({ id: `s${index}`, person: `p${index}` })),
      )
      const found = await totals()
      assert.deepEqual([found?.sessions, found?.isExact], [many, false])
      assert.ok(Math.abs((found?.people ?? 0) - many) < many * 0.1, String(found?.people))
    })

    it('stands at the hour of the start, and at that of the receipt where a clock is ahead', async () => {
      await send(
        inShop({ startedMs: NOW - 3 * HOUR, receivedMs: NOW }),
        inShop({ id: 'ahead', startedMs: NOW + 5 * HOUR, receivedMs: NOW }),
      )
      const [group] = await read({ startHour: HOUR_NOW - 4, endHour: HOUR_NOW + 1, stepHours: 1 })
      assert.deepEqual(
        group?.series.map(({ sessions }) => sessions),
        [0, 1, 0, 0, 1],
      )
    })

    it('groups by project, release and environment, and sums over days', async () => {
      await send(
        inShop({ person: 'ann' }),
        inShop({ id: 'b', release: 'web@2.0.0', startedMs: NOW - DAY, receivedMs: NOW, person: 'ann' }),
        inShop({ id: 'c', environment: '', person: 'bo' }),
        aSession({ projectId: world.blog, person: 'cy' }),
      )
      const names = (groups: Awaited<ReturnType<typeof read>>) =>
        groups.map(({ release, environment, totals: of }) => [release, environment, of.sessions, of.people])
      assert.deepEqual(names(await read({ groupBy: ['release'] })), [
        [WEB, undefined, 3, 3],
        ['web@2.0.0', undefined, 1, 1],
      ])
      assert.deepEqual(names(await read({ groupBy: ['release', 'environment'], projects: [world.shop] })), [
        [WEB, '', 1, 1],
        [WEB, 'production', 1, 1],
        ['web@2.0.0', 'production', 1, 1],
      ])
      assert.deepEqual(names(await read({ environments: ['production'], releases: [WEB] })), [
        [undefined, undefined, 2, 2],
      ])
      const byProject = await read({ groupBy: ['project'] })
      assert.deepEqual(byProject.map((group) => group.projectId).sort(), [world.shop, world.blog].sort())
      const today = Math.floor(HOUR_NOW / 24) * 24
      const [days] = await read({ startHour: today - 24, endHour: today + 24, stepHours: 24 })
      assert.deepEqual(
        days?.series.map(({ sessions, people }) => [sessions, people]),
        [
          [1, 1],
          [3, 3],
        ],
      )
    })

    it('shows nobody what is not theirs', async () => {
      await send(inShop(), aSession({ projectId: world.blog }))
      assert.equal((await read({}, world.shopScope))[0]?.totals.sessions, 1)
      assert.deepEqual(await read({}, world.otherScope), [])
      assert.deepEqual(await stores.read.healthSpans(world.otherScope, [WEB]), [])
    })

    it('knows from when to when a release had sessions', async () => {
      await send(inShop({ startedMs: NOW - 5 * HOUR, receivedMs: NOW }), inShop({ id: 'b' }))
      assert.deepEqual(await stores.read.healthSpans(world.scope, [WEB, 'none']), [
        { release: WEB, firstHour: HOUR_NOW - 5, lastHour: HOUR_NOW },
      ])
    })

    it('makes the release that its sessions name, without events', async () => {
      await send(inShop({ startedMs: NOW - HOUR, receivedMs: NOW }))
      const release = await stores.read.release(world.scope, WEB)
      assert.deepEqual(
        [release?.createdMs, release?.projects.map(({ eventCount }) => eventCount)],
        [NOW - HOUR, [0]],
      )
      await stores.write.applyBatch(
        aBatch(nextSeq(), [anEvent({ projectId: world.shop, release: WEB, tags: { release: WEB } })]),
      )
      assert.equal((await stores.read.release(world.scope, WEB))?.projects[0]?.eventCount, 1)
    })

    it('is the same whatever the order of updates, and how often each comes', async () => {
      const states: readonly SessionState[] = ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed']
      const update = fc.record({
        id: fc.constantFrom('a', 'b', 'c'),
        state: fc.constantFrom(...states),
        person: fc.constantFrom(null, 'ann', 'bo'),
      })
      // One release a run and order, so that no run sees another's.
      let runs = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(update, { minLength: 1, maxLength: 12 }).chain((updates) =>
            fc.record({
              updates: fc.constant(updates),
              shuffled: fc.shuffledSubarray([...updates, ...updates], { minLength: updates.length * 2 }),
              cuts: fc.array(fc.boolean(), { minLength: updates.length * 2, maxLength: updates.length * 2 }),
            }),
          ),
          async ({ updates, shuffled, cuts }) => {
            runs++
            const names = (id: string, way: string) => ({
              id: `${id} ${runs} ${way}`,
              release: `r${runs}${way}`,
            })
            await send(...updates.map((one) => inShop({ ...one, ...names(one.id, 'x') })))
            let open: SessionDelta[] = []
            for (const [index, one] of shuffled.entries()) {
              open.push(inShop({ ...one, ...names(one.id, 'y') }))
              if (cuts[index] === true || index === shuffled.length - 1) {
                await send(...open)
                open = []
              }
            }
            const once = await counts({ releases: [`r${runs}x`] })
            assert.deepEqual(await counts({ releases: [`r${runs}y`] }), once)
            assert.equal(once?.sessions, new Set(updates.map(({ id }) => id)).size)
          },
        ),
        { numRuns: PROPERTY_RUNS },
      )
    })

    it('changes nothing by a batch that comes again', async () => {
      const batch = aSessionBatch(nextSeq(), [inShop({ id: null, person: 'ann' }), inShop()])
      await stores.write.applyBatch(batch)
      await stores.write.applyBatch(batch)
      assert.equal((await totals())?.sessions, 2)
    })

    it('leaves out releases beyond the bound of an hour, and says how many', async () => {
      const most = max('healthPlacesPerHourMax')
      await send(
        ...Array.from({ length: most + 2 }, (_, index) => inShop({ id: `s${index}`, release: `r${index}` })),
      )
      await send(inShop({ id: 'known', release: 'r0' }), inShop({ id: 'late', release: 'new' }))
      assert.equal((await totals())?.sessions, most + 1)
      const { groups } = await stores.read.outcomes(world.scope, {
        ...{ startMs: NOW - HOUR, endMs: NOW + HOUR, intervalMs: null, projects: null, keys: null },
        groupBy: ['outcome', 'reason', 'category'],
      })
      const lines = groups.map(({ outcome, reason, category, total }) => [outcome, reason, category, total])
      assert.deepEqual(lines.sort(), [
        ['accepted', null, 'session', most + 1],
        ['cardinality_limited', 'too_many_releases', 'session', 3],
      ])
    })

    it('forgets sessions, people by the hour and the rest by their ages', async () => {
      const next = async (days: number) => {
        clock.advance(days * DAY)
        const startedMs = clock.now()
        await send(aSession({ projectId: world.blog, id: `day ${startedMs}`, startedMs }))
        await removeAllAged(stores, clock)
      }
      await send(inShop({ person: 'ann' }))
      await next(max('sessionMemoryDays') - 1)
      await send(inShop({ receivedMs: NOW }))
      assert.equal((await totals())?.sessions, 1)
      await next(max('healthHourPeopleDays') - max('sessionMemoryDays') + 2)
      const hour = { startHour: HOUR_NOW, endHour: HOUR_NOW + 1, projects: [world.shop] }
      const day = { startHour: HOUR_NOW - 12, endHour: HOUR_NOW + 12, projects: [world.shop] }
      assert.deepEqual([(await totals(hour))?.people, (await totals(day))?.people], [0, 1])
      await next(max('retentionDaysDefault') - 10)
      assert.deepEqual(await read({ startHour: 0, projects: [world.shop] }), [])
    })

    it('goes with its release and with its project', async () => {
      await send(inShop(), aSession({ projectId: world.blog, release: 'blog@1' }))
      const place = { orgId: world.org, readable: world.scope.projects, version: WEB }
      value(await stores.write.deleteRelease(place, anActor()))
      assert.deepEqual(
        (await read({ groupBy: ['release'] })).map(({ release }) => release),
        ['blog@1'],
      )
      value(await stores.write.deleteProject(world.org, world.blog, anActor()))
      assert.deepEqual(await read(), [])
      const gone = aSession({ projectId: world.blog })
      await send(gone)
      assert.deepEqual(await read(), [])
    })

    it('loses a person who is deleted from those who are counted exactly', async () => {
      await send(
        inShop({ person: 'U-1', state: 'crashed' }),
        inShop({ id: 'b', person: 'ann@example.com' }),
        inShop({ id: 'c', person: 'bo' }),
      )
      const deletion = { orgId: world.org, projectId: world.shop, person: 'id:u-1', events: 0, groups: [] }
      const people = ['email:ann@example.com']
      value(await stores.write.deletePerson({ ...deletion, people }, anActor()))
      assert.deepEqual([(await totals())?.people, (await totals())?.crashedPeople], [1, 0])
      await send(inShop({ state: 'crashed' }))
      assert.equal((await totals())?.crashedPeople, 0)
    })
  })
}

function shortOf(figures: HealthFigures | undefined) {
  if (figures === undefined) return undefined
  const { isExact: _, ...counts } = figures
  return counts
}
