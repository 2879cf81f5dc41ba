import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createLog, silentLog } from '#base/log.ts'
import { Connection } from './connection.ts'
import { type Migration, migrate } from './migrations.ts'

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
    run([first, step(2, 'nonsense'), step(3, 'nonsense')])
    assert.deepEqual([db.get<{ value: number }>('SELECT value FROM one')?.value, version()], [6, 3])
  })

  it('leaves a step that fails undone, and those before it done', (t) => {
    const { db, step, run, version } = scratch(t)
    const steps = [
      step(1, 'CREATE TABLE one (value INTEGER)'),
      step(2, 'INSERT INTO one VALUES (5); nonsense'),
    ]
    assert.throws(() => run(steps))
    assert.deepEqual([db.all('SELECT value FROM one'), version()], [[], 1])
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
