/** Real stores, maps that come and go, and what is made of them: for tests of late maps. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MendingParts } from '#artifacts/mending.ts'
import type { GroupHash } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { createLateMaps } from '#engine/threads/late-maps.ts'
import { groupEvent } from '#group/group.ts'
import { openArtifactIndex } from '#store/sqlite/artifacts/artifact-database.ts'
import { openMapIndex } from '#store/sqlite/artifacts/map-index.ts'
import { openCompiledMap } from '#symbolicate/compiled/open.ts'
import { createMaps } from '#symbolicate/lookup.ts'
import { symbolicateEvent } from '#symbolicate/symbolicate.ts'
import { aScrubbedEvent } from '../builders/scrubbed-event.ts'
import { DEFAULTS } from '../builders/scrubbing.ts'
import { compiledBytes } from '../builders/source-map.ts'
import { NOW } from '../builders/times.ts'
import { aControlWorld } from '../contract/control/world.ts'
import { retentionOver } from './retention.ts'
import { batchOf, openHouse, processedEnvelope } from './stores.ts'

/** Map that every build has. */
const MAP = {
  ...{ version: 3, sources: ['src/cart.ts'], names: [], mappings: 'AAAkB' },
  sourcesContent: ['function pay() { throw new Error("x") }\n'],
}

/** An event of a build, as it ran. */
function ran(number: number, debugId: string) {
  const url = `https://shop.example/main-${debugId.slice(0, 4)}.js`
  const frame = { filename: url, function: `f${debugId.slice(0, 2)}`, lineno: 1, colno: 1, in_app: true }
  return aScrubbedEvent({
    ...{ event_id: number.toString(16).padStart(32, '0'), platform: 'javascript' },
    exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames: [frame] } }] },
    debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
  })
}

/** Work to do while retention writes a file anew. */
interface During {
  onStep: (step: string) => void
  guard: (exchange: () => Promise<void>) => Promise<void>
}

export type LateWorld = Awaited<ReturnType<typeof openLateWorld>>

export async function openLateWorld() {
  const directory = await mkdtemp(join(tmpdir(), 'errata-late-maps-'))
  const house = await openHouse(directory)
  const world = await aControlWorld({ write: house.control, read: house.reader, close: house.close })
  await house.commit.recover()
  const path = join(directory, 'artifacts.sqlite')
  const index = openArtifactIndex({ path, log: silentLog })
  const reader = openMapIndex(path)
  const during: During = { onStep: () => {}, guard: (exchange) => exchange() }
  const retention = retentionOver({
    ...{ house, directory, clock: house.clock },
    change: { onStep: (step) => during.onStep(step), guard: (exchange) => during.guard(exchange) },
  })
  await retention.start()
  const bytes = compiledBytes(MAP)
  const open = () => openCompiledMap({ read: (at, count) => bytes.subarray(at, at + count) })
  const maps = createMaps({ index: reader, open })
  const parts: MendingParts = {
    maps: createLateMaps({ index, maps }),
    ...{ telemetry: house.telemetry, payloads: house.segments },
    joinGroups: (groups, atMs) => house.control.joinGroups(groups, atMs),
    care: {
      changeEvents: (file, changes) => retention.changeEvents(file, changes),
      payloadBytes: () => retention.payloadBytes(),
    },
    project: (id) => ({ id, orgId: world.org, scrub: DEFAULTS }),
    settled: async () => {},
    now: () => NOW,
    log: silentLog,
  }
  const bundles = new Map<string, number>()
  let count = 0
  return {
    ...{ house, world, parts, index, during },
    /** An event of a build, with what its map makes of it where that is there; answers its group. */
    async send(debugId: string): Promise<GroupHash> {
      maps.refresh()
      const lookup = maps.of({ id: world.shop, orgId: world.org })
      const { event, missed } = symbolicateEvent(ran(++count, debugId), { maps: lookup })
      const groupHash = groupEvent({ ...ran(count, debugId), ...event }).hash
      const row = { eventId: event.event_id, groupHash, missedMaps: missed.join(' ') || null }
      const place = { projectId: world.shop, keyId: world.shopKey }
      await house.commit.commit(
        batchOf([{ ...processedEnvelope(count, place, row), payload: JSON.stringify(event) }]),
      )
      return groupHash
    },
    /** The map of a build, made ready. */
    upload(debugId: string): void {
      const map = { path: 'main.js.map', type: 'source_map', url: '', debugId, mapReference: null } as const
      const { id } = index.addBundle({
        ...{ orgId: world.org, projects: [world.shop], release: null, dist: null, by: 'ci', kind: 'bundle' },
        ...{ sha1: debugId, bytes: 1, name: '', uploadedMs: NOW },
        files: [{ ...map, bytes: 1, mapKey: debugId }],
      })
      bundles.set(debugId, id)
      index.mapDone(world.org, debugId, { bytes: bytes.length, problem: null })
    },
    /** It is deleted again. */
    drop(debugId: string): void {
      const id = bundles.get(debugId)
      if (id !== undefined) index.remove(world.org, { ids: [id], projects: 'all' })
      bundles.delete(debugId)
    },
    async close() {
      await retention.close()
      reader.close()
      index.close()
      await house.close()
      await rm(directory, { recursive: true })
    },
  }
}
