/** Rows of groups: everything a batch counts, one read and a few writes per group touched. */

import type { IssueId } from '#base/ids.ts'
import { dayOf } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import type { GroupFacts } from '#process/batch.ts'
import { earlier, type GroupDelta, HOUR_MS, later, type ReleaseSeen, seenMs } from './batch-groups.ts'
import type { Connection } from './connection.ts'
import { readCounts, sumCounts, writeCounts } from './counts.ts'
import type { FacetKeys, FacetStore } from './facet-store.ts'
import { decodeUsers, encodeUsers, hashUser, NO_USERS, type UserSet, withUsers } from './user-set.ts'

/** Facts as stored: the grouping has a column of its own. */
export type StoredFacts = Omit<GroupFacts, 'projectId' | 'hash' | 'grouping'>

interface GroupRow {
  readonly id: number
  readonly issueId: IssueId
  readonly lastSeenMs: number
  readonly facetsFull: number
  readonly firstRelease: string | null
  readonly firstReleaseMs: number | null
  readonly lastRelease: string | null
  readonly lastReleaseMs: number | null
  readonly kinds: string
  readonly routes: string
  readonly facetKeys: string
  readonly factsMs: number
  readonly facts: string
  readonly grouping: string
}

export interface GroupWritten {
  readonly groupId: number
  /** The group's users after the batch; `null` when nobody was new. */
  readonly users: UserSet | null
}

/** The users of a group that begins with this batch. */
export function usersOfNewGroup({ users }: GroupDelta): UserSet {
  return withUsers(NO_USERS, [...users].map(hashUser))
}

const HASH_OF = (hash: string) => Buffer.from(hash, 'hex')

/** The group as it was before the batch; `null` for a new one. */
export function findGroup(db: Connection, delta: GroupDelta): GroupRow | null {
  // The unique index on (project_id, hash).
  const sql = `SELECT g.id, g.issue_id AS issueId, g.last_seen_ms AS lastSeenMs, g.facets_full AS facetsFull,
      s.first_release AS firstRelease, s.first_release_ms AS firstReleaseMs, s.last_release AS lastRelease,
      s.last_release_ms AS lastReleaseMs, s.kinds, s.routes, s.facet_keys AS facetKeys, s.facts_ms AS factsMs,
      f.facts, f.grouping
    FROM groups g JOIN group_state s ON s.group_id = g.id JOIN group_facts f ON f.group_id = g.id
    WHERE g.project_id = ? AND g.hash = ?`
  return db.get<GroupRow>(sql, [delta.projectId, HASH_OF(delta.hash)]) ?? null
}

export function insertGroup(
  db: Connection,
  facets: FacetStore,
  {
    delta,
    issueId,
    users,
  }: { readonly delta: GroupDelta; readonly issueId: IssueId; readonly users: UserSet },
): GroupWritten {
  const sql = `INSERT INTO groups (project_id, hash, issue_id, event_count, mirror_count, first_seen_ms, last_seen_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)`
  const { projectId, hash, events, mirrorCount, firstMs, lastMs } = delta
  const params = [projectId, HASH_OF(hash), issueId, events.length, mirrorCount, firstMs, lastMs]
  const groupId = db.run(sql, params).lastId
  const written = facets.add({ groupId, keys: new Map(), delta })
  writeState(db, INSERT_STATE, {
    groupId,
    firstRelease: delta.firstRelease,
    lastRelease: delta.lastRelease,
    kinds: delta.kinds,
    routes: sumCounts(new Map(), delta.routes, max('routesPerGroupMax')),
    factsMs: seenMs(delta.newest),
    facetKeys: written.keys,
  })
  if (written.full) markFull(db, groupId)
  const { facts, grouping } = factsOf(delta)
  const factsSql = 'INSERT INTO group_facts (group_id, facts, grouping) VALUES (?, ?, ?)'
  db.run(factsSql, [groupId, facts, grouping])
  writeHours(db, groupId, delta)
  writeFiles(db, groupId, delta)
  if (users !== NO_USERS) db.run(INSERT_USERS, usersParams(groupId, users))
  return { groupId, users }
}

export function updateGroup(
  db: Connection,
  facets: FacetStore,
  { delta, row }: { readonly delta: GroupDelta; readonly row: GroupRow },
): GroupWritten {
  const sql = `UPDATE groups SET event_count = event_count + ?, mirror_count = mirror_count + ?,
      first_seen_ms = min(first_seen_ms, ?), last_seen_ms = max(last_seen_ms, ?)
    WHERE id = ?`
  db.run(sql, [delta.events.length, delta.mirrorCount, delta.firstMs, delta.lastMs, row.id])
  const atMs = seenMs(delta.newest)
  const written = facets.add({ groupId: row.id, keys: readFacetKeys(row.facetKeys), delta })
  writeState(db, UPDATE_STATE, {
    groupId: row.id,
    firstRelease: earlier(release(row.firstRelease, row.firstReleaseMs), delta.firstRelease),
    lastRelease: later(release(row.lastRelease, row.lastReleaseMs), delta.lastRelease),
    kinds: sumCounts(readCounts(row.kinds), delta.kinds, max('routesPerGroupMax')),
    routes: sumCounts(readCounts(row.routes), delta.routes, max('routesPerGroupMax')),
    factsMs: Math.max(row.factsMs, atMs),
    facetKeys: written.keys,
  })
  if (written.full && row.facetsFull === 0) markFull(db, row.id)
  const { facts, grouping } = factsOf(delta)
  if (atMs >= row.factsMs && (facts !== row.facts || grouping !== row.grouping)) {
    db.run('UPDATE group_facts SET facts = ?, grouping = ? WHERE group_id = ?', [facts, grouping, row.id])
  }
  writeHours(db, row.id, delta)
  if (dayOf(delta.lastMs) > dayOf(row.lastSeenMs)) forgetOldHours(db, row.id, delta.lastMs)
  writeFiles(db, row.id, delta)
  return { groupId: row.id, users: addUsers(db, row.id, delta) }
}

