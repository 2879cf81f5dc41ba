/** Many halves of stale clicks at about one time: what is read of the clicks near them, and that others get their turns. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { manualClock } from '#base/clock.ts'
import { dayOf, type ProjectId } from '#base/ids.ts'
import { silentLog as log } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { clickText, firstHalf } from '#skew/clicks.ts'
import { aRequestsBatch } from '#testing/builders/control-batch.ts'
import { aStaleClick } from '#testing/builders/stale-click.ts'
import { NOW } from '#testing/builders/times.ts'
import { openNewControl } from '#testing/new-control.ts'
import { setUpTwoProjects } from '#testing/worlds/two-projects.ts'
import { controlCommit } from '../commit/apply-batch.ts'
import { Connection } from '../connection.ts'
import { openControlReader } from '../control-reader.ts'
import { clicksNear } from './stale-clicks.ts'

const HALVES = 5_000
const STORED = 500

describe('many halves at about one time', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-many-halves-'))
  const path = join(directory, 'control.sqlite')
  const clock = manualClock(NOW)
  let projectId: ProjectId
  let db: Connection
  let texts = 0
  before(async () => {
    const control = openNewControl({ path, clock, log })
    const reader = openControlReader({ path, clock, log })
    const { shop } = await setUpTwoProjects({ control, reader })
    projectId = shop.projectId
    await reader.close()
    await control.close()
    db = Connection.openWriter(path)
    const sql = `INSERT INTO stale_clicks (project_id, day, at_ms, trace, series_id, slot, click)
      VALUES (?, ?, ?, ?, 1, 1, ?)`
    db.runEach(
      sql,
      Array.from({ length: STORED }, (_, at) => {
        const click = firstHalf(halfAt(at, 'stored'))
        return [projectId, dayOf(NOW), click.atMs, click.traceId, clickText(click)]
      }),
    )
  })
  after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })

  function halfAt(at: number, name: string) {
    return aStaleClick({ projectId, atMs: NOW + (at % 5_000), subject: `/${name} ${at}.js` })
  }

  /** The connection, which counts texts of clicks that are read. */
  function counting(): Connection {
    const count = (rows: readonly object[]) => {
      texts += rows.filter((row) => 'click' in row).length
    }
    return new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          const rows: unknown = Reflect.apply(value, target, given)
          if ((name === 'all' || name === 'allEach') && Array.isArray(rows)) count(rows.flat())
          return rows
        }
      },
    })
  }

  it('read each click once', () => {
    texts = 0
    const seen = Array.from({ length: 1_000 }, (_, at) => halfAt(at, 'seen'))
    const near = clicksNear(counting(), seen)
    assert.equal(near.length, seen.length)
    assert.ok(near.every((clicks) => clicks.length >= max('staleNearMax')))
    assert.ok(texts > 0 && texts <= STORED, `${texts} texts of ${STORED} clicks`)
  })

  it('are counted while others of the thread get their turns, and read few clicks', async () => {
    texts = 0
    const stale = Array.from({ length: HALVES }, (_, at) => halfAt(at, 'seen'))
    let isDone = false
    let turns = 0
    const commit = controlCommit(counting(), clock)
    const applied = commit.applyBatch(aRequestsBatch(1, { stale })).finally(() => {
      isDone = true
    })
    while (!isDone) {
      turns++
      await setImmediate()
    }
    await applied
    assert.ok(turns >= HALVES / max('staleNearMax'), `${turns} turns`)
    assert.ok(texts <= HALVES * 4, `${texts} texts of clicks`)
    const count = db.get<{ count: number }>('SELECT count(*) AS count FROM stale_clicks')?.count
    assert.ok((count ?? 0) > STORED + HALVES / 2, `${count} clicks`)
  })
})
