import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cutText } from './cut-text.ts'

describe('text that is cut', () => {
  it('keeps what fits and the beginning of what does not', () => {
    assert.equal(cutText('abc', 3), 'abc')
    assert.equal(cutText('abcd', 3), 'abc')
  })

  it('parts no surrogate pair', () => {
    for (let charsMax = 0; charsMax < 8; charsMax++) {
      const cut = cutText('a😀b😀😀', charsMax)
      assert.ok(cut.isWellFormed() && cut.length <= charsMax && cut.length >= charsMax - 1, cut)
    }
  })
})
