/** `docs/specification.md` is true: its tables are the code's. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  readGroupingRules,
  readSpecification,
  withGroupingTables,
  withTables,
} from '../../scripts/spec-tables.ts'

describe('the specification', () => {
  it('lists routes, roles, errors, reasons, limits and settings as the code has them', () => {
    const written = readSpecification()
    assert.equal(written, withTables(written), 'run `npm run docs`')
  })

  it('and the rules of grouping list every rule', () => {
    const written = readGroupingRules()
    assert.equal(written, withGroupingTables(written), 'run `npm run docs`')
  })

  it('has its nine points', () => {
    const points = [...readSpecification().matchAll(/^## (\d)\. /gm)].map((match) => Number(match[1]))
    assert.deepEqual(points, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})
