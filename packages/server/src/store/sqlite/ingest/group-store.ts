/** Rows of groups: everything a batch counts, a few writes per group touched; hot groups are remembered. */
import type { EventId, GroupHash, IssueId, ProjectId } from '#base/ids.ts'
import { readCounts, writeCounts } from '#issues/counts.ts'
import { decodeAliases, encodeAliases, type GroupUsers, NOBODY, withSeen } from '#issues/group-users.ts'
import {
  hoursMayGo,
  isNewest,
  newestPayload,
  oldestHourKept,
  type Sums,
  withSums,
} from '#issues/issue-sums.ts'
import { decodeUsers, encodeUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { KindName } from '#model/file-name.ts'
import type { GroupDelta, ReleaseSeen } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection, SqlParams, SqlValue } from '../connection.ts'
import type { FacetStore, FacetSums } from './facet-store.ts'

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

const hashBytes = (hash: string) => Buffer.from(hash, 'hex')

/** The users of a group that begins with this batch. */
export function usersOfNewGroup(delta: GroupDelta): GroupUsers {
  return withSeen(NOBODY, delta)
}

/**
 * Lives as long as its connection. `discard` after a transaction that was undone, and before a batch that comes
 * after writes of others.
 */
export class GroupStore {
  readonly #db: Connection
  readonly #facets: FacetStore
  /** Groups, least recently used first. */
  readonly #remembered = new Map<string, StoredGroup>()
  readonly #rows: BulkInsert
  readonly #updates: SqlParams[] = []
  readonly #shares: SqlParams[] = []
  /** Groups whose hours of before then may go. */
  readonly #oldHours: SqlParams[] = []
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
    this.#users = new BulkInsert(db, WRITE_USERS)
    this.#hours = new BulkInsert(db, ADD_HOURS)
    this.#files = new BulkInsert(db, ADD_FILES)
  }

  discard(): void {
    this.#remembered.clear()
    this.#absent.clear()
    this.#nextId = null
    for (const waiting of [this.#updates, this.#shares, this.#oldHours]) waiting.length = 0
    for (const rows of [this.#rows, this.#users, this.#hours, this.#files]) rows.discard()
  }

  /** Reads those at once that are not remembered: `find` then asks for nothing. */
  load(names: readonly GroupName[]): void {
    if (names.length === 0) return
    const missing = new Map<string, GroupName>()
    for (const name of names) {
      const key = groupNameKey(name)
      if (!this.#remembered.has(key) && !this.#absent.has(key)) missing.set(key, name)
    }
    const found = findGroupsByName(this.#db, [...missing.values()])
    for (const [at, key] of [...missing.keys()].entries()) {
      const group = found[at] ?? null
      if (group === null) this.#absent.add(key)
      else this.#remembered.set(key, group)
    }
  }

  /**
   * Loads groups as `load` does, with their kept facets.
   * Returns the known ones.
   */
  loadWhole(deltas: readonly GroupDelta[]): readonly StoredGroup[] {
    this.load(deltas)
    const known = deltas.flatMap((delta) => this.#remembered.get(groupNameKey(delta)) ?? [])
    this.#facets.load(known.map(({ id, facets, isPacked }) => ({ id, count: facets.count, isPacked })))
    return known
  }

  /** The group as it was before the batch; `null` for a new one. */
  find(name: GroupName): StoredGroup | null {
    const key = groupNameKey(name)
    if (this.#absent.has(key)) return null
    const group = this.#remembered.get(key) ?? findGroupsByName(this.#db, [name])[0] ?? null
    if (group === null) {
      this.#absent.add(key)
      return null
    }
    this.#remembered.delete(key)
    this.#remembered.set(key, group)
    return group
  }

  /** A group of a new issue; its rows are written with `finish`. Answers its id. */
  insert(
    delta: GroupDelta,
    of: { readonly kind: KindName; readonly issueId: IssueId; readonly users: GroupUsers },
  ): number {
    const { projectId, hash, eventCount, mirrorCount, payloadCount, firstMs, lastMs } = delta
    this.#nextId ??= lastIdOf(this.#db, 'groups') + 1
    const id = this.#nextId++
    const { sums, full } = this.#facets.add({ id, baseMs: firstMs, isPacked: false, sums: null, delta })
    const numbers = [eventCount, mirrorCount, firstMs, lastMs, payloadCount]
    const kept = keptParams({ baseMs: firstMs, facetsFull: full, facets: sums, payload: delta.newestPayload })
    this.#rows.add(id, projectId, hashBytes(hash), of.kind, of.issueId, ...numbers, firstMs, ...kept)
    if (of.users !== NOBODY) this.#users.add(id, ...usersParams(of.users))
    this.#addHoursAndFiles(id, delta)
    return id
  }

  /** Adds to a known group; answers its users after the batch, `null` when nobody was new. */
  update(group: StoredGroup, delta: GroupDelta): GroupUsers | null {
    const { id, baseMs } = group
    const { sums, full } = this.#facets.add({
      id,
      baseMs,
      isPacked: group.isPacked,
      sums: group.facets,
      delta,
    })
    group.isPacked = false
    if (hoursMayGo(group, delta)) this.#oldHours.push([id, oldestHourKept(delta.lastMs)])
    group.facetsFull ||= full
    group.facets = sums
    group.lastSeenMs = Math.max(group.lastSeenMs, delta.lastMs)
    group.payload = newestPayload(group.payload, delta.newestPayload)
    const numbers = [delta.eventCount, delta.mirrorCount, delta.firstMs, delta.lastMs, delta.payloadCount]
    this.#updates.push([...numbers, ...keptParams(group), id])
    if (group.share !== null) this.#shares.push({ id, ...shareAfter(group.share, delta) })
    this.#addHoursAndFiles(id, delta)
    return this.#addUsers(group, delta)
  }

  /** Writes what is collected; once, when the rows of the issues are there. */
  finish(): void {
    this.#db.runEach(FORGET_HOURS, this.#oldHours.splice(0))
    this.#db.runEach(UPDATE_GROUP, this.#updates.splice(0))
    this.#db.runEach(UPDATE_SHARE, this.#shares.splice(0))
    for (const rows of [this.#rows, this.#users, this.#hours, this.#files]) rows.flush()
    this.#absent.clear()
    for (const key of this.#remembered.keys()) {
      if (this.#remembered.size <= max('groupsRememberedMax')) break
      this.#remembered.delete(key)
    }
  }

  #addHoursAndFiles(id: number, { hours, files }: GroupDelta): void {
    for (const [hour, count] of hours) this.#hours.add(id, hour, count)
    for (const { day, retentionDays, events, firstMs, lastMs } of files)
      this.#files.add(id, day, retentionDays, events, firstMs, lastMs)
  }

  #addUsers(group: StoredGroup, delta: GroupDelta): GroupUsers | null {
    if (delta.users.size === 0) return null
    const users = withSeen(group.users, delta)
    if (users === group.users) return null
    group.users = users
    this.#users.add(group.id, ...usersParams(users))
    return users
  }
}

const INSERT_GROUP = {
  insert: `INSERT INTO groups (id, project_id, hash, kind, issue_id, event_count, mirror_count, first_seen_ms, last_seen_ms,
    payload_count, base_ms, facets_full, facet_count, facets_other, payload_event_id, payload_after_ms)`,
  columns: 16,
}
const UPDATE_GROUP = `UPDATE groups SET event_count = event_count + ?, mirror_count = mirror_count + ?,
    first_seen_ms = min(first_seen_ms, ?), last_seen_ms = max(last_seen_ms, ?), payload_count = payload_count + ?,
    facets_full = ?, facet_count = ?, facets_other = ?, payload_event_id = ?, payload_after_ms = ?
  WHERE id = ?`
const UPDATE_SHARE = `UPDATE group_shares SET first_release = :firstRelease, first_release_ms = :firstReleaseMs,
    last_release = :lastRelease, last_release_ms = :lastReleaseMs, kinds = :kinds, routes = :routes, facts = :facts,
    facts_ms = :factsMs
  WHERE group_id = :id`
const WRITE_USERS = {
  insert: 'INSERT INTO group_users (group_id, is_exact, state, aliases)',
  columns: 4,
  after: `ON CONFLICT (group_id) DO UPDATE SET is_exact = excluded.is_exact, state = excluded.state,
    aliases = excluded.aliases`,
}
/** Bounds the hours of a group that lives: once for each day on which it occurs. */
const FORGET_HOURS = 'DELETE FROM group_hours WHERE group_id = ? AND hour < ?'
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
    firstRelease: releaseSeen(row.firstRelease, row.firstReleaseMs),
    lastRelease: releaseSeen(row.lastRelease, row.lastReleaseMs),
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

function groupNameKey({ projectId, hash }: GroupName): string {
  return `${projectId}:${hash}`
}

/** Returns groups in the order of the names; `undefined` for a missing one. */
function findGroupsByName(db: Connection, names: readonly GroupName[]): readonly (StoredGroup | undefined)[] {
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
      share: readGroupShare(row),
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

function readGroupShare(row: NoShareRow): GroupShare | null {
  if (row.facts === null) return null
  return { sums: readGroupSums(row), facts: row.facts, factsMs: row.factsMs }
}

/** Adds to it, and answers what its row says then. */
function shareAfter(share: GroupShare, delta: GroupDelta) {
  share.sums = withSums(share.sums, [delta])
  if (isNewest(delta.newest.atMs, share.factsMs)) {
    share.facts = delta.facts
    share.factsMs = delta.newest.atMs
  }
  return { ...sumsParams(share.sums), facts: share.facts, factsMs: share.factsMs }
}

function releaseSeen(release: string | null, atMs: number | null): ReleaseSeen | null {
  return release === null || atMs === null ? null : { release, atMs }
}

export function payloadSeen(eventId: EventId | null, atMs: number | null): GroupDelta['newestPayload'] {
  return eventId === null || atMs === null ? null : { eventId, atMs }
}

/** The greatest id that a table with AUTOINCREMENT has given: ids after it are free. */
export function lastIdOf(db: Connection, table: 'groups' | 'issues'): number {
  return db.get<{ seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?', [table])?.seq ?? 0
}

/** Returns the parameters of facets and payload, as the row of the group keeps them. */
function keptParams({
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
