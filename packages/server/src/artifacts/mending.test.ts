/** Late maps over real stores, ended at every step. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { ErrataError } from '#base/errors.ts'
import { dayOf, readEventId, seq } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { silentLog } from '#base/log.ts'
import { createLateMaps } from '#engine/threads/late-maps.ts'
import { groupEvent } from '#group/group.ts'
import { KINDS } from '#kinds/kinds.ts'
import { max } from '#limits/limits.ts'
import { FilesHeld } from '#ports/retention.ts'
import { openArtifactIndex, openMapIndex } from '#store/sqlite/artifacts/artifact-database.ts'
import { compileMap } from '#symbolicate/compile/compile.ts'
import { openCompiledMap } from '#symbolicate/compiled/open.ts'
import { createMaps } from '#symbolicate/lookup.ts'
import { aScrubbedEvent } from '#testing/builders/scrubbed-event.ts'
import { DEFAULTS } from '#testing/builders/scrubbing.ts'
import { NOW } from '#testing/builders/times.ts'
import { aWorld } from '#testing/contract/control/world.ts'
import { retentionOver } from '#testing/worlds/retention.ts'
import { batchOf, openHouse, sent } from '#testing/worlds/stores.ts'
import { deepCheck } from '#upkeep/deep-check.ts'
import { type MendingParts, mendLate } from './mending.ts'

const MAP = {
  ...{
    version: 3,
    sources: ['src/cart.ts'],
    sourcesContent: ['function pay() { throw new Error("x") }\n'],
    names: [],
  },
  mappings: 'AAAkB',
}
const FILE = { kind: 'error', day: dayOf(NOW), retentionDays: 90 } as const
const IDS = ['1'.repeat(32), '2'.repeat(32)] as const

/** An event of a build, as it ran. */
function ran(number: number, debugId: string) {
  const url = `https://shop.example/main-${debugId.slice(0, 4)}.js`
  const frame = { filename: url, function: `f${debugId.slice(0, 2)}`, lineno: 1, colno: 1, in_app: true }
  const event = aScrubbedEvent({
    ...{ event_id: String(number).repeat(32), platform: 'javascript' },
    exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames: [frame] } }] },
    debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
  })
  return { event, hash: groupEvent(event).hash }
}

