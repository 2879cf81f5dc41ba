/** Promises of every index of event ids, as tests over real payload files. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { type Clock, manualClock } from '#base/clock.ts'
import { day, dayStartMs, type EventId, type ProjectId, projectId, type Seq, seq } from '#base/ids.ts'
import type { FileName } from '#model/file-name.ts'
import type { AskedId } from '#ports/telemetry.ts'
import type { EventIdCare, PayloadCare } from '#store/embedded/care/stores/payloads.ts'
import { aBlock, aPayload, type PayloadSpec } from '../../builders/payload-block.ts'

export interface EventIdsWorld {
  readonly directory: string
  readonly segments: PayloadCare
  readonly clock: Clock
  readonly appliedSeq: Seq
}

export interface EventIdsImplementation {
  readonly openSegments: (directory: string) => PayloadCare
  readonly open: (world: EventIdsWorld) => Promise<EventIdCare>
}

const TODAY = day(20_000)
const FILE: FileName = { kind: 'error', day: TODAY, retentionDays: 90 }

/** True for an id that was added. */
export async function isStored(
  ids: Pick<EventIdCare, 'fresh'>,
  ...[projectId, eventId, file]: readonly [ProjectId, EventId, AskedId['file']]
): Promise<boolean> {
  const [isFresh] = await ids.fresh([{ projectId, eventId, file }])
  return isFresh === false
}

