import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { silentLog as log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { aFilter } from '#testing/builders/issue-filter.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { value } from '#testing/contract/control/stores.ts'
import { aControlWorld, FIRST_OWNER } from '#testing/contract/control/world.ts'
import { openNewControl } from '#testing/new-control.ts'
import { Connection } from './connection.ts'
import { openControlReader } from './control-reader.ts'
import { openControlWriter } from './control-writer.ts'

const directory = mkdtempSync(join(tmpdir(), 'errata-connection-'))
after(() => rmSync(directory, { recursive: true, force: true }))
const clock = manualClock(NOW)
let path = ''
let files = 0
beforeEach(() => {
  path = join(directory, `${++files}.sqlite`)
})

const PAGE_BYTES = 2_048

/** Overwrites one page with what cannot be one. */
function overwritePage(file: string, at: number): void {
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, at)
  closeSync(opened)
}

describe('opening the control store', () => {
  it('migrates once and keeps what is there', async () => {
    const first = openNewControl({ path, clock, log })
    value(await first.createFirstOwner(FIRST_OWNER, anActor()))
    await first.close()
    const second = openControlWriter({ path, clock, log })
    assert.equal(await second.needsSetup(), false)
    await second.close()
  })

  it('gives options that an older version wrote what they lack', async () => {
    const writer = openNewControl({ path, clock, log })
    const { orgId, projectId } = value(await writer.createFirstOwner(FIRST_OWNER, anActor()))
    const raw = new DatabaseSync(path)
    raw
      .prepare('UPDATE projects SET options = ? WHERE id = ?')
      .run('{"scrub":{"extraKeys":["pin"]}}', projectId)
    raw.close()
    const updated = value(await writer.updateProject(orgId, projectId, { name: 'Store' }, anActor()))
    await writer.close()
    const scrub = { ...PROJECT_OPTIONS_DEFAULT.scrub, extraKeys: ['pin'] }
    assert.deepEqual(updated.options, { ...PROJECT_OPTIONS_DEFAULT, scrub })
  })

  it('writes durably, checks references and trusts no schema', () => {
    const db = Connection.openWriter(path)
    const pragma = (name: string) => Object.values(db.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0]
    assert.equal(pragma('journal_mode'), 'wal')
    assert.equal(pragma('synchronous'), 2)
    assert.equal(pragma('foreign_keys'), 1)
    assert.equal(pragma('trusted_schema'), 0)
    assert.equal(pragma('busy_timeout'), max('sqliteBusyTimeoutMs'))
    assert.equal(pragma('page_size'), PAGE_BYTES)
    assert.equal(pragma('wal_autocheckpoint'), 2_000)
    db.close()
  })

  it('refuses the database of a newer Errata in a clear sentence, and leaves it as it is', async () => {
    await openControlWriter({ path, clock, log }).close()
    const raw = new DatabaseSync(path)
    raw.exec('PRAGMA user_version = 99')
    raw.close()
    const refusal = /written by a newer Errata \(schema 99; this one knows up to \d+\)/
    assert.throws(() => openControlWriter({ path, clock, log }), refusal)
    assert.throws(() => openControlReader({ path, clock, log }), refusal)
  })

  it('refuses to read what no writer has made', () => {
    assert.throws(() => openControlReader({ path, clock, log }))
    new DatabaseSync(path).close()
    assert.throws(() => openControlReader({ path, clock, log }), /start the server once/)
  })

  it('shows a reader what the writer has committed, and lets it write nothing', async () => {
    const write = openNewControl({ path, clock, log })
    const read = openControlReader({ path, clock, log })
    assert.equal(await read.needsSetup(), true)
    const world = await aControlWorld({ write, read, close: async () => {} })
    await write.applyBatch(aBatch(1, [anEvent({ projectId: world.shop })]))
    const page = await read.list(world.scope, aFilter(), { sort: 'date', limit: 1, cursor: null })
    assert.equal(page.total, 1)
    const db = Connection.openReader(path)
    assert.throws(() => db.run('DELETE FROM issues'), /readonly/)
    db.close()
    await read.close()
    await write.close()
  })
})

