import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import { systemClock } from '#base/clock.ts'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERRORS, type EventRow } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { NOTHING_HIDDEN } from '#model/hidden.ts'
import { encodeRow } from '#model/row-record.ts'
import type { BlockEntry } from '#ports/telemetry.ts'
import { BLOG, eventIdOf, SHOP } from '#testing/builders/ids.ts'
import { aScope } from '#testing/builders/scope.ts'
import { anEventRow } from '#testing/builders/stored-event.ts'
import { writtenRow } from '../store/duckdb/row-lines.ts'
import { openTelemetry } from '../store/duckdb/telemetry.ts'
import { openSegments } from '../store/segments/segments.ts'
import { rowOfEvent } from './row-of-event.ts'

const aRow = (number: number) =>
  anEventRow({ seq: seq(number), eventId: eventIdOf(number), title: `Grüße №${number}` })
const [FIRST, SECOND] = [aRow(1), aRow(2)]
const ROWS = [FIRST, SECOND, aRow(3)]
const FILE = { kind: ERRORS.kind, day: FIRST.day, retentionDays: FIRST.retentionDays }

it('gives the row as the columns have it, whether or not a payload was kept', async (t) => {
  const { telemetry, segments } = await storesOf(t)
  const rowOf = rowOfEvent(ERRORS, segments)
  for (const row of ROWS) {
    assert.deepEqual(await rowOf(FILE, SHOP, row.eventId), row)
    assert.deepEqual(await telemetry.event(aScope(SHOP), FILE, SHOP, row.eventId), row)
  }
  assert.equal(await rowOf(FILE, BLOG, FIRST.eventId), null)
  assert.equal(await rowOf(FILE, SHOP, eventIdOf(9)), null)
  assert.equal(await telemetry.event(aScope(SHOP), FILE, SHOP, eventIdOf(9)), null)
})

it('shows nothing outside the scope, nor what is deleted, nor what the columns do not have yet', async (t) => {
  const { telemetry, segments } = await storesOf(t)
  assert.equal(await telemetry.event(aScope(BLOG), FILE, SHOP, FIRST.eventId), null)
  const late = anEventRow({ seq: seq(4), eventId: eventIdOf(4) })
  await segments.append([aBlockOf([late])])
  assert.equal(await telemetry.event(aScope(SHOP), FILE, SHOP, late.eventId), null)
  const tombstone = { projectId: SHOP, hash: FIRST.groupHash, upToSeq: seq(1) }
  await telemetry.setHidden({ ...NOTHING_HIDDEN, tombstones: [tombstone] })
  assert.equal(await telemetry.event(aScope(SHOP), FILE, SHOP, FIRST.eventId), null)
  assert.deepEqual(await telemetry.event(aScope(SHOP), FILE, SHOP, SECOND.eventId), SECOND)
})

it('leaves an event to the columns where its payload file is gone', async (t) => {
  const { telemetry, segments } = await storesOf(t)
  await segments.remove(FILE)
  assert.deepEqual(await telemetry.event(aScope(SHOP), FILE, SHOP, FIRST.eventId), FIRST)
})

async function storesOf(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-row-of-event-'))
  const segments = openSegments({ directory: join(directory, 'payloads'), log: silentLog })
  const telemetry = await openTelemetry({
    ...{ tables: KINDS.tables, events: ERRORS },
    ...{ directory: join(directory, 'columns'), log: silentLog, clock: systemClock },
    rowOf: rowOfEvent(ERRORS, segments),
  })
  t.after(async () => {
    await telemetry.close()
    await segments.close()
    await rm(directory, { recursive: true })
  })
  await segments.append([aBlockOf(ROWS)])
  await telemetry.append(
    ROWS.map((row) => writtenRow(ERRORS, row)),
    seq(3),
  )
  return { segments, telemetry }
}

/** The second event comes without a payload. */
function aBlockOf(rows: readonly EventRow[]) {
  let body = ''
  const entries = rows.map((row): BlockEntry => {
    const payload = row.eventId === SECOND.eventId ? '' : JSON.stringify({ event_id: row.eventId })
    const [record, offset] = [encodeRow(ERRORS, row), Buffer.byteLength(body)]
    body += payload + record
    const lengths = { bytes: Buffer.byteLength(payload), rowBytes: Buffer.byteLength(record) }
    return { projectId: row.projectId, eventId: row.eventId, seq: row.seq, offset, ...lengths }
  })
  const compressed = zstdCompressSync(Buffer.from(body))
  return { block: { file: FILE, rawBytes: Buffer.byteLength(body), compressed }, entries }
}
