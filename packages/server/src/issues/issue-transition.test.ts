import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Arrival } from '#ports/ingest.ts'
import type { IssueState } from '#ports/issue-rows.ts'
import { anEventId } from '#testing/builders/ids.ts'
import { NOW } from '#testing/builders/times.ts'
import { transition as transitionOf, UNCONDITIONAL } from './issue-transition.ts'

const event = (receivedMs: number, isMirror = false, happenedMs = receivedMs): Arrival => ({
  receivedMs,
  happenedMs,
  isMirror,
  eventId: anEventId('any'),
  release: null,
  traceId: null,
})
const transition = (before: IssueState, events: readonly Arrival[], users = 0) =>
  transitionOf(before, { arrivals: events, users, releasedMs: new Map() })
const state = (change: Partial<IssueState>): IssueState => ({
  status: 'unresolved',
  substatus: 'ongoing',
  ...UNCONDITIONAL,
  statusChangedMs: NOW,
  ...change,
})
const resolved = state({ status: 'resolved', substatus: null })
const until = (archivedEventsLeft: number) =>
  state({ status: 'archived', substatus: 'archived_until', archivedEventsLeft })

describe('events and the state of an issue', () => {
  it('leave an unresolved issue and one archived for ever alone', () => {
    for (const before of [state({}), state({ status: 'archived', substatus: 'archived_forever' })]) {
      assert.deepEqual(transition(before, [event(NOW + 1)]), { state: before, activity: null })
    }
  })

  it('bring a resolved issue back from the first one received after, mirrors included', () => {
    const { state: after, activity } = transition(resolved, [
      event(NOW + 9),
      event(NOW),
      event(NOW + 3, true),
    ])
    assert.deepEqual(
      [after.status, after.substatus, after.statusChangedMs],
      ['unresolved', 'regressed', NOW + 3],
    )
    assert.equal(activity?.kind, 'regressed')
    assert.deepEqual(transition(resolved, [event(NOW), event(NOW - 5)]).activity, null)
  })

  it('change nothing that they happened before, however late they are received', () => {
    for (const before of [resolved, until(1), state({ ...until(1), archivedUntilMs: NOW + 1 })]) {
      const late = [event(NOW + 60, false, NOW), event(NOW + 70, false, NOW - 90 * 86_400_000)]
      assert.deepEqual(transition(before, late).activity, null)
    }
    const { activity } = transition(resolved, [
      event(NOW + 60, false, NOW - 1),
      event(NOW + 70, false, NOW + 1),
    ])
    assert.deepEqual([activity?.kind, activity?.atMs], ['regressed', NOW + 70])
  })

  it('count down what was archived until so many more came, mirrors left out', () => {
    const waiting = transition(until(3), [event(NOW + 1), event(NOW + 2, true), event(NOW + 3), event(NOW)])
    assert.deepEqual([waiting.state.archivedEventsLeft, waiting.activity], [1, null])
    const back = transition(until(2), [event(NOW + 5), event(NOW + 4), event(NOW + 6)])
    assert.deepEqual([back.state.substatus, back.state.archivedEventsLeft], ['ongoing', null])
    assert.deepEqual([back.activity?.kind, back.activity?.atMs], ['unarchived', NOW + 5])
  })

  it('end what was archived with whichever of its ends comes first', () => {
    const before = state({
      ...{ status: 'archived', substatus: 'archived_until' },
      ...{ archivedEventsLeft: 3, archivedUsersAt: 5, archivedUntilMs: NOW + 50 },
    })
    const at = (events: readonly Arrival[], users: number) => transition(before, events, users).activity?.atMs
    assert.equal(at([event(NOW + 1), event(NOW + 49)], 4), undefined)
    assert.equal(at([event(NOW + 1), event(NOW + 2), event(NOW + 60), event(NOW + 70)], 4), NOW + 60)
    assert.equal(at([event(NOW + 1), event(NOW + 60)], 5), NOW + 60)
    assert.equal(at([event(NOW + 1), event(NOW + 2)], 5), NOW + 2)
    assert.equal(at([event(NOW + 60, true)], 9), undefined, 'mirrors alone')
    assert.equal(at([event(NOW)], 9), undefined, 'received before it was archived')
    assert.equal(transition(before, [event(NOW + 1)], 4).state.archivedEventsLeft, 2)
  })

  it('end what was archived until a time from that very time on', () => {
    const before = state({ status: 'archived', substatus: 'archived_until', archivedUntilMs: NOW + 50 })
    const isBack = (ms: number) => transition(before, [event(NOW + ms)]).activity !== null
    assert.deepEqual([49, 50, 51].map(isBack), [false, true, true])
  })

  it('come back at the first of the ends that one batch brings, in whatever order they are kept', () => {
    const both = (left: number, untilMs: number) =>
      transition(
        state({ ...until(left), archivedUntilMs: NOW + untilMs }),
        [1, 2, 3, 4].map((ms) => event(NOW + ms)),
      ).activity?.atMs
    assert.equal(both(2, 4), NOW + 2)
    assert.equal(both(4, 2), NOW + 2)
  })
})
