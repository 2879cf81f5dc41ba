import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { type GroupHash, groupHash, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { KINDS } from '#kinds/kinds.ts'
import { SPANS } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import { asTag, flag, list, number, orNull, pairs, type RowOf, rowTable, text, whole } from '#model/fields.ts'
import { HiddenRules, NOTHING_HIDDEN } from '#model/hidden.ts'
import { decodeRow, encodeRow } from '#model/row-record.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import type { ColumnCare } from '#store/embedded/care/stores/columns.ts'
import type { VerifyPlace, VerifyStep } from '#store/embedded/care/stores/verify-files.ts'
import { SHOP } from '#testing/builders/ids.ts'
import { aScope } from '#testing/builders/scope.ts'
import { anEventRow, FIRST_DAY } from '#testing/builders/stored-event.ts'
import { writtenError } from '#testing/contract/telemetry/store-under-test.ts'
import { telemetryContract } from '#testing/contract/telemetry/suite.ts'

import { PATIENCE } from '#testing/patience.ts'
import { encodeRows, writtenRow } from './row-lines.ts'
import { openTelemetry } from './telemetry.ts'

const TAGS: readonly (readonly [string, string])[] = [
  ['größe', '😀'],
  ['key', ''],
]
const STORE = {
  ...PATIENCE,
  tables: KINDS.tables,
  events: ERRORS,
  fragments: SPANS,
  datasets: KINDS.datasets,
  log: silentLog,
  clock: systemClock,
}

telemetryContract('DuckDB', (directory) => openTelemetry({ ...STORE, directory }), encodeRows)

describe('column files on the disk', () => {
  it('are named by day and class and readable by their owner alone', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    const store = await openTelemetry({ ...STORE, directory })
    await store.append([writtenError(anEventRow(), encodeRows)], seq(1))
    await store.close()
    const names = (await readdir(directory)).filter((name) => name.endsWith('.duckdb'))
    assert.deepEqual(names, ['error-2024-10-04.90.duckdb'])
    assert.equal((await stat(join(directory, 'error-2024-10-04.90.duckdb'))).mode & 0o777, 0o600)
  })
})

describe('what is only searched', () => {
  const FILE = { kind: 'error', day: FIRST_DAY, retentionDays: 90 } as const
  const ROWS = 4_000
  /** A long stack that rows repeat, and one text of each row's own before it, as events have them. */
  const detailsOf = (at: number) => [
    `error.value=no order ${at}`,
    ...Array.from({ length: 24 }, (_, frame) => `stack.filename=/srv/shop/src/module-${frame}/handler.ts`),
  ]

  it('takes little room where rows repeat most of it, is found, and is left out of rows that are shown', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    const store = await openTelemetry({ ...STORE, directory })
    const rows = Array.from({ length: ROWS }, (_, index) =>
      anEventRow({ seq: seq(index + 1), details: detailsOf(index) }),
    )
    await store.append(
      rows.map((row) => writtenError(row, encodeRows)),
      seq(ROWS),
    )
    const groups = [{ projectId: SHOP, hash: anEventRow().groupHash }]
    const details = [{ key: 'error.value', value: 'no order 17', negated: false }]
    const page = await store.events(
      aScope(SHOP),
      { groups, files: [FILE], details },
      { limit: 5, cursor: null },
    )
    assert.deepEqual(
      page.rows.map((row) => [row.seq, row.details]),
      [[18, []]],
    )
    const [whole] = await store.rows(FILE, seq(17), 1)
    assert.deepEqual(whole, rows[17])
    await store.close()
    const { size } = await stat(join(directory, 'error-2024-10-04.90.duckdb'))
    const texts = rows.reduce((sum, row) => sum + (row.details ?? []).join(' ').length, 0)
    assert.ok(size < texts / 4, `${size} bytes for ${texts} characters that are searched`)
  })
})

