import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { HOUR_MS } from '#base/durations.ts'
import { orgId, projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import type { RequestsRead } from '#ports/requests.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { requestsRead } from './requests-read.ts'

const UNUSED = 40

/** Makes a project with many series whose last figure is of hour 9, and one with figures of the hours 9 and 10. */
function seriesOfTwoHours(t: TestContext) {
  const db = Connection.openScratch()
  t.after(() => db.close())
  migrate(db, { log: silentLog, planLog: silentLog })
  db.script(`INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'a', 'A', 0);
    INSERT INTO projects (id, org_id, slug, name, platform, options, is_self, created_ms)
      VALUES (1, 1, 'p', 'P', NULL, '{}', 0, 0);
    INSERT INTO request_series (id, project_id, environment, release, route, kind, last_hour)
      VALUES (1, 1, '', 'new@1', '/a', 'document', 10);
    WITH RECURSIVE many (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM many WHERE n <= ${UNUSED})
      INSERT INTO request_series (id, project_id, environment, release, route, kind, last_hour)
        SELECT n, 1, '', 'old@' || n, '/a', iif(n % 3 = 0, 'action', 'document'), 9 FROM many;
    INSERT INTO request_sums (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch)
      SELECT id, 9, 1, 1, 1, 0, 0, 0, 5, x'' FROM request_series;
    INSERT INTO request_sums (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch)
      VALUES (1, 10, 1, 3, 3, 1, 0, 0, 5, x'')`)
  const scope = scopeForTest({ orgId: orgId(1), projects: [projectId(1)] })
  const countFrom = async (hour: number) => {
    const range = { projects: null, startMs: hour * HOUR_MS, endMs: 11 * HOUR_MS }
    const [counts] = await requestsRead(db).requestCounts(scope, range, 24 * HOUR_MS)
    return counts?.count
  }
  return { db, scope, countFrom }
}

describe('figures of requests', () => {
  it('have every series whose last figure is in the range, on its first hour too', async (t) => {
    const { countFrom } = seriesOfTwoHours(t)
    assert.equal(await countFrom(9), UNUSED + 4)
    assert.equal(await countFrom(10), 3)
  })

  it('are read in pieces where there are so many that their sketches make too long a text', async (t) => {
    const { db, scope } = seriesOfTwoHours(t)
    const addUpTo = (count: number) =>
      db.script(`WITH RECURSIVE many (n) AS (SELECT max(id) + 1 FROM request_series UNION ALL SELECT n + 1 FROM many WHERE n < ${count})
        INSERT INTO request_series (id, project_id, environment, release, route, kind, last_hour)
          SELECT n, 1, '', 'many@' || n, '/a', 'document', 9 FROM many;
        INSERT INTO request_sums (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch)
          SELECT id, 9, 1, 1, 1, 0, 0, 0, 5, x'' FROM request_series WHERE id NOT IN (SELECT series_id FROM request_sums)`)
    const runs = db.countRuns((sql) => sql.includes('AS sketches'))
    const kinds = ['document', 'action'] as const
    for (const [series, pieces] of [
      [5_461, 1],
      [5_462, 2],
      [10_922, 2],
      [10_923, 3],
    ] as const) {
      addUpTo(series)
      const before = runs()
      const day = { projects: null, startMs: 0, endMs: 24 * HOUR_MS }
      const figures = await requestsRead(db).figuresOfKinds(scope, day, kinds)
      assert.equal(runs() - before, pieces, `${series} series of 24 hours`)
      // The first series has three more requests in its second hour.
      assert.equal(
        figures.reduce((sum, { count }) => sum + count, 0),
        series + 3,
      )
    }
  })

  it('are of each kind what they are of that kind alone', async (t) => {
    const { db, scope } = seriesOfTwoHours(t)
    const [read, day] = [requestsRead(db), { projects: null, startMs: 0, endMs: 24 * HOUR_MS }]
    const kinds = ['action', 'prefetch', 'document'] as const
    const together = await read.figuresOfKinds(scope, day, kinds)
    assert.deepEqual(
      together.map(({ count }) => count),
      [13, 0, UNUSED - 13 + 4],
    )
    for (const [at, kind] of kinds.entries()) {
      const { failedP75Ms: _, failedP95Ms: __, ...alone } = await read.requestFigures(scope, { ...day, kind })
      assert.deepEqual(together[at], alone)
    }
  })

  /** How the series are found for what `ask` reads. */
  async function plansOf(db: Connection, ask: (read: RequestsRead) => Promise<unknown>) {
    const plans: string[] = []
    const watched = new Proxy(db, {
      get: (target, name) =>
        name === 'all'
          ? (...[sql, params]: Parameters<Connection['all']>) => {
              const plan = target.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)
              plans.push(...plan.map(({ detail }) => detail).filter((detail) => / s /.test(detail)))
              return target.all(sql, params)
            }
          : Reflect.get(target, name),
    })
    await ask(requestsRead(watched))
    return plans
  }

  const searchOf = (index: string) =>
    `SEARCH s USING ${index} request_series_by_use (project_id=? AND last_hour>?)`

  it('look up the series that were in use, not all of the project', async (t) => {
    const { db, scope } = seriesOfTwoHours(t)
    const day = { projects: null, startMs: 0, endMs: 24 * HOUR_MS }
    const plans = await plansOf(db, async (read) => {
      await read.requestCounts(scope, day, HOUR_MS)
      await read.routeCounts(scope, day)
      await read.requestFigures(scope, { ...day, kind: 'document' })
      await read.figuresOfKinds(scope, day, ['document'])
      await read.vitalSpreads(scope, day)
      await read.vitals(scope, day)
      await read.requestsByRelease(scope, day, HOUR_MS)
      await read.requestReleases(scope, day)
      await read.routeTrends(scope, { ...day, routes: ['/a'] }, HOUR_MS)
    })
    const byUse = Array(3).fill(searchOf('INDEX'))
    // The series of the kinds are counted first, without any of their rows.
    assert.deepEqual(plans, [...byUse, searchOf('COVERING INDEX'), ...byUse, ...byUse])
  })

  it('look up the series of a release, however many were in use', async (t) => {
    const { db, scope } = seriesOfTwoHours(t)
    const ofRelease = { projects: null, startMs: 0, endMs: 40 * 24 * HOUR_MS, release: 'old@7' }
    const plans = await plansOf(db, async (read) => {
      const [figures, routes] = [
        await read.requestFigures(scope, ofRelease),
        await read.routes(scope, ofRelease),
      ]
      assert.deepEqual([figures.count, routes.map(({ count }) => count)], [1, [1]])
    })
    assert.deepEqual(
      plans,
      Array(3).fill('SEARCH s USING INDEX request_series_by_release (project_id=? AND release=?)'),
    )
  })
})
