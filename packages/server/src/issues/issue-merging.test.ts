import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { issueId, projectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { ChosenIssue } from '#ports/issue-rows.ts'
import { NOW } from '#testing/builders/times.ts'
import { byNewestFacts, mergedDetail, mergedWindow, mergingOf, refuseGroups } from './issue-merging.ts'
import { newIssueState } from './new-issue.ts'

const issue = (id: number, project = 1): ChosenIssue => ({
  ...newIssueState(NOW),
  ...{ id: issueId(id), projectId: projectId(project), shortId: `SHOP-${id}`, title: 'boom' },
  ...{ assigneeId: null, assigneeTeamId: null, priorityChosen: null, prioritySetMs: null, userCount: 0 },
})

describe('merging issues', () => {
  it('gives the groups of all others to the target', () => {
    const merging = mergingOf([issue(1), issue(2), issue(3)], issueId(2))
    assert.ok(merging.ok)
    assert.equal(merging.value.target.id, 2)
    assert.deepEqual(mergedDetail(merging.value.merged), { issues: 'SHOP-1, SHOP-3', count: 2 })
  })

  it('is refused without the target, across projects, and beyond the groups of one issue', () => {
    const codeOf = (chosen: readonly ChosenIssue[]) => {
      const merging = mergingOf(chosen, issueId(2))
      return merging.ok ? null : merging.code
    }
    assert.equal(codeOf([issue(1)]), 'not_found')
    assert.equal(codeOf([issue(1), issue(2, 9)]), 'invalid_input')
    assert.equal(refuseGroups(max('groupsPerIssueMax')), null)
    assert.equal(refuseGroups(max('groupsPerIssueMax') + 1)?.code, 'conflict')
  })

  it('counts together what was received in the same hour, else the newest hour alone', () => {
    const window = (hour: number, events: number) => ({ hour, events })
    assert.deepEqual(mergedWindow(window(7, 2), window(7, 3)), window(7, 5))
    assert.deepEqual(mergedWindow(window(7, 2), window(8, 3)), window(8, 3))
    assert.deepEqual(mergedWindow(window(8, 2), window(7, 3)), window(8, 2))
  })

  it('is called what the group with the newest event says, of several the first', () => {
    const groups = [
      { factsMs: 1, id: 1 },
      { factsMs: 5, id: 3 },
      { factsMs: 5, id: 2 },
    ]
    assert.deepEqual(
      groups.toSorted(byNewestFacts).map(({ id }) => id),
      [2, 3, 1],
    )
  })
})