describe('what column files said when the store was closed', () => {
  const FILE = { kind: 'error', day: FIRST_DAY, retentionDays: 90 } as const
  const stored = async (t: TestContext) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    const open = () => openTelemetry({ ...STORE, directory })
    const store = await open()
    await store.append(
      [
        writtenError(anEventRow({ seq: seq(1) }), encodeRows),
        writtenError(anEventRow({ seq: seq(2) }), encodeRows),
      ],
      seq(2),
    )
    await store.close()
    const path = join(directory, 'facts', 'facts.json')
    const say = async (change: (text: string) => string) => {
      await writeFile(path, change(await readFile(path, 'utf8')))
    }
    return { directory, open, say }
  }

  it('is believed of a file that has not changed since', async (t) => {
    const { open, say } = await stored(t)
    // A number that the file itself would not say.
    await say((text) => text.replace(/,2,(\d)/, ',77,$1'))
    const store = await open()
    t.after(() => store.close())
    assert.equal(await store.fileSeq(FILE), 77)
  })

  it('is not believed of a file that changed, nor when it cannot be read', async (t) => {
    const { directory, open, say } = await stored(t)
    await say((text) => text.replace(/,2,(\d)/, ',77,$1'))
    await utimes(join(directory, 'error-2024-10-04.90.duckdb'), 1_700_000_000, 1_700_000_000)
    const changed = await open()
    assert.equal(await changed.fileSeq(FILE), 2)
    await changed.close()
    for (const text of ['', '{"version":1,"entries":[["error-2024-10-04.90"]]}', '{"version":9}', '[1']) {
      await say(() => text)
      const store = await open()
      assert.equal(await store.fileSeq(FILE), 2)
      await store.close()
    }
  })

  it('is not believed of a file with a log of a killed process beside it', async (t) => {
    const { directory, open, say } = await stored(t)
    const store = await open()
    await store.append([writtenError(anEventRow({ seq: seq(3) }), encodeRows)], seq(3))
    const copy = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(copy, { recursive: true }))
    await say((text) => text.replace(/,2,(\d)/, ',1,$1'))
    await cp(directory, copy, { recursive: true, preserveTimestamps: true })
    await store.close()
    const killed = await openTelemetry({ ...STORE, directory: copy })
    t.after(() => killed.close())
    assert.equal(await killed.fileSeq(FILE), 3)
  })
})

describe('a column file with garbage among its rows', () => {
  const FILE = { kind: 'error', day: FIRST_DAY, retentionDays: 90 } as const
  const NAME = 'error-2024-10-04.90.duckdb'

  it('is set aside by the removal that meets it, and rows go on in a new one', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    await damagedRows(directory, NAME)
    const opened = (whenDamaged: 'set aside' | 'leave') => openTelemetry({ ...STORE, directory, whenDamaged })
    const leaving = await opened('leave')
    await assert.rejects(leaving.removeBeyond(seq(5_900)), /Corrupt database/)
    await leaving.close()
    const store = await opened('set aside')
    t.after(() => store.close())
    await store.removeBeyond(seq(5_900))
    assert.deepEqual([await store.files(), await store.damaged()], [[], [FILE]])
    assert.ok((await readdir(directory)).includes(`${NAME}.damaged`))
    await store.append([writtenError(anEventRow({ seq: seq(5_901) }), encodeRows)], seq(5_901))
    assert.equal(await store.fileSeq(FILE), 5_901)
    assert.deepEqual(await store.damaged(), [FILE])
  })
})

/** A file of 6,000 rows in which the second of its blocks of 64 KiB, one of rows, fails its checksum. */
async function damagedRows(directory: string, name: string): Promise<void> {
  const store = await openTelemetry({ ...STORE, directory })
  const rows = Array.from({ length: 6_000 }, (_, index) => anEventRow({ seq: seq(index + 1) }))
  await store.append(
    rows.map((row) => writtenError(row, encodeRows)),
    seq(6_000),
  )
  await store.close()
  const file = await open(join(directory, name), 'r+')
  await file.write(Buffer.alloc(1_000, 0xa5), 0, 1_000, 12_288 + 65_536 + 1_000)
  await file.close()
}

