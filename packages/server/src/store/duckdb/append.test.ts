import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import type { WrittenRow } from '#ports/telemetry.ts'
import { anEventRow, FIRST_DAY, placeInFile } from '#testing/builders/stored-event.ts'
import { RowWriter } from './append.ts'
import { ColumnFiles } from './column-files.ts'
import { type DuckSession, openDriver } from './driver.ts'
import { writtenRow } from './row-lines.ts'

const FILE = { kind: 'error', day: FIRST_DAY, retentionDays: 90 } as const

/** A writer on a real store whose commits fail as often as `failures` says, with these words. */
async function failingWriter(t: TestContext, failures: number, words: string) {
  const directory = await mkdtemp(join(tmpdir(), 'errata-append-'))
  const driver = await openDriver(directory)
  const [catalog, real] = [await driver.connect(), await driver.connect()]
  let left = failures
  const writer: DuckSession = {
    ...real,
    query: (sql, parameters) =>
      sql === 'COMMIT' && left-- > 0 ? Promise.reject(new Error(words)) : real.query(sql, parameters),
  }
  const files = new ColumnFiles(directory, {
    tables: [ERRORS],
    catalog,
    writer,
    log: silentLog,
    whenDamaged: 'leave',
  })
  t.after(async () => {
    await files.close()
    for (const session of [catalog, real]) session.close()
    driver.close()
    await rm(directory, { recursive: true })
  })
  const stored = () =>
    files.use(FILE, async ({ alias }) => {
      const rows = await catalog.query(`SELECT seq::DOUBLE FROM ${alias}.rows ORDER BY seq`)
      return rows.map(([value]) => value)
    })
  return { rows: new RowWriter(files, writer, silentLog), stored, facts: () => files.facts(FILE) }
}

function rowsOf(...seqs: readonly number[]): WrittenRow[] {
  return seqs.map((number) =>
    writtenRow(ERRORS, anEventRow({ ...placeInFile(FILE), seq: seq(number), timestampMs: 1_000 * number })),
  )
}

describe('appending rows', () => {
  for (const failures of [1, 2]) {
    it(`goes in smaller parts where memory was short ${failures} times, and stores each row once`, async (t) => {
      const { rows, stored, facts } = await failingWriter(t, failures, 'Out of Memory Error: as it happens')
      const batch = rowsOf(1, 1, 2, 3, 3, 3, 4)
      await rows.append(batch, 9)
      await rows.append(batch, 9)
      assert.deepEqual(await stored(), [1, 1, 2, 3, 3, 3, 4])
      assert.deepEqual(await facts(), { appliedSeq: 9, leastMs: 1_000, greatestMs: 4_000 })
    })
  }

  it('fails loudly where even one row finds no memory, and completes when there is some again', async (t) => {
    const { rows, stored } = await failingWriter(t, 3, 'Out of Memory Error: as it happens')
    const batch = rowsOf(1, 2, 3, 4)
    await assert.rejects(rows.append(batch, 4), /Out of Memory/)
    await rows.append(batch, 4)
    assert.deepEqual(await stored(), [1, 2, 3, 4])
  })

  it('leaves nothing behind of a transaction that failed otherwise', async (t) => {
    const { rows, stored, facts } = await failingWriter(t, 1, 'IO Error: disk full')
    await assert.rejects(rows.append(rowsOf(1, 2), 2), /disk full/)
    assert.deepEqual(await stored(), [])
    assert.deepEqual(await facts(), { appliedSeq: 0, leastMs: null, greatestMs: null })
    await rows.append(rowsOf(1, 2), 2)
    assert.deepEqual(await stored(), [1, 2])
  })
})
