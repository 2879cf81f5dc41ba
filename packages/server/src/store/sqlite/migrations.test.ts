import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
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
import { forgetWords, rememberWords } from './ingest/facet-words.ts'
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
      [20, /another line of Errata \(schema 20: /],
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

describe('links to issues of before they were kept as hashes', () => {
  it('open their issues as before, are kept nowhere as they are, and do not come back with a merge', (t) => {
    const { db } = scratch(t)
    const sql = (name: string) => readFileSync(new URL(`./migrations/${name}`, import.meta.url), 'utf8')
    db.script('CREATE TABLE issues (id INTEGER PRIMARY KEY)')
    db.script(/CREATE TABLE issue_shares[^;]*;/.exec(sql('0012-searches.sql'))?.[0] ?? '')
    db.script('CREATE TABLE merges (kept TEXT NOT NULL)')
    db.script("INSERT INTO issues VALUES (7); INSERT INTO issue_shares VALUES (7, 'a-secret', 5, 'Ann')")
    const share = { issue_id: 8, token: 'another-secret', created_ms: 6, created_by: 'Ann' }
    const kept = { issues: [{ row: { id: 8 }, below: { activities: [{ id: 1 }], issue_shares: [share] } }] }
    db.run('INSERT INTO merges VALUES (?)', [JSON.stringify({ ...kept, windowBefore: { hour: 1 } })])
    db.script(sql('0033-share-links.sql'))
    assert.deepEqual(db.all('SELECT * FROM issue_shares'), [
      {
        ...{ issue_id: 7, token_hash: createHash('sha256').update('a-secret').digest('hex') },
        ...{ sealed_token: null, expires_ms: null, created_ms: 5, created_by: 'Ann' },
      },
    ])
    const after = db.get<{ kept: string }>('SELECT kept FROM merges')?.kept ?? ''
    assert.deepEqual(JSON.parse(after), {
      issues: [{ row: { id: 8 }, below: { activities: [{ id: 1 }], issue_shares: [] } }],
      windowBefore: { hour: 1 },
    })
  })
})

const FOLDER = new URL('./migrations/', import.meta.url)
const OF_ARTIFACTS = new Set(['0001-artifacts.sql', '0002-actions.sql'])
const before = (version: number) =>
  readdirSync(FOLDER)
    .filter((name) => !OF_ARTIFACTS.has(name) && Number(name.slice(0, 4)) < version)
    .sort()
    .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))

describe('a store of before texts and failures took less room', () => {
  it('finds the same texts afterwards, and keeps its failures by their traces', (t) => {
    const { db } = scratch(t)
    for (const sql of before(26)) db.script(sql)
    db.script(`PRAGMA user_version = 25;
      INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'shop', 'Shop', 1);
      INSERT INTO projects (id, org_id, slug, name, options, created_ms) VALUES (1, 1, 'web', 'Web', '{}', 1);
      INSERT INTO issues (id, project_id, number, status, status_changed_ms, level, first_seen_ms, last_seen_ms,
        event_count, mirror_count, user_count, users_exact, group_count, facts_ms, title, type, value, culprit,
        platform, kinds, routes) VALUES
        (4, 1, 4, 'unresolved', 1, 'error', 1, 1, 2, 0, 0, 1, 2, 1, 'TypeError: total of [cart] is null', 'TypeError',
          'total of [cart] is null', '', 'node', '{}', '{}'),
        (7, 1, 7, 'unresolved', 1, 'error', 1, 1, 2, 0, 0, 1, 2, 1, 'RangeError: Total É', 'RangeError', 'Total É', '',
          'node', '{}', '{}');
      INSERT INTO issue_text (rowid, text) VALUES (4, 'typeerror: total of [cart] is null' || char(10)), (7, 'rangeerror: total é' || char(10));
      INSERT INTO server_failures (trace, group_id, project_id, route, kind, is_handled, at_ms, day)
        VALUES (-5, 3, 1, '/orders/:', 'document', 0, 1700000000000, 19675);
      INSERT INTO request_failures (project_id, trace, event, day, kind, route, at_ms, span, distance)
        VALUES (1, -5, 9, 19675, 'document', '/orders/[id]', 1700000000000, 11, 0.5)`)
    migrate(db, { log: silentLog, planLog: silentLog })
    const found = (pattern: string) =>
      db.all<{ id: number }>('SELECT rowid AS id FROM issue_text WHERE text GLOB ? ORDER BY rowid', [pattern])
    assert.deepEqual(found('*total*'), [{ id: 4 }, { id: 7 }])
    assert.deepEqual(found('*of [[]cart]*'), [{ id: 4 }])
    assert.deepEqual([found('*latot*'), found('*total é*')], [[], [{ id: 7 }]])
    assert.deepEqual(db.all('SELECT issue_id AS id FROM issue_own_texts'), [{ id: 7 }])
    db.script('DELETE FROM issue_text WHERE rowid = 7')
    assert.deepEqual(found('*total*'), [{ id: 4 }])
    assert.deepEqual(db.all('SELECT group_id, at_ms, place FROM server_failures WHERE trace = -5'), [
      { group_id: 3, at_ms: 1_700_000_000_000, place: 0 },
    ])
    assert.deepEqual(db.all('SELECT span, distance, place FROM request_failures'), [
      { span: 11, distance: 0.5, place: 0 },
    ])
  })
})