describe('a transaction', () => {
  it('undoes everything when its work fails, and the connection goes on', () => {
    const db = Connection.openWriter(path)
    db.script('CREATE TABLE one (value INTEGER NOT NULL) STRICT')
    assert.throws(
      () =>
        db.transaction(() => {
          db.run('INSERT INTO one VALUES (?)', [1])
          db.run('INSERT INTO one VALUES (?)', [null])
        }),
      /NOT NULL/,
    )
    assert.deepEqual(db.all('SELECT * FROM one'), [])
    db.transaction(() => db.run('INSERT INTO one VALUES (?)', [2]))
    assert.deepEqual(db.all('SELECT * FROM one'), [{ value: 2 }])
    db.close()
  })

  it('tells a full disk by its own code, and goes on once there is room', () => {
    const db = Connection.openWriter(path)
    db.script('CREATE TABLE one (value TEXT NOT NULL) STRICT; PRAGMA max_page_count = 4')
    const write = () => db.transaction(() => db.run('INSERT INTO one VALUES (?)', ['x'.repeat(20_000)]))
    assert.throws(write, { name: 'ErrataError', code: 'store_full', message: /disk is full/ })
    db.script('PRAGMA max_page_count = 1000')
    write()
    db.close()
  })

  it('tells a damaged page by its own code, whatever meets it, and who asked to know', () => {
    const made = Connection.openWriter(path)
    made.script('CREATE TABLE one (value TEXT NOT NULL) STRICT; CREATE TABLE two (value INTEGER) STRICT')
    made.run('INSERT INTO two VALUES (?)', [1])
    for (let row = 0; row < 50; row++) made.run('INSERT INTO one VALUES (?)', ['x'.repeat(1_000)])
    made.close()
    // The root of the first table; the header and the second table stay as they are.
    overwritePage(path, PAGE_BYTES)
    const told: string[] = []
    const writer = Connection.openWriter(path, (sentence) => void told.push(sentence))
    const reader = Connection.openReader(path, (sentence) => void told.push(sentence))
    const ways = [
      () => reader.all('SELECT * FROM one'),
      () => reader.get('SELECT count(*) FROM one'),
      () => reader.snapshot(() => reader.get('SELECT count(*) FROM one')),
      () => writer.run('INSERT INTO one VALUES (?)', ['x']),
      () => writer.script("INSERT INTO one VALUES ('x')"),
      () => writer.transaction(() => writer.run('DELETE FROM one')),
    ]
    for (const way of ways) {
      const words = { message: 'the control store is damaged: database disk image is malformed' }
      assert.throws(way, { name: 'ErrataError', code: 'store_damaged', ...words })
    }
    assert.equal(told.length, ways.length)
    assert.deepEqual(reader.all('SELECT value FROM two'), [{ value: 1 }])
    writer.transaction(() => writer.run('INSERT INTO two VALUES (?)', [2]))
    assert.equal(told.length, ways.length)
    reader.close()
    writer.close()
  })

  it('shows a snapshot one state, whatever is committed meanwhile', () => {
    const writer = Connection.openWriter(path)
    writer.script('CREATE TABLE one (value INTEGER NOT NULL) STRICT')
    const reader = Connection.openReader(path)
    const count = () => reader.get<{ count: number }>('SELECT count(*) AS count FROM one')?.count
    reader.snapshot(() => {
      assert.equal(count(), 0)
      writer.run('INSERT INTO one VALUES (?)', [1])
      assert.equal(count(), 0)
    })
    assert.equal(count(), 1)
    reader.close()
    writer.close()
  })

  it('keeps a bounded number of prepared statements', () => {
    const db = Connection.openWriter(path)
    for (let index = 0; index < max('sqliteStatementsMax') + 50; index++) {
      assert.deepEqual(db.get(`SELECT ${index} AS value`), { value: index })
    }
    assert.deepEqual(db.get('SELECT 0 AS value'), { value: 0 })
    db.close()
  })
})
