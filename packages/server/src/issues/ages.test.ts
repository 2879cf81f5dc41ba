import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS, HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { RETENTION_DAYS } from '#model/file-name.ts'
import { oldestKept } from './ages.ts'

const NOW = Date.UTC(2026, 10, 16, 12)

describe('what goes by age', () => {
  it('is nothing that pages still show, and no code before its end', () => {
    const oldest = oldestKept(NOW)
    assert.ok(NOW - oldest.outcomeMinutesMs >= HOUR_MS, 'the last hour of /system')
    assert.ok(NOW - oldest.outcomesMs >= (RETENTION_DAYS[1] ?? 0) * DAY_MS, 'as long as most events')
    assert.ok(oldest.sessionsCreatedMs < oldest.sessionsSeenMs, 'a session in use outlives an idle one')
    assert.equal(oldest.codesEndMs, NOW)
    assert.equal(oldest.invitationsEndMs, NOW - max('invitationKnownDays') * DAY_MS)
  })

  it('moves on with time', () => {
    const [before, after] = [oldestKept(NOW), oldestKept(NOW + DAY_MS)]
    assert.deepEqual(
      Object.values(after),
      Object.values(before).map((ms: number) => ms + DAY_MS),
    )
  })
})
