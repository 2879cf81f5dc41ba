import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '#base/durations.ts'
import { issueId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import {
  boundsAt,
  changesByProject,
  isMirror,
  isTold,
  type NoticeChange,
  planNotices,
  quietTime,
  restOf,
  summaryDueMs,
} from './queueing.ts'

const NOW = Date.UTC(2026, 10, 16, 12)
let counter = 0
const change = (given: Partial<NoticeChange> = {}): NoticeChange => ({
  ...{ kind: 'new', issueId: issueId(++counter), projectId: projectId(1), isMirror: false },
  ...given,
})
const many = (count: number, given: Partial<NoticeChange> = {}) =>
  Array.from({ length: count }, () => change(given))
/** Notices that were queued within each bound. */
const queued = (inHour: number, inMinute: number) =>
  boundsAt(NOW).map(({ within: { afterMs, untilMs } }) => (untilMs - afterMs >= HOUR_MS ? inHour : inMinute))

describe('changes of issues', () => {
  it('are queued by project, new ones first', () => {
    const [back, begun] = [change({ kind: 'regressed' }), change()]
    const elsewhere = change({ kind: 'unarchived', projectId: projectId(2) })
    const byProject = changesByProject([begun], [back, elsewhere])
    assert.deepEqual([...byProject.values()], [[begun, back], [elsewhere]])
  })

  it('are told where the project tells anybody', () => {
    const webhook = { url: 'https://hooks.example', changedMs: 0 }
    assert.ok(isTold({ mail: true, webhook: null }) && isTold({ mail: false, webhook }))
    assert.ok(!isTold({ mail: false, webhook: null }))
  })

  it('are echoes where every event is a mirror', () => {
    assert.ok(isMirror({ eventCount: 2, mirrorCount: 2 }))
    assert.ok(!isMirror({ eventCount: 2, mirrorCount: 1 }))
  })

  it('within the quiet hours are those that came back, unless every time is told', () => {
    assert.deepEqual(quietTime({ kind: 'regressed' }, { nowMs: NOW, quietHours: 24 }), {
      ...{ afterMs: NOW - 24 * HOUR_MS, untilMs: NOW },
    })
    assert.equal(quietTime({ kind: 'new' }, { nowMs: NOW, quietHours: 24 }), null)
    assert.equal(quietTime({ kind: 'regressed' }, { nowMs: NOW, quietHours: 0 }), null)
  })
})

describe('the bounds of an hour and a minute', () => {
  it('leave what is beyond them to a summary', () => {
    const full = queued(max('noticesPerHourMax') - 2, 0)
    const plan = planNotices(many(3), NOW, full)
    assert.deepEqual([plan.queued.length, plan.beyond.length], [2, 1])
    assert.deepEqual(
      plan.queued.map(({ dueMs }) => dueMs - NOW),
      [0, 0],
    )
  })

  it('leave to it what comes at once', () => {
    const most = max('noticesPerMinuteMax')
    assert.equal(planNotices(many(most + 4), NOW, queued(0, 0)).beyond.length, 4)
    assert.equal(planNotices(many(2), NOW, queued(most, most)).beyond.length, 2)
    assert.equal(planNotices(many(2), NOW, queued(most, 0)).beyond.length, 0)
  })

  it('queue nothing where there is nothing, and have no less room than none', () => {
    assert.deepEqual(planNotices([], NOW, []).queued, [])
    assert.equal(planNotices(many(1), NOW, queued(max('noticesPerHourMax') + 5, 0)).beyond.length, 1)
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
