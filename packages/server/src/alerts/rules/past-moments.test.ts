import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { issueId } from '#base/ids.ts'
import { QUIET_HOURS_DEFAULT } from '#model/alert-rule.ts'
import { aMetricRule, anIssueRule } from '#testing/builders/alert-rule.ts'
import {
  countedMoments,
  escalationMoments,
  messagesFor,
  momentsAtOnce,
  onceInAWhile,
  variantsOf,
} from './preview.ts'

const hoursOf = (counts: Readonly<Record<number, number>>, issue = 1) =>
  Object.entries(counts).map(([hour, count]) => ({ issueId: issueId(issue), hour: Number(hour), count }))
const at = (moments: readonly { readonly atMs: number }[]) => moments.map(({ atMs }) => atMs / HOUR_MS)

describe('moments of the past', () => {
  it('are at most one per issue and period, the end of which is the next one', () => {
    const times = [0, 59, 60, 119, 120].map((minutes) => ({ issueId: 1, atMs: minutes * MINUTE_MS }))
    const kept = (everyMinutes: number) =>
      onceInAWhile(times, everyMinutes).map(({ startedMs }) => startedMs / MINUTE_MS)
    assert.deepEqual(kept(60), [0, 60, 120])
    assert.deepEqual(kept(0), [0], 'once for ever')
    assert.equal(onceInAWhile([...times, { issueId: 2, atMs: 0 }], 0).length, 2, 'each issue for itself')
  })

  it('are met by as many events as are asked for, from the first hour on', () => {
    const when = { on: 'frequency', of: 'events', atLeast: 5, withinMinutes: 60 } as const
    assert.deepEqual(at(countedMoments(when, hoursOf({ 9: 9, 10: 5, 11: 4, 12: 6 }), 10)), [10, 12])
    const two = { ...when, withinMinutes: 120 }
    assert.deepEqual(at(countedMoments(two, hoursOf({ 10: 4, 11: 1, 12: 3 }), 10)), [11])
  })

  it('are met by as many times more than in the window just before', () => {
    const when = { on: 'increase', of: 'events', times: 3, atLeast: 1, withinMinutes: 60 } as const
    assert.deepEqual(at(countedMoments(when, hoursOf({ 10: 2, 11: 6, 12: 17 }), 11)), [11])
    const two = { ...when, withinMinutes: 120 }
    const hours = hoursOf({ 7: 9, 8: 1, 9: 1, 10: 3, 11: 3 })
    assert.deepEqual(at(countedMoments(two, hours, 11)), [11], 'what lies before that one does not count')
  })

  it('at once are the last of each within the same hour, and all must be there', () => {
    const moments = (...minutes: readonly number[]) =>
      minutes.map((one) => ({ issueId: 1, atMs: one * MINUTE_MS }))
    const found = momentsAtOnce([moments(20, 10, 70), moments(5, 30)])
    assert.deepEqual(found, [{ issueId: 1, atMs: 30 * MINUTE_MS }])
    assert.deepEqual(momentsAtOnce([moments(40, 10), moments(5)]), [{ issueId: 1, atMs: 40 * MINUTE_MS }])
    assert.deepEqual(momentsAtOnce([moments(40), moments(70)]), [])
  })

  it('of an escalation are above the forecast, from the first hour on, each once', () => {
    const steady = Object.fromEntries(Array.from({ length: 48 }, (_, hour) => [hour, 10]))
    const from = (startHour: number, after: Readonly<Record<number, number>>) =>
      at(escalationMoments(hoursOf({ ...steady, ...after }), startHour))
    assert.deepEqual(from(48, { 48: 20 }), [], 'at the forecast')
    assert.deepEqual(from(48, { 48: 21 }), [48], 'above it')
    assert.deepEqual(from(48, { 48: 90, 49: 900, 50: 9_000 }), [48], 'while it goes on')
    assert.deepEqual(from(49, { 48: 21 }), [])
  })
})

describe('messages of the past', () => {
  const fired = { startedMs: 0, extreme: null, issueId: null } as const
  const [warned, over] = [
    { ...fired, endedMs: null, level: 'warning' },
    { ...fired, endedMs: HOUR_MS, level: 'critical' },
  ] as const
  const [toAll, toCritical] = [
    { target: { to: 'members' }, fromLevel: 'warning' },
    { target: { to: 'assignee' }, fromLevel: 'critical' },
  ] as const

  it('say that a metric is over where it is, to those that heard of it', () => {
    const rule = aMetricRule({}, { notify: [toAll, toCritical] })
    const messages = (...firings: Parameters<typeof messagesFor>[1]) =>
      messagesFor(rule, firings, QUIET_HOURS_DEFAULT).messages
    assert.deepEqual([messages(warned), messages(over), messages(warned, over)], [1, 4, 5])
  })

  it('of an issue reach everybody', () => {
    const rule = anIssueRule({ on: 'new' }, { notify: [toAll, toCritical] })
    const firing = { ...fired, endedMs: 0, level: 'info' } as const
    assert.equal(messagesFor(rule, [firing], QUIET_HOURS_DEFAULT).messages, 2)
  })

  it('are looked at with another minimum where there is one', () => {
    const labels = (atLeast: number) => {
      const rule = aMetricRule({ atLeast })
      return rule.kind === 'metric' ? variantsOf(rule.when).map(({ label }) => label) : []
    }
    assert.deepEqual([labels(0).length, labels(1).at(-1)], [2, 'at least 4'])
  })
})
