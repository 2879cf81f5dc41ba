import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { projectId, seq } from '#base/ids.ts'
import type { BlockEntry } from '#ports/telemetry.ts'
import { eventIdOf } from '#testing/builders/ids.ts'
import {
  type EntryList,
  hasEventId,
  isEntryList,
  packEntries,
  unpackEntries,
  visitIds,
} from './block-entries.ts'

const U32 = 0xffff_ffff
/** The id of no entry. */
const NOBODY = eventIdOf(2 ** 41)

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
    return parts.map(({ project, id, gap, bytes, rowBytes, ...part }): BlockEntry => {
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

function ids(entries: Buffer, list: EntryList): string[] {
  const found: string[] = []
  visitIds(entries, list, (project, at) => found.push(`${project} ${entries.toString('hex', at, at + 16)}`))
  return found
}

describe('entries of a payload block', () => {
  for (const hasIds of [true, false]) {
    it(`come back as they were, in the order of the body, ${hasIds ? 'with' : 'without'} ids`, () => {
      fc.assert(
        fc.property(events, fc.boolean(), (made, isBackwards) => {
          const listed = hasIds ? made : made.map((entry) => ({ ...entry, eventId: null }))
          const firstSeq = Math.min(...listed.map((entry) => entry.seq))
          const last = listed.at(-1)
          const rawBytes = (last?.offset ?? 0) + (last?.bytes ?? 0) + (last?.rowBytes ?? 0)
          const given = isBackwards ? listed.toReversed() : listed
          const entries = packEntries(given, { firstSeq, rawBytes, hasIds })
          const list = { count: listed.length, hasIds, bytes: entries.length }
          assert.ok(isEntryList(list))
          assert.deepEqual(unpackEntries(entries, list, firstSeq), listed)
          const named = listed.map((entry) => `${entry.projectId} ${entry.eventId}`)
          assert.deepEqual(ids(entries, list), hasIds ? named : [])
          for (const { eventId } of made) assert.equal(hasEventId(entries, list, eventId ?? NOBODY), hasIds)
          assert.ok(!hasEventId(entries, list, NOBODY))
        }),
      )
    })
  }

  it('take less than 25 bytes an event in a large block', () => {
    const listed = Array.from({ length: 512 }, (_, index) => ({
      ...{ projectId: projectId(7), eventId: eventIdOf(index), seq: seq(9_000_000 + 3 * index) },
      ...{ offset: index * 6_500, bytes: 5_400, rowBytes: 1_100 },
    }))
    const packed = packEntries(listed, {
      ...{ firstSeq: 9_000_000, rawBytes: 512 * 6_500, hasIds: true },
    })
    assert.ok(packed.length < 512 * 25, `${packed.length / 512}`)
  })

  it('are told from what can be none by their length', () => {
    const none = { count: 0, hasIds: true, bytes: 0 }
    assert.ok(!isEntryList(none))
    assert.ok(!isEntryList({ count: 3, hasIds: false, bytes: 3 * 4 }))
    assert.ok(!isEntryList({ count: 3, hasIds: true, bytes: 3 * 20 }))
    assert.ok(!isEntryList({ count: 2 ** 31 - 1, hasIds: true, bytes: U32 }))
  })
})
