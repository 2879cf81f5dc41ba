/** Late maps over real stores, ended at every step. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { ErrataError } from '#base/errors.ts'
import { dayOf, type GroupHash, readEventId, seq } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { KINDS } from '#kinds/kinds.ts'
import { max } from '#limits/limits.ts'
import { deepCheck } from '#store/embedded/care/deep-check.ts'
import { FilesHeld } from '#store/embedded/care/files-held.ts'
import { NOW } from '#testing/builders/times.ts'
import { openLateWorld } from '#testing/worlds/late-maps.ts'
import { type MendingParts, mendLate } from './mending.ts'

const FILE = { kind: 'error', day: dayOf(NOW), retentionDays: 90 } as const
const IDS = ['1'.repeat(32), '2'.repeat(32)] as const

/** Two builds failed at one place, the second one twice; then their maps came, the second one's first. */
async function aLateWorld() {
  const late = await openLateWorld()
  const hashes: GroupHash[] = []
  for (const debugId of [IDS[0], IDS[1], IDS[1]]) hashes.push(await late.send(debugId))
  for (const debugId of IDS.toReversed()) late.upload(debugId)
  return { ...late, hashes }
}

type TwoBuilds = Awaited<ReturnType<typeof aLateWorld>>

/** Returns what people see. */
async function shown(late: TwoBuilds) {
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

/** Returns events as they are in columns and payloads. */
async function stored({ house, world }: Pick<TwoBuilds, 'house' | 'world'>) {
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
async function assertSound({ house }: TwoBuilds) {
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
  const { maps, telemetry, payloads } = parts
  const { care, joinGroups } = parts
  return {
    ...parts,
    ...watched({ joinGroups }),
    ...{ care: watched(care), maps: watched(maps), telemetry: watched(telemetry) },
    payloads: watched(payloads),
  }
}

describe('maps that come after their events', () => {
  const never = new AbortController().signal

  it('make one issue of two builds, once, whatever ends in between', async () => {
    // The end before a call is the end after the one before it, but for the first.
    for (let number = 1, when: 'before' | 'after' = 'before'; ; ) {
      const late = await aLateWorld()
      try {
        const ended = await mendLate(endingAt(late.parts, number, when), new Set(), never).then(
          () => false,
          () => true,
        )
        if (ended) await mendLate(late.parts, new Set(), never)
        assert.deepEqual(await shown(late), MENDED, `${when} call ${number}`)
        assert.deepEqual(late.index.lateBundles(9), [])
        if (!ended) {
          assert.ok(number > 18, `${number} calls`)
          break
        }
      } finally {
        await late.close()
      }
      if (when === 'after') number++
      when = 'after'
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
    const care = {
      ...late.parts.care,
      payloadBytes: async () => [{ file: FILE, bytes: max('mendOpenFileBytesMax') + 1 }],
    }
    const joined = new Set<number>()
    assert.equal(await mendLate({ ...late.parts, care }, joined, never), 'later')
    assert.equal((await shown(late)).stored[0]?.[0], IDS[0])
    const tomorrow = { ...late.parts, care, now: () => NOW + DAY_MS }
    assert.equal(await mendLate(tomorrow, joined, never), 'done')
    assert.deepEqual(await shown(late), MENDED)
    await late.close()
  })

  it('leave a file that cannot be written anew, and go on', async () => {
    const late = await aLateWorld()
    const care = {
      ...late.parts.care,
      changeEvents: () => Promise.reject(new Error('the disk is full')),
    }
    assert.equal(await mendLate({ ...late.parts, care }, new Set(), never), 'done')
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
