import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { csvText } from '#parts/csv.ts'
import { COLUMNS, ledgerOf, notStored, type OutcomeName } from './ledger.ts'

const OUTCOMES: readonly OutcomeName[] = [
  'accepted',
  'unsupported',
  'filtered',
  'rate_limited',
  'invalid',
  'abuse',
  'client_discard',
  'cardinality_limited',
]

describe('the ledger', () => {
  test('balances: sent is stored, not supported and the four reasons why not, in every row, column and bucket', () => {
    const group = fc.record({
      outcome: fc.constantFrom(...OUTCOMES),
      category: fc.constantFrom('error', 'span', 'session'),
      series: fc.array(fc.nat(1_000), { minLength: 4, maxLength: 4 }),
    })
    fc.assert(
      fc.property(fc.array(group, { maxLength: 30 }), (groups) => {
        const sent = sum(groups.flatMap(({ series }) => series))
        const ledger = ledgerOf({
          buckets: [0, 1, 2, 3],
          groups: groups.map((one) => ({ ...one, total: sum(one.series) })),
        })
        assert.equal(ledger.all.sent, sent)
        assert.equal(sum(ledger.rows.map((row) => row.sent)), sent)
        assert.equal(sum(ledger.buckets.map((bucket) => bucket.stored + notStored(bucket))), sent)
        for (const { key } of COLUMNS) {
          assert.equal(sum(ledger.rows.map((row) => row.amounts[key])), ledger.all.amounts[key])
        }
      }),
    )
  })

  test('of what this version does not support no stored share is told', () => {
    const groups = [
      { outcome: 'accepted', category: 'error', total: 1, series: [] },
      { outcome: 'unsupported', category: 'span', total: 2, series: [] },
      { outcome: 'invalid', category: 'error', total: 1, series: [] },
    ] as const
    const { all, rows } = ledgerOf({ buckets: [], groups })
    assert.deepEqual([all.sent, all.supported, all.notStored], [4, 2, 3])
    assert.deepEqual(
      rows.map(({ category, sent, supported }) => [category, sent, supported]),
      [
        ['error', 2, 2],
        ['span', 2, 0],
      ],
    )
    assert.deepEqual(all.amounts, { ...all.amounts, stored: 1, unsupported: 2, invalid: 1 })
  })

  test('no outcome is without a column', () => {
    const named: string[] = COLUMNS.flatMap(({ outcomes }) => [...outcomes])
    assert.deepEqual([...named].sort(), [...OUTCOMES].sort())
  })
})

describe('outcomes as CSV', () => {
  test('quotes what needs it and runs no formula', () => {
    assert.equal(
      csvText([
        ['a', 'b'],
        ['=1+1', 'x,"y"'],
        ['@cmd', 3],
      ]),
      'a,b\r\n\'=1+1,"x,""y"""\r\n\'@cmd,3\r\n',
    )
  })

  test('runs none behind blanks, unseen signs or as a wide sign either', () => {
    assert.equal(
      csvText([
        [' =1', '＝1'],
        ['\u200b+1', 'a=1'],
      ]),
      "' =1,'＝1\r\n'\u200b+1,a=1\r\n",
    )
  })
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
