import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '#testing/cpu-time.ts'
import { engineText } from './engine-text.ts'
import { functionKey, moduleKey, typeKey } from './functions.ts'
import { httpStatusIn } from './kept-numbers.ts'
import { parameterise } from './parameterise.ts'
import { FAMILIES } from './rules/families.ts'
import { firstSentence, safeLine } from './sentence.ts'

const PARTS = [
  ...[
    'a',
    '1',
    '.',
    ':',
    '-',
    '/',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '=',
    '$',
    '#',
    '@',
    "'",
    '"',
    '`',
    '\\',
    '|',
  ],
  ...[
    'a.',
    '$1',
    '::',
    '{closure:',
    '<a',
    '<<',
    '>b__',
    '$$',
    '__1',
    '$lambda$1',
    ' = ',
    '(a=1,',
    '{A:b ',
    'values (',
    'select a from ',
  ],
  ...[
    'in (',
    '[{"a":',
    '{"message":"',
    '<title>',
    '</a>',
    '\n',
    'a:\n',
    '404 ',
    'status code ',
    '€1.',
    '1,000',
    ' 1%',
    'eyJa.',
    '+1 1',
    '\n\n',
  ],
  ...[
    "is not an object (evaluating 'a",
    'a is not a function ',
    "can't access property ",
    '#PID<',
    '\\"',
    '"path":[',
    '→ 1\n',
    '%20',
    'a=b ',
  ],
]
const BUDGET_MS = 1_500

describe('hostile texts', () => {
  for (const part of PARTS) {
    it(`cost no more than their length: ${JSON.stringify(part)}`, () => {
      const text = part.repeat(Math.ceil(16_384 / part.length))
      for (const whole of [
        text,
        `[${text}`,
        `a:\n${text}`,
        `<html>${text}`,
        `null is not an object (evaluating '${text}'`,
      ]) {
        const start = cpuMs()
        parameterise(whole)
        firstSentence(whole)
        httpStatusIn(whole)
        engineText('TypeError', whole)
        for (const family of new Set(Object.values(FAMILIES))) {
          functionKey(whole, family)
          moduleKey(whole, family)
          typeKey(whole, family)
        }
        const spent = cpuMs() - start
        assert.ok(spent < BUDGET_MS, `${spent} ms`)
      }
    })
  }

  it('have a title of one line, whatever they hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PARTS, '\u2028', '\u0000', '\u202e', '\r'), { maxLength: 40 }),
        (parts) => {
          const title = firstSentence(parts.join(''))
          assert.equal(title, safeLine(title))
          assert.ok(!/[\p{Cc}\u2028\u2029]/u.test(title))
        },
      ),
    )
  })
})
