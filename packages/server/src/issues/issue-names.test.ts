import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import {
  archivedUsersLeft,
  foldedIssueText,
  foldText,
  newSince,
  readIssueRef,
  shortId,
  substatusOf,
} from './issue-names.ts'

const NOW = Date.UTC(2026, 10, 16, 12)

describe('the name of an issue', () => {
  it('is read as it is written, in any case, or as an id', () => {
    assert.equal(shortId('my-shop', 12), 'MY-SHOP-12')
    assert.deepEqual(readIssueRef('My-Shop-12'), { slug: 'my-shop', number: 12 })
    assert.deepEqual(readIssueRef('12'), { id: 12 })
    for (const ref of ['', '-12', 'shop-', 'shop', `shop-${'1'.repeat(16)}`])
      assert.equal(readIssueRef(ref), null)
  })

  it('is searched folded, title and culprit apart', () => {
    assert.equal(foldedIssueText({ title: 'ÄRGER\u0000', culprit: 'GET /Cart' }), 'ärger \nget /cart')
    assert.equal(foldText('e\u0301'), '\u00e9')
  })
})

describe('the substatus of an issue', () => {
  it('is ongoing once a new issue is old', () => {
    const since = newSince(NOW)
    assert.equal(since, NOW - max('issueNewDays') * DAY_MS)
    assert.equal(substatusOf({ substatus: 'new', firstSeenMs: since }, since), 'new')
    assert.equal(substatusOf({ substatus: 'new', firstSeenMs: since - 1 }, since), 'ongoing')
    assert.equal(substatusOf({ substatus: 'regressed', firstSeenMs: 0 }, since), 'regressed')
  })
})

describe('users that an archived issue waits for', () => {
  it('are never none', () => {
    assert.equal(archivedUsersLeft(9, 4), 5)
    assert.equal(archivedUsersLeft(9, 9), 1)
    assert.equal(archivedUsersLeft(null, 4), null)
  })
})
