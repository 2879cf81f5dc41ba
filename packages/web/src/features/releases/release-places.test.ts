import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { placesOf } from './release-places.ts'

describe('where a release runs', () => {
  test('names an environment that only sessions came from', () => {
    const places = placesOf({
      events: [{ name: 'production', eventCount: 3 }],
      deploys: [],
      sessions: [{ environment: 'production' }, { environment: 'staging' }, { environment: '' }],
    })
    assert.deepEqual(
      places.map(({ name, eventCount }) => [name, eventCount]),
      [
        ['production', 3],
        ['staging', 0],
      ],
    )
  })
})
