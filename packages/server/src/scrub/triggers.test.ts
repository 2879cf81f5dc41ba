import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ISSUER_RULES } from './issuers.ts'
import { STEP_BEHIND, STEP_QUERY, STEPS } from './links.ts'
import { marksIn, markTable } from './marks.ts'
import { SCHEME_PATTERNS } from './patterns.ts'
import { SECRET_NOUN as NOUN_PATTERN } from './phrase-words.ts'
import { STEP, marksForTests as scanTable } from './scan/layout.ts'
import { LINK, NOUN, SCHEME, TOKEN, triggersOf } from './triggers.ts'

/** Texts that a pattern matches where nothing stands around it. */
function matching({ source }: RegExp): fc.Arbitrary<string> {
  const plain = source.replaceAll('\\b', '').replace(/\(\?<?[=!](?:[^()]|\([^()]*\))*\)/g, '')
  return fc.stringMatching(new RegExp(`^(?:${plain})$`), { size: 'small' })
}

const CASES: readonly (readonly [name: string, pattern: RegExp, bit: number])[] = [
  ['words that name a secret', NOUN_PATTERN, NOUN],
  ['steps of signing in', STEPS, LINK],
  ...SCHEME_PATTERNS.map(
    (pattern) => [`schemes as ${pattern.source.slice(0, 24)}`, pattern, SCHEME] as const,
  ),
]

for (const [name, pattern, bit] of CASES) {
  test(`no text goes past the marks of ${name}, in any case`, () => {
    fc.assert(
      fc.property(matching(pattern), fc.boolean(), (found, isUpper) => {
        const text = `at last ${isUpper ? found.toUpperCase() : found} came`
        assert.notEqual(triggersOf(text) & bit, 0, text)
      }),
      { numRuns: 2_000 },
    )
  })
}

for (const [name, pattern] of Object.entries({ STEPS, STEP_QUERY, STEP_BEHIND })) {
  test(`no link of ${name} goes past the marks of a scan of bytes`, () => {
    fc.assert(
      fc.property(matching(pattern), fc.boolean(), (found, isUpper) => {
        const behind = name === 'STEP_BEHIND' ? '/accept' : ''
        const text = `https://shop.example${isUpper && behind === '' ? found.toUpperCase() : found}${behind}`
        assert.notEqual(marksIn(text, scanTable) & STEP, 0, text)
      }),
      { numRuns: 2_000 },
    )
  })
}

test('a long run behind what an issuer begins its keys with may be a key, wherever a word begins', () => {
  for (const { prefix } of ISSUER_RULES) {
    const key = `${prefix}qwertyuiopasdfgh`
    for (const text of [key, `key ${key}.`, `a=${key}`, `line\\n${key}`])
      assert.notEqual(triggersOf(text) & TOKEN, 0, text)
  }
})

test('ordinary texts trigger nothing', () => {
  for (const text of `restoreVoucherSummary took 1421 ms for order 65723
    /v1/warehouse/voucher-summary/785508
    warehouse-voucher-summary-of-the-month
    node_modules/next/dist/server/app-render
    Rendering of the page was aborted
    80b36751c168174680b3`.split(/\n\s*/))
    assert.equal(triggersOf(text), 0, text)
})

test('marks are found where they stand, alone, within and after each other', () => {
  const texts = ['ab', 'abc', 'bcd', '^cd', 'd e', '"x']
  const table = markTable(texts.map((text, at) => ({ bit: 1 << at, texts: [text] })))
  const signs = fc.array(fc.constantFrom('a', 'B', 'c', 'D', 'e', 'x', ' ', '\t', '"', 'ü'), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(signs, (letters) => {
      const text = letters.join('')
      const expected = texts.reduce(
        (bits, mark, at) => (patternOf(mark).test(text) ? bits | (1 << at) : bits),
        0,
      )
      assert.equal(marksIn(text, table), expected, JSON.stringify(text))
    }),
    { numRuns: 2_000 },
  )
})

/** A mark as a pattern: what stands before a word is a sign, or nothing. */
function patternOf(mark: string): RegExp {
  return new RegExp(mark.replace('^', '(?<![a-z])').replace(' ', '\\s'), 'i')
}
