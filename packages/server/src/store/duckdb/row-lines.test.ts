import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ERRORS, type EventRow } from '#kinds/error/fields.ts'
import { withSharedTail } from '#model/shared-tails.ts'
import { anEventRow } from '#testing/builders/stored-event.ts'
import { encodeRows, writtenRow } from './row-lines.ts'

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
