import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { issueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssueRule, IssueWhen } from '#model/alert-rule.ts'
import { DurationSketch } from '#requests/sketch.ts'
import { anIssueRule, aRule } from '#testing/builders/alert-rule.ts'
import type { WatchedIssue } from './alert-store.ts'
import { becauseOf, canEscalate, countsAsked, escalationOf, type SeenMoment } from './moments.ts'
import type { SlotRange } from './slots.ts'

const AT_MS = 1_700_000_000_000
const ISSUE: WatchedIssue = {
  ...{ id: issueId(7), number: 7, status: 'unresolved', substatus: 'ongoing', handled: false },
  ...{ priority: 'medium', level: 'error', title: 'Error: no tea', culprit: '' },
  ...{ firstSeenMs: AT_MS, assigneeId: null, isOfTeam: false, eventCount: 1, mirrorCount: 0 },
}
const NEW: IssueWhen = { on: 'new' }
const events = (atLeast: number): IssueWhen => ({
  ...{ on: 'frequency', of: 'events', atLeast, withinMinutes: 60 },
})
const increase = (atLeast: number, times: number): IssueWhen => ({
  ...{ on: 'increase', of: 'events', atLeast, times, withinMinutes: 30 },
})

function ruleOf(when: readonly IssueWhen[], whenMatch?: 'all'): IssueRule {
  const rule = aRule(anIssueRule(NEW))
  return rule.kind === 'issue' ? { ...rule, when, whenMatch } : assert.fail('an issue rule')
}

function seenAt(moment: SeenMoment['moment'], change: Partial<SeenMoment> = {}): SeenMoment {
  return { moment, atMs: AT_MS, issue: ISSUE, escalation: null, ...change }
}

/** Counts in the window that ends now, and in the one before. */
const sums =
  (now: number, before = 0) =>
  ({ last }: SlotRange) => {
    const count = last === Math.floor(AT_MS / MINUTE_MS) ? now : before
    return { count, failed: 0, users: count, sketch: new DurationSketch() }
  }

/** Reason why a rule fires about an issue with three events in the hour. */
const because = (when: readonly IssueWhen[], moment: SeenMoment['moment'], whenMatch?: 'all') =>
  becauseOf(ruleOf(when, whenMatch), seenAt(moment), sums(3))

const FIRST = 'it was seen for the first time'
const THREE = '3 events within 1 h'