describe('a store of before tags were found by words', () => {
  const words = (db: Connection) => {
    db.script(`CREATE VIRTUAL TABLE temp.said USING fts5vocab ('main', 'facet_words', 'row')`)
    const said = db.all<{ term: string; doc: number }>('SELECT term, doc FROM temp.said ORDER BY term')
    db.script('DROP TABLE temp.said')
    return said.map(({ term, doc }) => `${term} ${doc}`)
  }

  it('knows which groups have which values, until they are gone', (t) => {
    const { db } = scratch(t)
    for (const sql of before(34)) db.script(sql)
    db.script(`PRAGMA user_version = 33;
      INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'shop', 'Shop', 1);
      INSERT INTO projects (id, org_id, slug, name, options, created_ms) VALUES (1, 1, 'web', 'Web', '{}', 1);
      INSERT INTO issues (id, project_id, number, status, status_changed_ms, level, first_seen_ms, last_seen_ms,
        event_count, mirror_count, user_count, users_exact, group_count, facts_ms, title, type, value, culprit,
        platform, kinds, routes, first_release, first_release_ms, last_release, last_release_ms) VALUES
        (1, 1, 1, 'unresolved', 1, 'error', 1, 1, 2, 0, 0, 1, 2, 1, 't: v', 't', 'v', 'c', 'node', '{}', '{}', '1', 4, '2', 5),
        (2, 1, 2, 'unresolved', 1, 'error', 1, 1, 2, 0, 0, 1, 2, 1, 't', 't', 'v', 'c', 'node', '{}', '{}', '1', 4, '1', 4);
      INSERT INTO groups (id, project_id, hash, kind, issue_id, event_count, mirror_count, first_seen_ms,
        last_seen_ms) VALUES (5, 1, x'05', 'error', 1, 1, 0, 1, 1), (6, 1, x'06', 'error', 1, 1, 0, 1, 1);
      INSERT INTO facets (group_id, key_id, value, count, first_ms, last_ms)
        VALUES (5, 1, 'Mobile Safari', 1, 0, 0), (6, 1, 'Mobile Safari', 1, 0, 0), (6, 2, 'eu', 1, 0, 0)`)
    migrate(db, { log: silentLog, planLog: silentLog })
    assert.deepEqual(words(db), ['1:~mobile ~safari 2', '2:eu 1'])
    const names = 'SELECT title, own_title AS own, last_release AS release, last_release_ms AS ms FROM issues'
    assert.deepEqual(db.all(names), [
      { title: 't: v', own: '', release: '2', ms: 5 },
      { title: 't', own: 't', release: '1', ms: 4 },
    ])
    forgetWords(db, { where: 'g.id = ?', param: 6 })
    assert.deepEqual(words(db), ['1:~mobile ~safari 1'])
    rememberWords(db, { where: 'g.id = ?', param: 6 })
    forgetWords(db, { where: 'g.issue_id = ?', param: 1 })
    assert.deepEqual(words(db), [])
  })
})
