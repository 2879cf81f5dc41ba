import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
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

it('takes no more of a log far beyond its bound than fits a turn, says what it cost, and ends at the bound', (t) => {
  const db = opened(t)
  for (const id of [1, 2])
    db.run(`INSERT INTO projects (id, org_id, slug, name, platform, options, is_self, created_ms)
      VALUES (${id}, 1, 'p${id}', 'P${id}', NULL, '{}', 0, 0)`)
  const add = (project: number, count: number) =>
    db.run(
      `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < :count)
        INSERT INTO alert_messages (org_id, project_id, kind, receiver, key, message, headline, level, state, at_ms)
        SELECT 1, :project, 'email', '', :project || ':' || n, '{}', '', 'info', 'sent', n FROM many`,
      { project, count },
    )
  add(1, 5)
  add(2, 995)
  const count = () => db.get<{ count: number }>('SELECT count(*) AS count FROM alert_messages')?.count ?? 0
  const step = messagesBeyond({ kept: 20, atOnceMax: 100 })
  const turn = (most: number) => {
    const before = count()
    const { cost, after } = step(db, { nowMs: NOW, after: null, most })
    return { taken: before - count(), cost, after }
  }
  assert.deepEqual(turn(20), { taken: 100, cost: 1 + 1_000 / 10 + 100, after: ['0'] })
  assert.deepEqual(turn(20), { taken: 100, cost: 1 + 900 / 10 + 100, after: ['0'] })
  assert.deepEqual(turn(200), { taken: 200, cost: 10 + 800 / 10 + 200, after: ['0'] }, 'never less')
  // An eighth: below the bound of a turn.
  assert.deepEqual(turn(20), { taken: 73, cost: 1 + 600 / 10 + 73, after: ['0'] })
  assert.deepEqual(turn(600), { taken: 507, cost: 30 + 527 / 10 + 507, after: ['1'] })
  assert.deepEqual(turn(20), { taken: 0, cost: 1, after: ['1'] })
  const left = 'SELECT project_id AS project, count(*) AS count FROM alert_messages GROUP BY project_id'
  assert.deepEqual(db.all(left), [
    { project: 1, count: 5 },
    { project: 2, count: 15 },
  ])
})
