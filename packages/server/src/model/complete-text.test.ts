import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeText } from './complete-text.ts'

test('what begins with the typed text comes first, and what has it elsewhere only where that is asked for', () => {
  const values = ['web@2.1.0', '2.1.0-beta', 'api@3.0.0', 'Web@2.1.1'].map((text) => ({ text }))
  const texts = (prefix: string, within: boolean) =>
    completeText(values, { prefix, within }).map(({ text }) => text)
  assert.deepEqual(texts('2.1', true), ['2.1.0-beta', 'web@2.1.0', 'Web@2.1.1'])
  assert.deepEqual(texts('2.1', false), ['2.1.0-beta'])
  assert.deepEqual(texts('WEB@', false), ['web@2.1.0', 'Web@2.1.1'])
  assert.deepEqual(texts('', true), texts('', false), 'nothing typed is the beginning of all')
  assert.deepEqual(texts('nope', true), [])
})
