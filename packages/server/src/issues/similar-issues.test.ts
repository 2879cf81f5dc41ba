import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { issueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { AlikeIssue } from '#ports/grouping.ts'
import { likenessOf, messageShape, similarTo } from './similar-issues.ts'

function anIssue(change: Partial<AlikeIssue> = {}): AlikeIssue {
  return {
    ...{ id: issueId(1), shortId: 'SHOP-1', title: 'Error: a', type: 'Error', value: 'a', culprit: '' },
    ...{ filename: 'app/a.ts', function: 'load', status: 'unresolved', eventCount: 1 },
    ...{ firstSeenMs: 1, lastSeenMs: 2 },
    ...change,
  }
}

describe('similar issues', () => {
  it('share a message but for its ids and numbers', () => {
    const table = [
      ['Order 17 not found', 'Order 4711 not found'],
      ['user 3f2c-99aa has gone', 'user b1 has gone'],
      ['took  12ms', 'took 9ms'],
    ] as const
    for (const [one, other] of table) assert.equal(messageShape(one), messageShape(other))
    assert.notEqual(messageShape('Order 17 not found'), messageShape('Orders 17 not found'))
  })

  it('are told by place, by message, or by both, and never across types', () => {
    const issue = anIssue({ value: 'Order 1 is gone' })
    const cases = [
      [{ value: 'Order 2 is gone' }, 'place_and_message'],
      [{ value: 'timeout' }, 'place'],
      [{ value: 'Order 3 is gone', filename: 'app/b.ts' }, 'message'],
      [{ value: 'timeout', function: 'other' }, null],
      [{ value: 'Order 2 is gone', type: 'TypeError' }, null],
      [{ value: 'timeout', filename: null, function: null }, null],
    ] as const
    for (const [change, likeness] of cases) assert.equal(likenessOf(issue, anIssue(change)), likeness)
  })

  it('come most alike first, and no more than are shown', () => {
    const others = [
      anIssue({ id: issueId(2), value: 'b', eventCount: 9 }),
      anIssue({ id: issueId(3), value: 'a', eventCount: 1 }),
      anIssue({ id: issueId(4), value: 'c', eventCount: 10 }),
      anIssue({ id: issueId(5), value: 'a', filename: 'x.ts' }),
    ]
    assert.deepEqual(
      similarTo(anIssue(), others).map(({ id }) => id),
      [3, 4, 2, 5],
    )
    const many = Array.from({ length: max('similarIssuesShown') + 5 }, (_, index) =>
      anIssue({ id: issueId(10 + index) }),
    )
    assert.equal(similarTo(anIssue(), many).length, max('similarIssuesShown'))
  })
})
