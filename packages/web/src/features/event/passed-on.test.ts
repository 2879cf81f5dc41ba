import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { passedOn } from './passed-on.ts'

describe('exceptions that only passed a failure on', () => {
  const at = (index: number, parent: number | null, level = 0) => ({ index, parent, level })
  const indices = (places: readonly ReturnType<typeof at>[], from: number, app: readonly number[]) => {
    const place = places.find(({ index }) => index === from)
    assert.ok(place)
    return passedOn(places, { place, hasApp: ({ index }) => app.includes(index) }).map(({ index }) => index)
  }
  const chain = [at(0, null), at(1, 0), at(2, 1), at(3, 2)]

  it('are those of a chain down to the first that the app has a frame in', () => {
    assert.deepEqual(indices(chain, 1, [3]), [1, 2])
    assert.deepEqual(indices(chain, 1, [2, 3]), [1])
    assert.deepEqual(indices(chain, 1, [1, 3]), [])
  })

  it('are none where the app has no frame in what is below', () => {
    assert.deepEqual(indices(chain, 1, []), [])
    assert.deepEqual(indices(chain, 1, [0]), [])
  })

  it('are none where something else is below one of them, before or behind its cause', () => {
    const cause = at(2, 1)
    for (const places of [
      [at(0, null), at(1, 0), cause, at(3, 1, 1), at(4, 2)],
      [at(0, null), at(1, 0), at(3, 1, 1), cause, at(4, 2)],
    ])
      assert.deepEqual(indices(places, 1, [4]), [])
  })

  it('are none where a group stands between, or each is the cause of the other', () => {
    assert.deepEqual(indices([at(1, 2), at(2, 1)], 1, []), [])
    assert.deepEqual(indices([at(0, null), at(1, 0), at(2, 1, 1)], 1, [2]), [])
  })
})