export function eventIdsContract(name: string, implementation: EventIdsImplementation): void {
  describe(`event ids: ${name}`, () => {
    it('know what was added within the duplicate days, of the same project', async (t) => {
      const { ids, store } = await aWorld(t, implementation)
      await store(FILE, [aPayload(1)])
      const { projectId: project, eventId } = aPayload(1)
      assert.ok(await isStored(ids(), project, eventId, FILE))
      assert.ok(await isStored(ids(), project, eventId, { ...FILE, day: day(TODAY + 7) }))
      assert.ok(!(await isStored(ids(), project, eventId, { ...FILE, day: day(TODAY + 8) })))
      assert.ok(!(await isStored(ids(), projectId(999), eventId, FILE)))
      assert.ok(!(await isStored(ids(), project, aPayload(2).eventId, FILE)))
    })

    it('keep kinds apart', async (t) => {
      const { ids, store, restart } = await aWorld(t, implementation)
      const spans: FileName = { kind: 'span', day: TODAY, retentionDays: 90 }
      const { projectId: project, eventId } = aPayload(1)
      await store(spans, [aPayload(1)])
      for (const again of [async () => undefined, restart]) {
        await again()
        assert.ok(await isStored(ids(), project, eventId, spans))
        assert.ok(!(await isStored(ids(), project, eventId, FILE)))
        assert.deepEqual(await ids().find(project, eventId, 'span'), [spans])
        assert.deepEqual(await ids().find(project, eventId, 'error'), [])
      }
    })

    it('name the files that may hold an event, newest first', async (t) => {
      const { ids, store } = await aWorld(t, implementation)
      const files: FileName[] = [
        { kind: 'error', day: day(TODAY - 40), retentionDays: 90 },
        { kind: 'error', day: TODAY, retentionDays: 30 },
        { kind: 'error', day: TODAY, retentionDays: 365 },
      ]
      for (const [at, file] of files.entries()) await store(file, [{ ...aPayload(7), seq: seq(at + 1) }])
      await store(FILE, [aPayload(8)])
      const { projectId: project, eventId } = aPayload(7)
      assert.deepEqual(await ids().find(project, eventId, FILE.kind), [files[2], files[1], files[0]])
      assert.deepEqual(await ids().find(project, aPayload(9).eventId, FILE.kind), [])
    })

    it('are the same after a restart and after a crash, with runs or without', async (t) => {
      const { ids, store, restart, crash, world } = await aWorld(t, implementation)
      const all: PayloadSpec[] = []
      for (let round = 0; round < 6; round++) {
        const batch = Array.from({ length: 50 }, (_, at) => aPayload(round * 50 + at + 1))
        await store(round % 2 === 0 ? FILE : { kind: 'error', day: day(TODAY - 1), retentionDays: 30 }, batch)
        all.push(...batch)
        if (round === 1 || round === 2) await restart()
        if (round === 4) await crash()
        for (const spec of all) assert.ok(await isStored(ids(), spec.projectId, spec.eventId, FILE))
        assert.ok(!(await isStored(ids(), aPayload(9_999).projectId, aPayload(9_999).eventId, FILE)))
      }
      // Without its own files at all, everything comes from the payloads.
      await rm(world.directory, { recursive: true })
      await crash()
      for (const spec of all)
        assert.equal((await ids().find(spec.projectId, spec.eventId, FILE.kind)).length, 1)
    })

    it('hold nothing of a batch that was not committed', async (t) => {
      const { ids, store, write, crash, segments } = await aWorld(t, implementation)
      await store(FILE, [aPayload(1)])
      await write(FILE, [aPayload(2)])
      const { projectId: project, eventId } = aPayload(2)
      assert.ok(!(await isStored(ids(), project, eventId, FILE)))
      await crash()
      assert.ok(!(await isStored(ids(), project, eventId, FILE)), 'the payload is there, the commit is not')
      await segments.truncateBeyond(seq(1))
      await ids().recover(seq(1))
      assert.ok(!(await isStored(ids(), project, eventId, FILE)))
      assert.ok(await isStored(ids(), aPayload(1).projectId, aPayload(1).eventId, FILE))
    })

    it('take up a committed batch that never reached them', async (t) => {
      const { ids, store, write } = await aWorld(t, implementation)
      await store(FILE, [aPayload(1)])
      await write(FILE, [aPayload(2)])
      await ids().recover(seq(2))
      assert.ok(await isStored(ids(), aPayload(2).projectId, aPayload(2).eventId, FILE))
    })

    it('go back with a control store that was restored from earlier', async (t) => {
      const { ids, store, restart, world } = await aWorld(t, implementation)
      await store(FILE, [aPayload(1)])
      await restart()
      await store(FILE, [aPayload(2)])
      await restart()
      world.appliedSeq = seq(1)
      await world.segments.truncateBeyond(seq(1))
      await restart()
      assert.ok(await isStored(ids(), aPayload(1).projectId, aPayload(1).eventId, FILE))
      assert.ok(!(await isStored(ids(), aPayload(2).projectId, aPayload(2).eventId, FILE)))
    })

    it('keep a file for as long as it is there, whatever its age, and forget it with it', async (t) => {
      const { ids, store, restart, world } = await aWorld(t, implementation)
      const old: FileName = { kind: 'error', day: day(TODAY - 29), retentionDays: 30 }
      await store(old, [aPayload(1)])
      await restart()
      assert.equal((await ids().find(aPayload(1).projectId, aPayload(1).eventId, FILE.kind)).length, 1)
      world.clock.advance(2 * 86_400_000)
      await store({ kind: 'error', day: day(TODAY + 2), retentionDays: 90 }, [aPayload(2)])
      assert.equal((await ids().find(aPayload(1).projectId, aPayload(1).eventId, FILE.kind)).length, 1)
      await ids().forget(old)
      assert.deepEqual(await ids().find(aPayload(1).projectId, aPayload(1).eventId, FILE.kind), [])
      assert.equal((await ids().find(aPayload(2).projectId, aPayload(2).eventId, FILE.kind)).length, 1)
    })
  })
}

/** Payload files and ids over them; `crash` opens them anew without closing. */
async function aWorld(t: TestContext, { openSegments, open }: EventIdsImplementation) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-ids-'))
  const segments = openSegments(join(directory, 'payloads'))
  const world = {
    directory: join(directory, 'ids'),
    segments,
    clock: manualClock(dayStartMs(TODAY)),
    appliedSeq: seq(0),
  }
  let ids = await open(world)
  t.after(async () => {
    await segments.close()
    await rm(directory, { recursive: true })
  })
  const write = async (file: FileName, payloads: readonly PayloadSpec[]) => {
    await segments.append([aBlock(file, payloads)])
  }
  return {
    world,
    segments,
    ids: () => ids,
    write,
    async store(file: FileName, payloads: readonly PayloadSpec[]) {
      await write(file, payloads)
      world.appliedSeq = payloads.at(-1)?.seq ?? world.appliedSeq
      await ids.add(payloads.map((payload) => ({ ...payload, file })))
    },
    async restart() {
      await ids.close()
      ids = await open(world)
    },
    async crash() {
      ids = await open(world)
    },
  }
}
