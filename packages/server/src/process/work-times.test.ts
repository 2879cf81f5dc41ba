import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyId } from '#base/ids.ts'
import { anEnvelope } from '#testing/builders/records.ts'
import { WorkTimes } from './work-times.ts'

test('what envelopes took is summed by key and form of their bodies', () => {
  let nowMs = 0
  const times = new WorkTimes(() => nowMs)
  const envelope = (key: number, encodings: readonly 'gzip'[], bytes: number) =>
    anEnvelope(new Uint8Array(bytes), { keyId: keyId(key), encodings })
  for (const record of [envelope(1, [], 100), envelope(1, [], 50), envelope(2, ['gzip'], 10)]) {
    const beganMs = times.now()
    nowMs += 7
    times.add(record, times.now() - beganMs)
  }
  assert.deepEqual(times.all(), [
    { keyId: 1, form: 'plain', bytes: 150, ms: 14 },
    { keyId: 2, form: 'compressed', bytes: 10, ms: 7 },
  ])
})
