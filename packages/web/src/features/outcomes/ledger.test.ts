import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { csvText } from './csv.ts'
import { COLUMNS, ledgerOf, notStored, type OutcomeName } from './ledger.ts'

const OUTCOMES: readonly OutcomeName[] = [
  'accepted',
  'filtered',
  'rate_limited',
  'invalid',
  'abuse',
  'client_discard',
  'cardinality_limited',
]

describe('the ledger', () => {
  test('balances: sent is stored and the four reasons why not, in every row, column and bucket', () => {
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
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
