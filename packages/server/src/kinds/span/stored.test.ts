import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { readEventId, seq } from '#base/ids.ts'
import { COMMIT_STEPS, type CommitStep } from '#commit/commit.ts'
import { ERROR } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { StoredRow } from '#model/fields.ts'
import { createFindEvent } from '#queries/find-event.ts'
import { rebuildColumns } from '#store/embedded/care/rebuild.ts'
import { anActor } from '#testing/builders/actor.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { aSpan, spanEnvelope, spanId, transactionEnvelope } from '#testing/builders/spans.ts'
import { DAY, HOUR, NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { bringRecords, findWrongs, recordsOf } from '#testing/worlds/replayed.ts'
import { aWorld, type Opened, type World } from '#testing/worlds/retention.ts'
import { type FragmentRow, SPAN } from './fields.ts'
import { readStoredSpans } from './stored-spans.ts'

const ID = 'e'.repeat(32)
const ANNA = 'email:anna@shop.example'
const http = {
  ...{ 'http.request.method': 'GET', 'http.response.status_code': 200, 'next.rsc': false },
  ...{ 'http.route': '/orders/[id]', 'user.email': 'anna@shop.example' },
}

/** Span of a sampled trace: one of four is sent. */
const sampled = { ...http, 'sentry.sample_rate': 0.25 }

const named = { 'sentry.segment.name': 'GET /orders/[id]' }
const queries = spanEnvelope(
  [1, 2, 3, 4, 5, 6].map((at) =>
    aSpan({
      ...{ id: `b${at}`, parent: 'a', segment: 'a', op: 'db', at: at * 10, ms: 5 },
      ...{ name: `SELECT ${at}`, attributes: named },
    }),
  ),
)
const slow = spanEnvelope([aSpan({ id: 'a', isSegment: true, segment: 'a', ms: 200, attributes: http })])
const quick = spanEnvelope([
  aSpan({ id: 'c', isSegment: true, segment: 'c', ms: 20, trace: 'b'.repeat(32), attributes: sampled }),
])
const time = NOW / 1_000
const transaction = transactionEnvelope({
  ...{
    event_id: ID,
    transaction: '/orders/[id]',
    platform: 'javascript',
    transaction_info: { source: 'route' },
  },
  ...{ start_timestamp: time, timestamp: time + 1.5, measurements: { lcp: { value: 1_200 } } },
  contexts: { trace: { trace_id: 'f'.repeat(32), span_id: spanId('d'), op: 'pageload' } },
})
const error = envelopeOf(['event', { event_id: ID, message: 'boom', platform: 'node' }])

const later = spanEnvelope([
  aSpan({ id: 'e', isSegment: true, segment: 'e', ms: 300, trace: 'd'.repeat(32) }),
])

/** Fragments of one segment apart and doubled, one that is left out, and a transaction and an error of one id. */
const BODIES = [queries, slow, slow, quick, transaction, error, transaction, quick, error, queries]
const EXPECTED = {
  routes: [
    ['/orders/[id]', 'browser', 1, 1_500],
    ['/orders/[id]', 'document', 5, 280],
  ],
  vitals: [['lcp', 1]],
  costs: [['SELECT ?', 6, 1]],
  accepted: [
    ['error', 1],
    ['span', 8],
    ['transaction', 1],
  ],
  duplicates: [
    ['error', 1],
    ['span', 8],
    ['transaction', 1],
  ],
}

/** Keeps the spans of what took 150 ms; counts everything. */
async function worldWithRule(t: TestContext): Promise<World> {
  const world = await aWorld(t, KINDS)
  const { house } = await world.open()
  const options = { spanSampling: { share: 0, slowMs: 150 }, spanRetentionDays: 30 }
  value(await house.control.updateProject(world.org, world.shop.projectId, { options }, anActor()))
  return world
}

const scopeOf = ({ org, shop }: World) => scopeForTest({ orgId: org, projects: [shop.projectId] })

async function figuresOf({ house }: Opened, world: World) {
  const scope = scopeOf(world)
  const query = { projects: null, startMs: NOW - DAY, endMs: NOW + DAY }
  const { groups } = await house.reader.outcomes(scope, {
    ...{ startMs: NOW - HOUR, endMs: NOW + HOUR, intervalMs: null, projects: null, keys: null },
    groupBy: ['outcome', 'reason', 'category'],
  })
  const counted = (wanted: string) =>
    groups
      .filter(({ outcome, reason }) => `${outcome} ${reason}` === wanted)
      .map(({ category, total }) => [category, total])
      .sort()
  return {
    routes: (await house.reader.routes(scope, query)).map(({ route, kind, count, totalMs }) => [
      ...[route, kind, count, Math.round(totalMs)],
    ]),
    vitals: (await house.reader.vitals(scope, query)).map(({ vital, count }) => [vital, count]),
    costs: (await house.reader.spanCosts(scope, query, 10)).map((cost) => [
      ...[cost.description, cost.count, cost.repeatedIn],
    ]),
    accepted: counted('accepted null'),
    duplicates: counted('invalid duplicate'),
  }
}

async function rowsOf({ house }: Opened, kind: string = SPAN): Promise<readonly FragmentRow[]> {
  const files = (await house.telemetry.files()).filter((file) => file.kind === kind)
  const rows: readonly StoredRow[] = (
    await Promise.all(files.map((file) => house.telemetry.rows(file, seq(0), 1_000)))
  ).flat()
  return (rows as readonly FragmentRow[]).toSorted((a, b) => a.seq - b.seq) // of the kind asked for
}

/** How many spans are kept of each row. */
async function keptSpans(opened: Opened): Promise<readonly number[]> {
  const kept: number[] = []
  for (const row of await rowsOf(opened)) {
    const file = { kind: SPAN, day: row.day, retentionDays: row.retentionDays }
    const payload = await opened.house.segments.read(file, row.projectId, row.eventId)
    kept.push(payload === null ? 0 : (readStoredSpans(payload, row.timestampMs)?.spans.length ?? 0))
  }
  return kept
}

async function isAsExpected(opened: Opened, world: World): Promise<void> {
  assert.deepEqual(await figuresOf(opened, world), EXPECTED)
  assert.deepEqual(
    (await rowsOf(opened)).map((row) => [row.seq, row.isSampledOut, row.spanCount]),
    [
      [1, true, 6],
      [2, false, 1],
      [4, true, 1],
      [5, false, 1],
    ],
  )
  assert.deepEqual(await keptSpans(opened), [0, 1, 0, 1])
  assert.deepEqual(await findWrongs(opened, world), [])
}

async function filled(t: TestContext) {
  const world = await worldWithRule(t)
  const opened = await world.open()
  await bringRecords(opened, recordsOf(world, BODIES))
  return { world, opened }
}

describe('spans that are stored', () => {
  for (const step of COMMIT_STEPS) {
    it(`count once where the process ends at "${step}" of a batch and its journal is replayed`, async (t) => {
      const world = await worldWithRule(t)
      const records = recordsOf(world, BODIES)
      let batches = 0
      const crash = (done: CommitStep) => {
        if (done === step && ++batches === 3) throw new Error('the power failed')
      }
      await assert.rejects(bringRecords(await world.open(), records, crash), /power/)
      const again = await world.open()
      await bringRecords(again, records)
      await isAsExpected(again, world)
    })
  }

  it('leave the error of the same id to be found, and are found beside it', async (t) => {
    const { world, opened } = await filled(t)
    const id = readEventId(ID)
    assert.ok(id !== null)
    const find = createFindEvent({ eventIds: opened.house.eventIds, telemetry: opened.house.telemetry })
    assert.equal((await find(scopeOf(world), id))?.seq, 6)
    const [fragment] = (await rowsOf(opened)).filter(({ eventId }) => eventId === id)
    assert.equal(fragment?.seq, 5)
    assert.equal((await rowsOf(opened, ERROR)).length, 1)
  })

  it('are made anew from payloads alone and compacted, those without one too', async (t) => {
    const { world, opened } = await filled(t)
    const before = await rowsOf(opened)
    await opened.house.close()
    const columns = join(world.directory, 'columns')
    for (const name of await readdir(columns)) if (name.startsWith('span-')) await rm(join(columns, name))
    const bare = await world.open()
    const { segments, telemetry, control } = bare.house
    await rebuildColumns({ kinds: KINDS, segments, telemetry, appliedSeq: await control.appliedSeq() })
    assert.deepEqual(await rowsOf(bare), before)
    await bare.retention.compactNow({ includeToday: true })
    await isAsExpected(bare, world)
    assert.deepEqual(await rowsOf(bare), before)
    const again = await world.open()
    await bringRecords(again, recordsOf(world, BODIES))
    await isAsExpected(again, world)
  })

  it('go when their own period is over, and errors stay', async (t) => {
    const { world, opened } = await filled(t)
    world.clock.advance(32 * DAY)
    await opened.retention.retain()
    assert.deepEqual([await rowsOf(opened), (await rowsOf(opened, ERROR)).length], [[], 1])
    assert.equal((await opened.house.telemetry.files()).length, 1)
    assert.equal((await figuresOf(opened, world)).routes.length, 2)
  })

  it('go by their oldest day where the disk is full, and their figures stay', async (t) => {
    const world = await worldWithRule(t)
    const old = recordsOf(world, BODIES).map((record) => ({ ...record, receivedMs: NOW - 2 * DAY }))
    await bringRecords(await world.open(), [...old, ...recordsOf(world, [later], BODIES.length + 1)])
    const full = await world.open({ maxDiskBytes: 1 })
    const before = await figuresOf(full, world)
    await full.retention.retain()
    assert.deepEqual(
      (await rowsOf(full)).map(({ traceId }) => traceId),
      ['d'.repeat(32)],
    )
    const removed = (await full.house.reader.upkeepDone(5)).removals
    assert.deepEqual(removed.map(({ file, reason }) => `${file.kind} ${reason}`).sort(), [
      'error disk',
      'span disk',
    ])
    assert.deepEqual((await figuresOf(full, world)).routes, before.routes)
    assert.deepEqual(await findWrongs(full, world), [])
  })

  it('are missed by the deep check where their payloads are gone', async (t) => {
    const { world, opened } = await filled(t)
    await opened.house.close()
    const payloads = join(world.directory, 'payloads')
    const kept = (await readdir(payloads)).filter((name) => name.startsWith('span-'))
    assert.ok(kept.length > 0, (await readdir(payloads)).join())
    for (const name of kept) await rm(join(payloads, name))
    assert.match((await findWrongs(await world.open(), world)).join(), /span-/)
  })

  it('go with the person whom they name', async (t) => {
    const { world, opened } = await filled(t)
    const { house } = opened
    const { events, people } = await house.telemetry.personEvents(world.shop.projectId, ANNA)
    assert.deepEqual([events, people], [2, [ANNA]])
    const deletion = { orgId: world.org, projectId: world.shop.projectId, person: ANNA }
    assert.equal(value(await opened.deletePerson(deletion, anActor())).events, 2)
    const { rows } = await house.telemetry.segments(
      scopeOf(world),
      { files: await house.telemetry.files(), projects: null, startMs: 0, endMs: NOW + DAY },
      { sort: 'newest', limit: 10, cursor: null },
    )
    assert.deepEqual(
      rows.map((row) => row.seq),
      [5],
    )
    await opened.retention.compactNow({ includeToday: true })
    assert.deepEqual(
      (await rowsOf(opened)).map((row) => row.seq),
      [1, 5],
    )
    assert.deepEqual(await findWrongs(opened, world), [])
  })
})
