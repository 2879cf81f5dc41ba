import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { projectId, seq } from '#base/ids.ts'
import type { BlockEvent } from '#ports/telemetry.ts'
import { eventIdOf } from '#testing/contract/telemetry/rows.ts'
import { type EntryList, hasId, isEntryList, packEntries, unpackEntries, visitIds } from './block-entries.ts'

const U32 = 0xffff_ffff

/** Events behind each other, with gaps where duplicates were left out. */
const events = fc
  .array(
    fc.record({
      project: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(U32)),
      id: fc.nat({ max: 2 ** 40 }),
      seq: fc.oneof(fc.nat({ max: 1_000 }), fc.maxSafeNat()),
      gap: fc.oneof(fc.constant(0), fc.nat({ max: 9_000 })),
      bytes: fc.nat({ max: 70_000 }),
      rowBytes: fc.integer({ min: 1, max: 2_000 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) => {
    let end = 0
    return parts.map(({ project, id, gap, bytes, rowBytes, ...part }): BlockEvent => {
      const offset = end + gap
      end = offset + bytes + rowBytes
      return {
        projectId: projectId(project),
        eventId: eventIdOf(id),
        seq: seq(part.seq),
        offset,
        bytes,
        rowBytes,
      }
    })
  })

/** As versions 1 and 2 wrote them. */
function fixedEntries(list: readonly BlockEvent[], each: 36 | 40): Buffer {
  const bytes = Buffer.alloc(list.length * each)
  list.forEach((event, index) => {
    const at = index * each
    bytes.writeUInt32LE(event.projectId, at)
    bytes.write(event.eventId, at + 4, 'hex')
    bytes.writeBigUInt64LE(BigInt(event.seq), at + 20)
    bytes.writeUInt32LE(event.offset, at + 28)
    bytes.writeUInt32LE(event.bytes, at + 32)
    if (each === 40) bytes.writeUInt32LE(event.rowBytes, at + 36)
  })
  return bytes
}

function ids(entries: Buffer, list: EntryList): string[] {
  const found: string[] = []
  visitIds(entries, list, (project, at) => found.push(`${project} ${entries.toString('hex', at, at + 16)}`))
  return found
}

describe('entries of a payload block', () => {
  it('come back as they were, in the order of the body, packed and as older versions wrote them', () => {
    fc.assert(
      fc.property(events, fc.boolean(), (listed, isBackwards) => {
        const firstSeq = Math.min(...listed.map((event) => event.seq))
        const last = listed.at(-1)
        const rawBytes = (last?.offset ?? 0) + (last?.bytes ?? 0) + (last?.rowBytes ?? 0)
        const packed = packEntries(isBackwards ? listed.toReversed() : listed, { firstSeq, rawBytes })
        const named = listed.map((event) => `${event.projectId} ${event.eventId}`)
        const forms = [
          { entries: packed, isPacked: true, expected: listed },
          { entries: fixedEntries(listed, 40), isPacked: false, expected: listed },
          {
            ...{ entries: fixedEntries(listed, 36), isPacked: false },
            expected: listed.map((event) => ({ ...event, rowBytes: 0 })),
          },
        ]
        for (const { entries, isPacked, expected } of forms) {
          const list = { count: listed.length, isPacked, bytes: entries.length }
          assert.ok(isEntryList(list))
          assert.deepEqual(unpackEntries(entries, list, firstSeq), expected)
          assert.deepEqual(ids(entries, list), named)
          for (const { eventId } of listed) assert.ok(hasId(entries, list, eventId))
          assert.ok(!hasId(entries, list, eventIdOf(2 ** 41)))
        }
      }),
    )
  })

  it('take less than 25 bytes an event in a large block', () => {
    const listed = Array.from({ length: 512 }, (_, index) => ({
      ...{ projectId: projectId(7), eventId: eventIdOf(index), seq: seq(9_000_000 + 3 * index) },
      ...{ offset: index * 6_500, bytes: 5_400, rowBytes: 1_100 },
    }))
    const packed = packEntries(listed, { firstSeq: 9_000_000, rawBytes: 512 * 6_500 })
    assert.ok(packed.length < 512 * 25, `${packed.length / 512}`)
  })

  it('are told from what can be none by their length', () => {
    const none = { count: 0, isPacked: true, bytes: 0 }
    assert.ok(!isEntryList(none))
    assert.ok(!isEntryList({ count: 3, isPacked: false, bytes: 3 * 38 }))
    assert.ok(!isEntryList({ count: 3, isPacked: true, bytes: 3 * 20 }))
    assert.ok(!isEntryList({ count: 2 ** 31 - 1, isPacked: true, bytes: U32 }))
  })
})
