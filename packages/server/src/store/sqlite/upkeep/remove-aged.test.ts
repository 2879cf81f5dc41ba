import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { dayOf } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { AgedPlace } from '#store/embedded/care/stores/control.ts'
import { NOW } from '#testing/builders/times.ts'
import { mayChangeRemembered } from '../commit/counted-writes.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { removeAged } from './remove-aged.ts'

const TODAY = dayOf(NOW)
const MOST = max('agedRowsPerTurn')

function openStore(t: TestContext): Connection {
  const directory = mkdtempSync(join(tmpdir(), 'errata-aged-'))
  const db = Connection.openWriter(join(directory, 'control.sqlite'))
  t.after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })
  migrate(db, { log: silentLog, planLog: silentLog })
  db.run(`INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'acme', 'Acme', 0)`)
  db.run(
    `INSERT INTO projects (id, org_id, slug, name, created_ms, options) VALUES (1, 1, 'shop', 'Shop', 0, '{}')`,
  )
  return db
}

/** Runs the removal to its end; answers what each turn removed. */
function turnsOf(db: Connection, rows: () => number): readonly number[] {
  const removed: number[] = []
  let place: AgedPlace | null = null
  do {
    const before = rows()
    place = removeAged(db, place, NOW)
    removed.push(before - rows())
  } while (place !== null)
  return removed
}

const countOf = (db: Connection, table: string) => () =>
  db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0

function addSpans(db: Connection, count: number, day: number): void {
  const sql = `INSERT INTO counted_spans (project_id, trace, span, day, series_id, at_ms, ended, weight)
    VALUES (1, ?, ?, ?, 1, 0, 'answered', 1)`
  db.runEach(
    sql,
    Array.from({ length: count }, (_, at) => [BigInt(day) * 10_000_000_000_000n + BigInt(at), at, day]),
  )
}

it('removes rows by sets, and no more of one table than fits a turn', (t) => {
  const db = openStore(t)
  const oldest = TODAY - max('countedSpanDays')
  addSpans(db, 3 * MOST + 1, oldest - 1)
  addSpans(db, 2, oldest)
  const turns = turnsOf(db, countOf(db, 'counted_spans'))
  assert.deepEqual(
    turns.filter((removed) => removed > 0),
    [MOST, MOST, MOST, 1],
  )
  assert.equal(countOf(db, 'counted_spans')(), 2)
})

it('goes along rows that no index finds, whose keys have more digits than a number', (t) => {
  const db = openStore(t)
  const oldest = TODAY - max('countedSpanDays')
  const rows = 30 * MOST
  const sql = `INSERT INTO request_failures (project_id, trace, event, day, at_ms) VALUES (1, ?, ?, ?, 0)`
  const keys = Array.from({ length: rows }, (_, at) => BigInt(at - rows / 2) * 600_000_000_000_000n)
  db.runEach(
    sql,
    keys.map((trace, at) => [trace, at, at % 3 === 0 ? oldest - 1 : oldest]),
  )
  const turns = turnsOf(db, countOf(db, 'request_failures'))
  assert.ok(Math.max(...turns) <= 11 * MOST, `${Math.max(...turns)} rows in one turn`)
  assert.ok(turns.filter((removed) => removed > 0).length > 2)
  assert.equal(countOf(db, 'request_failures')(), (rows * 2) / 3)
})

it('goes on within series, each of which keeps what its project keeps', (t) => {
  const db = openStore(t)
  db.run(
    `INSERT INTO projects (id, org_id, slug, name, created_ms, options) VALUES (2, 1, 'blog', 'Blog', 0, '{"retentionDays":30}')`,
  )
  const hour = (days: number) => (TODAY - days) * 24
  for (let id = 1; id <= 2 * MOST + 2; id++) {
    db.run(
      `INSERT INTO request_series (id, project_id, kind, route, environment, release, last_hour)
        VALUES (?, ?, 'document', ?, '', '', ?)`,
      [id, (id % 2) + 1, `/${id}`, id === 1 ? hour(31) : hour(0)],
    )
    for (const days of [29, 30, 31, 89, 90, 91])
      db.run(
        `INSERT INTO request_sums (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch)
          VALUES (?, ?, 24, 1, 1, 0, 0, 0, 1, x'')`,
        [id, hour(days)],
      )
  }
  const turns = turnsOf(db, countOf(db, 'request_sums'))
  assert.ok(Math.max(...turns) <= MOST + 12, `${Math.max(...turns)} rows in one turn`)
  const kept = (id: number) =>
    db
      .all<{ hour: number }>('SELECT hour FROM request_sums WHERE series_id = ? ORDER BY hour', [id])
      .map(({ hour: at }) => TODAY - at / 24)
  // A day's row goes once its end is past: that of day 30 ends where the 29 days begin.
  assert.deepEqual(
    [kept(2), kept(2 * MOST + 2)],
    [
      [90, 89, 31, 30, 29],
      [90, 89, 31, 30, 29],
    ],
  )
  assert.deepEqual(
    [kept(3), kept(2 * MOST + 1)],
    [
      [30, 29],
      [30, 29],
    ],
  )
  assert.equal(db.get('SELECT 1 FROM request_series WHERE id = 1'), undefined)
  assert.deepEqual(kept(1), [])
})

it('runs once a day, and goes on where it was the next time it is asked after a failure', (t) => {
  const db = openStore(t)
  addSpans(db, 2 * MOST, TODAY - 60)
  const half = removeAged(db, removeAged(db, null, NOW), NOW)
  assert.ok(half !== null)
  assert.equal(countOf(db, 'counted_spans')() <= MOST, true)
  turnsOf(db, countOf(db, 'counted_spans'))
  assert.equal(countOf(db, 'counted_spans')(), 0)
  addSpans(db, 1, TODAY - 60)
  assert.equal(removeAged(db, null, NOW), null)
  assert.equal(countOf(db, 'counted_spans')(), 1)
  let place = removeAged(db, null, NOW + DAY_MS)
  while (place !== null) place = removeAged(db, place, NOW + DAY_MS)
  assert.equal(countOf(db, 'counted_spans')(), 0)
})

it('writes nothing that a commit remembers where nothing has reached its age', (t) => {
  const db = openStore(t)
  const writes = db.countRuns(mayChangeRemembered)
  const before = writes()
  addSpans(db, 3, TODAY)
  turnsOf(db, countOf(db, 'counted_spans'))
  assert.equal(writes(), before)
})
