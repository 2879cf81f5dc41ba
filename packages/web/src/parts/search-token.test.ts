import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenText, valueTerm } from './search-token.ts'

const token = (key: string | null, value: string, negated = false) => ({ key, value, negated })

test('search tokens are written so that the parser reads them again', () => {
  assert.equal(tokenText(token('is', 'unresolved')), 'is:unresolved')
  assert.equal(tokenText(token('browser', 'Chrome 141', true)), '!browser:"Chrome 141"')
  assert.equal(tokenText(token(null, 'say "hi"')), '"say \\"hi\\""')
  assert.equal(tokenText(token('file', '*.ts')), 'file:*.ts')
  assert.equal(valueTerm(token('file', '*.ts')), 'file:\\*.ts')
  assert.equal(valueTerm(token('file', 'all *')), 'file:"all \\*"')
  assert.equal(tokenText(token('path', 'C:\\x\\')), 'path:"C:\\\\x\\\\"')
  assert.equal(tokenText(token('<b>', 'x')), 'tags[<b>]:x')
  assert.equal(tokenText({ ...token('kind', 'x'), isTag: true }), 'tags[kind]:x')
})
