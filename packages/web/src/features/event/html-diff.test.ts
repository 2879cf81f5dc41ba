import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DiffCell, diffColumn, diffRows, rowsAround } from './html-diff.ts'

const shown = (cell: DiffCell | null) =>
  cell === null
    ? null
    : cell.changed === null
      ? cell.text
      : `${cell.text.slice(0, cell.changed.from)}[${cell.text.slice(cell.changed.from, cell.changed.to)}]${cell.text.slice(cell.changed.to)}`
const rows = (server: string, client: string) =>
  diffRows(server, client).map((row) => [shown(row.server), shown(row.client)])

describe('two fragments side by side', () => {
  it('mark whole words in lines that took each other’s place', () => {
    const server = '<div>\n  <span data-low="false">\n    12 left\n  </span>\n</div>'
    const client = '<div>\n  <span data-low="true">\n    11 left\n  </span>\n</div>'
    assert.deepEqual(rows(server, client), [
      ['<div>', '<div>'],
      ['  <span data-low="[false]">', '  <span data-low="[true]">'],
      ['    [12] left', '    [11] left'],
      ['  </span>', '  </span>'],
      ['</div>', '</div>'],
    ])
  })

  it('part no character in two, where only its second half differs', () => {
    assert.deepEqual(rows('so 😀 it is', 'so 😁 it is'), [['so [😀] it is', 'so [😁] it is']])
    // 🁁 and 😁 end in the same half.
    assert.deepEqual(rows('so 🁁 it is', 'so 😁 it is'), [['so [🁁] it is', 'so [😁] it is']])
  })

  it('keep lines of one side beside nothing, and count each side for itself', () => {
    const found = diffRows('<p>\n</p>', '<p>\n  <b>\n</p>')
    assert.deepEqual(
      found.map(({ server, client }) => [server?.line ?? null, client?.line ?? null]),
      [
        [1, 1],
        [null, 2],
        [2, 3],
      ],
    )
    assert.equal(shown(found[1]?.client ?? null), '  [<b>]')
  })

  it('are no rows but the same ones where nothing differs', () => {
    assert.deepEqual(rows('a\nb\n', 'a\nb'), [
      ['a', 'a'],
      ['b', 'b'],
    ])
  })

  it('can stand one below the other: a block of the server’s before the browser’s', () => {
    const found = diffColumn(diffRows('<p>\n  1\n  2\n</p>', '<p>\n  3\n  4\n  5\n</p>'))
    assert.deepEqual(
      found.map(({ cell, side }) => `${side} ${shown(cell)}`),
      [
        'server <p>',
        'server   [1]',
        'server   [2]',
        'client   [3]',
        'client   [4]',
        'client   [5]',
        'server </p>',
      ],
    )
  })

  it('can leave out what is far from a difference', () => {
    const lines = (changed: string) =>
      Array.from({ length: 20 }, (_, at) => (at === 10 ? changed : `line ${at}`))
    const around = rowsAround(diffRows(lines('a').join('\n'), lines('b').join('\n')))
    assert.deepEqual(
      [around.length, around[0]?.server?.text, around.at(-1)?.server?.text],
      [7, 'line 7', 'line 13'],
    )
    const same = diffRows('a\nb', 'a\nb')
    assert.equal(rowsAround(same), same)
  })

  it('are bounded', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `line ${at}`).join('\n')
    assert.equal(diffRows(many, many).length, 200)
  })
})
