/** The stage of groups: those that begin with a batch, with their issues, and what it adds to those that are known. */
import { setImmediate } from 'node:timers/promises'
import type { IssueId } from '#base/ids.ts'
import type { KindDelta } from '#issues/batch-parts.ts'
import { type GroupUsers, NOBODY, withSeen } from '#issues/group-users.ts'
import { hoursMayGo, newestPayload, oldestHourKept } from '#issues/issue-sums.ts'
import type { BegunIssue } from '#issues/ownership/giving.ts'
import type { KindName } from '#model/file-name.ts'
import { isMirror } from '#notices/rules/queueing.ts'
import type { GroupDelta } from '#ports/ingest.ts'
import type { BatchProjects } from '../batch-projects.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection, SqlParams } from '../connection.ts'
import type { TextChange } from '../rows/issue-texts.ts'
import type { Stage, WritingStage } from '../stage.ts'
import { BegunIssues } from './begun-issues.ts'
import {
  findRememberedGroup,
  groupBegins,
  type KnownGroups,
  keptParams,
  loadGroups,
  type StoredGroup,
  shareAfter,
  usersParams,
} from './group-rows.ts'
import type { KnownAddition, KnownAdditions } from './issues-of-batch.ts'
import { type KnownIssues, loadIssues } from './known-issues.ts'
import { type TagMemory, TagsOfBatch } from './tags-of-batch.ts'

/** Groups that are counted before others of the thread go: of each a tenth of a millisecond or less. */
const GROUPS_PER_TURN = 100

/** Parts of a batch that groups look at. */
interface AtGroups {
  readonly kinds: readonly KindDelta[]
  readonly deltas: readonly GroupDelta[]
  readonly projects: BatchProjects
  /** Greatest ids that were given: those after them are free. */
  readonly before: Readonly<Record<'lastGroup' | 'lastIssue' | 'lastKey', number>>
  readonly remembered: {
    readonly groups: KnownGroups
    readonly issues: KnownIssues
    readonly tags: TagMemory
  }
}

/** A group that the batch adds to. */
export interface CountedOfGroup {
  readonly groupId: number
  /** It begins with the batch. */
  readonly isNew: boolean
  readonly delta: GroupDelta
}

/** Facts that later stages are told. */
export interface GroupsStory {
  /** Issues that people see from now on. */
  readonly newIssues: readonly { readonly issueId: IssueId }[]
  /** New issues, with their only group. */
  readonly begun: readonly BegunIssue[]
  /** Mirrors whose server's half may still come: rules look at those that stand alone in the end. */
  readonly waiting: readonly { readonly issueId: IssueId }[]
  /** Every group of the batch, with its issue. */
  readonly groups: readonly BegunIssue[]
  readonly countedGroups: readonly CountedOfGroup[]
  /** Additions to issues that were there. */
  readonly known: KnownAdditions
  /** Tags that are decided, and not written yet. */
  readonly tags: TagsOfBatch | null
  /** Texts of issues that begin. */
  readonly texts: readonly TextChange[]
}

interface GroupChanges {
  readonly groups: GroupWrites
  readonly issues: BegunIssues
  readonly story: GroupsStory
}

interface GroupsThere {
  readonly groups: GroupWrites
  readonly issues: BegunIssues
  readonly tags: TagsOfBatch
}

export const GROUP_STAGE: Stage<AtGroups, GroupsThere, GroupChanges, AtGroups, GroupsStory> = {
  name: 'groups',
  pick: (at) => (at.kinds.length === 0 ? null : at),
  /** All that is stored of them: what follows asks for nothing more of those that are known. */
  async load(db, { deltas, remembered, before, projects }) {
    loadGroups(db, remembered.groups, deltas)
    const known = deltas.flatMap((delta) => findRememberedGroup(remembered.groups, delta) ?? [])
    const tags = new TagsOfBatch(db, remembered.tags, before.lastKey)
    tags.load(known.map(({ id, facets, isPacked }) => ({ id, count: facets.count, isPacked })))
    await setImmediate()
    loadIssues(
      db,
      remembered.issues,
      known.map(({ issueId }) => issueId),
    )
    await setImmediate()
    tags.loadKeys(deltas)
    const groups = new GroupWrites(db, tags, before.lastGroup)
    return { groups, issues: new BegunIssues(db, projects, before.lastIssue), tags }
  },
  async decide({ groups, issues, tags }, { kinds, remembered }) {
    const story = {
      ...{ newIssues: [], begun: [], waiting: [], groups: [], countedGroups: [] },
      known: new Map<IssueId, KnownAddition[]>(),
    } satisfies Partial<GroupsStory>
    for (const [at, { kind, delta }] of kinds.entries()) {
      if (at % GROUPS_PER_TURN === 0) await setImmediate()
      const group = findRememberedGroup(remembered.groups, delta)
      if (group !== null) addToKnown(story, groups, { group, delta })
      else {
        groupBegins(remembered.groups, delta)
        beginGroup(story, { groups, issues }, { kind, delta })
      }
    }
    return { groups, issues, story: { ...story, tags, texts: issues.texts } }
  },
  /** Parents first. */
  async save(_, { groups, issues, story }) {
    issues.write()
    await setImmediate()
    groups.write()
    return story
  },
}

