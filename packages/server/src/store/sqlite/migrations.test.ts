import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

describe('a store of before texts and failures took less room', () => {
  const FOLDER = new URL('./migrations/', import.meta.url)
  const OF_ARTIFACTS = new Set(['0001-artifacts.sql', '0002-actions.sql'])
  const before = (version: number) =>
    readdirSync(FOLDER)
      .filter((name) => !OF_ARTIFACTS.has(name) && Number(name.slice(0, 4)) < version)
      .sort()
      .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))

  it('finds the same texts afterwards, and keeps its failures by their traces', (t) => {
    const { db } = scratch(t)
    for (const sql of before(26)) db.script(sql)
    db.script(`PRAGMA user_version = 25;
      INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'shop', 'Shop', 1);
      INSERT INTO projects (id, org_id, slug, name, options, created_ms) VALUES (1, 1, 'web', 'Web', '{}', 1);
      INSERT INTO issue_text (rowid, text) VALUES (4, 'typeerror: total of [cart] is null'), (7, 'rangeerror: total');
      INSERT INTO server_failures (trace, group_id, project_id, route, kind, is_handled, at_ms, day)
        VALUES (-5, 3, 1, '/orders/:', 'document', 0, 1700000000000, 19675);
      INSERT INTO request_failures (project_id, trace, event, day, kind, route, at_ms, span, distance)
        VALUES (1, -5, 9, 19675, 'document', '/orders/[id]', 1700000000000, 11, 0.5)`)
    migrate(db, { log: silentLog, planLog: silentLog })
    const found = (pattern: string) =>
      db.all<{ id: number }>('SELECT rowid AS id FROM issue_text WHERE text GLOB ? ORDER BY rowid', [pattern])
    assert.deepEqual(found('*total*'), [{ id: 4 }, { id: 7 }])
    assert.deepEqual(found('*of [[]cart]*'), [{ id: 4 }])
    assert.deepEqual(found('*latot*'), [])
    assert.deepEqual(db.all('SELECT group_id, at_ms, place FROM server_failures WHERE trace = -5'), [
      { group_id: 3, at_ms: 1_700_000_000_000, place: 0 },
    ])
    assert.deepEqual(db.all('SELECT span, distance, place FROM request_failures'), [
      { span: 11, distance: 0.5, place: 0 },
    ])
  })
})
