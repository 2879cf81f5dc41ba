/** Counts an evaluation's calls of the database: they follow from what rules ask, not from how many issues wait. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { STEP_COSTS } from '#alerts/rules/turn-work.ts'
import { manualClock } from '#base/clock.ts'
import type { OrgId, ProjectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import type { Evaluated } from '#ports/alerts.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aMetricRule, anIssueRule } from '#testing/builders/alert-rule.ts'
import { aBatch } from '#testing/builders/control-batch.ts'
import { anEvent } from '#testing/builders/stored-event.ts'
import { HOUR, NOW } from '#testing/builders/times.ts'
import { countedConnection } from '#testing/counted-connection.ts'
import { openNewControl } from '#testing/new-control.ts'
import { setUpTwoProjects } from '#testing/worlds/two-projects.ts'
import { controlCommit } from '../commit/apply-batch.ts'
import { Connection } from '../connection.ts'
import { openControlReader } from '../control-reader.ts'
import { Turns } from '../turns.ts'
import { alertBeat } from './alert-beat.ts'

const MANY = 1_000_000
/** So many emails are a turn's work. */
const PEOPLE = max('alertTurnStepsMax') / STEP_COSTS.delivery

describe('calls of evaluating rules', () => {
  const directory = mkdtempSync(join(tmpdir(), 'errata-alert-calls-'))
  const path = join(directory, 'control.sqlite')
  const clock = manualClock(NOW)
  let db: Connection
  let projectId: ProjectId
  let calls = 0
  let seqs = 1
  before(async () => {
    const control = openNewControl({ path, clock, log: silentLog })
    const reader = openControlReader({ path, clock, log: silentLog })
    const { org, shop } = await setUpTwoProjects({ control, reader })
    projectId = shop.projectId
    await addRules(control, org)
    const off = { mail: false, quietHours: 24 }
    assert.ok((await control.setNotices(org, projectId, off, anActor())).ok)
    await reader.close()
    await control.close()
    db = Connection.openWriter(path)
  })
  after(() => {
    db.close()
    rmSync(directory, { recursive: true })
  })

  async function addRules(control: ReturnType<typeof openNewControl>, org: OrgId): Promise<void> {
    const production = { match: 'all', conditions: [{ is: 'environment', value: 'production' }] } as const
    const often = { on: 'frequency', of: 'users', atLeast: MANY, withinMinutes: 60 } as const
    for (const draft of [
      anIssueRule({ on: 'escalating' }),
      anIssueRule(often),
      anIssueRule({ ...often, of: 'events', withinMinutes: 5 }, { if: production }),
      aMetricRule({ critical: MANY, warning: null }),
    ])
      assert.ok((await control.createRule(org, draft, anActor())).ok)
  }

  /** Calls of a turn for so many issues to which something came. */
  async function callsFor(issues: number): Promise<number> {
    const { hasMore, metricsAfter } = await turnFor(issues)
    assert.deepEqual([hasMore, metricsAfter], [false, null])
    return calls
  }

  async function turnFor(issues: number): Promise<Evaluated> {
    const events = Array.from({ length: issues }, (_, at) =>
      anEvent({ projectId, group: `group ${seqs + at}` }),
    )
    await controlCommit(db, clock).applyBatch(aBatch(seqs, events))
    seqs += issues
    const beat = alertBeat(
      countedConnection(db, () => calls++),
      new Turns(),
    )
    calls = 0
    return beat.evaluateDue(clock.now(), { metrics: true, mail: true })
  }

  it('are as many for five issues as for one, and few for a crowd', async () => {
    const one = await callsFor(1)
    assert.equal(await callsFor(5), one)
    const crowd = await callsFor(60)
    assert.ok(crowd <= 12 * one, `${crowd} calls for 60 issues`)
    assert.ok(one <= 22, `${one} calls`)
  })

  it('grow with the notices of preset rules alone, of which a minute has few', async () => {
    const before = await callsFor(1)
    db.run('UPDATE notice_settings SET mail = 1 WHERE project_id = ?', [projectId])
    const most = await callsFor(max('noticesPerMinuteMax'))
    assert.ok(most > before, `${most} calls, ${before} where nobody is told`)
    clock.advance(HOUR)
    const beyond = await callsFor(60)
    assert.ok(beyond <= 12 * before + most, `${beyond} calls for 60 issues`)
  })

  it('end a turn with the deliveries that are one’s work, and leave others to whoever delivers', async () => {
    clock.advance(HOUR)
    db.run('UPDATE notices SET due_ms = NULL')
    db.run(`WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${PEOPLE})
      INSERT INTO users (email, email_folded, name, password_hash, created_ms)
        SELECT n || '@many.example', n || '@many.example', n, '', 0 FROM many`)
    db.run(
      `INSERT INTO memberships (org_id, user_id, role, joined_ms)
      SELECT p.org_id, u.id, 'manager', 0 FROM projects p JOIN users u ON u.email LIKE '%@many.example' WHERE p.id = ?`,
      [projectId],
    )
    const made = () => db.get<{ count: number }>('SELECT count(*) AS count FROM deliveries')?.count ?? 0
    const before = made()
    const { hasMore, notices } = await turnFor(300)
    assert.equal(notices, max('noticesPerMinuteMax') + 1, 'and the summary')
    assert.ok(made() - before >= PEOPLE && made() - before < 2 * PEOPLE, `${made() - before} deliveries`)
    assert.equal(hasMore, true)
  })
})
