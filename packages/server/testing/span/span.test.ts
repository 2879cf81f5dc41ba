import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { dayOf, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { type CommitStep, createCommit } from '#commit/commit.ts'
import { clientReport } from '#kinds/client-report/index.ts'
import { error } from '#kinds/error/index.ts'
import { kindsOf } from '#kinds/kinds.ts'
import { fileStem } from '#model/file-name.ts'
import type { SequencedRecord } from '#model/record.ts'
import { createProcessor } from '#process/process.ts'
import { packBatch, unpackBatch } from '#process/transfer.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { anEnvelope, envelopeOf, rangeOf } from '#testing/builders/records.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { aWorld, type Opened, setPeriod, type World } from '#testing/worlds/retention.ts'
import { deepCheck } from '#upkeep/deep-check.ts'
import { rebuildColumns } from '#upkeep/rebuild.ts'
import { DAY, NOW } from '../builders/times.ts'
import { span } from './span.ts'

const KINDS = kindsOf([error, clientReport, span])

const TRACE = 'aaaabbbbccccddddaaaabbbbccccdddd'

/** Two spans and an error of one trace, as they come over the wire. */
function anEnvelopeOfSpans(number: number): Uint8Array {
  const start = NOW / 1_000
  const items = ['db.query', null].map((op, index) => ({
    ...{ trace_id: TRACE, start_timestamp: start, end_timestamp: start + number + index / 2 },
    ...{ op, attributes: { number, index } },
  }))
  const event = { event_id: number.toString(16).padStart(32, '0'), message: 'The query was slow.' }
  return envelopeOf(['span', { items }, { item_count: 2 }], ['event', event])
}

/** Wire → process → threads' buffer → commit. */
async function store(
  world: World,
  { house }: Opened,
  numbers: readonly number[],
  onStep: (step: CommitStep) => void = () => undefined,
): Promise<void> {
  const applied = await house.control.appliedSeq()
  const records = numbers.map(
    (number, index): SequencedRecord => ({
      ...anEnvelope(anEnvelopeOfSpans(number), { ...world.shop, receivedMs: world.clock.now() }),
      seq: seq(applied + index + 1),
    }),
  )
  const directory = await house.reader.ingestDirectory()
  const processor = createProcessor({ kinds: KINDS, directory, log: silentLog })
  const range = { ...rangeOf(records), firstSeq: seq(applied + 1), lastSeq: seq(applied + records.length) }
  const batch = processor.process(records, range, { quarantine: new Set() })
  const { message } = packBatch(batch, { kinds: KINDS, encoding: encodeRows })
  const commit = createCommit({ ...house, encoding: encodeRows, log: silentLog, onStep })
  await commit.recover()
  await commit.commit(unpackBatch(structuredClone(message), KINDS))
}

async function spansOf({ house }: Opened) {
  const files = (await house.telemetry.files()).filter(({ kind }) => kind === 'span')
  const rows = await Promise.all(files.map((file) => house.telemetry.rows(file, seq(0), 1_000)))
  return rows.flat().sort((a, b) => a.seq - b.seq || a.timestampMs - b.timestampMs)
}

async function wrongs({ house }: Opened, { clock }: World): Promise<readonly string[]> {
  const { segments, telemetry, eventIds, control, reader } = house
  const findings = await deepCheck({
    ...{ kinds: KINDS, control: reader, segments, telemetry, eventIds },
    ...{ appliedSeq: await control.appliedSeq(), hidden: await control.hidden() },
    today: dayOf(clock.now()),
  })
  return findings.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`)
}

async function filled(t: TestContext) {
  const world = await aWorld(t, KINDS)
  const opened = await world.open()
  await store(world, opened, [1, 2])
  await store(world, opened, [3])
  return { world, opened }
}

describe('a kind that is one folder and one line in the list', () => {
  it('goes from the wire to columns of its own, every field, and back', async (t) => {
    const { opened } = await filled(t)
    const rows = await spansOf(opened)
    const place = { projectId: rows[0]?.projectId, day: dayOf(NOW), retentionDays: 90, receivedMs: NOW }
    assert.deepEqual(
      rows,
      [1, 2, 3].flatMap((number) =>
        (['db.query', null] as const).map((op, index) => ({
          ...{ ...place, seq: number, traceId: TRACE, op },
          ...{ timestampMs: NOW + number * 1_000 + index * 500, durationMs: number * 1_000 + index * 500 },
        })),
      ),
    )
    const stems = (await opened.house.telemetry.files()).map(fileStem).sort()
    assert.deepEqual(stems, ['error-2026-11-16.90', 'span-2026-11-16.90'])
  })

  it('is stored once where a crash makes its batch come again', async (t) => {
    const { world, opened } = await filled(t)
    const crash = (step: CommitStep) => {
      if (step === 'columns') throw new Error('the power failed')
    }
    await assert.rejects(store(world, opened, [4], crash), /power/)
    const again = await world.open()
    await store(world, again, [4])
    assert.deepEqual(
      (await spansOf(again)).map((row) => row.seq),
      [1, 1, 2, 2, 3, 3, 4, 4],
    )
    assert.deepEqual(await wrongs(again, world), [])
  })

  it('counts what it stores under its own category, and a repeat only where there are ids', async (t) => {
    const { opened, world } = await filled(t)
    await store(world, opened, [3])
    const scope = scopeForTest({ orgId: world.org, projects: [world.shop.projectId] })
    const { groups } = await opened.house.reader.outcomes(scope, {
      ...{ startMs: NOW - DAY, endMs: NOW + DAY, intervalMs: null, projects: null, keys: null },
      groupBy: ['category', 'outcome'],
    })
    assert.deepEqual(groups.map(({ category, outcome, total }) => `${category} ${outcome} ${total}`).sort(), [
      'error accepted 3',
      'error invalid 1',
      'span accepted 8',
    ])
  })

  it('passes the deep check, and is made anew from the payloads alone', async (t) => {
    const { opened, world } = await filled(t)
    assert.deepEqual(await wrongs(opened, world), [])
    const before = await spansOf(opened)
    await opened.house.close()
    const columns = join(world.directory, 'columns')
    for (const name of await readdir(columns)) if (name.startsWith('span-')) await rm(join(columns, name))
    const bare = await world.open()
    const { segments, telemetry, control } = bare.house
    assert.match((await wrongs(bare, world)).join('\n'), /has payloads but no columns/)
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    assert.deepEqual(await wrongs(bare, world), [])
    assert.deepEqual(await spansOf(bare), before)
  })

  it('is compacted, and goes when its period is over', async (t) => {
    const { opened, world } = await filled(t)
    const before = await spansOf(opened)
    await opened.retention.compactNow({ includeToday: true })
    assert.deepEqual(await wrongs(opened, world), [])
    assert.deepEqual(await spansOf(opened), before)
    await setPeriod(opened, { org: world.org, project: world.shop.projectId, days: 30 })
    world.clock.advance(DAY * 92)
    await opened.retention.retain()
    assert.deepEqual(await spansOf(opened), [])
    assert.deepEqual(await opened.house.segments.files(), [])
  })
})
