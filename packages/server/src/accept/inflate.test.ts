import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readEncodings } from './inflate.ts'

describe('the Content-Encoding header', () => {
  test('names codings in the order they were applied, in any case', () => {
    assert.deepEqual(readEncodings('X-GZIP , br'), ['gzip', 'br'])
  })

  test('is identity when it is absent, empty or names what is no coding', () => {
    for (const header of [null, '', 'identity', 'rot13', 'constructor', '__proto__', 'toString']) {
      assert.deepEqual(readEncodings(header), [], String(header))
    }
  })

  test('is refused with more codings than anybody applies', () => {
    assert.equal(readEncodings('gzip,gzip,gzip,gzip'), null)
  })
})
