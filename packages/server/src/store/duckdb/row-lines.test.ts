import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ERRORS, type EventRow } from '#kinds/error/fields.ts'
import { withSharedTail } from '#model/shared-tails.ts'
import { anEventRow } from '#testing/builders/stored-event.ts'
import { decodeTag, encodeRows, JSON_LINE, SUB, splitListText, US, writtenRow } from './row-lines.ts'
import { columnsOf } from './table-columns.ts'

describe('rows whose lists end alike', () => {
  const tails = [
    ['stack.function=load', 'stack.filename=app/ä/…/x.ts'],
    ['stack.function=\x1b', 'stack.module=a\x1db'],
    ['stack.function=\x1f\x1e\x1a'],
    ['stack.function=\ud800'],
    Array.from({ length: 60 }, (_, at) => `stack.abs_path=/srv/${'deep/'.repeat(40)}${at}.ts`),
    [],
  ]
  const heads = [['platform=node'], ['error.value=\x1d'], []]

  it('are written as any others, the first time and every time after', () => {
    for (const tail of tails) {
      for (const head of heads) {
        const plain: EventRow = { ...anEventRow(), details: [...head, ...tail] }
        const shared: EventRow = { ...plain, details: withSharedTail(head, tail) }
        for (let times = 0; times < 3; times++)
          assert.deepEqual(writtenRow(ERRORS, shared), writtenRow(ERRORS, plain))
      }
    }
  })

  it('stand behind one another whole', () => {
    const rows = tails.flatMap((tail) =>
      heads.map((head): EventRow => ({ ...anEventRow(), details: withSharedTail(head, tail) })),
    )
    const together = encodeRows(ERRORS)
    for (const row of [...rows, ...rows]) together.add(row)
    const alone = [...rows, ...rows].map((row) => writtenRow(ERRORS, row).line)
    assert.equal(Buffer.from(together.finish()).toString(), alone.join(''))
  })
})

describe('texts of every length', () => {
  const SPECIAL = ['\x1f', '\x1e', '\x1d', '\x1a', '\x1b', '=', '\\', 'ä', '\ud800', '…', '\n', 'e']
  const LENGTHS = [1, 2, 23, 24, 25, 26, 200]

  /** Texts that a reader finds in the line, whichever form it has. */
  function readBack({ line, form }: { readonly line: string; readonly form: number }) {
    const columns = columnsOf(ERRORS)
    const names = [...columns.values.map(({ key }) => key), 'implied', ...columns.lists.map(({ key }) => key)]
    const fields: Record<string, unknown> =
      form === JSON_LINE
        ? JSON.parse(line)
        : Object.fromEntries(
            line.split(US).map((field, index) => [names[index], field === SUB ? null : field]),
          )
    const list = (key: string) =>
      splitListText(fields[key] === undefined ? null : (fields[key] as string | null)) // a text, as both forms have it
    return { title: fields.title, details: list('details'), tags: list('tags').map(decodeTag) }
  }

  it('come back as they were, whatever character they hold and wherever it stands', () => {
    for (const special of SPECIAL)
      for (const length of LENGTHS)
        for (const at of new Set([0, length >> 1, length - 1])) {
          const text = `${'a'.repeat(at)}${special}${'b'.repeat(length - at - 1)}`
          const row: EventRow = {
            ...anEventRow(),
            title: text,
            details: [`x=${text}`, text],
            tags: [[`k${text}`, text]],
          }
          const written = writtenRow(ERRORS, row)
          const whole = text.toWellFormed()
          assert.deepEqual(
            readBack(written),
            { title: whole, details: [`x=${whole}`, whole], tags: [[`k${whole}`, whole]] },
            JSON.stringify({ special, length, at }),
          )
        }
  })
})
