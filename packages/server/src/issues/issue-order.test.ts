import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { issueId } from '#base/ids.ts'
import { type IssuePlace, placesFrom } from './issue-order.ts'

/** Few keys, so that ties are common. */
const place = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.nat({ max: 6 }))
  .map(([id, key]) => ({ id: issueId(id), key }))
const found = fc.uniqueArray(place, { selector: ({ id }) => id, maxLength: 40 })

describe('a page of issues', () => {
  it('is a piece of all of them in order, next to where it begins', () => {
    const asked = fc.record({
      way: fc.constantFrom('next', 'previous'),
      from: fc.option(place),
      limit: fc.integer({ min: 1, max: 8 }),
    })
    fc.assert(
      fc.property(found, asked, (places, { way, from, limit }) => {
        const ordered = places.toSorted((a, b) => b.key - a.key || b.id - a.id)
        const inWay = way === 'next' ? ordered : ordered.toReversed()
        const isBeyond = ({ key, id }: IssuePlace) =>
          from === null ||
          (way === 'next'
            ? key < from.key || (key === from.key && id < from.id)
            : key > from.key || (key === from.key && id > from.id))
        const [ids, keys] = [places.map(({ id }) => id), places.map(({ key }) => key)]
        assert.deepEqual(placesFrom(ids, keys, { way, from, limit }), {
          places: inWay.filter(isBeyond).slice(0, limit),
          isBehind: !inWay.every(isBeyond),
        })
      }),
    )
  })
})
