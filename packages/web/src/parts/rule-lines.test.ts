import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { atTheirLines, piecesOf } from './rule-lines.ts'

describe('lines of rules', () => {
  const text = 'path:a #one\nfoo\n  *x*x*x*x  '
  const refused = ['Line 2: There is no “->”.', '“*x*x*x*x”: Too many asterisks.', 'At most 3 rules.']

  it('carry what is wrong of them, by number or by their text; the rest is said of the whole', () => {
    const { lines, others } = atTheirLines({ refused, problems: [], sent: text, text })
    assert.deepEqual(
      [...lines],
      [
        [2, ['There is no “->”.']],
        [3, ['Too many asterisks.']],
      ],
    )
    assert.deepEqual(others, ['At most 3 rules.'])
  })

  it('are not marked once they were changed', () => {
    const problems = [{ line: 1, says: 'There is no team “one”.' }]
    const { lines } = atTheirLines({ refused, problems, sent: text, text: text.replace('foo', 'a -> b') })
    assert.deepEqual([...lines.keys()], [1, 3])
  })

  it('are drawn in pieces that make up the line', () => {
    for (const line of [
      '',
      '# a',
      'path:src/*  #pay ada@example.com',
      'a.b:"x" -> {{ default }} title="*"',
      '\t',
    ])
      assert.equal(
        piecesOf(line)
          .map(({ text: piece }) => piece)
          .join(''),
        line,
      )
    assert.deepEqual(
      piecesOf('path:a #pay').map(({ tone }) => tone),
      ['key', null, 'name'],
    )
  })
})
