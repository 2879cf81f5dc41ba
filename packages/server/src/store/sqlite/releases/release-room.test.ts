import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { orgId, projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { makeRoom, type ReleaseCounts } from './release-room.ts'
import { addProject, insertRelease } from './seen-releases.ts'

const ORG = orgId(1)
const BOUNDS = { ofProject: 20, ofOrganisation: 40 }

describe('room for one more release', () => {
  it('is made by the release of the project that had no event for longest', (t) => {
    const db = opened(t)
    fill(db, 20, (at) => make(db, { project: 1, version: `shop@${at}`, atMs: at }))
    // The oldest still has events.
    db.run(
      "UPDATE release_projects SET last_event_ms = 99 WHERE release_id = (SELECT id FROM releases WHERE version = 'shop@0')",
    )
    assert.equal(room(db, 1).isThere, true)
    const left = versions(db)
    assert.ok(left.includes('shop@0') && left.includes('shop@19'))
    assert.ok(!left.includes('shop@1'))
    assert.deepEqual(letGo(db), [{ project: 1, count: 1 }])
  })

  it('is nobody else’s: a project that has few is not told to stop by one that has many', (t) => {
    const db = opened(t)
    fill(db, 19, (at) => make(db, { project: 1, version: `many@${at}`, atMs: at }))
    fill(db, 19, (at) => make(db, { project: 2, version: `more@${at}`, atMs: at }))
    fill(db, 2, (at) => make(db, { project: 3, version: `few@${at}`, atMs: at }))
    assert.equal(room(db, 3).isThere, true)
    assert.deepEqual(
      letGo(db).map(({ project }) => project),
      [1],
    )
    assert.equal(versions(db).filter((version) => version.startsWith('few@')).length, 2)
  })

  it('is never made by what a tool told of; where all are such, there is none', (t) => {
    const db = opened(t)
    fill(db, 20, (at) => make(db, { project: 1, version: `shop@${at}`, atMs: at }))
    db.run("UPDATE releases SET ref = 'main'")
    assert.equal(room(db, 1).isThere, false)
    assert.equal(versions(db).length, 20)
    assert.equal(room(db, 2).isThere, true)
  })

  it('is never made by what is in use: the next oldest goes', (t) => {
    const db = opened(t)
    fill(db, 20, (at) => make(db, { project: 1, version: `shop@${at}`, atMs: at }))
    const ids = db.all<{ id: number }>('SELECT id FROM releases ORDER BY id').map(({ id }) => id)
    const place = { orgId: ORG, projectId: projectId(1), atMs: 1_000 }
    const made = makeRoom(db, place, { bounds: BOUNDS, inUse: ids.slice(0, 2) })
    assert.deepEqual(made, { isThere: true, gone: ids.slice(2, 3) })
    const full = makeRoom(db, place, { bounds: { ofProject: 19, ofOrganisation: 19 }, inUse: ids })
    assert.deepEqual(full, { isThere: false, gone: [] })
  })

  it('is counted on without being counted anew', (t) => {
    const db = opened(t)
    const counts: ReleaseCounts = new Map()
    fill(db, 100, (at) => {
      assert.equal(room(db, 1, counts).isThere, true)
      make(db, { project: 1, version: `shop@${at}`, atMs: at })
      assert.ok(versions(db).length <= BOUNDS.ofProject)
    })
    assert.ok(versions(db).includes('shop@99'))
  })
})

function room(db: Connection, project: number, counts?: ReleaseCounts) {
  const place = { orgId: ORG, projectId: projectId(project), atMs: 1_000 }
  return makeRoom(db, place, { bounds: BOUNDS, ...(counts !== undefined && { counts }) })
}

function opened(t: TestContext): Connection {
  const directory = mkdtempSync(join(tmpdir(), 'errata-room-'))
  const db = Connection.openWriter(join(directory, 'control.sqlite'))
  t.after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })
  migrate(db, { log: silentLog, planLog: silentLog })
  db.run("INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'acme', 'Acme', 0)")
  for (const id of [1, 2, 3])
    db.run(`INSERT INTO projects (id, org_id, slug, name, platform, options, is_self, created_ms)
      VALUES (${id}, 1, 'p${id}', 'P${id}', NULL, '{}', 0, 0)`)
  return db
}

/** Fills releases in one transaction, so that each costs no write to the disk. */
function fill(db: Connection, count: number, one: (at: number) => void): void {
  db.transaction(() => {
    for (let at = 0; at < count; at++) one(at)
  })
}

function make(
  db: Connection,
  { project, version, atMs }: { readonly project: number; readonly version: string; readonly atMs: number },
): void {
  const id = insertRelease(db, { orgId: ORG, version, createdMs: atMs })
  addProject(db, id, projectId(project))
  db.run('UPDATE release_projects SET last_event_ms = ? WHERE release_id = ?', [atMs, id])
}

function versions(db: Connection): readonly string[] {
  return db.all<{ version: string }>('SELECT version FROM releases').map(({ version }) => version)
}

function letGo(db: Connection) {
  return db.all<{ project: number; count: number }>(
    'SELECT project_id AS project, count FROM releases_let_go',
  )
}
