import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { isLong } from './read-threads.ts'

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
