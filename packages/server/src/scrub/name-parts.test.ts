import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { SIGNED_BY } from './account-pairs.ts'
import { GLUED, PAIRS, STEMS, WORDS } from './key-words.ts'
import { SecretKeys } from './keys.ts'
import { BEYOND_ASCII, NAMES, partsIn, SIGNING, STRONG, SYMBOLS } from './name-parts.ts'

const FIXTURES = new URL('../../../../tests/fixtures/secrets/', import.meta.url)
const texts = readdirSync(FIXTURES).map((file) => readFileSync(new URL(file, FIXTURES), 'utf8'))
const keys = new SecretKeys({ extraKeys: [], allowedKeys: [] })

describe('the parts that names of secrets are made of', () => {
  it('stand in every word of the labelled set that is such a name', () => {
    let count = 0
    for (const [word] of texts.flatMap((text) => [
      ...text.matchAll(/[\p{L}_$][\p{L}\p{N}\p{M}_.$-]{1,63}/gu),
    ])) {
      const rule = keys.ruleOf(word)
      if (rule === null || !STRONG.has(rule)) continue
      count++
      assert.notEqual(partsIn(word) & NAMES, 0, word)
    }
    assert.ok(count > 5_000, String(count))
  })

  it('stand in names of any spelling', () => {
    const parts = [...STEMS, ...WORDS, ...GLUED, ...PAIRS].map(([part]) => part.split(':'))
    for (const part of parts) {
      const whole = part.join('')
      const spellings = [
        part.join('_'),
        whole.toUpperCase(),
        `my-${part.join('-')}`,
        `my${part.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}2`,
        `$x.${[...whole].join('_')}`,
      ]
      for (const spelling of spellings) {
        const rule = keys.ruleOf(spelling)
        if (rule !== null && STRONG.has(rule)) assert.notEqual(partsIn(spelling) & NAMES, 0, spelling)
      }
    }
  })

  it('are looked for beside the words of signing in of the labelled set', () => {
    let count = 0
    for (const line of texts.flatMap((text) => text.split('\n'))) {
      if (!SIGNED_BY.some((pattern) => line.search(pattern) !== -1)) continue
      count++
      assert.notEqual(partsIn(line) & SIGNING, 0, line)
    }
    assert.ok(count > 300, String(count))
  })

  it('are in no ordinary text, and no sign of one is of a name', () => {
    for (const text of [
      'Cannot complete order 3613: warehouse b383b624 is missing',
      '⨯ RangeError: axis is — missing…',
      '',
    ])
      assert.equal(partsIn(text) & ~BEYOND_ASCII, 0, text)
    for (let code = 0; code < 0x1_0000; code++) {
      const sign = String.fromCharCode(code)
      if (sign.replace(SYMBOLS, '') === '') assert.doesNotMatch(sign, /[\p{L}\p{N}\p{M}]/u)
    }
  })
})
