import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orgId, userId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import { isLong, waitBehind } from './read-threads.ts'

const scope = { orgId: 1, projects: Array.from({ length: 2_000 }, (_, at) => at) }

describe('a question', () => {
  it('is long by its words, whoever asks', () => {
    const terms = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ field: 'release', value: `*shop-${at}*2026*` }))
    assert.equal(isLong([scope, { terms: terms(3), limit: 25 }]), false)
    assert.equal(isLong([scope, { terms: terms(29), limit: 25 }]), true)
  })

  it('may have exactly as many characters as a short one', () => {
    const most = max('shortQuestionChars')
    assert.deepEqual(
      [most - 1, most, most + 1].map((length) => isLong([scope, 'x'.repeat(length)])),
      [false, false, true],
    )
  })
})

describe('a long question', () => {
  const by = (org: number, user: number) => ({ orgId: orgId(org), userId: userId(user) })

  it('waits for those before it, the nearest of which says whose', () => {
    const ada = by(1, 1)
    assert.equal(waitBehind([], ada), null)
    assert.equal(waitBehind([ada], ada), null, 'it is being answered')
    assert.equal(waitBehind([ada, ada], ada), 'own')
    assert.equal(waitBehind([by(1, 2), ada, ada], ada), 'organisation')
    assert.equal(waitBehind([by(2, 1), by(1, 2), ada], ada), 'organisation')
    assert.equal(waitBehind([by(2, 1), ada], ada), 'others')
    assert.equal(waitBehind([null, ada], ada), 'others')
    assert.equal(waitBehind([ada, by(1, 2)], ada), null)
  })
})
