import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newIssueState, withNewIssue } from './new-issue.ts'

describe('a new issue', () => {
  it('is unresolved and new since its first event', () => {
    const { status, substatus, statusChangedMs } = newIssueState(5)
    assert.deepEqual([status, substatus, statusChangedMs], ['unresolved', 'new', 5])
  })

  it('gets the next number and counts in the newest hour', () => {
    const before = { number: 4, begun: { hour: 10, events: 2 } }
    assert.deepEqual(withNewIssue(before, 10), { number: 5, begun: { hour: 10, events: 3 } })
    assert.deepEqual(withNewIssue(before, 9), { number: 5, begun: { hour: 10, events: 3 } })
    assert.deepEqual(withNewIssue(before, 11), { number: 5, begun: { hour: 11, events: 1 } })
  })
})
