import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { userId } from '@errata/server/ids'
import type { Activity } from '#parts/issue-types.ts'
import { activityWords } from './activity-text.ts'

const entry = (detail: Activity['detail'], actor = 'Errata') => {
  const words = activityWords({ id: 1, kind: 'merged', atMs: 0, userId: null, actor, detail, editedMs: null })
  return [words.who, words.verb, words.rest].filter((part) => part !== '').join(' ')
}

describe('the record of a merge', () => {
  it('says why issues were joined that nobody merged', () => {
    assert.equal(
      entry({ issues: 'SHOP-12', count: 1, by: 'source_maps' }),
      'Joined with SHOP-12: same place, according to source maps',
    )
  })

  it('says who merged others', () => {
    assert.equal(entry({ issues: 'SHOP-12', count: 1 }, 'Rosa'), 'Rosa merged SHOP-12 into it')
  })
})

describe('the record of an assignment', () => {
  const assigned = (detail: Activity['detail'], userId: Activity['userId']) => {
    const of = { id: 1, kind: 'assigned', atMs: 0, actor: 'Rosa', editedMs: null } as const
    const { who, verb, rest } = activityWords({ ...of, detail, userId })
    return [who, verb, rest].join(' ').trim()
  }

  it('names the ownership rule where nobody did it', () => {
    assert.equal(
      assigned({ name: '#payments', rule: 'path:src/pay/*' }, null),
      'Assigned to #payments by the ownership rule path:src/pay/*',
    )
    assert.equal(assigned({ name: '#payments' }, userId(1)), 'Rosa assigned #payments')
  })
})

describe('the record of a resolution', () => {
  const resolved = (detail: Activity['detail']) =>
    activityWords({ id: 1, kind: 'resolved', atMs: 0, userId: null, actor: 'Rosa', detail, editedMs: null })
      .rest

  it('names releases short, as lists do', () => {
    assert.equal(resolved({ in: 'release', release: 'shop@9.2.0' }), 'it in 9.2.0')
    assert.equal(resolved({ in: 'next', release: 'shop@9.1.0+12' }), 'it in the release after 9.1.0 (12)')
    assert.equal(resolved({ in: 'commit', commit: 'c'.repeat(40) }), 'it in commit ccccccc')
  })
})

describe('the record of a comment', () => {
  const words = (kind: Activity['kind'], detail: Activity['detail']) => {
    const { who, verb, rest } = activityWords({
      id: 1,
      kind,
      atMs: 0,
      userId: null,
      actor: 'Rosa',
      detail,
      editedMs: 5,
    })
    return [who, verb, rest].join(' ').trim()
  }

  it('says who wrote it, and that it was deleted, by whom', () => {
    assert.equal(words('commented', { text: 'look' }), 'Rosa commented')
    assert.equal(words('comment_deleted', {}), 'Rosa deleted a comment')
    assert.equal(words('comment_deleted', { by: 'Ada' }), 'Ada deleted a comment by Rosa')
  })
})
