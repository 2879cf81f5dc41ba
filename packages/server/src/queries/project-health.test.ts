import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HourVolume } from '#ports/projects.ts'
import { DAY, HOUR, NOW } from '#testing/builders/times.ts'
import { type HealthFacts, projectHealth, rhythmOf } from './project-health.ts'

function facts(over: Partial<HealthFacts>): HealthFacts {
  return {
    ...{ nowMs: NOW, firstEventMs: NOW - 20 * DAY, lastEventMs: NOW - HOUR, hasKey: true },
    ...{ errors: 40, errorsBefore: 40, limited: 0, spike: null, release: null, rhythm: rhythmOf([]) },
    ...over,
  }
}

/** Events in every third hour until so long ago. */
function everyThirdHour(untilMs: number, hours = 100): readonly HourVolume[] {
  return Array.from({ length: hours }, (_, index) => ({
    hourMs: untilMs - (hours - 1 - index) * 3 * HOUR,
    ...{ admitted: 1, capped: 0, firstCappedMs: null },
  }))
}

const spike = {
  ...{ activeFromMs: 0, isActive: true, typicalPerHour: 5, capPerHour: 500, thisHour: 500 },
  capped: { sinceMs: NOW - 9, notStored: 3 },
}

describe('the health of a project', () => {
  it('waits for a first event, and says whether a key could bring one', () => {
    const waiting = { firstEventMs: null, lastEventMs: null, errors: 0, errorsBefore: 0 }
    assert.deepEqual(projectHealth(facts(waiting)), { state: 'waiting', hasKey: true })
    assert.deepEqual(projectHealth(facts({ ...waiting, hasKey: false })), { state: 'waiting', hasKey: false })
  })

  it('is capped before all else that is true', () => {
    assert.deepEqual(projectHealth(facts({ spike, errors: 900, limited: 4 })), {
      ...{ state: 'capped', sinceMs: NOW - 9, notStored: 3 },
    })
    assert.equal(projectHealth(facts({ spike: { ...spike, capped: null } })).state, 'steady')
  })

  it('grows with twice the errors of the day before, not with a handful more, and not on its first two days', () => {
    const growing = { state: 'growing', before: 40, release: null }
    assert.deepEqual(projectHealth(facts({ errors: 90 })), growing)
    const since = (atMs: number) => projectHealth(facts({ errors: 90, release: { version: '2.0', atMs } }))
    assert.deepEqual(since(NOW - 19 * HOUR), { ...growing, release: '2.0' })
    assert.deepEqual(since(NOW - DAY), growing)
    assert.equal(projectHealth(facts({ errors: 89 })).state, 'steady')
    assert.equal(projectHealth(facts({ errors: 79 })).state, 'steady')
    assert.equal(projectHealth(facts({ errors: 49, errorsBefore: 0 })).state, 'steady')
    assert.equal(projectHealth(facts({ errors: 50, errorsBefore: 0 })).state, 'growing')
    assert.equal(projectHealth(facts({ errors: 900, firstEventMs: NOW - 2 * DAY + 1 })).state, 'steady')
  })

  it('is silent once it is quiet for longer than any gap it had', () => {
    const quiet = (hoursAgo: number, over: Partial<HealthFacts> = {}) =>
      projectHealth(
        facts({
          ...{
            errors: 0,
            lastEventMs: NOW - hoursAgo * HOUR,
            rhythm: rhythmOf(everyThirdHour(NOW - hoursAgo * HOUR)),
          },
          ...over,
        }),
      )
    assert.deepEqual(quiet(7), { state: 'silent', longestGapMs: 3 * HOUR })
    assert.equal(quiet(5).state, 'steady', 'too short to be looked into')
    const irregular = everyThirdHour(NOW - 7 * HOUR).filter(
      ({ hourMs }) => Math.abs(hourMs - NOW + DAY) > 5 * HOUR,
    )
    assert.equal(quiet(7, { rhythm: rhythmOf(irregular) }).state, 'steady', 'it had a longer gap')
    assert.equal(
      quiet(7, { rhythm: rhythmOf(everyThirdHour(NOW - 7 * HOUR, 23)) }).state,
      'steady',
      'no rhythm',
    )
    assert.equal(quiet(7, { rhythm: null }).state, 'unread', 'nobody looked: it is not said to be well')
    assert.equal(quiet(5, { rhythm: null }).state, 'steady')
  })

  it('says what its limits kept out', () => {
    assert.deepEqual(projectHealth(facts({ limited: 12 })), { state: 'limited', notStored: 12 })
  })
})
