import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Activity } from '#parts/issue-types.ts'
import { activityWords } from './activity-text.ts'

const entry = (detail: Activity['detail'], actor = 'Errata') => {
  const words = activityWords({ id: 1, kind: 'merged', atMs: 0, userId: null, actor, detail })
  return [words.who, words.verb, words.rest].filter((part) => part !== '').join(' ')
}

describe('the record of a merge', () => {
  it('says why issues were joined that nobody merged', () => {
    assert.equal(
      entry({ issues: 'SHOP-12', count: 1, by: 'source_maps' }),
      'Joined with SHOP-12: the same place, read with source maps',
    )
  })

  it('says who merged others', () => {
    assert.equal(entry({ issues: 'SHOP-12', count: 1 }, 'Rosa'), 'Rosa merged SHOP-12 into it')
  })
})
