import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolateTurned, visibleText } from './visible-text.ts'

test('characters that turn the direction are written out', () => {
  assert.equal(visibleText('invoice\u202efdp.exe\u202c'), 'invoice[U+202E]fdp.exe[U+202C]')
})

test('text in a right-to-left script stays as it is', () => {
  assert.equal(visibleText('خطأ في الدفع'), 'خطأ في الدفع')
})

test('only a text with letters from the right is set apart from its neighbours', () => {
  for (const text of ['חנות', 'صفحة', 'pay שלום', '\u0590', '\u08ff', '\ufefc'])
    assert.equal(isolateTurned(text), `\u2068${text}\u2069`)
  for (const text of ['checkOut(src/cart.js)', 'カート', 'żółw', '', '\u058f', '\u0900', '\ufefd'])
    assert.equal(isolateTurned(text), text)
})
