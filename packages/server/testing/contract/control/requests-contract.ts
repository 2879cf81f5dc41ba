/** Contract of the figures of requests: each segment and vital counts once, and figures stay what they are with time. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import type { RequestsPart, RequestsQuery } from '#ports/requests.ts'
import { anActor } from '../../builders/actor.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aCost, aSegment, aVital } from '../../builders/requests.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged, value } from './stores.ts'
import type { ControlWorld } from './world.ts'

const TODAY = Math.floor(NOW / DAY) * DAY
const ROUTES = ['/orders/[id]', '/c']
const PROPERTY_RUNS = 30

const aQuery = (change: Partial<RequestsQuery> = {}): RequestsQuery => ({
  ...{ projects: null, startMs: TODAY - 100 * DAY, endMs: TODAY + 100 * DAY, ...change },
})

export function requestsContract(open: ControlFactory): void {
  describe('Figures of requests', () => {
    const { stores, world, clock, nextSeq } = openForEachTest(open)

    const seen = (change: Parameters<typeof aSegment>[0] = {}) =>
      aSegment({ projectId: world.shop, ...change })
    const vital = (change: Parameters<typeof aVital>[0] = {}) => aVital({ projectId: world.shop, ...change })
    const cost = (change: Parameters<typeof aCost>[0] = {}) => aCost({ projectId: world.shop, ...change })
    const send = (part: Partial<Pick<RequestsPart, 'segments' | 'vitals' | 'costs'>>) =>
      stores.write.applyBatch(aRequestsBatch(nextSeq(), part))
    const figures = (change: Partial<RequestsQuery> = {}, scope = world.scope) =>
      stores.read.requestFigures(scope, aQuery(change))
    const count = async (change: Partial<RequestsQuery> = {}, scope = world.scope) =>
      (await figures(change, scope)).count
    const routes = async (change: Partial<RequestsQuery> = {}, scope = world.scope) =>
      (await stores.read.routes(scope, aQuery(change))).map(({ route, count: of }) => [route, of])
    const vitals = async (change: Partial<RequestsQuery> = {}, scope = world.scope) =>
      (await stores.read.vitals(scope, aQuery(change))).map(({ vital: name, count: of }) => [name, of])
    const costs = (change: Partial<RequestsQuery> = {}, scope = world.scope) =>
      stores.read.spanCosts(scope, aQuery(change), 10)
    /** Days go by one after the other: figures of old hours are joined, and what is old is forgotten. */
    const pass = async (days: number) => {
      for (let day = 0; day < days; day++) {
        clock.advance(DAY)
        const of = { projectId: world.blog, atMs: clock.now(), receivedMs: clock.now() }
        await send({ segments: [aSegment({ ...of, name: `of ${of.atMs}` })] })
        await removeAllAged(stores, clock)
      }
    }

    it('count a segment once, in one batch, the next, or days later in another fragment', async () => {
      await send({ segments: [seen(), seen(), seen({ name: 'b' })] })
      await send({ segments: [seen({ durationMs: 900 }), seen({ name: 'b', route: '/other' })] })
      await pass(max('countedSpanDays') - 1)
      await send({ segments: [seen({ receivedMs: clock.now() })] })
      assert.deepEqual(await routes({ projects: [world.shop] }), [['/orders/[id]', 2]])
      assert.equal((await figures({ projects: [world.shop] })).totalMs, 200)
    })

    it('count the same ids apart in another project, trace or segment', async () => {
      const { traceId, segmentId } = seen()
      const [other] = [seen({ name: 'other' })]
      await send({
        segments: [
          seen(),
          seen({ projectId: world.blog }),
          seen({ name: 'x', traceId, segmentId: other.segmentId }),
          seen({ name: 'y', segmentId, traceId: other.traceId }),
        ],
      })
      assert.equal(await count(), 4)
    })

    it('count a vital once a span and name', async () => {
      const again = { vitals: [vital(), vital(), vital({ vital: 'inp', value: 90 }), vital({ name: 'b' })] }
      await send(again)
      await send(again)
      assert.deepEqual((await vitals()).sort(), [
        ['inp', 1],
        ['lcp', 2],
      ])
    })

    it('remember a vital by when it came, not by when it was', async () => {
      const old = vital({ atMs: NOW - 10 * DAY })
      await send({ vitals: [old] })
      await pass(1)
      await send({ vitals: [{ ...old, receivedMs: clock.now() }] })
      assert.deepEqual(await vitals(), [['lcp', 1]])
    })

    it('change nothing by a batch that comes again', async () => {
      const batch = aRequestsBatch(nextSeq(), { segments: [seen()], vitals: [vital()], costs: [cost()] })
      await stores.write.applyBatch(batch)
      await stores.write.applyBatch(batch)
      assert.deepEqual([await count(), await vitals()], [1, [['lcp', 1]]])
      assert.equal((await costs())[0]?.count, 1)
    })

    it('say how requests ended, and leave aborted ones out of how long they take', async () => {
      await send({
        segments: [
          seen({ name: 'a', durationMs: 10 }),
          seen({ name: 'b', end: 'failed', durationMs: 20 }),
          seen({ name: 'c', end: 'failed-behind-200', durationMs: 30 }),
          seen({ name: 'd', end: 'aborted', durationMs: 40_000 }),
        ],
      })
      const { p99Ms, ...found } = await figures()
      const { count: of, failed, failedBehind200, aborted, totalMs, isEstimated } = found
      assert.deepEqual([of, failed, failedBehind200, aborted, totalMs], [4, 2, 1, 1, 60])
      assert.equal(isEstimated, false)
      assert.ok((p99Ms ?? 0) <= 31, String(p99Ms))
    })

    it('extrapolate what SDKs sample, and say so', async () => {
      await send({ segments: [seen({ weight: 4 }), seen({ name: 'b', weight: 4, end: 'failed' })] })
      const { count: of, failed, isEstimated, totalMs } = await figures()
      assert.deepEqual([of, failed, isEstimated, totalMs], [8, 4, true, 800])
    })

    it('are nothing where nothing was counted', async () => {
      assert.deepEqual(await figures(), {
        ...{ count: 0, isEstimated: false, failed: 0, failedBehind200: 0, aborted: 0, totalMs: 0 },
        ...{ p50Ms: null, p75Ms: null, p95Ms: null, p99Ms: null, failedP75Ms: null, failedP95Ms: null },
        p75Bounds: null,
      })
      assert.deepEqual(await stores.read.requestDurations(world.scope, aQuery()), [])
    })

    it('give percentiles within 1 %, over hours, releases and batches, however they are asked for', async () => {
      let runs = 0
      const durations = fc.array(fc.double({ min: 0.1, max: 100_000, noNaN: true }), {
        ...{ minLength: 1, maxLength: 60 },
      })
      await fc.assert(
        fc.asyncProperty(durations, async (all) => {
          const route = `/run/${++runs}`
          const segments = all.map((durationMs, at) =>
            seen({
              ...{ name: `${route} ${at}`, route, durationMs, atMs: NOW - (at % 5) * HOUR },
              release: `shop@${at % 3}`,
            }),
          )
          const half = Math.ceil(segments.length / 2)
          await send({ segments: segments.slice(0, half) })
          await send({ segments: segments.slice(half) })
          const { p50Ms, p75Ms, p95Ms, p99Ms, ...counts } = await figures({ route })
          const [row] = await stores.read.routes(world.scope, aQuery({ route }))
          assert.deepEqual([row?.count, row?.p50Ms, row?.p99Ms], [counts.count, p50Ms, p99Ms])
          assert.equal(counts.count, all.length)
          const sorted = all.toSorted((a, b) => a - b)
          for (const [q, found] of [
            [0.5, p50Ms],
            [0.75, p75Ms],
            [0.95, p95Ms],
            [0.99, p99Ms],
          ] as const) {
            const place = q * (sorted.length - 1)
            const low = sorted[Math.floor(place)] ?? 0
            const high = sorted[Math.ceil(place)] ?? 0
            const is = found ?? Number.NaN
            assert.ok(is >= low * 0.99 - 1e-9 && is <= high * 1.0101, `p${q * 100} ${is} of ${low}–${high}`)
          }
        }),
        { numRuns: PROPERTY_RUNS },
      )
    })

    it('are found by project, route, kind, environment, release and time', async () => {
      await send({
        segments: [
          seen(),
          seen({ name: 'b', route: '/b', environment: null, release: null }),
          seen({ name: 'c', kind: 'action', release: 'web@2.0.0' }),
          seen({ name: 'd', projectId: world.blog }),
          seen({ name: 'e', atMs: NOW - 2 * HOUR }),
        ],
      })
      assert.equal(await count(), 5)
      assert.equal(await count({ projects: [world.shop] }), 4)
      assert.equal(await count({ projects: [] }), 0)
      assert.equal(await count({ route: '/b' }), 1)
      assert.equal(await count({ kind: 'action' }), 1)
      assert.equal(await count({ environment: 'production' }), 4)
      assert.equal(await count({ environment: '' }), 1)
      assert.equal(await count({ release: 'web@2.0.0' }), 1)
      assert.equal(await count({ startMs: NOW - HOUR, endMs: NOW + HOUR }), 4)
      assert.equal(await count({ startMs: NOW - 3 * HOUR, endMs: NOW - HOUR }), 1)
    })

    it('show nobody what is not theirs', async () => {
      const part = (projectId: ControlWorld['shop']) => ({
        segments: [aSegment({ projectId })],
        vitals: [aVital({ projectId })],
        costs: [aCost({ projectId })],
      })
      for (const project of [world.shop, world.blog, world.otherShop]) await send(part(project))
      // A scope that was built wrongly names a project of another organisation.
      const wrong = { ...world.otherScope, projects: [world.shop, world.otherShop] }
      for (const [scope, expected] of [
        [world.scope, 2],
        [world.shopScope, 1],
        [world.otherScope, 1],
        [wrong, 1],
      ] as const) {
        assert.equal(await count({}, scope), expected)
        assert.equal((await vitals({}, scope))[0]?.[1] ?? 0, expected === 2 ? 1 : expected)
        assert.equal((await costs({}, scope)).length, expected)
        assert.equal(
          (await stores.read.routeTrends(scope, { ...aQuery(), routes: ROUTES }, DAY)).length,
          expected,
        )
        assert.equal((await stores.read.requestReleases(scope, aQuery())).length, expected)
      }
    })

    it('list routes by the time that they take, and kinds of one route apart', async () => {
      await send({
        segments: [
          seen(),
          seen({ name: 'b', kind: 'prefetch', durationMs: 900 }),
          seen({ name: 'c', route: '/c', durationMs: 500 }),
        ],
      })
      const found = await stores.read.routes(world.scope, aQuery())
      assert.deepEqual(
        found.map(({ route, kind }) => [route, kind]),
        [
          ['/orders/[id]', 'prefetch'],
          ['/c', 'document'],
          ['/orders/[id]', 'document'],
        ],
      )
    })

    it('come in buckets of hours and days, empty ones included', async () => {
      await send({
        segments: [
          seen({ atMs: TODAY }),
          seen({ name: 'b', atMs: TODAY + 3 * HOUR + 1 }),
          seen({ name: 'c', atMs: TODAY - 1 }),
        ],
      })
      const range = { startMs: TODAY - DAY, endMs: TODAY + DAY }
      const days = await stores.read.requestSeries(world.scope, aQuery(range), DAY)
      assert.deepEqual(
        days.map(({ startMs, count: of }) => [startMs, of]),
        [
          [TODAY - DAY, 1],
          [TODAY, 2],
        ],
      )
      const hours = await stores.read.requestSeries(world.scope, aQuery({ ...range, startMs: TODAY }), HOUR)
      assert.deepEqual(
        hours.slice(0, 5).map(({ count: of }) => of),
        [1, 0, 0, 1, 0],
      )
      const sums = await stores.read.requestSums(world.scope, aQuery(range), DAY)
      const shown = sums.map(({ startMs, count: of, sketch }) => [startMs, of, sketch.length > 1])
      assert.deepEqual(shown.flat(), [TODAY - DAY, 1, true, TODAY, 2, true])
      const [trend] = await stores.read.routeTrends(world.scope, { ...aQuery(range), routes: ROUTES }, DAY)
      assert.deepEqual(trend?.counts, [1, 2])
      const sixes = await stores.read.routeTrends(world.scope, { ...aQuery(range), routes: ROUTES }, 6 * HOUR)
      assert.deepEqual(sixes[0]?.counts, [0, 0, 0, 1, 2, 0, 0, 0])
      assert.equal(sixes[0]?.p75Ms.filter((ms) => ms !== null).length, 2)
    })

    it('name the releases that requests were of, by when the first was', async () => {
      await send({
        segments: [
          seen({ release: 'b', atMs: NOW - HOUR }),
          seen({ name: 'b', release: 'b' }),
          seen({ name: 'c', release: 'a' }),
          seen({ name: 'd', release: null }),
        ],
      })
      const found = await stores.read.requestReleases(world.scope, aQuery())
      assert.deepEqual(
        found.map(({ release, firstMs }) => [release, firstMs]),
        [
          ['b', Math.floor((NOW - HOUR) / HOUR) * HOUR],
          ['a', Math.floor(NOW / HOUR) * HOUR],
        ],
      )
    })

    it('are counted by release over time', async () => {
      await send({
        segments: [
          seen({ release: 'a' }),
          seen({ name: 'b', release: 'a', kind: 'prefetch', weight: 3 }),
          seen({ name: 'c', release: 'b', atMs: NOW - DAY }),
          seen({ name: 'd', release: null }),
        ],
      })
      const query = { ...aQuery(), startMs: NOW - DAY, endMs: NOW + 1 }
      const found = await stores.read.requestsByRelease(world.scope, query, DAY)
      assert.deepEqual(
        found.map(({ projectId, release, counts }) => [projectId, release, counts.at(-1), counts.at(-2)]),
        [
          [world.shop, 'a', 4, 0],
          [world.shop, 'b', 0, 1],
        ],
      )
      assert.deepEqual(await stores.read.requestsByRelease(world.otherScope, query, DAY), [])
    })

    it('say how many took how long', async () => {
      await send({ segments: [seen(), seen({ name: 'b' }), seen({ name: 'c', durationMs: 1_000 })] })
      const buckets = await stores.read.requestDurations(world.scope, aQuery())
      assert.equal(
        buckets.reduce((sum, { count: of }) => sum + of, 0),
        3,
      )
      const [first, last] = [buckets[0], buckets.at(-1)]
      assert.ok((first?.fromMs ?? 0) <= 101 && (first?.toMs ?? 0) >= 99 && first?.count === 2)
      assert.ok((last?.fromMs ?? 0) <= 1_010 && (last?.toMs ?? 0) >= 990 && last?.count === 1)
    })

    it('say how long those took that failed', async () => {
      const failed = (durationMs: number, change: Parameters<typeof aSegment>[0] = {}) =>
        seen({ name: `f${durationMs}`, end: 'failed', durationMs, ...change })
      await send({ segments: [seen(), seen({ name: 'b', end: 'aborted', durationMs: 2_000 }), failed(105)] })
      await send({
        segments: [failed(1_000, { weight: 3 }), failed(1_010, { end: 'failed-behind-200', release: 'b' })],
      })
      const apart = async (change: Partial<RequestsQuery> = {}) => {
        const buckets = await stores.read.requestDurations(world.shopScope, aQuery(change))
        return buckets.map(({ count: of, failed: f }) => [of, f]).filter(([of]) => of !== 0)
      }
      const near = (is: number | null, ms: number) => Math.abs((is ?? Number.NaN) - ms) <= ms / 100
      const expected = [
        [2, 1],
        [4, 4],
      ]
      assert.deepEqual(await apart(), expected)
      assert.deepEqual(await apart({ release: 'b' }), [[1, 1]])
      assert.deepEqual(await apart({ kind: 'action' }), [])
      const { failedP75Ms, failedP95Ms, p50Ms } = await figures()
      assert.ok(
        near(failedP75Ms, 1_000) && near(failedP95Ms, 1_000),
        `${failedP75Ms} ${failedP95Ms} ${p50Ms}`,
      )
      await pass(8)
      await send({ segments: [seen({ name: 'late', receivedMs: clock.now() })] })
      assert.deepEqual(await apart(), [[3, 1], expected[1]], 'the same once hours are joined')
      assert.deepEqual((await figures({ projects: [world.blog] })).failedP75Ms, null)
    })

    it('share vitals out by the public thresholds', async () => {
      await send({
        vitals: [1_000, 2_500, 3_000, 4_001].map((each, at) => vital({ name: `v${at}`, value: each })),
      })
      const [lcp] = await stores.read.vitals(world.scope, aQuery())
      assert.deepEqual(lcp?.shares, [0.5, 0.25, 0.25])
      assert.ok(Math.abs((lcp?.p75 ?? 0) - 3_000) <= 30, String(lcp?.p75))
      assert.equal((await vitals({ route: '/elsewhere' })).length, 0)
    })

    it('count nothing for a project that is gone', async () => {
      const gone = { projectId: world.blog }
      value(await stores.write.deleteProject(world.org, world.blog, anActor()))
      await send({ segments: [seen(gone), seen()], vitals: [vital(gone)], costs: [cost(gone)] })
      assert.deepEqual([await count(), await vitals(), await costs()], [1, [], []])
    })

    it('go with their project', async () => {
      const ofBlog = { projectId: world.blog }
      await send({ segments: [seen(), seen(ofBlog)], vitals: [vital(ofBlog)], costs: [cost(ofBlog)] })
      value(await stores.write.deleteProject(world.org, world.blog, anActor()))
      assert.deepEqual([await routes(), await vitals(), await costs()], [[['/orders/[id]', 1]], [], []])
    })

    it('are the same once hours are joined to days, and late ones are added to them', async () => {
      const segments = Array.from({ length: 60 }, (_, at) =>
        seen({
          ...{
            name: `s${at}`,
            atMs: TODAY - (at % 30) * HOUR,
            durationMs: 10 + at * 7,
            weight: 1 + (at % 3),
          },
          end: at % 7 === 0 ? 'failed' : 'answered',
        }),
      )
      await send({
        segments,
        vitals: segments.map(({ atMs }, at) => vital({ name: `v${at}`, atMs, value: at })),
      })
      const read = async () => ({
        routes: await stores.read.routes(world.shopScope, aQuery()),
        days: await stores.read.requestSeries(
          world.shopScope,
          aQuery({ startMs: TODAY - 2 * DAY, endMs: TODAY + DAY }),
          DAY,
        ),
        trends: await stores.read.routeTrends(world.shopScope, { ...aQuery(), routes: ROUTES }, DAY),
        durations: await stores.read.requestDurations(world.shopScope, aQuery()),
        vitals: await stores.read.vitals(world.shopScope, aQuery()),
      })
      const before = await read()
      await pass(8)
      assert.deepEqual(await read(), before)
      const late = { atMs: TODAY - 5 * HOUR, receivedMs: clock.now() }
      await send({ segments: [seen({ name: 'late', ...late })], vitals: [vital({ name: 'late', ...late })] })
      await pass(1)
      const [route] = (await read()).routes
      assert.equal(route?.count, (before.routes[0]?.count ?? 0) + 1)
      assert.equal((await read()).vitals[0]?.count, 61)
    })

    it('are kept as long as the project keeps events', async () => {
      const place = [world.org, world.shop] as const
      value(await stores.write.updateProject(...place, { options: { retentionDays: 30 } }, anActor()))
      const day = cost().day
      const all = [world.shop, world.blog].flatMap((projectId) => [0, 5].map((days) => ({ projectId, days })))
      await send({
        segments: all.map(({ projectId, days }) =>
          aSegment({ name: `${days}`, projectId, atMs: NOW - days * DAY }),
        ),
        vitals: all.map(({ projectId, days }) =>
          aVital({ name: `${days}`, projectId, atMs: NOW - days * DAY }),
        ),
        costs: all.map(({ projectId, days }) => aCost({ projectId, day: day - days })),
      })
      const kept = async (project: ControlWorld['shop']) => {
        const of = { projects: [project], kind: 'document', route: '/orders/[id]' } as const
        const ofDays = { ...of, endMs: TODAY + DAY }
        const [found] = await vitals({ projects: [project] })
        return [await count(ofDays), found?.[1] ?? 0, (await costs({ projects: [project] }))[0]?.count ?? 0]
      }
      assert.deepEqual(await kept(world.shop), [2, 2, 2])
      clock.advance(28 * DAY)
      await pass(1)
      assert.deepEqual(
        [await kept(world.shop), await kept(world.blog)],
        [
          [1, 1, 1],
          [2, 2, 2],
        ],
      )
      await pass(3)
      assert.deepEqual(
        [await kept(world.shop), await kept(world.blog)],
        [
          [0, 0, 0],
          [2, 2, 2],
        ],
      )
    })

    it('keep vitals of a page whose requests are long over', async () => {
      const page = { kind: 'browser' } as const
      await send({ segments: [seen(page)], vitals: [vital()] })
      clock.advance(60 * DAY)
      await send({ vitals: [vital({ name: 'new', atMs: clock.now(), receivedMs: clock.now() })] })
      clock.advance((max('retentionDaysDefault') - 40) * DAY)
      await pass(1)
      const endMs = clock.now() + DAY
      assert.deepEqual(await vitals({ endMs, projects: [world.shop] }), [['lcp', 1]])
    })

    it('count routes beyond the bound as other routes, and keep those that are known', async () => {
      const most = max('seriesPerProjectMax')
      await send({
        segments: Array.from({ length: most + 3 }, (_, at) => seen({ name: `${at}`, route: `/r/${at}` })),
      })
      await send({
        segments: [seen({ name: 'k', route: '/r/0' }), seen({ name: 'n', route: '/new', release: 'web@2' })],
      })
      assert.deepEqual(await routes({ route: '/r/0' }), [['/r/0', 2]])
      assert.deepEqual(await routes({ route: '(other routes)' }), [['(other routes)', 4]])
      assert.deepEqual(await routes({ release: 'web@2' }), [['(other routes)', 1]])
      assert.equal(await count(), most + 5)
      const others = max('otherSeriesPerProjectMax')
      await send({
        segments: Array.from({ length: others + 3 }, (_, at) =>
          seen({ name: `release ${at}`, release: `of ${at}` }),
        ),
      })
      assert.equal((await stores.read.requestReleases(world.scope, aQuery())).length, others)
      assert.equal(await count(), most + 5 + others + 3)
    })
  })
}
