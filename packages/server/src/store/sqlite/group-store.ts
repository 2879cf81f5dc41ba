/** Rows of groups: everything a batch counts, a few writes per group touched; hot groups are remembered. */
import { dayOf, type EventId, type GroupHash, type IssueId, type ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import type { GroupDelta, ReleaseSeen } from '#ports/ingest.ts'
import { earlier, HOUR_MS, later } from './batch-groups.ts'
import { BulkInsert } from './bulk-insert.ts'
import type { Connection } from './connection.ts'
import { readCounts, sumCounts, writeCounts } from './counts.ts'
import type { FacetKeys, FacetStore } from './facet-store.ts'
import { decodeUsers, encodeUsers, NO_USERS, type UserSet, withUsers } from './user-set.ts'

/** A group as it is stored; changed in place with what is written. */
export interface StoredGroup {
  readonly id: number
  readonly issueId: IssueId
  lastSeenMs: number
  facetsFull: boolean
  firstRelease: ReleaseSeen | null
  lastRelease: ReleaseSeen | null
  kinds: ReadonlyMap<string, number>
  routes: ReadonlyMap<string, number>
  facetKeys: FacetKeys
  factsMs: number
  facts: string
  grouping: string
  payload: GroupDelta['newestPayload']
  /** `null` until they are asked for. */
  users: UserSet | null
}

/** What names a group. */
export interface GroupName {
  readonly projectId: ProjectId
  readonly hash: GroupHash
}

const hashOf = (hash: string) => Buffer.from(hash, 'hex')

/** The users of a group that begins with this batch. */
export function usersOfNewGroup({ users }: GroupDelta): UserSet {
  return withUsers(NO_USERS, users)
}

/**
 * Lives as long as its connection. `discard` after a transaction that was undone, and before a batch that comes
 * after writes of others.
 */
export class GroupStore {
  readonly #db: Connection
  readonly #facets: FacetStore
  /** In the order of last use. */
  readonly #remembered = new Map<string, StoredGroup>()
  readonly #rows: BulkInsert
  readonly #states: BulkInsert
  readonly #facts: BulkInsert
  readonly #users: BulkInsert
  readonly #hours: BulkInsert
  readonly #files: BulkInsert
  /** Looked for in vain since the last batch: a batch asks for its new groups twice. */
  readonly #absent = new Set<string>()
  #nextId: number | null = null

  constructor(db: Connection, facets: FacetStore) {
    this.#db = db
    this.#facets = facets
    this.#rows = new BulkInsert(db, INSERT_GROUP)
    this.#states = new BulkInsert(db, INSERT_STATE)
    this.#facts = new BulkInsert(db, INSERT_FACTS)
    this.#users = new BulkInsert(db, INSERT_USERS)
    this.#hours = new BulkInsert(db, ADD_HOURS)
    this.#files = new BulkInsert(db, ADD_FILES)
  }

  discard(): void {
    this.#remembered.clear()
    this.#absent.clear()
    this.#nextId = null
  }

  /** The group as it was before the batch; `null` for a new one. */
  find({ projectId, hash }: GroupName): StoredGroup | null {
    const key = `${projectId}:${hash}`
    if (this.#absent.has(key)) return null
    const group = this.#remembered.get(key) ?? findGroup(this.#db, projectId, hash)
    if (group === null) {
      this.#absent.add(key)
      return null
    }
    this.#remembered.delete(key)
    this.#remembered.set(key, group)
    return group
  }

  /** A group of a new issue; its rows are written with `finish`. Answers its id. */
  insert(delta: GroupDelta, of: { readonly issueId: IssueId; readonly users: UserSet }): number {
    const { projectId, hash, eventCount, mirrorCount, payloadCount, firstMs, lastMs } = delta
    this.#nextId ??= lastIdOf(this.#db, 'groups') + 1
    const id = this.#nextId++
    const { keys, full } = this.#facets.add({ groupId: id, keys: null, delta })
    const numbers = [eventCount, mirrorCount, firstMs, lastMs, full ? 1 : 0, payloadCount]
    this.#rows.add(id, projectId, hashOf(hash), of.issueId, ...numbers)
    const routes = sumCounts(new Map(), delta.routes, max('routesPerGroupMax'))
    const { newestPayload: payload, newest } = delta
    this.#states.add(id, ...stateParams({ ...delta, routes, factsMs: newest.atMs, facetKeys: keys, payload }))
    this.#facts.add(id, delta.facts, delta.grouping)
    if (of.users !== NO_USERS) this.#users.add(id, ...usersParams(of.users))
    this.#addHoursAndFiles(id, delta)
    return id
  }

  /** Adds to a known group; answers its users after the batch, `null` when nobody was new. */
  update(group: StoredGroup, delta: GroupDelta): UserSet | null {
    const { keys, full } = this.#facets.add({ groupId: group.id, keys: group.facetKeys, delta })
    const isFull = full || group.facetsFull
    const numbers = [delta.eventCount, delta.mirrorCount, delta.firstMs, delta.lastMs]
    this.#db.run(UPDATE_GROUP, [...numbers, isFull ? 1 : 0, delta.payloadCount, group.id])
    if (delta.newest.atMs >= group.factsMs) this.#changeFacts(group, delta)
    if (dayOf(delta.lastMs) > dayOf(group.lastSeenMs)) forgetOldHours(this.#db, group.id, delta.lastMs)
    group.facetsFull = isFull
    group.lastSeenMs = Math.max(group.lastSeenMs, delta.lastMs)
    group.firstRelease = earlier(group.firstRelease, delta.firstRelease)
    group.lastRelease = later(group.lastRelease, delta.lastRelease)
    group.kinds = sumCounts(group.kinds, delta.kinds, max('routesPerGroupMax'))
    group.routes = sumCounts(group.routes, delta.routes, max('routesPerGroupMax'))
    group.facetKeys = keys
    group.factsMs = Math.max(group.factsMs, delta.newest.atMs)
    if (
      (delta.newestPayload?.atMs ?? Number.NEGATIVE_INFINITY) >=
      (group.payload?.atMs ?? Number.NEGATIVE_INFINITY)
    )
      group.payload = delta.newestPayload
    this.#db.run(UPDATE_STATE, [...stateParams(group), group.id])
    this.#addHoursAndFiles(group.id, delta)
    return this.#addUsers(group, delta)
  }

  /** Writes what is collected; once, when the rows of the issues are there. */
  finish(): void {
    for (const rows of [this.#rows, this.#states, this.#facts, this.#users, this.#hours, this.#files])
      rows.flush()
    this.#absent.clear()
    for (const key of this.#remembered.keys()) {
      if (this.#remembered.size <= max('groupsRememberedMax')) break
      this.#remembered.delete(key)
    }
  }

  #changeFacts(group: StoredGroup, { facts, grouping }: GroupDelta): void {
    if (facts === group.facts && grouping === group.grouping) return
    const sql = 'UPDATE group_facts SET facts = ?, grouping = ? WHERE group_id = ?'
    this.#db.run(sql, [facts, grouping, group.id])
    group.facts = facts
    group.grouping = grouping
  }

  #addHoursAndFiles(id: number, { hours, files }: GroupDelta): void {
    for (const [hour, count] of hours) this.#hours.add(id, hour, count)
    for (const { day, retentionDays, events, firstMs, lastMs } of files)
      this.#files.add(id, day, retentionDays, events, firstMs, lastMs)
  }

  #addUsers(group: StoredGroup, { users: added }: GroupDelta): UserSet | null {
    if (added.size === 0) return null
    const before = group.users ?? readUsers(this.#db, group.id)
    const users = withUsers(before, added)
    group.users = users
    if (users === before) return null
    const params = usersParams(users)
    const update = 'UPDATE group_users SET is_exact = ?, state = ? WHERE group_id = ?'
    if (this.#db.run(update, [...params, group.id]).changes === 0) this.#users.add(group.id, ...params)
    return users
  }
}

const INSERT_GROUP = {
  insert: `INSERT INTO groups (id, project_id, hash, issue_id, event_count, mirror_count, first_seen_ms, last_seen_ms,
    facets_full, payload_count)`,
  columns: 10,
}
const UPDATE_GROUP = `UPDATE groups SET event_count = event_count + ?, mirror_count = mirror_count + ?,
    first_seen_ms = min(first_seen_ms, ?), last_seen_ms = max(last_seen_ms, ?), facets_full = ?,
    payload_count = payload_count + ?
  WHERE id = ?`
const INSERT_STATE = {
  insert: `INSERT INTO group_state (group_id, first_release, first_release_ms, last_release, last_release_ms, facts_ms,
    kinds, routes, facet_keys, payload_event_id, payload_event_ms)`,
  columns: 11,
}
const UPDATE_STATE = `UPDATE group_state SET first_release = ?, first_release_ms = ?, last_release = ?,
    last_release_ms = ?, facts_ms = ?, kinds = ?, routes = ?, facet_keys = ?, payload_event_id = ?,
    payload_event_ms = ?
  WHERE group_id = ?`
const INSERT_FACTS = { insert: 'INSERT INTO group_facts (group_id, facts, grouping)', columns: 3 }
const INSERT_USERS = { insert: 'INSERT INTO group_users (group_id, is_exact, state)', columns: 3 }
const ADD_HOURS = {
  insert: 'INSERT INTO group_hours (group_id, hour, count)',
  columns: 3,
  after: 'ON CONFLICT (group_id, hour) DO UPDATE SET count = count + excluded.count',
}
const ADD_FILES = {
  insert: 'INSERT INTO group_files (group_id, day, retention_days, events, first_ms, last_ms)',
  columns: 6,
  // What is not known stays so: NULL and a number is NULL.
  after: `ON CONFLICT (group_id, day, retention_days) DO UPDATE SET events = events + excluded.events,
    first_ms = min(first_ms, excluded.first_ms), last_ms = max(last_ms, excluded.last_ms)`,
}

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
  readonly payloadEventId: EventId | null
  readonly payloadEventMs: number | null
}

function findGroup(db: Connection, projectId: number, hash: string): StoredGroup | null {
  // The unique index on (project_id, hash).
  const sql = `SELECT g.id, g.issue_id AS issueId, g.last_seen_ms AS lastSeenMs, g.facets_full AS facetsFull,
      s.first_release AS firstRelease, s.first_release_ms AS firstReleaseMs, s.last_release AS lastRelease,
      s.last_release_ms AS lastReleaseMs, s.kinds, s.routes, s.facet_keys AS facetKeys, s.facts_ms AS factsMs,
      s.payload_event_id AS payloadEventId, s.payload_event_ms AS payloadEventMs, f.facts, f.grouping
    FROM groups g JOIN group_state s ON s.group_id = g.id JOIN group_facts f ON f.group_id = g.id
    WHERE g.project_id = ? AND g.hash = ?`
  const row = db.get<GroupRow>(sql, [projectId, hashOf(hash)])
  if (row === undefined) return null
  const { id, issueId, lastSeenMs, factsMs, facts, grouping } = row
  return {
    ...{ id, issueId, lastSeenMs, factsMs, facts, grouping },
    facetsFull: row.facetsFull === 1,
    firstRelease: seen(row.firstRelease, row.firstReleaseMs),
    lastRelease: seen(row.lastRelease, row.lastReleaseMs),
    kinds: readCounts(row.kinds),
    routes: readCounts(row.routes),
    facetKeys: readFacetKeys(row.facetKeys),
    payload: payloadSeen(row.payloadEventId, row.payloadEventMs),
    users: null,
  }
}

export function seen(release: string | null, atMs: number | null): ReleaseSeen | null {
  return release === null || atMs === null ? null : { release, atMs }
}

export function payloadSeen(eventId: EventId | null, atMs: number | null): GroupDelta['newestPayload'] {
  return eventId === null || atMs === null ? null : { eventId, atMs }
}

/** The greatest id that a table with AUTOINCREMENT has given: ids after it are free. */
export function lastIdOf(db: Connection, table: 'groups' | 'issues'): number {
  return db.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', [table])?.seq ?? 0
}

function stateParams(
  state: Pick<
    StoredGroup,
    'firstRelease' | 'lastRelease' | 'factsMs' | 'kinds' | 'routes' | 'facetKeys' | 'payload'
  >,
): (string | number | null)[] {
  return [
    state.firstRelease?.release ?? null,
    state.firstRelease?.atMs ?? null,
    state.lastRelease?.release ?? null,
    state.lastRelease?.atMs ?? null,
    state.factsMs,
    writeCounts(state.kinds),
    writeCounts(state.routes),
    writeFacetKeys(state.facetKeys),
    state.payload?.eventId ?? null,
    state.payload?.atMs ?? null,
  ]
}

/** JSON, written by hand: an object of it would be made to be read once. */
function writeFacetKeys(keys: FacetKeys): string {
  let json = ''
  for (const [id, [total, kept, other]] of keys)
    json += `${json === '' ? '' : ','}"${id}":[${total},${kept},${other}]`
  return `{${json}}`
}

export function readFacetKeys(json: string): FacetKeys {
  const entries = Object.entries(JSON.parse(json) as Record<string, readonly [number, number, number]>) // writeFacetKeys
  return new Map(entries.map(([id, numbers]) => [Number(id), numbers]))
}

/** Bounds the hours of a group that lives: once for each day on which it occurs. */
function forgetOldHours(db: Connection, groupId: number, nowMs: number): void {
  const oldest = Math.floor(nowMs / HOUR_MS) - max('hourBucketsDaysMax') * 24
  db.run('DELETE FROM group_hours WHERE group_id = ? AND hour < ?', [groupId, oldest])
}

export function readUsers(db: Connection, groupId: number): UserSet {
  const sql = 'SELECT is_exact AS isExact, state FROM group_users WHERE group_id = ?'
  const row = db.get<{ isExact: number; state: Uint8Array }>(sql, [groupId])
  return row === undefined ? NO_USERS : decodeUsers(row.isExact === 1, row.state)
}

function usersParams(users: UserSet): [number, Uint8Array] {
  return [users.isExact ? 1 : 0, encodeUsers(users)]
}
