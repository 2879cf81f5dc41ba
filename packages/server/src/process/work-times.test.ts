import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyId, seq } from '#base/ids.ts'
import { anEnvelope } from '#testing/builders/records.ts'
import { WorkTimes } from './work-times.ts'

test('the time between two records is the first one’s, summed by key and form of its body', () => {
  let nowMs = 0
  const times = new WorkTimes(() => nowMs)
  const envelope = (key: number, encodings: readonly 'gzip'[], bytes: number) => ({
    ...anEnvelope(new Uint8Array(bytes), { keyId: keyId(key), encodings }),
    seq: seq(1),
  })
  const counted = { type: 'outcomes', receivedMs: 0, outcomes: [], seq: seq(2) } as const
  const records = [envelope(1, [], 100), envelope(1, [], 50), counted, envelope(2, ['gzip'], 10)]
  for (const record of times.over(records)) nowMs += record.type === 'outcomes' ? 1_000 : 7
  assert.deepEqual(times.all(), [
    { keyId: 1, form: 'plain', bytes: 150, ms: 14 },
    { keyId: 2, form: 'compressed', bytes: 10, ms: 7 },
  ])
})
