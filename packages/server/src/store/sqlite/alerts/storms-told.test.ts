/** Storms that are over, told of by turns: each costs as much as it has people to tell. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '#testing/builders/actor.ts'
import { anIssueRule } from '#testing/builders/alert-rule.ts'
import { NOW } from '#testing/builders/times.ts'
import { aNoticeStore } from '#testing/notices/store.ts'
import { Connection } from '../connection.ts'
import { raiseAlertsVersion } from '../rows/alert-candidates.ts'

const STORMS = 3

/** Begins with three rules whose storms are over, in an organisation of so many people. */
async function begin(t: TestContext, people: number) {
  const at = await aNoticeStore(t, { clock: manualClock(NOW), webhook: null, beats: false })
  const db = Connection.openWriter(at.path)
  t.after(() => db.close())
  db.run('DELETE FROM alert_rules')
  for (let nth = 0; nth < STORMS; nth++) {
    const notify = [{ target: { to: 'members' }, fromLevel: 'warning' }] as const
    const made = await at.store.createRule(at.org, anIssueRule({ on: 'new' }, { notify }), anActor(NOW))
    const rule = made.ok ? made.value.id : assert.fail('no rule')
    const stormMs = NOW - max('alertStormMs')
    db.run(
      `INSERT OR REPLACE INTO alert_states (rule_id, level, since_ms, storm_ms) VALUES (?, 'ok', 0, ?)`,
      [rule, stormMs],
    )
    db.run(
      `INSERT INTO alert_firings (rule_id, level, started_ms, headline, because, untold)
        VALUES (?, 'info', ?, 'H', 'B', 'storm')`,
      [rule, stormMs],
    )
  }
  db.run(
    `WITH RECURSIVE many (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM many WHERE n < ?)
      INSERT INTO users (email, email_folded, name, password_hash, created_ms)
      SELECT n || '@many.example', n || '@many.example', 'Person ' || n, '', 0 FROM many`,
    [people],
  )
  db.run(
    `INSERT INTO memberships (org_id, user_id, role, joined_ms)
      SELECT ?, id, 'manager', 0 FROM users WHERE email LIKE '%@many.example'`,
    [at.org],
  )
  raiseAlertsVersion(db)
  const gathering = () =>
    db.get<{ count: number }>('SELECT count(*) AS count FROM alert_states WHERE storm_ms IS NOT NULL')
      ?.count ?? 0
  return { ...at, gathering }
}

it('tells of one storm a turn where it has very many people to tell, and of all within some', async (t) => {
  const { store, gathering } = await begin(t, max('alertTurnStepsMax') / 3)
  const left: number[] = []
  let metrics: boolean | number = true
  while (metrics !== false) {
    const { metricsAfter } = await store.evaluateDue(NOW, { metrics, mail: true })
    metrics = metricsAfter ?? false
    left.push(gathering())
  }
  assert.deepEqual(left, [2, 1, 0])
})

it('tells of several at once where few are told', async (t) => {
  const { store, gathering } = await begin(t, 2)
  const { metricsAfter } = await store.evaluateDue(NOW, { metrics: true, mail: true })
  assert.deepEqual([metricsAfter, gathering()], [null, 0])
})