function release(name: string | null, atMs: number | null): ReleaseSeen | null {
  return name === null || atMs === null ? null : { release: name, atMs }
}

const INSERT_STATE = `INSERT INTO group_state (first_release, first_release_ms, last_release, last_release_ms, facts_ms,
    kinds, routes, facet_keys, group_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const UPDATE_STATE = `UPDATE group_state SET first_release = ?, first_release_ms = ?, last_release = ?,
    last_release_ms = ?, facts_ms = ?, kinds = ?, routes = ?, facet_keys = ?
  WHERE group_id = ?`

function writeState(
  db: Connection,
  sql: typeof INSERT_STATE | typeof UPDATE_STATE,
  state: {
    readonly groupId: number
    readonly firstRelease: ReleaseSeen | null
    readonly lastRelease: ReleaseSeen | null
    readonly factsMs: number
    readonly kinds: ReadonlyMap<string, number>
    readonly routes: ReadonlyMap<string, number>
    readonly facetKeys: FacetKeys
  },
): void {
  db.run(sql, [
    state.firstRelease?.release ?? null,
    state.firstRelease?.atMs ?? null,
    state.lastRelease?.release ?? null,
    state.lastRelease?.atMs ?? null,
    state.factsMs,
    writeCounts(state.kinds),
    writeCounts(state.routes),
    JSON.stringify(Object.fromEntries(state.facetKeys)),
    state.groupId,
  ])
}

export function readFacetKeys(json: string): FacetKeys {
  const entries = Object.entries(JSON.parse(json) as Record<string, readonly [number, number, number]>) // writeState
  return new Map(entries.map(([id, numbers]) => [Number(id), numbers]))
}

function markFull(db: Connection, groupId: number): void {
  db.run('UPDATE groups SET facets_full = 1 WHERE id = ?', [groupId])
}

function factsOf({ newest }: GroupDelta): { readonly facts: string; readonly grouping: string } {
  const { projectId: _, hash: __, grouping, ...facts } = newest.facts
  return { facts: JSON.stringify(facts satisfies StoredFacts), grouping: JSON.stringify(grouping) }
}

function writeHours(db: Connection, groupId: number, { hours }: GroupDelta): void {
  const sql = `INSERT INTO group_hours (group_id, hour, count) VALUES (?, ?, ?)
    ON CONFLICT (group_id, hour) DO UPDATE SET count = count + excluded.count`
  for (const [hour, count] of hours) db.run(sql, [groupId, hour, count])
}

/** Bounds the hours of a group that lives: once for each day on which it occurs. */
function forgetOldHours(db: Connection, groupId: number, nowMs: number): void {
  const oldest = Math.floor(nowMs / HOUR_MS) - max('hourBucketsDaysMax') * 24
  db.run('DELETE FROM group_hours WHERE group_id = ? AND hour < ?', [groupId, oldest])
}

function writeFiles(db: Connection, groupId: number, { files }: GroupDelta): void {
  const sql = 'INSERT OR IGNORE INTO group_files (group_id, day, retention_days) VALUES (?, ?, ?)'
  for (const file of files) {
    const [day, retentionDays] = file.split(':').map(Number)
    db.run(sql, [groupId, day ?? 0, retentionDays ?? 0])
  }
}

/** `null` when nobody was new. */
function addUsers(db: Connection, groupId: number, { users: names }: GroupDelta): UserSet | null {
  if (names.size === 0) return null
  const before = readUsers(db, groupId)
  const users = withUsers(before, [...names].map(hashUser))
  if (users === before) return null
  const params = usersParams(groupId, users)
  const update = 'UPDATE group_users SET is_exact = :isExact, state = :state WHERE group_id = :group'
  if (db.run(update, params).changes === 0) db.run(INSERT_USERS, params)
  return users
}

export function readUsers(db: Connection, groupId: number): UserSet {
  const sql = 'SELECT is_exact AS isExact, state FROM group_users WHERE group_id = ?'
  const row = db.get<{ isExact: number; state: Uint8Array }>(sql, [groupId])
  return row === undefined ? NO_USERS : decodeUsers(row.isExact === 1, row.state)
}

const INSERT_USERS = 'INSERT INTO group_users (group_id, is_exact, state) VALUES (:group, :isExact, :state)'

function usersParams(groupId: number, users: UserSet) {
  return { group: groupId, isExact: users.isExact ? 1 : 0, state: encodeUsers(users) }
}