describe('a kind with fields of every type', () => {
  const fields = {
    ...{ count: whole(), share: number(), name: text(), isOpen: flag(), names: list(), tags: pairs() },
    ...{ level: asTag('level', text()), countOrNull: orNull(whole()), shareOrNull: orNull(number()) },
    ...{ nameOrNull: orNull(text()), isOpenOrNull: orNull(flag()) },
  }
  const table = rowTable('sample', fields, { hasEventId: false, neighbours: ['name'] })
  type Row = RowOf<typeof table>
  const { seq: at, projectId, day, retentionDays, timestampMs, receivedMs } = anEventRow({ seq: seq(1) })
  const place = { seq: at, projectId, day, retentionDays, timestampMs, receivedMs }
  const full: Row = {
    ...{ ...place, count: 2 ** 53 - 1, share: 0.1, name: 'größe', isOpen: true, names: ['a', 'b'] },
    ...{ tags: [...TAGS, ['level', 'info']], level: 'info', countOrNull: -1, shareOrNull: -1e-300 },
    ...{ nameOrNull: '', isOpenOrNull: false },
  }
  const bare: Row = {
    ...{ ...place, count: 0, share: 0, name: '', isOpen: false, names: [], tags: [], level: '' },
    ...{ countOrNull: null, shareOrNull: null, nameOrNull: null, isOpenOrNull: null },
  }
  const awkward: Row = { ...full, name: 'a\x1fb\x1ec\x1dd\x1ae\x1b', names: ['\x1d', '\x1bg'] }

  it('keeps each value, in columns and in the record behind a payload', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    const store = await openTelemetry({ ...STORE, tables: [ERRORS, table], directory })
    t.after(() => store.close())
    const rows = [full, bare, awkward].map((row, index) => ({ ...row, seq: seq(index + 1) }))
    await store.append(
      rows.map((row) => writtenRow(table, row)),
      seq(3),
    )
    assert.deepEqual(await store.rows({ kind: table.kind, day, retentionDays }, seq(0), 10), rows)
    for (const row of rows) {
      assert.deepEqual(decodeRow(table, encodeRow(table, row), { ...row, eventId: null }), row)
    }
  })
})

describe('a column file of before a field was added', () => {
  it('is read with the field empty, and written to with it', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    const [first, second] = [anEventRow({ seq: seq(1) }), anEventRow({ seq: seq(2) })]
    const before = await openTelemetry({ ...STORE, directory })
    await before.append([writtenError(first, encodeRows)], seq(1))
    await before.close()
    const grown = rowTable(ERRORS.kind, { ...ERRORS.fields, mood: orNull(text()) }, { hasEventId: true })
    const file = { kind: ERRORS.kind, day: FIRST_DAY, retentionDays: 90 } as const
    const after = await openTelemetry({ ...STORE, tables: [grown], directory })
    t.after(() => after.close())
    const fresh = { ...second, mood: 'fine' }
    await after.append([writtenRow(grown, fresh)], seq(2))
    assert.deepEqual(await after.rows(file, seq(0), 10), [{ ...first, mood: null }, fresh])
    await after.rewrite(file, { rules: new HiddenRules(NOTHING_HIDDEN, FIRST_DAY), upToSeq: seq(2) })
    assert.deepEqual(await after.rows(file, seq(0), 10), [{ ...first, mood: null }, fresh])
  })
})

describe('the write-ahead log of a column file', () => {
  it('grows with the rows of a transaction, not with those before it', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    const store = await openTelemetry({ ...STORE, directory })
    t.after(async () => {
      await store.close()
      await rm(directory, { recursive: true })
    })
    const tags = Array.from({ length: 15 }, (_, index) => [`tag-${index}`, `value ${index}`] as const)
    for (let number = 1; number <= 300; number++) {
      await store.append(
        [writtenError(anEventRow({ seq: seq(number), tags, people: ['id:1', 'ip:10.0.0.1'] }), encodeRows)],
        seq(number),
      )
    }
    const log = await stat(join(directory, 'error-2024-10-04.90.duckdb.wal'))
    assert.ok(log.size / 300 < 3_000, `${log.size / 300} bytes a row`)
  })
})

