import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { keyId, projectId, seq } from '#base/ids.ts'
import { packEvents } from '#process/blocks.ts'
import { anEvent } from '#testing/contract/control/builders.ts'
import { anEventRow } from '#testing/contract/telemetry/rows.ts'
import { decodeRow, encodeRow } from './row-record.ts'

describe('a row record', () => {
  it('gives back the row it was made of', () => {
    for (const row of [
      anEventRow({ tags: [['größe', '😀']], people: ['id:42', 'email:ann@example.com'] }),
      anEventRow({ environment: null, handled: null, user: null, people: [], tags: [], isMirror: true }),
    ]) {
      const { seq: at, projectId, eventId, day, retentionDays } = row
      assert.deepEqual(decodeRow(encodeRow(row), { seq: at, projectId, eventId, day, retentionDays }), row)
    }
  })

  it('of another version is refused', () => {
    const row = anEventRow()
    assert.throws(() => decodeRow('[2,"later"]', row), /unknown version/)
    assert.throws(() => decodeRow('{}', row), /unknown version/)
  })

  it('lies right behind its payload in the block', () => {
    const pending = [3, 1, 2].map((number) => {
      const { row, facts, digests } = anEvent({ projectId: projectId(3), seq: seq(number) })
      return { row, facts, digests, keyId: keyId(1), payload: Buffer.from(`{"number":${number}}`) }
    })
    const { events, blocks } = packEvents(pending)
    for (const { row, block, offset, bytes, rowBytes } of events) {
      const body = zstdDecompressSync(blocks[block]?.compressed ?? new Uint8Array())
      assert.equal(body.subarray(offset, offset + bytes).toString(), `{"number":${row.seq}}`)
      const record = body.subarray(offset + bytes, offset + bytes + rowBytes).toString()
      assert.deepEqual(decodeRow(record, row), row)
    }
  })
})
