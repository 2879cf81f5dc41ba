import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { type HourVolume, PROJECT_OPTIONS_DEFAULT } from '#ports/projects.ts'
import { aRequest, envelopeText } from '#testing/builders/accept-request.ts'
import { openTestIngest, shortOutcome, type TestIngest } from '#testing/worlds/accept.ts'
import { SAMPLE_SHOP } from './sample-directory.ts'
import { SpikeProtection } from './spike-protection.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** 14:20 of some day. */
const NOW = Date.parse('2026-11-21T14:20:00Z')
const THIS_HOUR = Date.parse('2026-11-21T14:00:00Z')
const shop = projectId(SAMPLE_SHOP)
const OLD = NOW - 30 * DAY

/** `count` errors in each of the 168 hours before this one. */
function steady(count: number): HourVolume[] {
  return Array.from({ length: 168 }, (_, index) => hour(THIS_HOUR - (index + 1) * HOUR, count))
}

function hour(hourMs: number, admitted: number, capped = 0): HourVolume {
  return { hourMs, admitted, capped, firstCappedMs: capped === 0 ? null : hourMs + 60_000 }
}

function protection(hours: readonly HourVolume[], firstEventMs: number | null = OLD) {
  const clock = manualClock(NOW)
  const spikes = new SpikeProtection({ clock, log: silentLog })
  const setHours = (next: readonly HourVolume[]) =>
    spikes.setHistories([{ projectId: shop, firstEventMs, hours: next }])
  setHours(hours)
  const send = (count: number) => {
    let admitted = 0
    for (let sent = 0; sent < count; sent++) if (spikes.admit(shop, 1) === null) admitted++
    return admitted
  }
  return { clock, spikes, setHours, send }
}

describe('spike protection', () => {
  it('caps an hour at five times the typical one', () => {
    const { send, spikes } = protection(steady(200))
    assert.equal(send(3_000), 1_000)
    assert.deepEqual(spikes.state(shop), {
      activeFromMs: OLD + 7 * DAY,
      isActive: true,
      typicalPerHour: 200,
      capPerHour: 1_000,
      thisHour: 1_000,
      capped: { sinceMs: NOW, notStored: 2_000 },
    })
  })

  it('never caps below 500 an hour', () => {
    assert.equal(protection([]).send(800), 500)
    assert.equal(protection(steady(3)).send(800), 500)
  })

  it('takes busy hours for typical and a single burst not', () => {
    const night = steady(400).map((one, index) => (index % 24 < 12 ? one : { ...one, admitted: 0 }))
    assert.equal(protection(night).spikes.state(shop)?.typicalPerHour, 400)
    const burst = steady(10).with(5, hour(THIS_HOUR - 6 * HOUR, 1_000_000))
    assert.equal(protection(burst).spikes.state(shop)?.typicalPerHour, 10)
  })

  it('lets lasting growth through within a day, because capped hours become typical', () => {
    const grown = steady(200).map((one, index) => (index < 17 ? hour(one.hourMs, 1_000, 9_000) : one))
    assert.equal(protection(grown).spikes.state(shop)?.capPerHour, 5_000)
  })

  it('waits until seven days are known', () => {
    const { send, spikes, clock } = protection([], NOW - 7 * DAY + HOUR)
    assert.equal(send(5_000), 5_000)
    assert.equal(spikes.state(shop)?.isActive, false)
    clock.advance(HOUR)
    assert.equal(send(5_000), 500)
    assert.equal(protection([], null).send(5_000), 5_000)
    assert.equal(protection([]).spikes.admit(projectId(99), 1), null, 'a project without a past')
  })

  it('ends with the hour and says when that is', () => {
    const { send, spikes, clock } = protection([])
    send(500)
    assert.equal(spikes.admit(shop, 1), 40 * 60)
    clock.advance(40 * 60_000)
    assert.equal(spikes.state(shop)?.capped, null)
    assert.equal(spikes.admit(shop, 1), null)
  })

  it('says since when hour after hour was capped, and forgets after a calm one', () => {
    const { send, spikes, clock } = protection([])
    send(600)
    clock.advance(HOUR)
    send(700)
    assert.deepEqual(spikes.state(shop)?.capped, { sinceMs: NOW, notStored: 300 })
    clock.advance(2 * HOUR)
    send(501)
    assert.deepEqual(spikes.state(shop)?.capped, { sinceMs: NOW + 3 * HOUR, notStored: 1 })
  })

  it('goes on after a restart where it was', () => {
    const { send, spikes } = protection([hour(THIS_HOUR, 500, 70), hour(THIS_HOUR - HOUR, 500, 30)])
    assert.deepEqual(spikes.state(shop)?.capped, { sinceMs: THIS_HOUR - HOUR + 60_000, notStored: 100 })
    assert.equal(send(10), 0)
    assert.equal(protection([hour(THIS_HOUR, 450)]).send(100), 50)
  })

  it('keeps the running count when its histories are read again', () => {
    const { send, setHours, spikes } = protection([])
    assert.equal(send(600), 500)
    setHours([hour(THIS_HOUR, 3)])
    assert.equal(send(10), 0)
    assert.equal(spikes.state(shop)?.capped?.notStored, 110)
    setHours(steady(200))
    assert.equal(send(2_000), 500)
  })

  it('does not stop for a clock that was set back', () => {
    const { send, clock } = protection([])
    send(600)
    clock.advance(-5 * HOUR)
    assert.equal(send(600), 500)
  })
})

