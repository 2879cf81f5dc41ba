import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mainRequestKind } from './main-request-kind.ts'

describe('the request kind that is told', () => {
  it('is the most frequent one that says something', () => {
    assert.equal(
      mainRequestKind(
        new Map([
          ['unknown', 9],
          ['action', 2],
          ['document', 3],
        ]),
      ),
      'document',
    )
    assert.equal(mainRequestKind(new Map([['unknown', 9]])), null)
  })
})