describe('the cost of column rows', () => {
  it('is told for batches of 500 and 1,000 rows, and for the newest 50 of a group', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    const store = await openTelemetry({ ...STORE, directory })
    t.after(async () => {
      await store.close()
      await rm(directory, { recursive: true })
    })
    const tags = Array.from({ length: 15 }, (_, index) => [`tag-${index}`, `value ${index}`] as const)
    let number = 0
    for (const size of [500, 1_000, 500, 1_000]) {
      const startMs = performance.now()
      const start = process.cpuUsage()
      for (let round = 0; round < 5; round++) {
        const rows = Array.from({ length: size }, () =>
          anEventRow({ seq: seq(++number), timestampMs: number, tags, groupHash: aGroup(number % 50) }),
        )
        await store.append(
          rows.map((row) => writtenError(row, encodeRows)),
          seq(number),
        )
      }
      const { user, system } = process.cpuUsage(start)
      const wall = ((performance.now() - startMs) * 1_000) / (5 * size)
      const cpu = (user + system) / (5 * size)
      t.diagnostic(`${size} rows: ${cpu.toFixed(1)} µs CPU and ${wall.toFixed(1)} µs a row`)
    }
    const files = [{ kind: 'error', day: FIRST_DAY, retentionDays: 90 as const }]
    const groups = [{ projectId: SHOP, hash: aGroup(7) }]
    const startMs = performance.now()
    const page = await store.events(aScope(SHOP), { groups, files }, { limit: 50, cursor: null })
    t.diagnostic(`newest 50 of ${number} rows: ${(performance.now() - startMs).toFixed(1)} ms`)
    assert.equal(page.rows.length, 50)
  })
})

function aGroup(number: number): GroupHash {
  return groupHash(String(number).padStart(32, '0'))
}

describe('a column file that is not as it was', () => {
  const FILE = { kind: 'error', day: FIRST_DAY, retentionDays: 90 } as const
  /** A store with one file, closed and opened again; what it tells of. */
  const reopened = async (t: TestContext, between: (path: string) => Promise<void> = async () => {}) => {
    const directory = await mkdtemp(join(tmpdir(), 'errata-columns-'))
    t.after(() => rm(directory, { recursive: true }))
    const first = await openTelemetry({ ...STORE, directory })
    await first.append([writtenError(anEventRow({ seq: seq(1) }), encodeRows)], seq(1))
    await first.close()
    const path = join(directory, 'error-2024-10-04.90.duckdb')
    await between(path)
    const codes: string[] = []
    const store = await openTelemetry({
      ...{ ...STORE, directory, whenDamaged: 'set aside' },
      onDamage: ({ code }) => void codes.push(code),
    })
    return { path, store, codes }
  }

  it('is told as unreadable where the disk does not give it', async (t) => {
    const { store, codes } = await reopened(t, async (path) => {
      await rm(path)
      // Whoever runs the tests may read every file; nobody reads a directory as one.
      await mkdir(path)
    })
    await assert.rejects(store.rows(FILE, seq(0), 10), /IO Error/)
    await assert.rejects(store.verify(FILE, null), /IO Error/)
    assert.deepEqual(new Set(codes), new Set(['columns_unreadable']))
    await store.close()
  })

  for (const [how, meet] of [
    ['a read', (store: ColumnCare & TelemetryStore) => store.rows(FILE, seq(0), 10)],
    ['a look at the files', (store: ColumnCare & TelemetryStore) => store.noteGone()],
  ] as const) {
    it(`is missing, never silently made anew, where ${how} finds that somebody deleted it`, async (t) => {
      const { path, store, codes } = await reopened(t)
      await rm(path)
      await meet(store)
      assert.deepEqual(codes, ['columns_missing'])
      assert.deepEqual(await store.damaged(), [FILE])
      // Events that come are stored, and the file stays among those that lack rows.
      await store.append([writtenError(anEventRow({ seq: seq(2) }), encodeRows)], seq(2))
      assert.equal((await store.rows(FILE, seq(0), 10)).length, 1)
      await store.noteGone()
      assert.deepEqual(await store.damaged(), [FILE])
      assert.equal(codes.length, 1)
      await store.close()
    })
  }

  it('is verified row by row in steps', async (t) => {
    const { store } = await reopened(t)
    const rows = Array.from({ length: 2 * max('verifySliceRows') }, (_, index) =>
      anEventRow({ seq: seq(index + 2) }),
    )
    await store.append(
      rows.map((row) => writtenError(row, encodeRows)),
      seq(rows.length + 1),
    )
    const ends: (number | null)[] = []
    for (let place: VerifyPlace | null = null; ; ) {
      const { next }: VerifyStep = await store.verify(FILE, place)
      ends.push(next?.at ?? null)
      place = next
      if (place === null) break
    }
    assert.deepEqual(ends, [max('verifySliceRows'), 2 * max('verifySliceRows'), null])
    await store.close()
  })
})
