/** Counts an evaluation's calls of the database: they follow from what rules ask, not from how many issues wait. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import type { OrgId, ProjectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
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
    const { hasMore, metricsAfter } = await beat.evaluateDue(clock.now(), { metrics: true, mail: true })
    assert.deepEqual([hasMore, metricsAfter], [false, null])
    return calls
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
})
