/** A failing rule silences nothing else: the store has a row that no build writes, or refuses one. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { AlertLoop } from '#alerts/alert-loop.ts'
import { manualClock } from '#base/clock.ts'
import { type LogFields, silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { anActor } from '#testing/builders/actor.ts'
import { aMetricRule, anIssueRule } from '#testing/builders/alert-rule.ts'
import { scopeForTest } from '#testing/builders/scope.ts'
import { NOW } from '#testing/builders/times.ts'
import { aNoticeStore } from '#testing/notices/store.ts'
import { Connection } from '../connection.ts'
import { raiseAlertsVersion } from '../rows/alert-candidates.ts'
import { alertsRead } from './alerts-read.ts'

async function begin(t: TestContext) {
  const clock = manualClock(NOW)
  const at = await aNoticeStore(t, { clock, webhook: 'https://a.example/', beats: false })
  const said: (readonly [string, unknown])[] = []
  const log = {
    ...silentLog,
    warn: (message: string, fields: LogFields = {}) => said.push([message, fields.of ?? fields.rule]),
    info: (message: string, fields: LogFields = {}) => said.push([message, fields.of]),
  }
  const loop = new AlertLoop({ store: at.store, clock, log, mail: false, onMessages() {} })
  const change = (sql: string, ...params: readonly (string | number)[]) => {
    const db = Connection.openWriter(at.path)
    db.run(sql, params)
    raiseAlertsVersion(db)
    db.close()
  }
  const rule = async (draft: Parameters<typeof at.store.createRule>[1]) => {
    const made = await at.store.createRule(at.org, draft, anActor(NOW))
    return made.ok ? made.value.id : assert.fail('no rule')
  }
  const fired = () => {
    const db = Connection.openWriter(at.path)
    const rows = db.all<{ rule: number; count: number }>(
      'SELECT rule_id AS rule, count(*) AS count FROM alert_firings GROUP BY rule_id ORDER BY rule_id',
    )
    db.close()
    return rows.map(({ rule: id, count }) => [id, count])
  }
  const failures = async () => {
    const db = Connection.openWriter(at.path)
    const scope = scopeForTest({ orgId: at.org, projects: [at.shop] })
    const views = await alertsRead(db).alertRules(scope, clock.now())
    db.close()
    return views.map(({ rule: { id }, failedMs }) => [id, failedMs] as const)
  }
  const again = async (id: number) => {
    const done = await at.store.changeRule(at.org, id, aMetricRule({ critical: 9 }), anActor(clock.now()))
    assert.ok(done.ok)
  }
  const told = async () => (await at.logged()).map(({ kind, issue }) => [kind, issue?.title])
  return { ...at, clock, said, loop, change, rule, fired, told, failures, again }
}

it('metrics that cannot be saved undo nothing of issues, and are tried again by themselves', async (t) => {
  const { arrive, loop, change, told, said, clock } = await begin(t)
  await arrive({ group: 'a' })
  change(`CREATE TRIGGER full BEFORE INSERT ON alert_states BEGIN SELECT RAISE(ABORT, 'full'); END`)
  await loop.runOnce()
  assert.deepEqual(await told(), [['new', 'Error: a']])
  assert.deepEqual(said, [['alert rules cannot be evaluated: the store fails', 'metrics']])
  clock.advance(max('alertPauseMs') - 1)
  change('DROP TRIGGER full')
  await loop.runOnce()
  assert.equal(said.length, 1)
  clock.advance(1)
  await loop.runOnce()
  assert.deepEqual(said.slice(1), [['alert rules are evaluated again', 'metrics']])
})

for (const [what, breaks] of Object.entries({
  'has no measure': [`UPDATE alert_rules SET draft = json_remove(draft, '$.when.measure') WHERE id = ?`],
  'has no moment': [`UPDATE alert_rules SET draft = json_remove(draft, '$.when') WHERE id = ?`],
  'has a window of no length': [
    `UPDATE alert_rules SET draft = json_set(draft, '$.when.windowMinutes', 'x') WHERE id = ?`,
  ],
}))
  it(`a metric rule that ${what} silences itself alone, and says so where it is shown`, async (t) => {
    const { loop, rule, change, said, clock, fired, failures, again } = await begin(t)
    const measure = { of: 'duration', percentile: 95, route: null, kind: null } as const
    const [bad, good] = [
      await rule(aMetricRule({ measure })),
      await rule(aMetricRule({ direction: 'below', critical: 1, warning: null })),
    ]
    change('DELETE FROM alert_rules WHERE id NOT IN (?, ?)', bad, good)
    for (const sql of breaks) change(sql, bad)
    await loop.runOnce()
    assert.deepEqual(fired(), [[good, 1]])
    assert.deepEqual(said, [['an alert rule cannot be evaluated as it is stored', bad]])
    assert.deepEqual(await failures(), [
      [bad, NOW],
      [good, null],
    ])
    clock.advance(max('alertBeatMs'))
    await loop.runOnce()
    assert.deepEqual((await failures())[0], [bad, NOW], 'since when')
    await again(bad)
    assert.deepEqual((await failures())[0], [bad, null], 'it is another rule now')
    clock.advance(max('alertBeatMs'))
    await loop.runOnce()
    assert.deepEqual((await failures())[0], [bad, null])
  })

it('an issue rule that cannot be evaluated silences itself alone, and is named once', async (t) => {
  const { arrive, loop, rule, change, told, said, fired } = await begin(t)
  const [bad, good] = [await rule(anIssueRule({ on: 'new' })), await rule(anIssueRule({ on: 'new' }))]
  change('DELETE FROM alert_rules WHERE id NOT IN (?, ?)', bad, good)
  await arrive({ group: 'a' })
  change(`UPDATE alert_rules SET draft = json_remove(draft, '$.if') WHERE id = ?`, bad)
  await loop.runOnce()
  assert.deepEqual(await told(), [['new', 'Error: a']])
  assert.deepEqual(fired(), [[good, 1]])
  await loop.runOnce()
  assert.deepEqual(said, [['an alert rule cannot be evaluated as it is stored', bad]])
})

for (const [what, kind, json] of [
  ['moment', '$.when', '[{"on":"moonrise"}]'],
  ['second moment', '$.when', '[{"on":"new"},{"on":"moonrise"}]'],
  ['condition', '$.if', '{"match":"none","conditions":[{"is":"moonlit","value":"full"}]}'],
] as const)
  it(`an issue rule with a ${what} of another version never fires`, async (t) => {
    const { arrive, loop, rule, change, said, fired, failures } = await begin(t)
    const [bad, good] = [await rule(anIssueRule({ on: 'new' })), await rule(anIssueRule({ on: 'new' }))]
    change('DELETE FROM alert_rules WHERE id NOT IN (?, ?)', bad, good)
    change('UPDATE alert_rules SET draft = json_set(draft, ?, json(?)) WHERE id = ?', kind, json, bad)
    await arrive({ group: 'a' })
    await loop.runOnce()
    assert.deepEqual(fired(), [[good, 1]])
    assert.deepEqual(said, [['an alert rule cannot be evaluated as it is stored', bad]])
    assert.deepEqual(await failures(), [
      [bad, NOW],
      [good, null],
    ])
  })

it('a metric rule with a measure of another version never fires', async (t) => {
  const { loop, rule, change, fired, failures } = await begin(t)
  const draft = aMetricRule({ direction: 'below', critical: 1, warning: null })
  const [bad, good] = [await rule(draft), await rule(draft)]
  change('DELETE FROM alert_rules WHERE id NOT IN (?, ?)', bad, good)
  change(`UPDATE alert_rules SET draft = json_set(draft, '$.when.measure.of', 'moons') WHERE id = ?`, bad)
  await loop.runOnce()
  assert.deepEqual(fired(), [[good, 1]])
  assert.deepEqual((await failures())[0], [bad, NOW])
})

it('own alerts are told though rules cannot be saved, once, and rules tell when they can', async (t) => {
  const { arrive, loop, rule, change, told, said, fired } = await begin(t)
  const id = await rule(anIssueRule({ on: 'new' }))
  change('DELETE FROM alert_rules WHERE id <> ?', id)
  await arrive({ group: 'a' })
  change(`CREATE TRIGGER full BEFORE INSERT ON alert_firings BEGIN SELECT RAISE(ABORT, 'full'); END`)
  await loop.runOnce()
  assert.deepEqual(await told(), [], 'a turn is undone as a whole')
  await loop.runOnce()
  await loop.runOnce()
  assert.deepEqual(await told(), [['new', 'Error: a']])
  assert.deepEqual(fired(), [])
  change('DROP TRIGGER full')
  await loop.runOnce()
  assert.deepEqual(await told(), [['new', 'Error: a']])
  assert.deepEqual(fired(), [[id, 1]])
  assert.deepEqual(said, [
    ['alert rules cannot be evaluated: the store fails', 'issues'],
    ['alert rules are evaluated again', 'issues'],
  ])
})

it('a storm of a rule that cannot be evaluated undoes nothing of metrics, nor of other storms', async (t) => {
  const { loop, rule, change, said, fired, failures } = await begin(t)
  const metric = await rule(aMetricRule({ direction: 'below', critical: 1, warning: null }))
  const [bad, good] = [await rule(anIssueRule({ on: 'new' })), await rule(anIssueRule({ on: 'new' }))]
  change('DELETE FROM alert_rules WHERE id NOT IN (?, ?, ?)', metric, bad, good)
  const stormMs = NOW - max('alertStormMs')
  for (const id of [bad, good]) {
    change(
      `INSERT INTO alert_states (rule_id, level, since_ms, storm_ms) VALUES (?, 'ok', 0, ?)`,
      ...[id, stormMs],
    )
    change(
      `INSERT INTO alert_firings (rule_id, level, started_ms, headline, because, untold)
        VALUES (?, 'info', ?, 'H', 'B', 'storm')`,
      ...[id, stormMs],
    )
  }
  change(`UPDATE alert_rules SET draft = json_remove(draft, '$.when') WHERE id = ?`, bad)
  await loop.runOnce()
  assert.deepEqual(fired(), [
    [metric, 1],
    [bad, 1],
    [good, 1],
  ])
  assert.deepEqual(said, [['an alert rule cannot be evaluated as it is stored', bad]])
  assert.deepEqual(
    new Map(await failures()),
    new Map([
      [metric, null],
      [bad, NOW],
      [good, null],
    ]),
  )
})

for (const [kind, draft] of [
  ['issue', anIssueRule({ on: 'new' })],
  ['metric', aMetricRule({ critical: 9 })],
] as const)
  it(`what is said of an ${kind} rule that cannot be evaluated is taken back once it can`, async (t) => {
    const { loop, rule, change, clock, failures } = await begin(t)
    const [bad, worse] = [await rule(draft), await rule(draft)]
    change('DELETE FROM alert_rules WHERE id NOT IN (?, ?)', bad, worse)
    change(`UPDATE alert_rules SET draft = json_set(draft, '$.whenLater', draft -> '$.when')`)
    change(`UPDATE alert_rules SET draft = json_remove(draft, '$.when')`)
    await loop.runOnce()
    assert.deepEqual(
      new Map(await failures()),
      new Map([
        [bad, NOW],
        [worse, NOW],
      ]),
    )
    // As a build does that reads it.
    change(
      `UPDATE alert_rules SET draft = json_set(draft, '$.when', draft -> '$.whenLater') WHERE id = ?`,
      bad,
    )
    clock.advance(max('alertBeatMs'))
    await loop.runOnce()
    assert.deepEqual(
      new Map(await failures()),
      new Map([
        [bad, null],
        [worse, NOW],
      ]),
    )
  })
