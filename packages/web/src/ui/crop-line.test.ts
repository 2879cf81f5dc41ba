import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cropLine } from './crop-line.ts'

const shown = ({ before, mark, after, cutStart, cutEnd }: ReturnType<typeof cropLine>) =>
  `${cutStart ? '…' : ''}${before}${mark === '' ? '' : `<${mark}>`}${after}${cutEnd ? '…' : ''}`

describe('a line of source', () => {
  test('stays whole where it is short, with the word at the column marked', () => {
    assert.equal(shown(cropLine('  return pay(cart.total)', 10)), '  return <pay>(cart.total)')
    assert.equal(shown(cropLine('a + b', 3)), 'a <+> b')
    assert.equal(shown(cropLine('return 1', undefined)), 'return 1')
    assert.equal(shown(cropLine('return 1', 400)), 'return 1')
  })

  test('is cropped around the column where it is long', () => {
    const line = `${'a;'.repeat(400)}boom()${';b'.repeat(400)}`
    const cropped = cropLine(line, 801)
    assert.equal(shown(cropped), `…${'a;'.repeat(30)}<boom>()${';b'.repeat(37)}…`)
    assert.equal(shown(cropLine(line, undefined)), `${'a;'.repeat(70)}…`)
    assert.equal(shown(cropLine(line, line.length)), `…${line.slice(-140, -1)}<b>`)
  })

  test('that an SDK has cropped is marked where the column is known', () => {
    const body = `${'x'.repeat(58)}.boom()${'y'.repeat(75)}`
    const marked = `${'x'.repeat(58)}.<boom>()${'y'.repeat(75)}…`
    assert.equal(shown(cropLine(`'{snip} ${body} {snip}`, 9_000)), `…${marked}`)
    assert.equal(shown(cropLine(`'{snip} ${body}`, 9_000)), `…${body}`)
    assert.equal(shown(cropLine(`${body} {snip}`, 60)), marked)
    assert.equal(shown(cropLine(`${body} {snip}`, 221)), `${body}…`)
  })

  test('shows no half of a character at its ends', () => {
    for (const column of [201, 202, 203]) {
      const { before, mark, after } = cropLine('😀'.repeat(200), column)
      assert.ok([before, mark, after].every((part) => part.isWellFormed()))
    }
  })

  test('is a part of the line whatever the column, never longer than is drawn, and says what is cut', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 900 }), fc.option(fc.integer({ max: 1_000 })), (text, column) => {
        const { before, mark, after, cutStart, cutEnd } = cropLine(text, column ?? undefined)
        const part = before + mark + after
        assert.ok(text.includes(part) && part.length <= 200)
        if (!cutStart && !cutEnd) assert.equal(part, text)
      }),
    )
  })
})
