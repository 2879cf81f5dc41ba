import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeTokens, tokensFrom } from './highlight.ts'

const marks = (line: string) =>
  codeTokens(line)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`)

for (const [line, expected] of [
  ['const a = await load("x") // why', ['keyword const', 'keyword await', 'string "x"', 'comment // why']],
  ["throw new Error(`it's a`)", ['keyword throw', 'keyword new', "string `it's a`"]],
  ['order.new({ default: 1, $if: 2 })', []],
  ['/* one */ return "\\"//"', ['comment /* one */', 'keyword return', 'string "\\"//"']],
  [' * of several lines', ['comment  * of several lines']],
  ["<p>don't</p>", []],
] as const) {
  test(`marks ${line}`, () => assert.deepEqual(marks(line), expected))
}

test('loses nothing of a line, and nothing of what is behind a place in it', () => {
  const line = 'export async function Totals({ a }: { a: "b" }) { // c'
  const joined = (tokens: readonly { readonly text: string }[]) => tokens.map(({ text }) => text).join('')
  assert.equal(joined(codeTokens(line)), line)
  for (const at of [0, 3, 9, 30, line.length])
    assert.equal(joined(tokensFrom(codeTokens(line), at)), line.slice(at))
})

test('leaves lines alone that nobody wrote', () => {
  for (const line of ['"a"+'.repeat(100), '{snip} return "a" {snip}'])
    assert.deepEqual(codeTokens(line), [{ kind: 'plain', text: line }])
})
