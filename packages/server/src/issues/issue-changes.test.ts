import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { projectId, userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssueState } from '#ports/issue-rows.ts'
import { archivedUntil } from '#testing/builders/archived-until.ts'
import { NOW } from '#testing/builders/times.ts'
import {
  archive,
  assign,
  isUnarchiveDue,
  refuseAssignee,
  refuseComment,
  refuseUntil,
  resolve,
  unarchiveByTime,
  unresolve,
} from './issue-changes.ts'
import { UNCONDITIONAL } from './issue-transition.ts'

const state = (change: Partial<IssueState> = {}): IssueState => ({
  status: 'unresolved',
  substatus: 'new',
  ...UNCONDITIONAL,
  statusChangedMs: NOW - 5,
  ...change,
})

describe('what people do to an issue', () => {
  it('resolves it once', () => {
    const step = resolve(state(), { atMs: NOW + 0.5, resolvedIn: null })
    assert.deepEqual(
      [step?.kind, step?.state],
      ['resolved', { status: 'resolved', substatus: null, ...UNCONDITIONAL, statusChangedMs: NOW }],
    )
    assert.equal(
      resolve(state({ status: 'resolved', substatus: null }), { atMs: NOW, resolvedIn: null }),
      null,
    )
  })

  it('brings it back, and takes what is new or returned for seen', () => {
    const archived = state({ status: 'archived', substatus: 'archived_until', archivedEventsLeft: 3 })
    const step = unresolve(archived, NOW)
    assert.deepEqual(
      [step?.kind, step?.state.substatus, step?.state.archivedEventsLeft],
      ['unarchived', 'ongoing', null],
    )
    assert.equal(unresolve(state({ substatus: 'regressed' }), NOW)?.kind, 'unresolved')
    assert.equal(unresolve(state({ substatus: 'ongoing' }), NOW), null)
  })

  it('archives it until so many more users than it has, so many events, or a time', () => {
    const issue = { ...state(), userCount: 7 }
    const step = archive(issue, archivedUntil({ eventsMore: 2, usersMore: 3, atMs: NOW + 9 }), NOW)
    assert.deepEqual(step?.state, {
      ...{ status: 'archived', substatus: 'archived_until', statusChangedMs: NOW },
      ...{ archivedEventsLeft: 2, archivedUsersAt: 10, archivedUntilMs: NOW + 9, resolvedIn: null },
    })
    assert.deepEqual(step?.detail, { eventsMore: 2, usersMore: 3, untilMs: NOW + 9 })
  })

  it('archives it for ever once', () => {
    const step = archive({ ...state(), userCount: 7 }, archivedUntil(), NOW)
    assert.equal(step?.state.substatus, 'archived_forever')
    assert.equal(archive({ substatus: 'archived_forever', userCount: 7 }, archivedUntil(), NOW), null)
  })

  it('ends by time what was archived until then', () => {
    assert.ok(isUnarchiveDue(state({ archivedUntilMs: NOW }), NOW))
    assert.ok(!isUnarchiveDue(state({ archivedUntilMs: NOW + 1 }), NOW))
    assert.ok(!isUnarchiveDue(state(), NOW))
    assert.equal(unarchiveByTime(NOW).state.substatus, 'ongoing')
  })

  it('records an assignee that is another', () => {
    const ada = { assignee: userId(3), name: 'Ada' }
    assert.deepEqual(assign({ assigneeId: null, assigneeTeamId: null }, ada), {
      ...{ kind: 'assigned', detail: { assignee: 3, name: 'Ada' } },
    })
    assert.equal(assign({ assigneeId: userId(3), assigneeTeamId: null }, ada), null)
    assert.equal(
      assign({ assigneeId: userId(3), assigneeTeamId: null }, { assignee: null, name: null })?.kind,
      'unassigned',
    )
  })
})

describe('a change that is refused', () => {
  it('assigns to somebody who cannot read every project', () => {
    const issues = [1, 2].map((id) => ({ projectId: projectId(id) }))
    assert.equal(refuseAssignee(issues, new Set([projectId(1), projectId(2)])), null)
    assert.equal(refuseAssignee(issues, new Set([projectId(1)]))?.code, 'invalid_input')
  })

  it('archives until less than one more, or a time that is over', () => {
    assert.equal(refuseUntil(archivedUntil({ eventsMore: 1, usersMore: 1, atMs: NOW + 1 }), NOW), null)
    const refusal = refuseUntil(archivedUntil({ eventsMore: 0, usersMore: 1.5, atMs: NOW }), NOW)
    assert.deepEqual(Object.keys(refusal?.fields ?? {}), ['eventsMore', 'usersMore', 'atMs'])
  })

  it('comments nothing, or too much', () => {
    assert.equal(refuseComment('x'.repeat(max('commentCharsMax'))), null)
    for (const text of [' ', 'x'.repeat(max('commentCharsMax') + 1)])
      assert.equal(refuseComment(text)?.code, 'invalid_input')
  })
})
