/** Contract of the figures of actions: by name within their routes, beside those of the route, and never one a build. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import type { ActionNamed, RequestsPart, RequestsQuery } from '#ports/requests.ts'
import { anActor } from '../../builders/actor.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aSegment } from '../../builders/requests.ts'
import { DAY, HOUR, NOW } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged, value } from './stores.ts'

const TODAY = Math.floor(NOW / DAY) * DAY
const ID = `40${'ab'.repeat(20)}`
const OTHER_ID = `40${'cd'.repeat(20)}`

const aQuery = (change: Partial<RequestsQuery> = {}): RequestsQuery => ({
  ...{ projects: null, startMs: TODAY - 100 * DAY, endMs: TODAY + 100 * DAY, ...change },
})

export function actionFiguresContract(open: ControlFactory): void {
  describe('Figures of actions', () => {
    const { stores, world, clock, nextSeq } = openForEachTest(open)

    const asked = (action: string, change: Parameters<typeof aSegment>[0] = {}) =>
      aSegment({ projectId: world.shop, kind: 'action', name: action, action, ...change })
    const told = (change: Partial<ActionNamed> = {}): ActionNamed => ({
      ...{ projectId: world.shop, id: ID, name: 'pay', receivedMs: clock.now(), ...change },
    })
    const send = (part: Partial<Pick<RequestsPart, 'segments' | 'actionNames'>>) =>
      stores.write.applyBatch(aRequestsBatch(nextSeq(), part))
    const actions = async (change: Partial<RequestsQuery> = {}, scope = world.scope) =>
      (await stores.read.actions(scope, aQuery(change))).map(({ action, count }) => [action, count])
    const names = async (scope = world.scope) =>
      (await stores.read.seenActions(scope, { projects: null })).map(({ id, name }) => [id, name])

    it('are by name, those with most time first, and in the figures of the route as well', async () => {
      await send({
        segments: [
          asked('add', { durationMs: 50 }),
          asked('pay', { durationMs: 900, end: 'failed' }),
          asked('pay', { name: 'again', durationMs: 100 }),
          aSegment({ projectId: world.shop, name: 'page' }),
        ],
      })
      const [pay, add] = await stores.read.actions(world.scope, aQuery())
      assert.deepEqual([pay?.action, pay?.route, pay?.count, pay?.failed], ['pay', '/orders/[id]', 2, 1])
      assert.deepEqual([add?.action, add?.count, add?.failed], ['add', 1, 0])
      assert.equal(pay?.totalMs, 1_000)
      const { failedP95Ms } = await stores.read.requestFigures(world.scope, aQuery({ action: 'pay' }))
      assert.ok(Math.abs((failedP95Ms ?? 0) - 900) <= 9, String(failedP95Ms))
      assert.deepEqual(
        (await stores.read.routes(world.scope, aQuery({ kind: 'action' }))).map(({ count }) => count),
        [3],
      )
    })

    it('are found by project, route, action, environment, release and time, whatever is asked', async () => {
      await send({
        segments: [
          asked('pay', { environment: null, release: null }),
          asked('pay', { name: 'b', route: '/b', release: 'web@2.0.0' }),
          asked('pay', { name: 'c', projectId: world.blog }),
          asked('add', { atMs: NOW - 2 * HOUR, durationMs: 7 }),
        ],
      })
      for (const [change, expected] of [
        [{}, 4],
        [{ projects: [world.shop] }, 3],
        [{ route: '/b' }, 1],
        [{ action: 'add' }, 1],
        [{ environment: '' }, 1],
        [{ release: 'web@2.0.0' }, 1],
        [{ startMs: NOW - 3 * HOUR, endMs: NOW - HOUR }, 1],
        [{ kind: 'action' }, 4],
        [{ kind: 'document' }, 0],
      ] as const) {
        const found = await actions(change)
        assert.equal(
          found.reduce((sum, [, count]) => sum + Number(count), 0),
          expected,
          JSON.stringify(change),
        )
      }
      const one = aQuery({ action: 'add', kind: 'action', startMs: TODAY - DAY, endMs: TODAY + DAY })
      const { count, totalMs } = await stores.read.requestFigures(world.scope, one)
      assert.deepEqual([count, totalMs], [1, 7])
      const buckets = await stores.read.requestSeries(world.scope, one, HOUR)
      assert.deepEqual(
        buckets.filter((bucket) => bucket.count > 0).map(({ startMs }) => startMs),
        [Math.floor((NOW - 2 * HOUR) / HOUR) * HOUR],
      )
      const durations = await stores.read.requestDurations(world.scope, one)
      assert.equal(
        durations.reduce((sum, bucket) => sum + bucket.count, 0),
        1,
      )
    })

    it('are one for all that have an id alone, whatever their builds', async () => {
      await send({ segments: [asked(ID), asked(OTHER_ID), asked('pay')] })
      assert.deepEqual((await actions()).sort(), [
        ['', 2],
        ['pay', 1],
      ])
    })

    it('have the name that a wrapper tells of their id, those before it too', async () => {
      await send({ segments: [asked(ID)] })
      assert.deepEqual(await actions(), [['', 1]])
      await send({ segments: [asked(ID, { name: 'b' }), asked(OTHER_ID)], actionNames: [told()] })
      assert.deepEqual((await actions()).sort(), [
        ['', 1],
        ['pay', 2],
      ])
      await send({ actionNames: [told({ id: OTHER_ID, name: 'add' })] })
      await send({ segments: [asked(ID, { name: 'c' }), asked(OTHER_ID, { name: 'd' }), asked('pay')] })
      assert.deepEqual((await actions()).sort(), [
        ['add', 2],
        ['pay', 4],
      ])
      assert.deepEqual(await names(), [
        [ID, 'pay'],
        [OTHER_ID, 'add'],
      ])
      await send({ actionNames: [told({ name: 'payOrder' })] })
      assert.deepEqual(await actions({ action: 'payOrder' }), [['payOrder', 3]])
      assert.deepEqual(await actions({ action: 'pay' }), [['pay', 1]])
      const { count } = await stores.read.requestFigures(world.scope, aQuery({ action: 'payOrder' }))
      assert.equal(count, 3)
    })

    it('are found by an id that nobody named, and all of these together', async () => {
      await send({
        segments: [asked(ID), asked(OTHER_ID), asked(OTHER_ID, { name: 'b' }), asked('pay')],
        actionNames: [told({ projectId: world.blog, id: OTHER_ID, name: 'of another project' })],
      })
      assert.deepEqual(await actions({ action: ID }), [[ID, 1]])
      assert.deepEqual(await actions({ action: '' }), [['', 3]])
      for (const [action, expected] of [
        ['', 3],
        [OTHER_ID, 2],
        ['of another project', 0],
      ] as const) {
        const { count } = await stores.read.requestFigures(world.scope, aQuery({ action }))
        assert.equal(count, expected, action)
      }
    })

    it('have the names of builds before those of wrappers, in their project', async () => {
      await send({
        segments: [
          asked(ID),
          asked(OTHER_ID, { name: 'b' }),
          asked(ID, { name: 'c', projectId: world.blog }),
        ],
        actionNames: [told(), told({ id: OTHER_ID, name: 'add' })],
      })
      const builtActions = [{ projectId: world.shop, id: ID, name: 'pay (app/actions.ts)' }]
      assert.deepEqual((await actions({ builtActions })).sort(), [
        ['', 1],
        ['add', 1],
        ['pay (app/actions.ts)', 1],
      ])
      const one = aQuery({ builtActions, action: 'pay (app/actions.ts)' })
      assert.equal((await stores.read.requestFigures(world.scope, one)).count, 1)
      assert.deepEqual(await actions({ builtActions, action: 'pay' }), [])
    })

    it('are kept by so many ids of a project: further ones by their name, else with others', async () => {
      const most = max('actionIdSeriesPerProjectMax')
      const id = (at: number) => String(at).padStart(42, '0')
      await send({
        segments: Array.from({ length: most + 2 }, (_, at) => asked(id(at))),
        actionNames: [told({ id: id(most), name: 'late' })],
      })
      assert.deepEqual((await actions()).sort(), [
        ['', most + 1],
        ['late', 1],
      ])
      await send({ actionNames: [told({ id: id(7) }), told({ id: id(most + 1), name: 'later' })] })
      await send({ segments: [asked(id(7), { name: 'again' }), asked(id(most + 1), { name: 'too' })] })
      assert.deepEqual((await actions()).sort(), [
        ['', most],
        ['late', 1],
        ['later', 1],
        ['pay', 2],
      ])
    })

    it('show nobody what is not theirs', async () => {
      for (const projectId of [world.shop, world.blog, world.otherShop])
        await send({ segments: [asked('pay', { projectId })], actionNames: [told({ projectId })] })
      const wrong = { ...world.otherScope, projects: [world.shop, world.otherShop] }
      for (const [scope, expected] of [
        [world.scope, 2],
        [world.shopScope, 1],
        [wrong, 1],
      ] as const) {
        assert.deepEqual(
          await actions({}, scope),
          [
            ['pay', 1],
            ['pay', 1],
          ].slice(0, expected),
        )
        assert.equal((await names(scope)).length, expected)
      }
    })

    it('stay with time, go with age, and go with their project', async () => {
      const place = [world.org, world.shop] as const
      value(await stores.write.updateProject(...place, { options: { retentionDays: 30 } }, anActor()))
      await send({
        segments: [asked('pay', { atMs: NOW - HOUR }), asked('pay', { name: 'b' })],
        actionNames: [told()],
      })
      const before = await stores.read.actions(world.scope, aQuery())
      const pass = async (days: number) => {
        for (let day = 0; day < days; day++) {
          clock.advance(DAY)
          const atMs = clock.now()
          await send({
            segments: [aSegment({ name: `${atMs}`, projectId: world.blog, atMs, receivedMs: atMs })],
          })
          await removeAllAged(stores, clock)
        }
      }
      await pass(8)
      assert.deepEqual(await stores.read.actions(world.scope, aQuery()), before)
      clock.advance(22 * DAY)
      await pass(2)
      assert.deepEqual([await actions(), await names()], [[], []])
      await send({ segments: [asked('pay', { name: 'new', atMs: clock.now() })], actionNames: [told()] })
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      assert.deepEqual([await actions(), await names()], [[], []])
    })

    it('are so many of a project: further ones count with their route alone', async () => {
      const most = max('actionSeriesPerProjectMax')
      await send({
        segments: Array.from({ length: most + 3 }, (_, at) => asked(`a${at}`)),
      })
      await send({ segments: [asked('a0', { name: 'again' }), asked('new')] })
      assert.deepEqual(await actions({ action: 'a0' }), [['a0', 2]])
      assert.deepEqual(await actions({ action: 'new' }), [])
      const [route] = await stores.read.routes(world.scope, aQuery({ kind: 'action' }))
      assert.equal(route?.count, most + 5)
    })

    it('remember so many ids of a project, and forget the one told longest ago', async () => {
      const most = max('actionNamesPerProjectMax')
      await send({ actionNames: [told({ name: 'old', receivedMs: NOW - 2 * DAY })] })
      const id = (at: number) => String(at).padStart(42, '0')
      await send({ actionNames: Array.from({ length: most }, (_, at) => told({ id: id(at) })) })
      const known = await names()
      assert.equal(known.length, Math.min(most, max('actionNamesReadMax')))
      assert.ok(known.every(([known_]) => known_ !== ID))
      await send({ segments: [asked(ID), asked(id(7))] })
      assert.deepEqual((await actions()).sort(), [
        ['', 1],
        ['pay', 1],
      ])
    })
  })
}
