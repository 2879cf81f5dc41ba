import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { releasePlaces } from './release-places.ts'

const ofSessions = (environment: string) => ({
  ...{ environment, isYoung: true, adoption: { sessions: 1, people: null } },
  totals: { ...NO_SESSIONS, sessions: 4 },
  free: { sessions: 1, people: null },
})
const NO_SESSIONS = {
  ...{ sessions: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 },
  ...{ people: 0, crashedPeople: 0, isExact: true },
}

describe('where a release runs', () => {
  test('names an environment that only sessions came from', () => {
    const places = releasePlaces({
      events: [{ name: 'production', eventCount: 3 }],
      deploys: [],
      sessions: [ofSessions('production'), ofSessions('staging'), ofSessions('')],
    })
    assert.deepEqual(
      places.map(({ name, eventCount, health }) => [name, eventCount, health?.totals.sessions]),
      [
        ['production', 3, 4],
        ['staging', 0, 4],
        ['', 0, 4],
      ],
    )
  })
})