describe('accept', () => {
  let ingest: TestIngest
  before(async () => {
    ingest = await openTestIngest()
  })
  after(() => ingest.close())

  it('answers what is over the cap with 429, both headers and an outcome; other kinds pass', async () => {
    const { send, spikes, clock } = protection([])
    send(499)
    const accept = ingest.openAccept({}, clock, spikes)
    const post = (body = envelopeText()) => accept.accept(aRequest(body))
    assert.equal((await post()).status, 200)
    const refused = await post()
    assert.deepEqual(
      [refused.status, refused.rateLimits, refused.retryAfter],
      [429, '2400:error:project:spike_protection', 2_400],
    )
    assert.match(refused.error?.detail ?? '', /spike protection/)
    assert.equal((await post('{}\n{"type":"session"}\n{}')).status, 200)
    assert.equal((await post('{}\n{"type":"client_report"}\n{}')).status, 200)
    const mixed = await post(`${envelopeText()}\n{"type":"session"}\n{}`)
    assert.deepEqual([mixed.status, mixed.retryAfter], [200, null])
    assert.deepEqual((await ingest.outcomes()).map(shortOutcome), [
      `${SAMPLE_SHOP} rate_limited spike_protection error 2`,
    ])
  })

  it('caps nothing where the project switched it off', async () => {
    const { send, spikes, clock } = protection([])
    send(500)
    const options = { ...PROJECT_OPTIONS_DEFAULT, spikeProtection: false }
    const accept = ingest.openAccept({ shop: { options } }, clock, spikes)
    assert.equal((await accept.accept(aRequest(envelopeText()))).status, 200)
  })

  it('counts nothing that a rate limit refused', async () => {
    const { spikes, clock } = protection([])
    const options = { ...PROJECT_OPTIONS_DEFAULT, rateLimit: { window: 60, count: 1 } }
    const accept = ingest.openAccept({ shop: { options } }, clock, spikes)
    for (let sent = 0; sent < 3; sent++) await accept.accept(aRequest(envelopeText()))
    assert.equal(spikes.state(shop)?.thisHour, 1)
  })

  it('counts nothing that the journal refused, in the hour it was sent or another', async () => {
    const { spikes, clock } = protection([])
    const closed = await openTestIngest()
    const accept = closed.openAccept({ shopKey: { rateLimit: { window: 60, count: 1 } } }, clock, spikes)
    await closed.journal.close()
    for (let sent = 0; sent < 3; sent++)
      assert.equal((await accept.accept(aRequest(envelopeText()))).status, 503)
    assert.equal(spikes.state(shop)?.thisHour, 0)
    spikes.giveBack(shop, 5)
    assert.equal(spikes.state(shop)?.thisHour, 0)
    await closed.close()
  })
})
