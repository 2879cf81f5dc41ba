import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { seq } from '#base/ids.ts'
import { COMMIT_STEPS, type CommitStep } from '#commit/commit.ts'
import { KINDS } from '#kinds/kinds.ts'
import { rebuildColumns } from '#store/embedded/care/rebuild.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { DAY, HOUR, NOW } from '#testing/builders/times.ts'
import { bringRecords, findWrongs, recordsOf } from '#testing/worlds/replayed.ts'
import { aWorld, type Opened, setPeriod, type World } from '#testing/worlds/retention.ts'
import { SESSION } from './fields.ts'

const attrs = { release: 'web@1.0.0', environment: 'production' }
const started = new Date(NOW - HOUR).toISOString()

const update = (sid: string, status: string) =>
  envelopeOf(['session', { sid, started, status, did: `person of ${sid}`, attrs }])
const counted = (exited: number, crashed: number) =>
  envelopeOf(['sessions', { aggregates: [{ started, exited, crashed }], attrs }])

/** Two sessions of which one crashes, updates doubled and late, and five that a server counted. */
const BODIES = [
  update('a', 'exited'),
  update('b', 'crashed'),
  update('a', 'ok'),
  counted(3, 1),
  update('b', 'ok'),
  update('b', 'crashed'),
  counted(1, 0),
]
const EXPECTED = { sessions: 7, crashed: 2, people: 2, crashedPeople: 1 }

async function figuresOf({ house }: Opened, { org, shop }: World) {
  const scope = scopeForTest({ orgId: org, projects: [shop.projectId] })
  const nowHour = NOW / HOUR
  const [group] = await house.reader.health(scope, {
    ...{ startHour: nowHour - 24, endHour: nowHour + 24, stepHours: null, groupBy: [] },
    ...{ projects: null, releases: null, environments: null },
  })
  const { sessions, crashed, people, crashedPeople } = group?.totals ?? {}
  return { sessions, crashed, people, crashedPeople }
}

async function rowsOf({ house }: Opened) {
  const files = (await house.telemetry.files()).filter(({ kind }) => kind === SESSION)
  const rows = await Promise.all(files.map((file) => house.telemetry.rows(file, seq(0), 1_000)))
  return rows.flat().sort((a, b) => a.seq - b.seq)
}

async function filled(t: TestContext) {
  const world = await aWorld(t, KINDS)
  const opened = await world.open()
  await bringRecords(opened, recordsOf(world, BODIES))
  return { world, opened }
}

describe('sessions that are stored', () => {
  for (const step of COMMIT_STEPS) {
    it(`count once where the process ends at "${step}" of a batch and its journal is replayed`, async (t) => {
      const world = await aWorld(t, KINDS)
      const records = recordsOf(world, BODIES)
      let batches = 0
      const crash = (done: CommitStep) => {
        if (done === step && ++batches === 3) throw new Error('the power failed')
      }
      await assert.rejects(bringRecords(await world.open(), records, crash), /power/)
      const again = await world.open()
      await bringRecords(again, records)
      assert.deepEqual(await figuresOf(again, world), EXPECTED)
      assert.deepEqual(
        (await rowsOf(again)).map((row) => row.seq),
        [1, 2, 3, 4, 5, 6, 7],
      )
      assert.deepEqual(await findWrongs(again, world), [])
    })
  }

  it('are made anew from payloads alone, compacted, and go when their period is over', async (t) => {
    const { world, opened } = await filled(t)
    assert.deepEqual(await figuresOf(opened, world), EXPECTED)
    const before = await rowsOf(opened)
    await opened.house.close()
    const columns = join(world.directory, 'columns')
    for (const name of await readdir(columns)) if (name.startsWith('session-')) await rm(join(columns, name))
    const bare = await world.open()
    const { segments, telemetry, control } = bare.house
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    assert.deepEqual(await rowsOf(bare), before)
    await bare.retention.compactNow({ includeToday: true })
    assert.deepEqual([await rowsOf(bare), await findWrongs(bare, world)], [before, []])
    await setPeriod(bare, { org: world.org, project: world.shop.projectId, days: 30 })
    world.clock.advance(DAY * 92)
    await bare.retention.retain()
    assert.deepEqual(await rowsOf(bare), [])
  })
})
