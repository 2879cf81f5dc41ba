import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MINUTE_MS } from '#base/durations.ts'
import { orgId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlertMessage } from '#model/alert-message.ts'
import { QUIET_HOURS_DEFAULT } from '#model/alert-rule.ts'
import { anIssueRule, aRule } from '#testing/builders/alert-rule.ts'
import { NOW } from '#testing/builders/times.ts'
import { isTooSoon, messagesOf, onlyProject, stormHeadlines, tell } from './messages.ts'
import { quietUntil } from './quiet-hours.ts'

/** It is quiet all day. */
const QUIET = { ...QUIET_HOURS_DEFAULT, isOn: true, fromMinute: 0, untilMinute: 1_439 }
const ORG = { id: orgId(1), slug: 'acme', name: 'Acme', quietHours: QUIET }

interface Said extends Partial<Pick<AlertMessage, 'moment' | 'level'>> {
  readonly endsCritical?: boolean
}

/** Until when a message is held. */
function held({ endsCritical = false, ...said }: Said, isQuiet = true): number | null | undefined {
  const message = {
    moment: 'fired',
    level: 'info',
    headline: 'A',
    because: 'b',
    story: 'c',
    ...said,
  } as const
  const told = { firingId: null, project: null, nowMs: NOW, endsCritical, message }
  return messagesOf(aRule(anIssueRule({ on: 'new' }, { isQuiet })), ORG, told)[0]?.heldUntilMs
}

describe('messages of a rule', () => {
  it('wait for the end of quiet hours, unless they are critical, end what was, or are a test', () => {
    const until = quietUntil(QUIET, NOW)
    assert.ok(until !== null)
    for (const level of ['info', 'warning', 'ok'] as const) assert.equal(held({ level }), until)
    assert.equal(held({ level: 'critical' }), null)
    assert.equal(held({ level: 'ok', endsCritical: true }), null)
    assert.equal(held({ moment: 'test' }), null)
    assert.equal(held({}, false), null, 'a rule that is told at night too')
  })

  it('are one for each receiver that it reaches, and none while it is muted', () => {
    const targets = [{ to: 'members' }, { to: 'assignee' }] as const
    const notify = targets.map((target, at) => {
      return { target, fromLevel: at === 0 ? ('warning' as const) : ('critical' as const) }
    })
    const draft = anIssueRule({ on: 'new' }, { notify })
    const message = { moment: 'fired', level: 'info', headline: 'A', because: 'b', story: 'c' } as const
    const told = { firingId: null, project: null, nowMs: NOW, message }
    const mutedUntil = (untilMs: number | null) => aRule(draft, { mute: { untilMs, by: 'Rosa' } })
    assert.equal(tell(aRule(draft), ORG, told).length, 2)
    assert.equal(
      tell(aRule(draft), ORG, { ...told, to: ({ fromLevel }) => fromLevel === 'critical' }).length,
      1,
    )
    assert.deepEqual(
      [null, NOW + 1, NOW, NOW - 1].map((untilMs) => tell(mutedUntil(untilMs), ORG, told).length),
      [0, 0, 2, 2],
    )
  })

  it('are of a project where the rule has a single one', () => {
    const only = (...projects: readonly number[]) => onlyProject({ projects: projects.map(projectId) })
    assert.deepEqual(
      [only(), only(1), only(1, 2), onlyProject({ projects: null })],
      [null, projectId(1), null, null],
    )
  })

  it('come at most once in a period, at the end of which it is the next one', () => {
    const rule = (everyMinutes: number) => aRule(anIssueRule({ on: 'new' }, { everyMinutes }))
    const soon = (everyMinutes: number, agoMs: number | null) =>
      isTooSoon(rule(everyMinutes), agoMs === null ? null : NOW - agoMs, NOW)
    const edge = 60 * MINUTE_MS
    assert.deepEqual(
      [edge - 1, edge, edge + 1].map((ago) => soon(60, ago)),
      [true, false, false],
    )
    assert.deepEqual([soon(60, null), soon(0, null), soon(0, 1e12)], [false, false, true], '0: once for ever')
  })

  it('of a storm name the first, and count all', () => {
    const most = max('alertGatheredMax')
    const lines = (count: number) => stormHeadlines(Array.from({ length: count }, (_, at) => `line ${at}`))
    const gathered = [most - 1, most, most + 1].map(lines)
    assert.deepEqual(
      gathered.map((one) => [one?.headlines.length, one?.headlines[0], one?.total]),
      [
        [most - 1, 'line 0', most - 1],
        [most, 'line 0', most],
        [most, 'line 0', most + 1],
      ],
    )
  })
})
