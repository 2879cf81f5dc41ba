import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import {
  decodeAliases,
  encodeAliases,
  NOBODY,
  usersOf,
  usersOfIssueAfter,
  withoutGroupUsers,
  withSeen,
} from './group-users.ts'
import { countUsers } from './user-set.ts'

const seen = (users: readonly bigint[], aliases: readonly (readonly [bigint, bigint])[] = []) =>
  withSeen(NOBODY, {
    users: new Set(users),
    aliases: aliases.map(([person, address]) => ({ person, address })),
  })
const countOf = (...groups: readonly ReturnType<typeof seen>[]) => countUsers(usersOf(groups))

describe('the users of groups', () => {
  it('of an issue are those of its only group, or the union of several', () => {
    const [changed, other] = [seen([1n, 2n, 3n]), seen([3n, 4n])]
    assert.equal(usersOfIssueAfter(changed, null), changed.users)
    assert.equal(countUsers(usersOfIssueAfter(changed, usersOf([changed, other]))), 4)
    assert.equal(countOf(), 0)
  })

  it('do not count an address beside the person who has it', () => {
    const [server, mirror] = [seen([7n, 8n]), seen([42n], [[42n, 7n]])]
    assert.deepEqual([countOf(server, mirror), countOf(mirror, server), countOf(server)], [2, 2, 2])
    assert.equal(countOf(server, withoutGroupUsers(mirror, new Set([42n]))), 2)
    assert.equal(withoutGroupUsers(mirror, new Set([1n])), mirror)
  })

  it('are the very same when nobody is new, and survive being stored', () => {
    const of = seen(
      [42n, 43n],
      [
        [42n, 2n ** 64n - 1n],
        [43n, 7n],
      ],
    )
    assert.equal(withSeen(of, { users: new Set([42n]), aliases: [{ person: 43n, address: 7n }] }), of)
    assert.deepEqual(decodeAliases(encodeAliases(of.aliases)), of.aliases)
    assert.deepEqual(decodeAliases(encodeAliases([])), [])
  })

  it('are a sketch beyond the bound, which holds nobody apart', () => {
    const addresses = Array.from({ length: max('usersExactMax') + 1 }, (_, index) => BigInt(index + 1_000))
    const of = seen(
      [42n],
      addresses.map((address) => [42n, address]),
    )
    assert.deepEqual([of.users.isExact, of.aliases, countOf(of)], [false, [], 1])
  })
})