describe('an issue rule', () => {
  const table = [
    ['fires at any of its moments', because([NEW, events(3)], 'new'), FIRST],
    ['fires at the other of its moments', because([NEW, events(3)], 'touched'), THREE],
    ['that wants all is not content with one', because([NEW, events(3)], 'touched', 'all'), null],
    [
      'that wants all counts at every moment',
      because([NEW, events(3)], 'new', 'all'),
      `${FIRST}, and ${THREE}`,
    ],
    ['that wants all needs the counts', because([NEW, events(4)], 'new', 'all'), null],
    ['that wants two counts', because([events(2), events(3)], 'touched', 'all'), `${THREE}, and ${THREE}`],
    ['of a count below it', because([events(2)], 'touched'), THREE],
    ['of a count above it', because([events(4)], 'touched'), null],
    ['of a count alone, at another moment', because([events(3)], 'new'), null],
    ['of a count alone that wants all, at another moment', because([events(3)], 'new', 'all'), null],
  ] as const
  for (const [what, found, expected] of table) it(what, () => assert.equal(found, expected))

  it('of an increase fires with as many times more than before, of which none counts as one', () => {
    const found = (now: number, before: number, times: number) =>
      becauseOf(ruleOf([increase(4, times)]), seenAt('touched'), sums(now, before)) !== null
    assert.deepEqual(
      [found(3, 0, 1), found(4, 0, 4), found(4, 0, 5), found(5, 2, 3), found(6, 2, 3), found(7, 2, 3)],
      [false, true, false, false, true, true],
    )
  })

  it('counts nothing of what is archived or resolved', () => {
    for (const status of ['archived', 'resolved'] as const) {
      const seen = seenAt('touched', { issue: { ...ISSUE, status } })
      assert.equal(becauseOf(ruleOf([events(1)]), seen, sums(3)), null)
    }
  })

  it('of regressions hears of these, one of escalations of what comes out of the archive', () => {
    const back = (substatus: WatchedIssue['substatus'], on: 'regressed' | 'escalating') =>
      becauseOf(ruleOf([{ on }]), seenAt('regressed', { issue: { ...ISSUE, substatus } }), sums(0))
    assert.deepEqual(
      [back('regressed', 'regressed'), back('ongoing', 'regressed')],
      ['a resolved issue regressed', null],
    )
    assert.deepEqual(
      [back('regressed', 'escalating'), back('ongoing', 'escalating')],
      [null, 'it was unarchived'],
    )
    const escalating = seenAt('touched', { escalation: 'too many' })
    assert.equal(becauseOf(ruleOf([{ on: 'escalating' }]), escalating, sums(0)), 'too many')
  })

  it('of look-ups fires with as many people as it asks for', () => {
    const found = (people: number, moment: SeenMoment['moment'] = 'digest') =>
      becauseOf(ruleOf([{ on: 'digest', atLeast: 3, withinMinutes: 60 }]), seenAt(moment), sums(people))
    assert.deepEqual([found(2), found(3, 'touched')], [null, null])
    assert.equal(found(3), 'its digest was looked up by 3 people within 1 h')
  })

  it('asks for the counts that it looks at, of an increase for those before as well', () => {
    const asked = (when: readonly IssueWhen[], moment: SeenMoment['moment'], whenMatch?: 'all') =>
      countsAsked(ruleOf(when, whenMatch), { moment, atMs: AT_MS, issueId: ISSUE.id }).map(
        ({ key, width, first, last }) => `${key} ${width} ${last - first + 1}`,
      )
    assert.deepEqual(asked([NEW, events(3)], 'new'), [])
    assert.deepEqual(asked([NEW, events(3)], 'new', 'all'), ['i7 1 60'])
    assert.deepEqual(asked([events(3), NEW], 'touched'), ['i7 1 60'])
    assert.deepEqual(asked([increase(1, 2)], 'touched'), ['i7 1 30', 'i7 1 30'])
    const [now, before] = countsAsked(ruleOf([increase(1, 2)]), {
      ...{ moment: 'touched', atMs: AT_MS, issueId: ISSUE.id },
    })
    assert.deepEqual([now?.last, before?.last], [Math.floor(AT_MS / MINUTE_MS), (now?.first ?? 0) - 1])
  })
})

describe('an issue escalates', () => {
  const LEAST = max('alertEscalationEventsMin')
  const hour = Math.floor(AT_MS / HOUR_MS)
  const after = (perHour: number, now: number, hours = 168) => {
    const counts = new Map(Array.from({ length: hours }, (_, at) => [hour - at - 1, perHour]))
    const issue = { id: ISSUE.id, firstSeenMs: AT_MS - hours * HOUR_MS }
    return escalationOf(issue, AT_MS, counts.set(hour, now))
  }

  it('above its forecast, and not at it', () => {
    assert.equal(after(50, 100), null)
    assert.deepEqual(after(50, 101), { issueId: ISSUE.id, atMs: AT_MS, events: 101, forecast: 100 })
  })

  it('above the least that is worth a word, whatever the forecast', () => {
    assert.deepEqual([after(0, LEAST), after(0, LEAST + 1)?.events], [null, LEAST + 1])
  })

  it('with a day of history', () => {
    assert.deepEqual([after(1, 900, 23), after(1, 900, 24)?.events], [null, 900])
  })

  it('once, and from the archive where it waits there for that', () => {
    const states = [
      ['unresolved', 'ongoing', true],
      ['unresolved', 'escalating', false],
      ['archived', 'archived_until_escalating', true],
      ['archived', 'archived_forever', false],
      ['resolved', null, false],
    ] as const
    for (const [status, substatus, can] of states)
      assert.equal(canEscalate({ status, substatus: substatus ?? 'ongoing' }), can, `${status} ${substatus}`)
  })
})