/** Two builds failed at one place, the second one twice; then their maps came, the second one's first. */
async function aLateWorld() {
  const directory = await mkdtemp(join(tmpdir(), 'errata-mending-'))
  const house = await openHouse(directory)
  const world = await aWorld({ write: house.control, read: house.reader, close: house.close })
  const events = [ran(1, IDS[0]), ran(2, IDS[1]), ran(3, IDS[1])]
  const envelopes = events.map(({ event, hash }, index) => {
    const place = { projectId: world.shop, keyId: world.shopKey }
    const row = { eventId: event.event_id, groupHash: hash, missedMaps: IDS[index === 0 ? 0 : 1] }
    return { ...sent(index + 1, place, row), payload: JSON.stringify(event) }
  })
  await house.commit.recover()
  for (const envelope of envelopes) await house.commit.commit(batchOf([envelope]))
  const path = join(directory, 'artifacts.sqlite')
  const index = openArtifactIndex({ path, log: silentLog })
  const reader = openMapIndex(path)
  const during: During = { onStep: () => {}, guard: (exchange) => exchange() }
  const retention = retentionOver({
    ...{ house, directory, clock: house.clock },
    change: { onStep: (step) => during.onStep(step), guard: (exchange) => during.guard(exchange) },
  })
  await retention.start()
  const bytes = compileMap({ map: Buffer.from(JSON.stringify(MAP)), minified: null, sourceText: () => null })
  const open = () => openCompiledMap({ read: (at, count) => bytes.subarray(at, at + count) })
  for (const debugId of IDS.toReversed()) {
    const map = { path: 'main.js.map', type: 'source_map', url: '', debugId, mapReference: null } as const
    index.addBundle({
      ...{ orgId: world.org, projects: [world.shop], release: null, dist: null, by: 'ci', kind: 'bundle' },
      ...{ sha1: debugId, bytes: 1, name: '', uploadedMs: NOW },
      files: [{ ...map, bytes: 1, mapKey: debugId }],
    })
    index.mapDone(world.org, debugId, { bytes: bytes.length, problem: null })
  }
  const parts: MendingParts = {
    maps: createLateMaps({ index, maps: createMaps({ index: reader, open }) }),
    ...{ telemetry: house.telemetry, payloads: house.segments, issues: house.control },
    changeEvents: (file, changes) => retention.changeEvents(file, changes),
    project: (id) => ({ id, orgId: world.org, scrub: DEFAULTS }),
    settled: async () => {},
    now: () => NOW,
    log: silentLog,
  }
  return {
    ...{ house, world, parts, index, during },
    hashes: events.map(({ hash }) => hash),
    async close() {
      await retention.close()
      reader.close()
      index.close()
      await house.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** What is done while retention writes a file anew. */
interface During {
  onStep: (step: string) => void
  guard: (exchange: () => Promise<void>) => Promise<void>
}

type LateWorld = Awaited<ReturnType<typeof aLateWorld>>

/** What people see of it. */
async function shown(late: LateWorld) {
  const { house, world, hashes } = late
  const issues = await Promise.all(
    hashes.map((hash) => house.reader.issueOfGroup(world.scope, world.shop, hash)),
  )
  const [issue] = issues
  assert.ok(issue)
  const activity = await house.reader.activity(world.scope, issue.id, 20)
  return {
    ids: issues.map((each) => each?.shortId),
    culprit: issue.culprit,
    events: issue.eventCount,
    activity: activity.map(({ kind }) => kind),
    groups: (await house.reader.groups(world.scope, issue.id)).length,
    stored: await stored(late),
  }
}

/** What of the events lies in columns and payloads. */
async function stored({ house, world }: Pick<LateWorld, 'house' | 'world'>) {
  const [file] = await house.telemetry.files()
  assert.ok(file)
  const rows = await house.telemetry.rows(file, seq(0), 10)
  const found = []
  for (const row of rows) {
    assert.ok('eventId' in row && 'missedMaps' in row && 'culprit' in row)
    const eventId = String(row.eventId)
    const bytes = await house.segments.read(file, world.shop, readEventId(eventId) ?? assert.fail())
    const event: unknown = JSON.parse(Buffer.from(bytes ?? []).toString('utf8'))
    assert.ok(isObject(event))
    const ran = JSON.stringify(event).includes('main-') ? 'ran kept' : 'ran lost'
    const isOriginal = JSON.stringify(event.exception).includes('src/cart.ts')
    found.push([row.missedMaps, row.culprit, isOriginal, ran])
  }
  return found
}

/** Payloads and columns say the same, and so does the control store. */
async function assertSound({ house }: LateWorld) {
  const findings = await deepCheck({
    ...{ kinds: KINDS, control: house.reader, appliedSeq: await house.control.appliedSeq() },
    ...{ hidden: await house.control.hidden(), today: dayOf(NOW), segments: house.segments },
    ...{ telemetry: house.telemetry, eventIds: house.eventIds },
  })
  assert.deepEqual(
    findings.filter(({ ok }) => !ok),
    [],
  )
}

const MENDED = {
  ids: ['SHOP-1', 'SHOP-1', 'SHOP-1'],
  ...{ culprit: 'pay(src/cart.ts)', events: 3, activity: ['merged', 'first_seen'], groups: 3 },
  stored: Array.from({ length: 3 }, () => [null, 'pay(src/cart.ts)', true, 'ran kept']),
}

/** Parts of which the call with this number ends the work, before it is done or right after. */
function endingAt(parts: MendingParts, number: number, when: 'before' | 'after'): MendingParts {
  let calls = 0
  const watched = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          const isLast = ++calls === number
          if (isLast && when === 'before') throw new ErrataError('stopping', 'ended')
          const answer: unknown = await Reflect.apply(method, target, args)
          if (isLast) throw new ErrataError('stopping', 'ended')
          return answer
        }
      },
    })
  const { maps, telemetry, payloads, issues } = parts
  const { changeEvents } = watched({ changeEvents: parts.changeEvents })
  return {
    ...{ ...parts, changeEvents },
    ...{ maps: watched(maps), telemetry: watched(telemetry) },
    ...{ payloads: watched(payloads), issues: watched(issues) },
  }
}

