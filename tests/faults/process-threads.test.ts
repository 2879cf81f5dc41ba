/** The same traffic through one, two and eight process threads, compared row by row and counter by counter. */

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createAccept } from '../../packages/server/src/accept/accept.ts'
import { manualClock } from '../../packages/server/src/base/clock.ts'
import { eventId, projectId, type Seq, seq } from '../../packages/server/src/base/ids.ts'
import { silentLog } from '../../packages/server/src/base/log.ts'
import { systemRandom } from '../../packages/server/src/base/random.ts'
import type { CommittedBatch } from '../../packages/server/src/commit/commit.ts'
import { Hints } from '../../packages/server/src/engine/hints.ts'
import { ProcessThread } from '../../packages/server/src/engine/threads/process-thread.ts'
import { openFairJournal } from '../../packages/server/src/journal/fair-journal.ts'
import { KINDS } from '../../packages/server/src/kinds/kinds.ts'
import type { RowValues } from '../../packages/server/src/model/fields.ts'
import type { FileName } from '../../packages/server/src/model/file-name.ts'
import { Dispatch } from '../../packages/server/src/process/dispatch.ts'
import { type PackedBatch, unpackBatch } from '../../packages/server/src/process/transfer.ts'
import { openLargeBlobs } from '../../packages/server/src/store/blobs/large-blobs.ts'
import { aRequest } from '../../packages/server/testing/builders/accept-request.ts'
import { NOW } from '../../packages/server/testing/builders/times.ts'
import { type House, openHouse } from '../../packages/server/testing/worlds/stores.ts'
import { setUpTwoProjects } from '../../packages/server/testing/worlds/two-projects.ts'
import { capturedPayloads } from '../support/captured.ts'

/** Envelopes of a range: what is sent is processed as dozens of ranges, each by whoever is free. */
const RANGE_ENVELOPES = 5
const PROCESS_THREAD = new URL('../../packages/server/src/engine/threads/process.ts', import.meta.url)

const idOf = (number: number) => number.toString(16).padStart(32, '0')

/** An envelope of one item. */
const envelope = (number: number, item: object, payload: string) =>
  `{"event_id":"${idOf(number)}"}\n${JSON.stringify(item)}\n${payload}\n`

