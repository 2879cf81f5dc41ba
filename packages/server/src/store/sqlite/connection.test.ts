import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, beforeEach, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#base/limits.ts'
import { silentLog as log } from '#base/log.ts'
import { aBatch, aFilter, anActor, anEvent, NOW } from '#contract/control/builders.ts'
import { value } from '#contract/control/stores.ts'
import { aWorld, FIRST_OWNER } from '#contract/control/world.ts'
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

describe('opening the control store', () => {
  it('migrates once and keeps what is there', async () => {
    const first = openControlWriter({ path, clock, log })
    value(await first.createFirstOwner(FIRST_OWNER, anActor()))
    await first.close()
    const second = openControlWriter({ path, clock, log })
    assert.equal(await second.needsSetup(), false)
    await second.close()
  })

  it('writes durably, checks references and trusts no schema', () => {
    const db = Connection.openWriter(path)
    const pragma = (name: string) => Object.values(db.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0]
    assert.equal(pragma('journal_mode'), 'wal')
    assert.equal(pragma('synchronous'), 2)
    assert.equal(pragma('foreign_keys'), 1)
    assert.equal(pragma('trusted_schema'), 0)
    assert.equal(pragma('busy_timeout'), max('sqliteBusyTimeoutMs'))
    assert.equal(pragma('wal_autocheckpoint'), 1_000)
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
    const write = openControlWriter({ path, clock, log })
    const read = openControlReader({ path, clock, log })
    assert.equal(await read.needsSetup(), true)
    const world = await aWorld({ write, read, close: async () => {} })
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
