import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { NOW } from '#testing/builders/times.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { openDue } from '../notices/notice-deliveries.ts'
import { boundTrackerWork } from '../rows/tracker-rows.ts'

/** Two organisations with two projects each. */
function opened(t: TestContext): Connection {
  const directory = mkdtempSync(join(tmpdir(), 'errata-beyond-'))
  const db = Connection.openWriter(join(directory, 'control.sqlite'))
  t.after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })
  migrate(db, { log: silentLog, planLog: silentLog })
  // Rows alone matter here, not what they are of.
  db.script('PRAGMA foreign_keys = OFF')
  for (const org of [1, 2]) {
    db.run(`INSERT INTO organisations (id, slug, name, created_ms) VALUES (${org}, 'o${org}', 'O', 0)`)
    for (const project of [org * 10, org * 10 + 1])
      db.run(`INSERT INTO projects (id, org_id, slug, name, platform, options, is_self, created_ms)
        VALUES (${project}, ${org}, 'p${project}', 'P', NULL, '{}', 0, 0)`)
  }
  return db
}

const MANY = 'WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < :count)'

const failed = (db: Connection, table: string) =>
  db.all<{ id: number; says: string; due: number | null }>(
    `SELECT id, says, due_ms AS due FROM ${table} WHERE state = 'failed' ORDER BY id`,
    [],
  )

describe('alerts of projects that wait to be sent', () => {
  const most = max('noticeDeliveriesWaitingMax')
  const says = 'Not sent: too many alerts already wait.'

  function wait(
    db: Connection,
    of: { channel: 'mail' | 'webhook'; org: number; project: number; count: number },
  ) {
    db.run(
      `${MANY} INSERT INTO deliveries (notice_id, org_id, project_id, channel, user_id, key, state, due_ms)
        SELECT 1, :org, :project, :channel, NULL, :channel || :project || '-' || n, 'waiting', 1 FROM many`,
      of,
    )
  }
  /** Opens a notice of project 10, as each that is due is opened. */
  function opens(db: Connection) {
    db.run(
      `INSERT INTO notices (kind, project_id, is_mirror, at_ms, due_ms) VALUES ('summary', 10, 0, ${NOW}, ${NOW})`,
    )
    openDue(db, { nowMs: NOW, limit: 5, mail: true })
  }

  for (const channel of ['mail', 'webhook'] as const)
    it(`are as many as may wait, and of more the newest fail, with a reason: ${channel}`, (t) => {
      const db = opened(t)
      wait(db, { channel, org: 1, project: 10, count: most })
      wait(db, { channel, org: 2, project: 20, count: 3 })
      opens(db)
      assert.deepEqual(failed(db, 'deliveries'), [])
      // Emails wait for the organisation's share of the mail server, a call for the webhook of its project.
      wait(db, { channel, org: 1, project: channel === 'mail' ? 11 : 10, count: 2 })
      opens(db)
      assert.deepEqual(
        failed(db, 'deliveries'),
        [most + 4, most + 5].map((id) => ({ id, says, due: null })),
      )
    })
})

describe('alerts of all projects that wait to be sent', () => {
  it('are bounded together, and those of the organisation that has most give way', (t) => {
    const db = opened(t)
    const [most, inAll] = [max('noticeDeliveriesWaitingMax'), max('noticeDeliveriesInAllMax')]
    // As many as may wait for the webhook of each of its projects, and a project of somebody else after them.
    for (let project = 100; project < 100 + inAll / most; project++)
      db.run(`INSERT INTO projects (id, org_id, slug, name, platform, options, is_self, created_ms)
        VALUES (${project}, 1, 'p${project}', 'P', NULL, '{}', 0, 0)`)
    const waits = (org: number, project: number, count: number) =>
      db.run(
        `${MANY} INSERT INTO deliveries (notice_id, org_id, project_id, channel, user_id, key, state, due_ms)
          SELECT 1, :org, :project, 'webhook', NULL, :project || '-' || n, 'waiting', 1 FROM many`,
        { org, project, count },
      )
    const opens = (project: number) => {
      db.run(
        `INSERT INTO notices (kind, project_id, is_mirror, at_ms, due_ms) VALUES ('summary', ${project}, 0, ${NOW}, ${NOW})`,
      )
      openDue(db, { nowMs: NOW, limit: 5, mail: true })
    }
    for (let project = 100; project < 100 + inAll / most; project++) waits(1, project, most)
    opens(100)
    assert.deepEqual(failed(db, 'deliveries'), [])
    waits(2, 20, 3)
    opens(20)
    assert.deepEqual(
      failed(db, 'deliveries').map(({ id }) => id),
      [inAll - 2, inAll - 1, inAll],
    )
  })
})

describe('calls that wait for issue trackers', () => {
  const most = max('trackerWorkWaitingMax')
  const says = 'Not closed: too many calls already wait for issue trackers.'

  function wait(db: Connection, of: { tracker: number; count: number }) {
    db.run(
      `${MANY} INSERT INTO tracker_work (tracker_id, project_id, link_id, issue_id, what, ref, state, at_ms, due_ms)
        SELECT :tracker, 10, n, n, 'close', 'a/b#' || n, 'waiting', 1, 1 FROM many`,
      of,
    )
    boundTrackerWork(db, NOW)
  }

  it('are as many as may wait for each, and of more the newest fail, with a reason', (t) => {
    const db = opened(t)
    wait(db, { tracker: 1, count: most - 1 })
    wait(db, { tracker: 1, count: 1 })
    wait(db, { tracker: 2, count: most })
    assert.deepEqual(failed(db, 'tracker_work'), [])
    wait(db, { tracker: 1, count: 2 })
    const last = 2 * most + 2
    assert.deepEqual(
      failed(db, 'tracker_work'),
      [last - 1, last].map((id) => ({ id, says, due: null })),
    )
  })

  it('are bounded for all of them together, and what was tried stays', (t) => {
    const db = opened(t)
    for (let tracker = 1; tracker <= max('trackerWorkInAllMax') / most; tracker++)
      wait(db, { tracker, count: most })
    assert.deepEqual(failed(db, 'tracker_work'), [])
    db.run(`UPDATE tracker_work SET tries = 1 WHERE id = ${max('trackerWorkInAllMax')}`)
    wait(db, { tracker: 99, count: 1 })
    assert.deepEqual(
      failed(db, 'tracker_work').map(({ id }) => id),
      [max('trackerWorkInAllMax') + 1],
    )
  })
})