/** Tags are written once their groups are there. */
export const TAG_STAGE: WritingStage<TagsOfBatch, Pick<GroupsStory, 'tags'>> = {
  name: 'tags',
  pick: ({ tags }) => tags,
  save: (_, tags) => tags.write(() => setImmediate()),
}

interface Grown {
  readonly newIssues: { readonly issueId: IssueId }[]
  readonly begun: { readonly issueId: IssueId; readonly delta: GroupDelta }[]
  readonly waiting: { readonly issueId: IssueId }[]
  readonly groups: { readonly issueId: IssueId; readonly delta: GroupDelta }[]
  readonly countedGroups: CountedOfGroup[]
  readonly known: Map<IssueId, KnownAddition[]>
}

function beginGroup(
  story: Grown,
  { groups, issues }: Pick<GroupsThere, 'groups' | 'issues'>,
  { kind, delta }: KindDelta,
): void {
  const users = withSeen(NOBODY, delta)
  const waits = isMirror(delta)
  const issueId = issues.add(delta, users, waits)
  const groupId = groups.insert(delta, { kind, issueId, users })
  story.countedGroups.push({ groupId, isNew: true, delta })
  story.groups.push({ issueId, delta })
  if (waits) story.waiting.push({ issueId })
  else {
    story.begun.push({ issueId, delta })
    story.newIssues.push({ issueId })
  }
}

function addToKnown(
  story: Grown,
  groups: GroupWrites,
  { group, delta }: { readonly group: StoredGroup; readonly delta: GroupDelta },
): void {
  const users = groups.update(group, delta)
  story.countedGroups.push({ groupId: group.id, isNew: false, delta })
  story.groups.push({ issueId: group.issueId, delta })
  const additions = story.known.get(group.issueId)
  const addition = { delta, users, isFolded: group.isFolded }
  if (additions === undefined) story.known.set(group.issueId, [addition])
  else additions.push(addition)
}

/** Rows of groups that a batch writes: everything it counts, a few writes per group. */
class GroupWrites {
  readonly #db: Connection
  readonly #tags: TagsOfBatch
  readonly #rows: BulkInsert
  readonly #updates: SqlParams[] = []
  readonly #shares: SqlParams[] = []
  /** Groups whose hours of before then may go. */
  readonly #oldHours: SqlParams[] = []
  readonly #users: BulkInsert
  readonly #hours: BulkInsert
  readonly #files: BulkInsert
  #lastId: number

  constructor(db: Connection, tags: TagsOfBatch, lastId: number) {
    this.#db = db
    this.#tags = tags
    this.#lastId = lastId
    this.#rows = new BulkInsert(db, INSERT_GROUP)
    this.#users = new BulkInsert(db, WRITE_USERS)
    this.#hours = new BulkInsert(db, ADD_HOURS)
    this.#files = new BulkInsert(db, ADD_FILES)
  }

  /** A group of a new issue; its rows are written with `write`. Answers its id. */
  insert(
    delta: GroupDelta,
    of: { readonly kind: KindName; readonly issueId: IssueId; readonly users: GroupUsers },
  ): number {
    const { projectId, hash, eventCount, mirrorCount, payloadCount, firstMs, lastMs } = delta
    const id = ++this.#lastId
    const { sums, full } = this.#tags.add({ id, baseMs: firstMs, isPacked: false, sums: null, delta })
    const numbers = [eventCount, mirrorCount, firstMs, lastMs, payloadCount]
    const kept = keptParams({ baseMs: firstMs, facetsFull: full, facets: sums, payload: delta.newestPayload })
    this.#rows.add(id, projectId, Buffer.from(hash, 'hex'), of.kind, of.issueId, ...numbers, firstMs, ...kept)
    if (of.users !== NOBODY) this.#users.add(id, ...usersParams(of.users))
    this.#addHoursAndFiles(id, delta)
    return id
  }

  /** Adds to a known group; answers its users after the batch, `null` when nobody was new. */
  update(group: StoredGroup, delta: GroupDelta): GroupUsers | null {
    const { id, baseMs } = group
    const { sums, full } = this.#tags.add({
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

  /** Once, when the rows of the issues are there. */
  write(): void {
    this.#db.runEach(FORGET_HOURS, this.#oldHours)
    this.#db.runEach(UPDATE_GROUP, this.#updates)
    this.#db.runEach(UPDATE_SHARE, this.#shares)
    for (const rows of [this.#rows, this.#users, this.#hours, this.#files]) rows.flush()
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
