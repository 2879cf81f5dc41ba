import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visibleText } from './visible-text.ts'

test('characters that turn the direction are written out', () => {
  assert.equal(visibleText('invoice\u202efdp.exe\u202c'), 'invoice[U+202E]fdp.exe[U+202C]')
})

test('text in a right-to-left script stays as it is', () => {
  assert.equal(visibleText('خطأ في الدفع'), 'خطأ في الدفع')
})
