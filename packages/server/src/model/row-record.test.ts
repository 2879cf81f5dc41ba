import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { type EventId, keyId, projectId, seq } from '#base/ids.ts'
import { ERRORS } from '#kinds/error/fields.ts'
import { packPart } from '#process/blocks.ts'
import { anEvent, anEventRow } from '#testing/builders/stored-event.ts'
import { orNull, type RowValues, rowTable, text } from './fields.ts'
import { decodeRow, encodeRow } from './row-record.ts'

describe('a row record', () => {
  it('gives back the row it was made of', () => {
    for (const row of [
      anEventRow({ tags: [['größe', '😀']], people: ['id:42', 'email:ann@example.com'] }),
      anEventRow({ environment: null, handled: null, user: null, people: [], tags: [], isMirror: true }),
    ]) {
      const { seq: at, projectId, eventId, day, retentionDays } = row
      assert.deepEqual(
        decodeRow(ERRORS, encodeRow(ERRORS, row), { seq: at, projectId, eventId, day, retentionDays }),
        row,
      )
    }
  })

  it('leaves out tags that fields tell, puts them back, and reads records that list them all', () => {
    const told = { environment: 'prod', handled: false, level: 'error' } as const
    const all = [
      ['environment', 'prod'],
      ['handled', 'no'],
      ['level', 'warning'],
      ['plan', 'gold'],
    ] as const
    for (const tags of [all, all.toReversed(), all.slice(1, 2), []]) {
      const row = anEventRow({ ...told, tags })
      assert.deepEqual(decodeRow(ERRORS, encodeRow(ERRORS, row), row), row)
    }
    const row = anEventRow({ ...told, tags: all })
    const record = encodeRow(ERRORS, row)
    assert.ok(!record.includes('"handled"') && record.includes('["level","warning"],["plan","gold"]'))
    const older = [row.timestampMs, row.receivedMs, ...ERRORS.keys.map((key) => Reflect.get(row, key))]
    assert.deepEqual(decodeRow(ERRORS, JSON.stringify(older), row), row)
  })

  it('of before a field was added lacks its value, and what is no record is refused', () => {
    const row = anEventRow()
    const grown = rowTable(ERRORS.kind, { ...ERRORS.fields, mood: orNull(text()) }, { hasEventId: true })
    const read = decodeRow(grown, encodeRow(ERRORS, row), row)
    assert.deepEqual({ title: Reflect.get(read, 'title'), mood: read.mood }, { title: row.title, mood: null })
    assert.throws(() => decodeRow(ERRORS, '{}', row), /not a row record/)
  })

  it('lies right behind its payload in the block', () => {
    const pending = [3, 1, 2].map((number) => {
      const { row, ...own } = anEvent({ projectId: projectId(3), seq: seq(number) })
      return { kind: ERRORS.kind, row, own, keyId: keyId(1), payload: Buffer.from(`{"number":${number}}`) }
    })
    const { rows, blocks } = packPart(ERRORS, pending)
    for (const { row, block, offset, bytes, rowBytes } of rows) {
      const body = zstdDecompressSync(blocks[block]?.compressed ?? new Uint8Array())
      assert.equal(body.subarray(offset, offset + bytes).toString(), `{"number":${row.seq}}`)
      const record = body.subarray(offset + bytes, offset + bytes + rowBytes).toString()
      const { eventId }: RowValues = row
      assert.deepEqual(decodeRow(ERRORS, record, { ...row, eventId: eventId as EventId }), row) // of an event
    }
  })
})