/** Returns what SDKs sent, and beside it a flood of one issue, repeats, refusals, sessions, spans, reports and attachments. */
function bodies(): (string | Uint8Array)[] {
  const captured = capturedPayloads().map((one) => one.envelope.replace(/"dsn":"[^"]*",?/, ''))
  const flood = Array.from({ length: 150 }, (_, at) => {
    const value = `no order ${at % 3}`
    const extra = at % 7 === 0 ? { contexts: { response: { digest: `digest-${at % 4}` } } } : {}
    return envelope(1_000 + at, { type: 'event' }, JSON.stringify({ ...extra, ...thrown(value, at) }))
  })
  const mixed = Array.from({ length: 60 }, (_, at) => {
    const id = 5_000 + at
    return [
      envelope(
        id,
        { type: 'event' },
        JSON.stringify({ message: `number ${at % 9}`, user: { id: `u${at % 5}` } }),
      ),
      envelope(1_000 + at, { type: 'event' }, JSON.stringify(thrown('a repeat', at))),
      envelope(id, { type: 'event' }, '{"message":'),
      envelope(id, { type: 'transaction' }, JSON.stringify(transaction(at))),
      envelope(id, { type: 'session' }, JSON.stringify(session(at))),
      envelope(id, { type: 'client_report' }, JSON.stringify(report(at))),
      envelope(id, { type: 'of_no_kind' }, '{}'),
      envelope(id, { type: 'attachment', filename: `${at}.txt`, length: 4 }, 'file'),
    ][at % 8] as string
  })
  return [
    ...captured,
    ...flood,
    ...mixed,
    ...captured.map((one) => gzipSync(one)),
    gzipSync('cut').subarray(0, 9),
  ]
}

function thrown(value: string, at: number) {
  const frames = [{ filename: 'app/orders.ts', function: 'order', lineno: 7, in_app: true }]
  return {
    ...{
      platform: 'node',
      level: 'error',
      environment: ['production', 'preview'][at % 2],
      release: `1.${at % 3}`,
    },
    exception: { values: [{ type: 'Error', value, stacktrace: { frames } }] },
  }
}

function transaction(at: number) {
  const trace = { trace_id: idOf(70 + (at % 6)), span_id: idOf(at + 1).slice(16), op: 'http.server' }
  return {
    ...{
      transaction: 'GET /orders',
      start_timestamp: NOW / 1000 - 2,
      timestamp: NOW / 1000 - 1,
      platform: 'node',
    },
    contexts: { trace },
    spans: [],
  }
}

function session(at: number) {
  const started = new Date(NOW - 60_000).toISOString()
  return {
    sid: idOf(at % 11),
    init: at % 2 === 0,
    status: at % 3 === 0 ? 'crashed' : 'ok',
    started,
    attrs: { release: '1.1' },
  }
}

function report(at: number) {
  return {
    timestamp: NOW / 1000,
    discarded_events: [{ reason: 'sample_rate', category: 'error', quantity: at + 1 }],
  }
}

describe('process threads, one or many', () => {
  let root = ''
  const directory = (name: string | number) => join(root, String(name))
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'errata-process-threads-'))
    await receive(directory('received'))
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  it('store the same rows, payloads, counters and outcomes of the same traffic', async () => {
    const found = []
    for (const threads of [1, 2, 8]) {
      cpSync(directory('received'), directory(threads), { recursive: true })
      found.push(await processWith(directory(threads), threads))
    }
    const [one, ...others] = found
    assert.ok(one !== undefined)
    assert.ok((one.tables.issues?.length ?? 0) > 10, 'the traffic makes issues')
    assert.ok(one.rows.length > 150 && one.payloads.length > 50, 'rows and payloads are stored')
    assert.ok(
      one.payloads.filter((payload) => payload.endsWith(' none')).length > 50,
      'the flood is thinned out',
    )
    assert.ok((one.tables.outcomes?.length ?? 0) > 5, 'outcomes of several sorts are counted')
    for (const other of others) {
      assert.deepEqual(other.rows, one.rows)
      assert.deepEqual(other.payloads, one.payloads)
      for (const [table, rows] of Object.entries(one.tables))
        assert.deepEqual(other.tables[table], rows, table)
    }
  })
})

/** Accepts all of it into the journal of a new data directory, and processes nothing. */
async function receive(directory: string): Promise<void> {
  const house = await openHouse(directory)
  const { shop } = await setUpTwoProjects(house)
  keepFewPayloads(directory)
  const clock = manualClock(NOW)
  const journal = await journalOf(directory, house)
  const [ingest, blobs] = [
    await house.reader.ingestDirectory(),
    await openLargeBlobs({ directory: join(directory, 'blobs', 'large') }),
  ]
  const accept = createAccept({
    journal,
    directory: ingest,
    blobs,
    clock,
    random: systemRandom,
    log: silentLog,
  })
  const key = ingest.keys.find(({ id }) => id === shop.keyId)
  const query = new URLSearchParams({ sentry_key: key?.public ?? '' })
  for (const body of bodies()) {
    const contentEncoding = typeof body === 'string' ? null : 'gzip'
    await accept.accept(aRequest(body, { projectRef: String(shop.projectId), query, contentEncoding }))
  }
  await accept.flush()
  await accept.close()
  await journal.close()
  await house.close()
}

/** Caps payloads, so that much of the flood is stored without: process threads are told so while they work. */
function keepFewPayloads(directory: string): void {
  const database = new DatabaseSync(join(directory, 'control.sqlite'))
  database.exec("UPDATE projects SET options = json_set(options, '$.payloadsPerIssueHour', 5)")
  database.close()
}

