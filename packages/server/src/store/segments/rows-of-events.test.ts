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
import { SPANS } from '#kinds/span/fields.ts'
import { NOTHING_HIDDEN } from '#model/hidden.ts'
import { encodeRow } from '#model/row-record.ts'
import type { BlockEntry } from '#ports/telemetry.ts'
import { writtenRow } from '#store/duckdb/row-lines.ts'
import { openTelemetry } from '#store/duckdb/telemetry.ts'
import { BLOG, eventIdOf, SHOP } from '#testing/builders/ids.ts'
import { aScope } from '#testing/builders/scope.ts'
import { anEventRow } from '#testing/builders/stored-event.ts'
import { PATIENCE } from '#testing/patience.ts'
import { rowsOfEvents } from './rows-of-events.ts'
import { openSegments } from './segments.ts'

const aRow = (number: number) =>
  anEventRow({ seq: seq(number), eventId: eventIdOf(number), title: `Grüße №${number}` })
const [FIRST, SECOND] = [aRow(1), aRow(2)]
const ROWS = [FIRST, SECOND, aRow(3)]
const FILE = { kind: ERRORS.kind, day: FIRST.day, retentionDays: FIRST.retentionDays }

it('gives rows as the columns have them, in the order asked, whether or not a payload was kept', async (t) => {
  const { telemetry, segments } = await storesOf(t)
  const rowsOf = rowsOfEvents(ERRORS, segments)
  const asked = [...ROWS].reverse()
  assert.deepEqual(await rowsOf(FILE, asked, 0), asked)
  for (const row of ROWS) assert.deepEqual(await telemetry.event(aScope(SHOP), FILE, SHOP, row.eventId), row)
  const unknown = [
    { projectId: BLOG, eventId: FIRST.eventId },
    { projectId: SHOP, eventId: eventIdOf(9) },
  ]
  assert.deepEqual(await rowsOf(FILE, [...unknown, SECOND], 0), [null, null, SECOND])
  assert.equal(await telemetry.event(aScope(SHOP), FILE, SHOP, eventIdOf(9)), null)
  assert.deepEqual(await rowsOf({ ...FILE, retentionDays: 30 }, [SECOND], 0), [null])
})

it('unpacks several blocks for rows only within the bytes given, those at hand not counted', async (t) => {
  const { segments } = await storesOf(t)
  const later = [aRow(4), aRow(5)]
  const blocks = later.map((row) => aBlockOf([row]))
  await segments.append(blocks)
  const rowsOf = rowsOfEvents(ERRORS, segments)
  const bytes = blocks.reduce((sum, { block }) => sum + block.rawBytes, 0)
  assert.deepEqual(await rowsOf(FILE, later, bytes - 1), [null, null])
  assert.deepEqual(await rowsOf(FILE, later.slice(0, 1), 0), later.slice(0, 1))
  assert.deepEqual(await rowsOf(FILE, later, 0), later, 'the first block is at hand by now')
})

it('pages through the same rows from blocks, from columns, and from some of each', async (t) => {
  const { telemetry, segments } = await storesOf(t)
  const late = anEventRow({ seq: seq(4), eventId: eventIdOf(4), timestampMs: FIRST.timestampMs + 1 })
  await telemetry.append([writtenRow(ERRORS, late)], seq(4)) // without a payload block
  const groups = [{ projectId: SHOP, hash: FIRST.groupHash }]
  const page = () => telemetry.events(aScope(SHOP), { groups, files: [FILE] }, { limit: 10, cursor: null })
  const { rows } = await page()
  assert.deepEqual(new Set(rows), new Set([...ROWS, late]))
  await segments.remove(FILE)
  assert.deepEqual((await page()).rows, rows)
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
    ...PATIENCE,
    ...{ tables: KINDS.tables, events: ERRORS, fragments: SPANS },
    ...{ directory: join(directory, 'columns'), log: silentLog, clock: systemClock },
    rowsOf: rowsOfEvents(ERRORS, segments),
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
