/**
 * The users of a group, and the addresses of those whom its mirrors name: a server that knows a visitor by nothing but
 * an address and the browser that says who it is are of one person.
 */
import { max } from '#limits/limits.ts'
import { emptySketch } from './hyperloglog.ts'
import { NO_USERS, type UserSet, unionOfUsers, withoutUsers, withUsers } from './user-set.ts'

/** Hashes, as those of a set of users. */
export interface Alias {
  readonly person: bigint
  /** By which the person was seen too. */
  readonly address: bigint
}

export interface GroupUsers {
  readonly users: UserSet
  /**
   * Hash pairs of mirrors' people, each once, at most `usersExactMax`; empty beside a sketch, which tells no
   * one apart.
   */
  readonly aliases: readonly Alias[]
}

const NO_ALIASES: readonly Alias[] = []
export const NOBODY: GroupUsers = { users: NO_USERS, aliases: NO_ALIASES }

/** The group's with those of a batch; the very same when nothing was new. */
export function withSeen(
  before: GroupUsers,
  added: { readonly users: ReadonlySet<bigint>; readonly aliases: readonly Alias[] },
): GroupUsers {
  const users = withUsers(before.users, added.users)
  const aliases = users.isExact ? withAliases(before.aliases, added.aliases) : NO_ALIASES
  if (users === before.users && aliases === before.aliases) return before
  if (aliases.length <= max('usersExactMax')) return { users, aliases }
  const people = withoutUsers(users, aliasAddresses(aliases))
  return { users: unionOfUsers([people, { isExact: false, sketch: emptySketch() }]), aliases: NO_ALIASES }
}

/** Returns everybody of the groups once, whichever half of a failure told who it was. */
export function usersOf(groups: readonly GroupUsers[]): UserSet {
  const [only] = groups
  const addresses = aliasAddresses(groups.flatMap(({ aliases }) => aliases))
  const sets = groups.map(({ users }) => (addresses.size === 0 ? users : withoutUsers(users, addresses)))
  return only !== undefined && sets.length === 1 ? (sets[0] ?? only.users) : unionOfUsers(sets)
}

/** An issue's users after one of its groups got some. `together`: of all of its groups; `null`: it is the only one. */
export function usersOfIssueAfter(changed: GroupUsers, together: UserSet | null): UserSet {
  return together ?? usersOf([changed])
}

/** Without the people and their addresses; the very same when none was in it. */
export function withoutGroupUsers(of: GroupUsers, gone: ReadonlySet<bigint>): GroupUsers {
  const users = withoutUsers(of.users, gone)
  const aliases = of.aliases.filter(({ person, address }) => !gone.has(person) && !gone.has(address))
  const isSame = users === of.users && aliases.length === of.aliases.length
  return isSame ? of : { users, aliases }
}

/** Encodes little-endian pairs of hashes; `null` for none. */
export function encodeAliases(aliases: readonly Alias[]): Uint8Array | null {
  if (aliases.length === 0) return null
  return new Uint8Array(BigUint64Array.from(aliases.flatMap((one) => [one.person, one.address])).buffer)
}

export function decodeAliases(state: Uint8Array | null): readonly Alias[] {
  if (state === null) return NO_ALIASES
  const hashes = new BigUint64Array(Uint8Array.from(state).buffer)
  return Array.from({ length: hashes.length / 2 }, (_, index) => ({
    person: hashes[2 * index] ?? 0n,
    address: hashes[2 * index + 1] ?? 0n,
  }))
}

function withAliases(before: readonly Alias[], added: readonly Alias[]): readonly Alias[] {
  if (added.length === 0) return before
  const known = new Map([...before, ...added].map((one) => [`${one.person} ${one.address}`, one]))
  return known.size === before.length ? before : [...known.values()]
}

function aliasAddresses(aliases: readonly Alias[]): ReadonlySet<bigint> {
  return new Set(aliases.map(({ address }) => address))
}
