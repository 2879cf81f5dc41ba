import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { systemClock } from '#base/clock.ts'
import { createLog, silentLog } from '#base/log.ts'
import { Connection } from './connection.ts'
import { openControlWriter } from './control-writer.ts'
import { type Migration, migrate } from './migrations.ts'
import { readShapes } from './tables/shape.ts'

function scratch(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'errata-migrations-'))
  const db = Connection.openWriter(join(directory, 'control.sqlite'))
  t.after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })
  const said: string[] = []
  const planLog = createLog({ level: 'warn', thread: 'test', write: (line) => said.push(line) })
  const step = (version: number, sql: string): Migration => {
    const path = join(directory, `${version}.sql`)
    writeFileSync(path, sql)
    return { version, url: pathToFileURL(path), does: `does step ${version}` }
  }
  const run = (migrations: readonly Migration[]) => migrate(db, { log: silentLog, planLog, migrations })
  const version = () => db.get<{ user_version: number }>('PRAGMA user_version')?.user_version
  return { db, said, step, run, version }
}

describe('migrating', () => {
  it('applies what is missing, and says so before where something is stored already', (t) => {
    const { db, said, step, run, version } = scratch(t)
    const first = step(1, 'CREATE TABLE one (value INTEGER)')
    run([first])
    assert.deepEqual([said.length, version()], [0, 1])
    run([first, step(2, 'INSERT INTO one VALUES (5)'), step(3, 'UPDATE one SET value = value + 1')])
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /will be migrated.*2: does step 2; 3: does step 3/)
    assert.deepEqual([db.get<{ value: number }>('SELECT value FROM one')?.value, version()], [6, 3])
  })

  it('does all of it or nothing', (t) => {
    const { db, step, run, version } = scratch(t)
    const first = step(1, 'CREATE TABLE one (value INTEGER)')
    run([first])
    const second = step(2, 'INSERT INTO one VALUES (5)')
    assert.throws(() => run([first, second, step(3, 'INSERT INTO one VALUES (6); nonsense')]))
    assert.deepEqual([db.all('SELECT value FROM one'), version()], [[], 1])
    run([first, second, step(3, 'INSERT INTO one VALUES (7)')])
    assert.deepEqual(
      db.all<{ value: number }>('SELECT value FROM one').map(({ value }) => value),
      [5, 7],
    )
  })

  it('refuses what other steps led to, and leaves it as it is', (t) => {
    const { db, step, run, version } = scratch(t)
    const first = step(1, 'CREATE TABLE one (value INTEGER)')
    run([first, step(2, 'CREATE TABLE theirs (value INTEGER)')])
    const before = db.all('SELECT type, name, sql FROM sqlite_schema')
    const ours = [first, step(2, 'CREATE TABLE ours (value INTEGER)'), step(3, 'CREATE TABLE more (value)')]
    assert.throws(() => run(ours), /made by another line of Errata \(schema 2: other steps led to it\)/)
    // One from before there were marks is told by what it holds.
    db.script('PRAGMA application_id = 0')
    assert.throws(() => run(ours), /table ours, table theirs/)
    assert.deepEqual([db.all('SELECT type, name, sql FROM sqlite_schema'), version()], [before, 2])
  })

  it('refuses it before a byte of it changes, or a file stands beside it', (t) => {
    for (const [version, sentence] of [
      [20, /written by an Errata from before the first release/],
      [55, /another line of Errata \(schema 55: /],
      [9_999, /written by a newer Errata/],
    ] as const) {
      const directory = mkdtempSync(join(tmpdir(), 'errata-lineage-'))
      t.after(() => rmSync(directory, { recursive: true }))
      const path = join(directory, 'control.sqlite')
      const theirs = new DatabaseSync(path)
      theirs.exec(`CREATE TABLE theirs (value INTEGER); PRAGMA user_version = ${version}`)
      theirs.close()
      const before = readFileSync(path)
      assert.throws(() => openControlWriter({ path, clock: systemClock, log: silentLog }), sentence)
      assert.ok(before.equals(readFileSync(path)), String(version))
      assert.deepEqual(readdirSync(directory), ['control.sqlite'])
    }
  })

  it('takes one from before there were marks, and marks it', (t) => {
    const { db, step, run, version } = scratch(t)
    const steps = [step(1, 'CREATE TABLE one (value INTEGER)'), step(2, 'CREATE INDEX of_one ON one (value)')]
    run(steps)
    db.script('PRAGMA application_id = 0')
    run([...steps, step(3, 'CREATE TABLE two (value INTEGER)')])
    assert.equal(version(), 3)
    assert.notEqual(db.get<{ application_id: number }>('PRAGMA application_id')?.application_id, 0)
  })

  it('refuses a database of a newer Errata', (t) => {
    const { step, run, version } = scratch(t)
    const steps = [step(1, ''), step(2, '')]
    run(steps)
    assert.throws(
      () => run(steps.slice(0, 1)),
      /written by a newer Errata \(schema 2; this one knows up to 1\)/,
    )
    assert.equal(version(), 2)
  })
})

describe('a control store of version 55, as steps from before the first release led to it', () => {
  const former = readFileSync(
    new URL('../../../../../tests/fixtures/control-store/schema-55.sql', import.meta.url),
    'utf8',
  )
  const FORMER_MARK = 880_533_141

  it('opens as it is', (t) => {
    const { db, said, version } = scratch(t)
    db.script(former)
    db.script(`PRAGMA user_version = 55; PRAGMA application_id = ${FORMER_MARK}`)
    db.script("INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'shop', 'Shop', 1)")
    migrate(db, { log: silentLog, planLog: silentLog })
    assert.deepEqual([said, version()], [[], newest(t)])
    assert.equal(db.get<{ name: string }>('SELECT name FROM organisations')?.name, 'Shop')
  })

  it('has the schema that is made of it now', (t) => {
    const { db } = scratch(t)
    db.script(former)
    const { db: now } = scratch(t)
    now.script(readFileSync(new URL('./migrations/0055-baseline.sql', import.meta.url), 'utf8'))
    assert.deepEqual(readShapes(db), readShapes(now))
  })

  it('is the oldest that opens: one before says what carries it', (t) => {
    const { db, version } = scratch(t)
    db.script('CREATE TABLE issues (id INTEGER PRIMARY KEY); PRAGMA user_version = 54')
    const open = () => migrate(db, { log: silentLog, planLog: silentLog })
    assert.throws(
      open,
      /before the first release \(schema 54; this one opens 55 and newer\).*Start it once with a build/,
    )
    assert.equal(version(), 54)
  })
})

function newest(t: TestContext): number | undefined {
  const { db, version } = scratch(t)
  migrate(db, { log: silentLog, planLog: silentLog })
  return version()
}
