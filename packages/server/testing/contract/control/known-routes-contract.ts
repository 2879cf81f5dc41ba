/** Contract of routes that SDKs stated: they are remembered, and handed on with the directory. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { anActor } from '../../builders/actor.ts'
import { aRequestsBatch } from '../../builders/control-batch.ts'
import { aSegment } from '../../builders/requests.ts'
import { DAY } from '../../builders/times.ts'
import { openForEachTest } from './each-test.ts'
import { type ControlFactory, removeAllAged, value } from './stores.ts'

export function knownRoutesContract(open: ControlFactory): void {
  describe('Routes that SDKs stated', () => {
    const { stores, world, clock } = openForEachTest(open)
    let seq: number
    beforeEach(() => {
      seq = 1
    })

    const send = (...segments: readonly Parameters<typeof aSegment>[0][]) => {
      const all = segments.map((change, at) =>
        aSegment({ projectId: world.shop, stated: 'pages', name: `${seq} ${at}`, ...change }),
      )
      return stores.write.applyBatch(aRequestsBatch(seq++, { segments: all }))
    }
    const known = async () => {
      const { routes = [] } = await stores.read.ingestDirectory()
      return routes.map(({ projectId, of, route }) => [projectId, of, route])
    }

    it('are remembered once, for each project and sort, and nothing else is', async () => {
      const [boat, ship] = [{ route: '/boats/$id' }, { route: '/api/ships/:id', stated: 'handlers' }] as const
      await send(boat, boat, ship, { ...boat, projectId: world.blog })
      const { stated: _, ...unstated } = aSegment({ projectId: world.shop, route: '/boats/7', name: 'b' })
      await stores.write.applyBatch(aRequestsBatch(seq++, { segments: [unstated] }))
      await send(boat)
      assert.deepEqual(await known(), [
        [world.shop, 'pages', '/boats/$id'],
        [world.shop, 'handlers', '/api/ships/:id'],
        [world.blog, 'pages', '/boats/$id'],
      ])
    })

    it('are remembered as they are told of, where that is not the route of the request', async () => {
      await send({ route: '/_serverFn/save', stated: 'functions', statedAs: '4a9c /_serverFn/save' })
      assert.deepEqual(await known(), [[world.shop, 'functions', '4a9c /_serverFn/save']])
    })

    it('change the version of the directory when one is new', async () => {
      const versions = [await stores.read.directoryVersion()]
      for (const route of ['/boats/$id', '/boats/$id', '/boats']) {
        await send({ route })
        versions.push(await stores.read.directoryVersion())
      }
      const [before = 0, first = 0, again = 0, second = 0] = versions
      assert.ok(before < first && first === again && again < second, versions.join())
    })

    it('are bounded, forgotten when nobody states them any more, and go with their project', async () => {
      const bound = max('knownRoutesPerProjectMax')
      await send(...Array.from({ length: bound + 1 }, (_, at) => ({ route: `/page-${at}/$id` })))
      assert.equal((await known()).length, bound)
      const version = await stores.read.directoryVersion()
      clock.advance((max('knownRouteDays') + 1) * DAY)
      await removeAllAged(stores, clock)
      const times = { atMs: clock.now(), receivedMs: clock.now() }
      await send({ ...times, route: '/page-0/$id' })
      assert.deepEqual(await known(), [[world.shop, 'pages', '/page-0/$id']])
      await send({ ...times, route: '/other/$id' })
      assert.ok((await stores.read.directoryVersion()) > version)
      value(await stores.write.deleteProject(world.org, world.shop, anActor()))
      assert.deepEqual(await known(), [])
    })
  })
}
