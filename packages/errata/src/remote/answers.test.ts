import assert from 'node:assert/strict'
import { it } from 'node:test'
import { printable, printableJson } from './answers.ts'

const HOSTILE = 'a\u001b[2J\u009b2J\u007f\u202eb'

it('orders to a terminal are printed in no text and in no JSON', () => {
  assert.equal(printable(HOSTILE), 'a [2J 2J b')
  const printed = printableJson({ title: HOSTILE }, 2)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  assert.doesNotMatch(printed, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  assert.deepEqual(JSON.parse(printed), { title: HOSTILE })
})
