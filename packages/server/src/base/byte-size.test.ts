import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byteSizeText, readByteSize } from './byte-size.ts'

describe('a size as people write it', () => {
  for (const [text, bytes] of [
    ['20GB', 20_000_000_000],
    ['500 MiB', 524_288_000],
    ['1.5 tb', 1_500_000_000_000],
    ['1073741824', 1_073_741_824],
    [' 7b ', 7],
    ['', null],
    ['-1GB', null],
    ['20 gigs', null],
    ['1e9', null],
    ['999999999999999TB', null],
  ] as const) {
    it(`"${text}" is ${bytes === null ? 'none' : `${bytes} bytes`}`, () => {
      assert.equal(readByteSize(text), bytes)
    })
  }
})

describe('a size as people read it', () => {
  for (const [bytes, text] of [
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1.0 KiB'],
    [3_893_349, '3.7 MiB'],
    [2 ** 50, '1024.0 TiB'],
  ] as const) {
    it(`${bytes} bytes are "${text}"`, () => {
      assert.equal(byteSizeText(bytes), text)
    })
  }
})
