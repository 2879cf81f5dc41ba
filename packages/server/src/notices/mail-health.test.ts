import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { NOW } from '#testing/builders/times.ts'
import { type Attempt, STOPPED } from './channels/attempt.ts'
import { MailHealth } from './mail-health.ts'

const SENT: Attempt = { outcome: 'sent', says: 'Accepted by the mail server.' }
const AWAY: Attempt = { outcome: 'failed', says: 'The mail server cannot be reached.', isServerAway: true }

describe('the health of mail', () => {
  it('tells after some minutes that no email gets out, in the log once, and that it is over', async () => {
    const clock = manualClock(NOW)
    const said: unknown[] = []
    const note = (message: string, fields?: unknown) => void said.push([message, fields])
    const health = new MailHealth({ clock, log: { ...silentLog, warn: note, info: note } })
    const outcomes: Attempt[] = []
    const send = health.watch(async () => outcomes.shift() ?? SENT)
    const tryOne = async (attempt: Attempt) => {
      outcomes.push(attempt)
      // @ts-expect-error what is sent plays no part
      await send({})
    }
    await tryOne(SENT)
    await tryOne(AWAY)
    clock.advance(max('mailFailingMs') - 1)
    await tryOne(AWAY)
    await tryOne(STOPPED)
    assert.deepEqual([health.facts().failing, said], [null, []])
    clock.advance(1)
    const failing = { sinceMs: NOW, says: AWAY.says }
    assert.deepEqual(health.facts(), { sent: 1, failed: 2, failing })
    await tryOne(AWAY)
    await tryOne(AWAY)
    const since = new Date(NOW).toISOString()
    assert.deepEqual(said, [['emails cannot be sent', { since, reason: AWAY.says }]])
    await tryOne(SENT)
    assert.equal(health.facts().failing, null)
    assert.deepEqual(said.slice(1), [['emails are sent again', undefined]])
  })
})
