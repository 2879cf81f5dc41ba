import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { orgId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { AgedPlace } from '#store/embedded/care/stores/control.ts'
import { anActor } from '#testing/builders/actor.ts'
import { NOW } from '#testing/builders/times.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { insertAudit } from '../rows/audit.ts'
import { auditBeyond, messagesBeyond } from './aged-beyond.ts'
import { removeSet } from './remove-aged.ts'

function opened(t: TestContext): Connection {
  const directory = mkdtempSync(join(tmpdir(), 'errata-prune-'))
  const db = Connection.openWriter(join(directory, 'control.sqlite'))
  t.after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })
  migrate(db, { log: silentLog, planLog: silentLog })
  for (let org = 1; org <= 2; org++)
    db.run('INSERT INTO organisations (id, slug, name, created_ms) VALUES (?, ?, ?, 0)', [
      org,
      `o${org}`,
      'O',
    ])
  return db
}

it('forgets of a full audit log what somebody did most often, never what others did', (t) => {
  const db = opened(t)
  const note = (org: number, label: string, action: string, target: string) =>
    insertAudit(db, orgId(org), anActor(1, { label }), { action, target })
  note(1, 'Mallory', 'member.role_changed', 'Mallory')
  note(1, 'Ada', 'project.deleted', 'shop')
  for (let index = 0; index < 20; index++) note(1, 'Mallory', 'saved_search.created', String(index))
  for (let index = 0; index < 12; index++) note(2, 'Bo', 'team.created', String(index))
  const steps = [auditBeyond(12)]
  let place: AgedPlace | null = { step: 0, after: null }
  while (place !== null) place = removeSet(db, { place, nowMs: NOW, steps, most: 100 })
  const left = (org: number) =>
    db
      .all<{ target: string }>('SELECT target FROM audit WHERE org_id = ? ORDER BY id', [org])
      .map(({ target }) => target)
  assert.deepEqual(left(1), [
    'Mallory',
    'shop',
    ...Array.from({ length: 10 }, (_, index) => String(index + 10)),
  ])
  assert.equal(left(2).length, 12)
})

describe('a log of messages beyond its bound', () => {
  interface Asked {
    readonly kept: number
    readonly most?: number
    /** Ids of messages that wait. */
    readonly waiting?: readonly number[]
  }
  /** Messages of organisation 1, in the order in which they came: each the number of its project, or 0 of several. */
  function trimmed(t: TestContext, told: readonly number[], { kept, most = 100, waiting = [] }: Asked) {
    const db = opened(t)
    for (const id of [1, 2, 3])
      db.run(`INSERT INTO projects (id, org_id, slug, name, platform, options, is_self, created_ms)
        VALUES (${id}, 1, 'p${id}', 'P${id}', NULL, '{}', 0, 0)`)
    const insert = `INSERT INTO alert_messages (id, org_id, project_id, kind, receiver, key, message, headline, level, state,
        at_ms, due_ms) VALUES (?, ?, ?, 'email', '', ?, '{}', '', 'info', ?, ?, ?)`
    for (const [at, project] of told.entries()) {
      const waits = waiting.includes(at + 1)
      const [state, due] = waits ? ['waiting', 1] : ['sent', null]
      db.run(insert, [at + 1, 1, project === 0 ? null : project, String(at), state, at, due])
    }
    // Of another organisation: as many as are kept, all of several projects.
    for (let at = 0; at < kept; at++) db.run(insert, [1_000 + at, 2, null, `other ${at}`, 'sent', at, null])
    const turns: { taken: number; cost: number }[] = []
    const count = () => db.get<{ count: number }>('SELECT count(*) AS count FROM alert_messages')?.count ?? 0
    const step = messagesBeyond(kept)
    for (let after: AgedPlace['after'] = null; ; ) {
      const before = count()
      const set = step(db, { nowMs: NOW, after, most })
      turns.push({ taken: before - count(), cost: set.cost })
      if (set.after === 'done') break
      after = set.after
    }
    const ids = 'SELECT id FROM alert_messages WHERE org_id = 1 ORDER BY id'
    const left = db.all<{ id: number }>(ids).map(({ id }) => id)
    assert.equal(count() - left.length, kept, 'the other organisation keeps what it may')
    return { left, turns }
  }

  it('loses nothing at the bound, and one above it', (t) => {
    assert.deepEqual(trimmed(t, [1, 2, 1], { kept: 3 }).left, [1, 2, 3])
    assert.deepEqual(trimmed(t, [1, 2, 1], { kept: 2 }).left, [2, 3])
  })

  it('loses the oldest of the project that tells most, of several projects as of one', (t) => {
    assert.deepEqual(trimmed(t, [2, 1, 1, 1, 1, 3, 1], { kept: 4 }).left, [1, 5, 6, 7])
    assert.deepEqual(trimmed(t, [2, 0, 0, 0, 0, 3, 0], { kept: 4 }).left, [1, 5, 6, 7])
    assert.deepEqual(trimmed(t, [0, 1, 1, 1, 1, 0, 1], { kept: 4 }).left, [1, 5, 6, 7])
  })

  it('keeps of two that tell as much the newer, whichever came first', (t) => {
    assert.deepEqual(trimmed(t, [1, 2, 1, 2], { kept: 3 }).left, [2, 3, 4])
    assert.deepEqual(trimmed(t, [2, 1, 2, 1], { kept: 3 }).left, [2, 3, 4])
    assert.deepEqual(trimmed(t, [1, 2, 3], { kept: 2 }).left, [2, 3])
    assert.deepEqual(trimmed(t, [1, 1, 1, 2, 2], { kept: 3 }).left, [3, 4, 5])
    assert.deepEqual(trimmed(t, [2, 2, 1, 1, 1], { kept: 3 }).left, [2, 4, 5])
  })

  it('keeps what waits, and goes on behind it', (t) => {
    const told = [1, 1, 1, 1, 1, 1]
    assert.deepEqual(trimmed(t, told, { kept: 2, waiting: [1, 3] }).left, [1, 3, 5, 6])
    assert.deepEqual(trimmed(t, told, { kept: 2, waiting: [1, 2, 3, 4], most: 1 }).left, [1, 2, 3, 4, 5, 6])
  })

  it('takes no more of it than fits a turn, and counts it once', (t) => {
    const told = [...Array.from({ length: 5 }, () => 1), ...Array.from({ length: 500 }, () => 2)]
    const { left, turns } = trimmed(t, told, { kept: 20, most: 200 })
    assert.deepEqual(left, [1, 2, 3, 4, 5, ...Array.from({ length: 15 }, (_, at) => 491 + at)])
    const none = { taken: 0, cost: 10 }
    assert.deepEqual(turns, [
      { taken: 0, cost: 10 + 505 / 100 },
      { taken: 200, cost: 200 },
      { taken: 200, cost: 200 },
      { taken: 85, cost: 85 },
      none,
      { taken: 0, cost: 0 },
    ])
  })
})
