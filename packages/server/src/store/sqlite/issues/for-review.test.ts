import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { orgId, projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { Connection } from '../connection.ts'
import { migrate } from '../migrations.ts'
import { countForReview } from './issue-list.ts'

const SINCE = 1_000
const NEW_SINCE = 2_000
const BOUNDS = { sinceMs: SINCE, newSinceMs: NEW_SINCE, limit: 9_999 }

interface Given {
  readonly project?: number
  readonly status?: 'unresolved' | 'resolved' | 'archived'
  readonly substatus?: string | null
  readonly firstSeenMs?: number
  readonly lastSeenMs?: number
}

function aStore(t: TestContext) {
  const db = Connection.openScratch()
  t.after(() => db.close())
  migrate(db, { log: silentLog, planLog: silentLog })
  db.script(
    `INSERT INTO organisations (id, slug, name, created_ms) VALUES (1, 'a', 'A', 0), (2, 'b', 'B', 0)`,
  )
  for (const [project, org] of [
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
  ] as const)
    db.run(
      `INSERT INTO projects (id, org_id, slug, name, platform, options, is_self, created_ms)
        VALUES (?, ?, ?, 'P', NULL, '{}', 0, 0)`,
      [project, org, `p${project}`],
    )
  let number = 0
  const add = (given: Given, count = 1) => {
    const { project = 1, status = 'unresolved', substatus = 'new' } = given
    const { firstSeenMs = NEW_SINCE, lastSeenMs = NEW_SINCE } = given
    db.run(
      `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < :count)
        INSERT INTO issues (project_id, number, status, substatus, status_changed_ms, level, first_seen_ms, last_seen_ms,
          event_count, mirror_count, user_count, users_exact, group_count, facts_ms, own_title, type, value, culprit,
          platform, kinds, routes)
        SELECT :project, :number + n, :status, :substatus, 0, 'error', :first, :last, 1, 0, 0, 1, 1, 0, '', '', '', '',
          'node', '{}', '{}' FROM many`,
      { project, status, substatus, count, number, first: firstSeenMs, last: lastSeenMs },
    )
    number += count
  }
  const readable = scopeForTest({ orgId: orgId(1), projects: [1, 2, 4].map(projectId) })
  const count = (bounds = {}) => countForReview(db, readable, { ...BOUNDS, ...bounds })
  return { db, add, count, readable }
}

describe('the count of issues for review', () => {
  const CASES: readonly [string, Given, number][] = [
    ['new, a moment too old', { firstSeenMs: NEW_SINCE - 1 }, 0],
    ['new, just young enough', { firstSeenMs: NEW_SINCE }, 1],
    ['new and not seen since', { lastSeenMs: SINCE - 1 }, 0],
    ['new, seen just then', { lastSeenMs: SINCE }, 1],
    ['back, however old', { substatus: 'regressed', firstSeenMs: 0, lastSeenMs: SINCE }, 1],
    ['back and not seen since', { substatus: 'regressed', firstSeenMs: 0, lastSeenMs: SINCE - 1 }, 0],
    ['escalating', { substatus: 'escalating', firstSeenMs: 0, lastSeenMs: SINCE }, 1],
    ['escalating and not seen since', { substatus: 'escalating', firstSeenMs: 0, lastSeenMs: SINCE - 1 }, 0],
    ['ongoing', { substatus: 'ongoing' }, 0],
    ['a mirror that waits', { substatus: 'waiting' }, 0],
    ['resolved', { status: 'resolved', substatus: null }, 0],
    ['archived', { status: 'archived', substatus: 'archived_until' }, 0],
    ['of another project', { project: 2 }, 1],
    ['of a project that is closed to the viewer', { project: 3 }, 0],
    ['of another organisation', { project: 4 }, 0],
  ]
  for (const [name, given, expected] of CASES)
    it(`${expected === 1 ? 'has' : 'leaves out'} what is ${name}`, (t) => {
      const { add, count } = aStore(t)
      add(given)
      assert.equal(count(), expected)
    })

  it('ends at its bound, whatever they are', (t) => {
    const { add, count } = aStore(t)
    add({}, 3)
    add({ substatus: 'regressed' }, 2)
    assert.deepEqual(
      [2, 3, 4, 5, 6].map((limit) => count({ limit })),
      [2, 3, 4, 5, 5],
    )
  })

  it('is found where issues that nobody looked at lie, not among all of the two weeks', (t) => {
    const { db, readable } = aStore(t)
    const plans: string[] = []
    const watched: Pick<Connection, 'get'> = {
      get: (sql, params) => {
        const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params)
        plans.push(...plan.map(({ detail }) => detail).filter((detail) => / i /.test(detail)))
        return db.get(sql, params)
      },
    }
    countForReview(watched, readable, BOUNDS)
    assert.deepEqual(plans, [
      'SEARCH i USING INDEX issues_new (project_id=? AND first_seen_ms>?)',
      'SEARCH i USING INDEX issues_returned (project_id=? AND last_seen_ms>?)',
    ])
  })
})
