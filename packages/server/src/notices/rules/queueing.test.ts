import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '#base/durations.ts'
import { issueId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { NoticeSettings } from '#ports/notices.ts'
import { presetRules } from './preset-rules.ts'
import {
  boundsAt,
  changesByProject,
  isMirror,
  type NoticeChange,
  planNotices,
  quietTime,
  restOf,
  summaryDueMs,
} from './queueing.ts'

const NOW = Date.UTC(2026, 10, 16, 12)
let counter = 0
const SETTINGS = { mail: true, quietHours: 24, webhook: null }
const change = ({ kind = 'new', ...given }: Partial<NoticeChange> = {}): NoticeChange => ({
  ...{ kind, issueId: issueId(++counter), projectId: projectId(1), atMs: 0, isMirror: false },
  rule: ruleFor(kind),
  ...given,
})
const ruleFor = (kind: NoticeChange['kind'], quietHours = 24) =>
  presetRules({ ...SETTINGS, quietHours }).find(({ tells }) => tells.includes(kind)) ?? assert.fail(kind)
const many = (count: number, given: Partial<NoticeChange> = {}) =>
  Array.from({ length: count }, () => change(given))
/** Notices that were queued within each bound. */
const queued = (inHour: number, inMinute: number) =>
  boundsAt(NOW).map(({ within: { afterMs, untilMs } }) => (untilMs - afterMs >= HOUR_MS ? inHour : inMinute))

describe('changes of issues', () => {
  it('are queued by project, new ones first', () => {
    const [back, begun] = [change({ kind: 'regressed' }), change()]
    const elsewhere = change({ kind: 'unarchived', projectId: projectId(2) })
    const byProject = changesByProject([back, elsewhere, begun])
    assert.deepEqual([...byProject.values()], [[begun, back], [elsewhere]])
  })

  it('are echoes where every event is a mirror', () => {
    assert.ok(isMirror({ eventCount: 2, mirrorCount: 2 }))
    assert.ok(!isMirror({ eventCount: 2, mirrorCount: 1 }))
  })

  it('within the quiet hours are those that came back, unless every time is told', () => {
    const day = { afterMs: NOW - 24 * HOUR_MS, untilMs: NOW }
    for (const kind of ['regressed', 'unarchived'] as const)
      assert.deepEqual(quietTime({ rule: ruleFor(kind) }, NOW), day)
    assert.equal(quietTime({ rule: ruleFor('new') }, NOW), null)
    assert.equal(quietTime({ rule: ruleFor('regressed', 0) }, NOW), null)
    const hour = { afterMs: NOW - HOUR_MS, untilMs: NOW }
    assert.deepEqual(quietTime({ rule: ruleFor('regressed', 1) }, NOW), hour)
  })
})

describe('preset rules of a project', () => {
  it('are one for new issues and one for returned ones, where the project tells anybody', () => {
    const webhook = { url: 'https://hooks.example', changedMs: 0 }
    const told = (given: Partial<NoticeSettings>) =>
      presetRules({ ...SETTINGS, ...given }).map(({ preset }) => preset)
    for (const given of [{}, { mail: false, webhook }, { webhook }])
      assert.deepEqual(told(given), ['new', 'returned'])
    assert.deepEqual(told({ mail: false }), [])
  })
})

describe('the bounds of an hour and a minute', () => {
  it('leave what is beyond them to a summary', () => {
    const full = queued(max('noticesPerHourMax') - 2, 0)
    const plan = planNotices(many(3), full)
    assert.deepEqual([plan.queued.length, plan.beyond.length], [2, 1])
  })

  it('leave to it what comes at once', () => {
    const most = max('noticesPerMinuteMax')
    assert.equal(planNotices(many(most + 4), queued(0, 0)).beyond.length, 4)
    assert.equal(planNotices(many(2), queued(most, most)).beyond.length, 2)
    assert.equal(planNotices(many(2), queued(most, 0)).beyond.length, 0)
  })

  it('queue nothing where there is nothing, and have no less room than none', () => {
    assert.deepEqual(planNotices([], []).queued, [])
    assert.equal(planNotices(many(1), queued(max('noticesPerHourMax') + 5, 0)).beyond.length, 1)
  })
})

describe('a summary', () => {
  it('counts new issues, returned ones and echoes', () => {
    const echoes = [change({ isMirror: true }), change({ isMirror: true, kind: 'regressed' })]
    const rest = restOf([...many(3), change({ kind: 'unarchived' }), ...echoes])
    assert.deepEqual(rest, { newIssues: 3, returnedIssues: 1, echoIssues: 2 })
  })

  it('is due soon, and an hour after the one before at the earliest; one that waits takes more in', () => {
    const soonMs = NOW + max('noticeSummaryWaitMs')
    assert.equal(summaryDueMs(null, NOW), soonMs)
    assert.equal(summaryDueMs({ atMs: NOW - 10, dueMs: null }, NOW), NOW - 10 + HOUR_MS)
    assert.equal(summaryDueMs({ atMs: NOW - 2 * HOUR_MS, dueMs: null }, NOW), soonMs)
    assert.equal(summaryDueMs({ atMs: NOW - 10, dueMs: soonMs }, NOW), null)
  })
})
