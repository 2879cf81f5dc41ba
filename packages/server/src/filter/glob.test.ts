import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { globMatcher } from './glob.ts'

describe('a pattern', () => {
  const table: readonly [pattern: string, text: string, isMet: boolean][] = [
    ['shop@1.0.0', 'shop@1.0.0', true],
    ['shop@1.0.0', 'shop@1.0.01', false],
    ['SHOP@1.*', 'shop@1.2.3', true],
    ['shop@1.*', 'shop@2.0.0', false],
    ['*-beta', 'shop@2.0.0-BETA', true],
    ['*-beta', 'shop@2.0.0-beta.1', false],
    ['*resizeobserver loop*', 'ResizeObserver loop completed with undelivered notifications.', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ab*ba', 'aba', false],
    ['a.c', 'abc', false],
    ['[a-z]+$', 'abc', false],
    ['*(*)*', 'f(x)', true],
    ['TypeError: *', 'TypeError: line one\nline two', true],
    ['', '', false],
  ]
  for (const [pattern, text, isMet] of table) {
    it(`“${pattern}” ${isMet ? 'meets' : 'leaves'} “${text}”`, () => {
      assert.equal(globMatcher([pattern])([text]), isMet ? pattern : null)
    })
  }

  it('is answered as the project wrote it, the first of several', () => {
    assert.equal(globMatcher(['x', ' A* ', '*'])(['abc']), 'A*')
  })

  it('meets what a regular expression of the same meaning meets', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 12 })
    const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 20 })
    fc.assert(
      fc.property(letters, texts, (pattern, text) => {
        fc.pre(pattern !== '')
        const same = new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}$`)
        assert.equal(globMatcher([pattern])([text]) !== null, same.test(text))
      }),
    )
  })

  it('costs no more than a walk over the text, whatever is sent', () => {
    const started = process.cpuUsage().user
    const match = globMatcher(Array.from({ length: 100 }, () => `${'*a'.repeat(9)}*b`))
    assert.equal(match(['a'.repeat(8_192)]), null)
    assert.ok(process.cpuUsage().user - started < 1_000_000)
  })
})