async function journalOf(directory: string, house: House) {
  return openFairJournal({
    ...{
      directory: join(directory, 'journal'),
      clock: manualClock(NOW),
      log: silentLog,
      shareRecords: 1_000,
    },
    ...{
      appliedSeq: await house.control.appliedSeq(),
      appliedOverflow: await house.control.appliedOverflow(),
    },
  })
}

async function processWith(directory: string, count: number) {
  const house = await openHouse(directory)
  const journal = await journalOf(directory, house)
  const hints = new Hints(KINDS)
  const start = { data: directory, logLevel: 'error', clock: null, maxDiskBytes: null } as const
  const shared = { hints, usedMaps: { note() {} }, onWork() {} }
  const workers = Array.from({ length: count }, () => new ProcessThread(PROCESS_THREAD, start, shared))
  const ingest = await house.reader.ingestDirectory()
  for (const worker of workers) worker.setDirectory(ingest)
  const working = new Set<ProcessThread>()
  const dispatch = new Dispatch<PackedBatch, CommittedBatch>({
    journal: {
      takeRange: (_, bytes) => journal.takeRange(RANGE_ENVELOPES, bytes, 'any'),
      onSynced: (listener) => journal.onSynced(listener),
      release: (upTo) => journal.release(upTo),
      giveUp: (file) => journal.giveUp(file),
    },
    workers: workers.map((worker) => ({
      process(range, quarantine) {
        working.add(worker)
        return worker.process(range, quarantine)
      },
      replace: () => worker.replace(),
    })),
    commit: {
      recover: () => house.commit.recover(),
      commit: (packed) => house.commit.commit(unpackBatch(packed, KINDS)),
    },
    ...{ clock: manualClock(NOW), log: silentLog },
    onApplied: (applied) => hints.note(applied.hints),
  })
  dispatch.start()
  await dispatch.drained()
  dispatch.stop()
  assert.equal(working.size, count, 'every thread had its part')
  for (const worker of workers) await worker.close()
  await journal.close()
  const { rows, payloads } = await storedOf(house)
  await house.close()
  const tables = tablesOf(join(directory, 'control.sqlite'))
  return { rows, payloads, tables }
}

async function storedOf(house: House) {
  const rows: string[] = []
  const payloads: string[] = []
  for (const file of (await house.telemetry.files()).toSorted((a, b) => (a.kind < b.kind ? -1 : 1))) {
    for (let from = seq(0); ; ) {
      const page = await house.telemetry.rows(file, from, 500)
      for (const row of page as readonly (RowValues & { seq: Seq })[]) {
        rows.push(textOf({ kind: file.kind, ...row }))
        if (row.eventId !== undefined) payloads.push(await payloadOf(house, file, row))
      }
      const last = page.at(-1)
      if (last === undefined) break
      from = last.seq
    }
  }
  return { rows: rows.sort(), payloads: payloads.sort() }
}

async function payloadOf(house: House, file: FileName, row: RowValues): Promise<string> {
  const payload = await house.segments.read(
    file,
    projectId(Number(row.projectId)),
    eventId(String(row.eventId)),
  )
  return `${row.eventId} ${payload === null || payload.length === 0 ? 'none' : Buffer.from(payload).toString('utf8')}`
}

function tablesOf(path: string): Record<string, readonly string[]> {
  const database = new DatabaseSync(path, { readOnly: true })
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .all() as {
    name: string
  }[]
  const tables = names.map(({ name }) => {
    const select = database.prepare(`SELECT * FROM "${name}"`)
    select.setReadBigInts(true)
    const rows = select.all()
    return [name, rows.map(textOf).sort()] as const
  })
  database.close()
  return Object.fromEntries(tables)
}

const textOf = (row: object) =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))
