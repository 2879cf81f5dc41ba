import assert from 'node:assert/strict'
import { it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aMetricRule, anIssueRule } from '#testing/builders/alert-rule.ts'
import { NOW } from '#testing/builders/times.ts'
import { aNoticeStore } from '#testing/notices/store.ts'
import { Connection } from '../connection.ts'
import { dropCandidatesBeyond } from './candidates-beyond.ts'

const MOST = max('alertCandidatesWaitingMax')

/** Further projects: 12, whose own alerts are off, and 13; rules that an organisation begins with are gone. */
async function begin(t: Parameters<typeof aNoticeStore>[0]) {
  const at = await aNoticeStore(t, { clock: manualClock(NOW), webhook: null, beats: false })
  const db = Connection.openWriter(at.path)
  t.after(() => db.close())
  db.script('PRAGMA foreign_keys = OFF')
  db.run('DELETE FROM alert_rules')
  db.run(`INSERT INTO projects (id, org_id, slug, name, created_ms, options)
    VALUES (12, ${at.org}, 'silent', 'Silent', 0, '{}'), (13, ${at.org}, 'small', 'Small', 0, '{}')`)
  db.run('INSERT INTO notice_settings (project_id, mail, quiet_hours) VALUES (12, 0, 24)')
  let issues = 0
  const add = (project: number, count: number, moment: string, facts = '{}') => {
    issues += count
    db.run(
      `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < :count)
      INSERT INTO alert_candidates (project_id, issue_id, moment, at_ms, facts)
        SELECT :project, :issues - n, :moment, 0, :facts FROM many`,
      { count, project, moment, facts, issues },
    )
  }
  const rows = (project: number | null = null) =>
    db.get<{ count: number }>(
      'SELECT count(*) AS count FROM alert_candidates WHERE :project IS NULL OR project_id = :project',
      { project },
    )?.count
  const held = () =>
    db
      .all<{ project: number; reason: string; count: number }>(
        'SELECT project_id AS project, reason, count FROM notices_held_back ORDER BY project_id',
      )
      .map(({ project, reason, count }) => [project, reason, count])
  return { ...at, add, rows, held, drop: () => dropCandidatesBeyond(db, NOW) }
}

it('drops what waits for rules beyond the bound, and counts what own alerts would have told', async (t) => {
  const { add, rows, held, drop, shop } = await begin(t)
  const seen = '{"progress":{"after":0,"escalation":null}}'
  // The oldest of both go: in each some that a rule looked at, some that came back, some that are only counted.
  for (const project of [shop, 12]) {
    add(project, 2, 'new', seen)
    add(project, 3, 'regressed')
    add(project, 4, 'touched')
    add(project, MOST / 2 - 9, 'new')
  }
  drop()
  assert.deepEqual([rows(), held()], [MOST, []], 'as many as may wait')
  add(13, 18, 'new')
  drop()
  assert.equal(rows(), MOST)
  assert.deepEqual(held(), [[shop, 'dropped', 3]])
  add(13, 2, 'new')
  drop()
  assert.deepEqual(held(), [[shop, 'dropped', 4]])
  assert.equal(rows(13), 20)
})

it('counts whatever a rule looks at, and drops no more at once than a look may', async (t) => {
  const { add, rows, held, drop, store, org } = await begin(t)
  for (const draft of [
    anIssueRule({ on: 'new' }, { projects: [] }),
    anIssueRule({ on: 'new' }, { isOn: false }),
    aMetricRule(),
  ])
    assert.ok((await store.createRule(org, draft, anActor(NOW))).ok)
  const most = max('alertCandidatesDroppedMax')
  add(12, MOST + most + 1, 'touched')
  drop()
  assert.deepEqual([rows(), held()], [MOST + 1, []], 'no rule that is on looks at its issues')
  assert.ok((await store.createRule(org, anIssueRule({ on: 'new' }), anActor(NOW))).ok)
  drop()
  assert.deepEqual([rows(), held()], [MOST, [[12, 'dropped', 1]]])
})

it('is kept to at each look', async (t) => {
  const { add, rows, store } = await begin(t)
  add(13, MOST + 1, 'touched')
  await store.evaluateDue(NOW, { waiting: 'none', metrics: true, mail: false })
  assert.equal(rows(), MOST + 1, 'metrics look at no issues')
  await store.evaluateDue(NOW, { waiting: 'presets', metrics: false, mail: false })
  assert.equal(rows(), MOST)
})