describe('maps that come after their events', () => {
  const never = new AbortController().signal

  it('make one issue of two builds, once, whatever ends in between', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let number = 1; ; number++) {
        const late = await aLateWorld()
        try {
          const ended = await mendLate(endingAt(late.parts, number, when), new Set(), never).then(
            () => false,
            () => true,
          )
          if (ended) await mendLate(late.parts, new Set(), never)
          assert.deepEqual(await shown(late), MENDED, `${when} call ${number}`)
          await assertSound(late)
          assert.deepEqual(late.index.lateBundles(9), [])
          if (!ended) {
            assert.ok(number > 18, `${number} calls`)
            break
          }
        } finally {
          await late.close()
        }
      }
    }
  })

  it('are stored with their events, whichever step of that is the last one', async () => {
    for (const last of ['compact:payloads', 'compact:columns']) {
      const late = await aLateWorld()
      late.during.onStep = (step) => {
        if (step === last) throw new ErrataError('stopping', 'ended')
      }
      await assert.rejects(mendLate(late.parts, new Set(), never))
      assert.equal(late.index.lateBundles(9).length, 2, 'still late')
      late.during.onStep = () => {}
      assert.equal(await mendLate(late.parts, new Set(), never), 'done')
      assert.deepEqual(await shown(late), MENDED, last)
      await assertSound(late)
      await late.close()
    }
  })

  it('wait with the events while a backup holds the files, and do not join groups twice', async () => {
    const late = await aLateWorld()
    late.during.guard = () => Promise.reject(new FilesHeld('a backup is being made'))
    const joined = new Set<number>()
    assert.equal(await mendLate(late.parts, joined, never), 'later')
    assert.equal((await shown(late)).stored[0]?.[0], IDS[0], 'as they came')
    assert.equal(joined.size, 2)
    late.during.guard = (exchange) => exchange()
    const maps = { ...late.parts.maps, regroup: () => assert.fail('they were looked at') }
    assert.equal(await mendLate({ ...late.parts, maps }, joined, never), 'done')
    assert.deepEqual(await shown(late), MENDED)
    assert.deepEqual([late.index.lateBundles(9), joined.size], [[], 0])
    await late.close()
  })

  it('wait for the end of a day whose file is large', async () => {
    const late = await aLateWorld()
    const large = {
      ...late.parts.payloads,
      fileBytes: async () => [{ file: FILE, bytes: max('mendOpenFileBytesMax') + 1 }],
    }
    const { read } = late.house.segments
    const payloads = { ...large, read: read.bind(late.house.segments) }
    const joined = new Set<number>()
    assert.equal(await mendLate({ ...late.parts, payloads }, joined, never), 'later')
    assert.equal((await shown(late)).stored[0]?.[0], IDS[0])
    const tomorrow = { ...late.parts, payloads, now: () => NOW + DAY_MS }
    assert.equal(await mendLate(tomorrow, joined, never), 'done')
    assert.deepEqual(await shown(late), MENDED)
    await late.close()
  })

  it('leave a file that cannot be written anew, and go on', async () => {
    const late = await aLateWorld()
    const changeEvents = () => Promise.reject(new Error('the disk is full'))
    assert.equal(await mendLate({ ...late.parts, changeEvents }, new Set(), never), 'done')
    assert.deepEqual(late.index.lateBundles(9), [])
    await late.close()
  })

  it('stop when they are told, and go on later', async () => {
    const late = await aLateWorld()
    await mendLate(late.parts, new Set(), AbortSignal.abort())
    assert.equal(late.index.lateBundles(9).length, 2)
    await mendLate(late.parts, new Set(), never)
    assert.deepEqual(await shown(late), MENDED)
    await late.close()
  })

  it('are not waited for while another one is still made ready', async () => {
    const late = await aLateWorld()
    const map = { path: 'b.map', type: 'source_map', url: '', debugId: null, mapReference: null } as const
    const { id } = late.index.addBundle({
      ...{ orgId: late.world.org, projects: [late.world.shop], release: 'v1', dist: null, by: 'ci' },
      ...{ kind: 'bundle', sha1: 'f'.repeat(40), bytes: 1, name: '', uploadedMs: NOW },
      files: [{ ...map, bytes: 1, mapKey: 'waits' }],
    })
    await mendLate(late.parts, new Set(), never)
    assert.deepEqual(await shown(late), MENDED)
    late.index.mapDone(late.world.org, 'waits', { bytes: 1, problem: null })
    assert.deepEqual(
      late.index.lateBundles(9).map(({ release }) => release),
      ['v1'],
    )
    late.index.addProjects(id, [late.world.shop])
    await mendLate(late.parts, new Set(), never)
    assert.deepEqual(late.index.lateBundles(9), [])
    late.index.addProjects(id, [late.world.shop, late.world.blog])
    const [again] = late.index.lateBundles(9)
    assert.deepEqual(
      again?.projects,
      [late.world.shop, late.world.blog],
      'late once more for another project',
    )
    await late.close()
  })
})
