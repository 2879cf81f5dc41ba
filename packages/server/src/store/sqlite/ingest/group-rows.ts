/** Rows of groups, as the commit remembers them, and how they are read. */
import { assert } from '#base/errors.ts'
import type { EventId, GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import { readCounts, writeCounts } from '#issues/counts.ts'
import { decodeAliases, encodeAliases, type GroupUsers, NOBODY } from '#issues/group-users.ts'
import { isNewest, type Sums, withSums } from '#issues/issue-sums.ts'
import { decodeUsers, encodeUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta, ReleaseSeen } from '#ports/ingest.ts'
import type { Connection, SqlValue } from '../connection.ts'
import type { Kept, Memory } from '../memory.ts'
import type { FacetSums } from './tags-of-batch.ts'

/** A group as it is stored; changed in place with what is written. */
export interface StoredGroup {
  readonly id: number
  readonly issueId: IssueId
  /** It mirrors a group of a server, whose issue owns it. */
  readonly isFolded: boolean
  /** Time that the times of its facets and payload count from: its first event, or 0. */
  readonly baseMs: number
  lastSeenMs: number
  facetsFull: boolean
  facets: FacetSums
  /** Its facets are a list yet. */
  isPacked: boolean
  payload: GroupDelta['newestPayload']
  /** `null`: it is the only group of its issue, whose row says all of this. */
  readonly share: GroupShare | null
  users: GroupUsers
}

/** Share of a group in an issue of several. */
interface GroupShare {
  sums: Sums
  /** JSON of `StoredFacts` of the newest event, and its time. */
  facts: string
  factsMs: number
}

/** Name of a group. */
export interface GroupName {
  readonly projectId: ProjectId
  readonly hash: GroupHash
}

const HASH_BYTES = 16

/** By project and hash; `null`: there is no such group. */
export type KnownGroups = Kept<string, StoredGroup | null>

export function rememberGroups(memory: Memory): KnownGroups {
  return memory.keep({ most: max('groupsRememberedMax') })
}

/** Reads those at once that are not remembered: `findRememberedGroup` then tells of all. */
export function loadGroups(db: Connection, groups: KnownGroups, names: readonly GroupName[]): void {
  const missing = new Map<string, GroupName>()
  for (const name of names) {
    const key = keyOf(name)
    if (groups.get(key) === undefined) missing.set(key, name)
  }
  const found = findGroups(db, [...missing.values()])
  for (const [at, key] of [...missing.keys()].entries()) groups.set(key, found[at] ?? null)
}

/** Returns the group as it was before the batch; `null` for a new one. Throws before `loadGroups`. */
export function findRememberedGroup(groups: KnownGroups, name: GroupName): StoredGroup | null {
  const group = groups.get(keyOf(name))
  assert(group !== undefined, 'groups are loaded before they are asked for')
  return group
}

/** Forgets that there is no such group: it begins. */
export function groupBegins(groups: KnownGroups, name: GroupName): void {
  groups.delete(keyOf(name))
}

/** Columns of `group_users` are `null` where it has no row. */
interface GroupRow {
  readonly isExact: number | null
  readonly state: Uint8Array | null
  readonly aliases: Uint8Array | null
  /** Place of its name among those that are asked for. */
  readonly at: number
  readonly id: number
  readonly issueId: IssueId
  readonly isFolded: number
  readonly baseMs: number
  readonly lastSeenMs: number
  readonly facetsFull: number
  readonly facetCount: number
  readonly facetsOther: string | null
  readonly isPacked: number
  readonly payloadEventId: EventId | null
  readonly payloadMs: number | null
}

/** `Sums` as rows of issues and of shares keep them. */
export interface SumsRow {
  readonly firstRelease: string | null
  readonly firstReleaseMs: number | null
  readonly lastRelease: string | null
  readonly lastReleaseMs: number | null
  readonly kinds: string
  readonly routes: string
}

export function readGroupSums(row: SumsRow): Sums {
  return {
    firstRelease: seen(row.firstRelease, row.firstReleaseMs),
    lastRelease: seen(row.lastRelease, row.lastReleaseMs),
    kinds: readCounts(row.kinds),
    routes: readCounts(row.routes),
  }
}

export function sumsParams({ firstRelease, lastRelease, kinds, routes }: Sums): SumsRow {
  return {
    firstRelease: firstRelease?.release ?? null,
    firstReleaseMs: firstRelease?.atMs ?? null,
    lastRelease: lastRelease?.release ?? null,
    lastReleaseMs: lastRelease?.atMs ?? null,
    kinds: writeCounts(kinds),
    routes: writeCounts(routes),
  }
}

interface ShareRow extends SumsRow {
  readonly facts: string
  readonly factsMs: number
}

/** Columns of `groups g`: the newest event with a payload, as `payloadSeen` takes it. */
export const PAYLOAD_COLUMNS = `lower(hex(g.payload_event_id)) AS payloadEventId,
  g.base_ms + g.payload_after_ms AS payloadMs`

function keyOf({ projectId, hash }: GroupName): string {
  return `${projectId}:${hash}`
}

/** Returns groups in the order of the names; `undefined` for a missing one. */
function findGroups(db: Connection, names: readonly GroupName[]): readonly (StoredGroup | undefined)[] {
  if (names.length === 0) return []
  const found = db.all<GroupRow & NoShareRow>(FIND_GROUPS, [JSON.stringify(names.map(nameText))])
  const rows = names.map((): (typeof found)[number] | undefined => undefined)
  for (const row of found) rows[row.at] = row
  return rows.map((row): StoredGroup | undefined => {
    if (row === undefined) return undefined
    const { id, issueId, baseMs, lastSeenMs } = row
    return {
      ...{ id, issueId, isFolded: row.isFolded === 1, baseMs, lastSeenMs },
      facetsFull: row.facetsFull === 1,
      facets: { count: row.facetCount, others: readOthers(row.facetsOther) },
      isPacked: row.isPacked === 1,
      payload: payloadSeen(row.payloadEventId, row.payloadMs),
      share: shareOf(row),
      users:
        row.state === null ? NOBODY : usersOfRow({ ...row, isExact: row.isExact ?? 1, state: row.state }),
    }
  })
}

/** The unique index on (project_id, hash), the primary key of shares. */
const FIND_GROUPS = `SELECT n.key AS at, g.id, g.issue_id AS issueId, g.folded_into IS NOT NULL AS isFolded, g.base_ms AS baseMs,
    g.last_seen_ms AS lastSeenMs, g.facets_full AS facetsFull, g.facet_count AS facetCount,
    g.facets_other AS facetsOther, EXISTS (SELECT 1 FROM packed_facets p WHERE p.group_id = g.id) AS isPacked,
    ${PAYLOAD_COLUMNS}, s.first_release AS firstRelease,
    s.first_release_ms AS firstReleaseMs, s.last_release AS lastRelease, s.last_release_ms AS lastReleaseMs,
    s.kinds, s.routes, s.facts, s.facts_ms AS factsMs, u.is_exact AS isExact, u.state, u.aliases
  FROM json_each(?) n CROSS JOIN groups g ON g.project_id = CAST(substr(n.value, ${2 * HASH_BYTES + 1}) AS INTEGER)
    AND g.hash = unhex(substr(n.value, 1, ${2 * HASH_BYTES}))
  LEFT JOIN group_shares s ON s.group_id = g.id LEFT JOIN group_users u ON u.group_id = g.id`

/** Spells a name so that a list of them is one parameter: the hash, which is always as long, then the project. */
function nameText({ projectId, hash }: GroupName): string {
  return `${hash}${projectId}`
}

/** Columns of `group_shares`: of most groups there is no such row. */
type NoShareRow = ShareRow | { readonly [Name in keyof ShareRow]: null }

function shareOf(row: NoShareRow): GroupShare | null {
  if (row.facts === null) return null
  return { sums: readGroupSums(row), facts: row.facts, factsMs: row.factsMs }
}

/** Adds to it, and answers what its row says then. */
export function shareAfter(share: GroupShare, delta: GroupDelta) {
  share.sums = withSums(share.sums, [delta])
  if (isNewest(delta.newest.atMs, share.factsMs)) {
    share.facts = delta.facts
    share.factsMs = delta.newest.atMs
  }
  return { ...sumsParams(share.sums), facts: share.facts, factsMs: share.factsMs }
}

function seen(release: string | null, atMs: number | null): ReleaseSeen | null {
  return release === null || atMs === null ? null : { release, atMs }
}

export function payloadSeen(eventId: EventId | null, atMs: number | null): GroupDelta['newestPayload'] {
  return eventId === null || atMs === null ? null : { eventId, atMs }
}

/** Returns the parameters of facets and payload, as the row of the group keeps them. */
export function keptParams({
  baseMs,
  facetsFull,
  facets,
  payload,
}: Pick<StoredGroup, 'baseMs' | 'facetsFull' | 'facets' | 'payload'>): readonly SqlValue[] {
  return [
    facetsFull ? 1 : 0,
    facets.count,
    writeOthers(facets.others),
    payload === null ? null : Buffer.from(payload.eventId, 'hex'),
    payload === null ? null : payload.atMs - baseMs,
  ]
}

export function writeOthers(others: FacetSums['others']): string | null {
  return others.size === 0 ? null : JSON.stringify(Object.fromEntries(others))
}

export function readOthers(json: string | null): Map<number, number> {
  if (json === null) return new Map()
  const entries = Object.entries(JSON.parse(json) as Record<string, number>) // written by writeOthers
  return new Map(entries.map(([id, count]) => [Number(id), count]))
}

/** A row of `group_users`. */
interface UsersRow {
  readonly isExact: number
  readonly state: Uint8Array
  readonly aliases: Uint8Array | null
}

export function readUsers(db: Connection, groupId: number): GroupUsers {
  return readUsersOf(db, [groupId])[0] ?? NOBODY
}

/** Returns the users of groups, in their order. */
export function readUsersOf(db: Connection, ids: readonly number[]): readonly GroupUsers[] {
  if (ids.length === 0) return []
  const sql = `SELECT group_id AS id, is_exact AS isExact, state, aliases FROM group_users
    WHERE group_id IN (SELECT value FROM json_each(?))`
  const rows = db.all<UsersRow & { readonly id: number }>(sql, [JSON.stringify(ids)])
  const users = new Map(rows.map((row) => [row.id, usersOfRow(row)]))
  return ids.map((id) => users.get(id) ?? NOBODY)
}

export function usersOfRow({ isExact, state, aliases }: UsersRow): GroupUsers {
  return { users: decodeUsers(isExact === 1, state), aliases: decodeAliases(aliases) }
}

export function usersParams({ users, aliases }: GroupUsers): [number, Uint8Array, Uint8Array | null] {
  return [users.isExact ? 1 : 0, encodeUsers(users), encodeAliases(aliases)]
}
