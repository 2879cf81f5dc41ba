import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { day, keyId, seq } from '#base/ids.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { encodeRow } from '#model/row-record.ts'
import { SHOP } from '#testing/builders/ids.ts'
import { anEvent, FIRST_DAY } from '#testing/builders/stored-event.ts'
import { packPart } from './blocks.ts'

describe('blocks of a batch', () => {
  /** A block each, in this order: by the days on which it came. */
  const CONTENTS = [
    { name: 'compressible', payload: Buffer.alloc(300_000, 'a') },
    { name: 'smaller than the one before', payload: Buffer.from('{"message":"small"}') },
    { name: 'empty', payload: Buffer.alloc(0) },
    { name: 'larger than all before, and not compressible', payload: randomBytes(700_000) },
    { name: 'smaller again, and not compressible', payload: randomBytes(1_000) },
  ]

  it('keep no more memory than they are long', () => {
    const { row, ...own } = anEvent({ projectId: SHOP, seq: seq(1), day: FIRST_DAY })
    const payload = Buffer.alloc(300_000, 'a')
    const { blocks } = packPart(ERRORS, [{ kind: ERRORS.kind, row, own, keyId: keyId(1), payload }])
    const [block] = blocks
    assert.ok(block !== undefined && block.compressed.length < 10_000)
    assert.equal(block.compressed.buffer.byteLength, block.compressed.length)
  })

  it('hold what went in, whatever stood in the block before and however little they shrink', () => {
    const pending = CONTENTS.map(({ payload }, index) => {
      const { row, ...own } = anEvent({ projectId: SHOP, seq: seq(index + 1), day: day(FIRST_DAY + index) })
      return { kind: ERRORS.kind, row, own, keyId: keyId(1), payload }
    })
    const { rows, blocks } = packPart(ERRORS, pending)
    assert.equal(blocks.length, CONTENTS.length)
    for (const [index, { name, payload }] of CONTENTS.entries()) {
      const place = rows[index]
      const block = blocks[place?.block ?? -1]
      assert.ok(place !== undefined && block !== undefined, name)
      const raw = Buffer.concat([payload, Buffer.from(encodeRow(ERRORS, place.row))])
      assert.ok(zstdDecompressSync(block.compressed).equals(raw), name)
      assert.deepEqual([block.rawBytes, place.offset, place.bytes], [raw.length, 0, payload.length], name)
    }
  })
})
