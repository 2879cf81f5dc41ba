import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { max } from '#limits/limits.ts'
import { hashUser } from '#model/user-hash.ts'
import {
  countUsers,
  decodeUsers,
  encodeUsers,
  NO_USERS,
  unionOfUsers,
  withoutUsers,
  withUsers,
} from './user-set.ts'

const someHashes = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 400 })
const people = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => hashUser(`id:${from + index}`))

describe('a set of users', () => {
  it('is exact up to its bound and survives being stored', () => {
    fc.assert(
      fc.property(someHashes, someHashes, (first, second) => {
        const set = withUsers(withUsers(NO_USERS, first), second)
        const expected = new Set([...first, ...second]).size
        if (expected <= max('usersExactMax')) {
          assert.equal(set.isExact, true)
          assert.equal(countUsers(set), expected)
        }
        // A buffer that starts at an odd address, as the driver may hand over.
        const bytes = encodeUsers(set)
        const shifted = new Uint8Array(bytes.length + 1)
        shifted.set(bytes, 1)
        assert.deepEqual(decodeUsers(set.isExact, shifted.subarray(1)), set)
      }),
    )
  })

  it('is the very same when nobody is new, so that nothing is written', () => {
    const exact = withUsers(NO_USERS, people(0, 100))
    assert.equal(withUsers(exact, people(50, 100)), exact)
    const sketch = withUsers(NO_USERS, people(0, 2_000))
    assert.equal(sketch.isExact, false)
    assert.equal(withUsers(sketch, people(0, 2_000)), sketch)
  })

  it('unites exact sets and sketches', () => {
    const bound = max('usersExactMax')
    const left = withUsers(NO_USERS, people(0, bound - 10))
    const right = withUsers(NO_USERS, people(10, bound))
    assert.deepEqual(unionOfUsers([left, right]), withUsers(NO_USERS, people(0, bound)))
    const large = withUsers(NO_USERS, people(0, 3_000))
    assert.deepEqual(unionOfUsers([left, large, right]), large)
    assert.equal(unionOfUsers([left, withUsers(NO_USERS, people(bound, 2 * bound))]).isExact, false)
    assert.equal(countUsers(unionOfUsers([])), 0)
  })

  it('loses people while it is exact, and stays the same as a sketch', () => {
    const some = withUsers(NO_USERS, people(0, 3))
    assert.deepEqual(withoutUsers(some, new Set(people(1, 9))), withUsers(NO_USERS, people(0, 1)))
    assert.equal(withoutUsers(some, new Set(people(5, 9))), some)
    const many = withUsers(NO_USERS, people(0, max('usersExactMax') + 1))
    assert.equal(withoutUsers(many, new Set(people(0, 9))), many)
  })
})
