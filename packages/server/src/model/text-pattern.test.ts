import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { PROPERTY_RUNS } from '#testing/property-runs.ts'
import { globOf, patternTest, withOwnStars } from './text-pattern.ts'

describe('a pattern with stars', () => {
  const table: readonly [pattern: string, text: string, matches: boolean][] = [
    ['cart', 'cart', true],
    ['cart', 'carts', false],
    ['*', '', true],
    ['*cart', '/api/cart', true],
    ['*cart', '/cart/x', false],
    ['/a/*/b', '/a/x/y/b', true],
    ['/a/*/b', '/a/b', false],
    ['a*a', 'a', false],
    ['*a*b*', 'xxayybzz', true],
    ['*a*b*', 'ba', false],
    ['x[1]?*', 'x[1]?!', true],
    ['x[1]?*', 'x1a!', false],
    [String.raw`x\*y`, 'x*y', true],
    [String.raw`x\*y`, 'xzy', false],
    [String.raw`x\\*y`, String.raw`x\zy`, true],
    [String.raw`*\*`, 'any*', true],
    [String.raw`C:\x`, String.raw`C:\x`, true],
  ]
  for (const [pattern, text, matches] of table) {
    it(`${JSON.stringify(pattern)} ${matches ? 'is' : 'is not'} ${JSON.stringify(text)}`, () => {
      assert.equal(patternTest(withOwnStars(pattern))(text), matches)
    })
  }

  it('means the same to SQLite', () => {
    const asked = new DatabaseSync(':memory:').prepare('SELECT ? GLOB ? AS found')
    const piece = fc.constantFrom('*', 'a', 'b', '?', '[', ']', '^', '-', '\\', '%', 'ö')
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, text, (pattern, value) => {
        const typed = withOwnStars(pattern)
        assert.equal(asked.get(value, globOf(typed))?.found === 1, patternTest(typed)(value))
      }),
      { numRuns: PROPERTY_RUNS },
    )
  })
})
