/** Changes issues by a batch: new ones, numbers of known ones, and the transitions that events cause. */

import { assert } from '#base/errors.ts'
import { type IssueId, issueId, type ProjectId } from '#base/ids.ts'
import { whatFollowsEvents } from '#issues/follows/regressing.ts'
import { type GroupUsers, usersOf, usersOfIssueAfter } from '#issues/group-users.ts'
import {
  addedBy,
  type HourCount,
  isNewest,
  NO_SUMS,
  newestOf,
  type Sums,
  windowAfter,
  withSums,
} from '#issues/issue-sums.ts'
import { namesReleases, transition } from '#issues/issue-transition.ts'
import { type IssueCounter, newIssueState, withNewIssue, withWaiting } from '#issues/new-issue.ts'
import { hourSinceEpoch } from '#issues/payload-sampling.ts'
import { countUsers, type UserSet } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta, StoredFacts } from '#ports/ingest.ts'
import type { IssueChanged, IssueState } from '#ports/issue-rows.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection, SqlParams } from '../connection.ts'
import { releasedMs } from '../releases/release-rows.ts'
import { INSERT_ACTIVITY, noteIssues, writeBeginning } from '../rows/activity.ts'
import { stateParams } from '../rows/issue-state.ts'
import { IssueTexts } from '../rows/issue-texts.ts'
import { lastIdOf, readUsersOf, type SumsRow, sumsParams } from './group-store.ts'
import { type FactsParams, type IssueUsers, type KnownIssue, readKnownIssues } from './known-issues.ts'

/** Addition of one group to its issue. `users`: the group's set after the batch; `null` if nobody was new. */
export interface IssueAddition {
  readonly delta: GroupDelta
  readonly users: GroupUsers | null
  /** A mirror: what the issue is called, its routes and its releases are the server's. */
  readonly isFolded: boolean
}

/**
 * Lives as long as its connection; new issues, numbers and texts are written with the end of a batch. `discard` after
 * a transaction that was undone, and before a batch that comes after writes of others.
 */
const NO_RELEASES: ReadonlyMap<string, number> = new Map()

export class IssueStore {
  readonly #db: Connection
  readonly #texts: IssueTexts
  /** Counters of projects in which issues begin with this batch. */
  readonly #counters = new Map<ProjectId, IssueCounter>()
  #projects: ReadonlyMap<ProjectId, { readonly counter: IssueCounter }> = new Map()
  /** Issues, least recently used first. */
  readonly #remembered = new Map<IssueId, KnownIssue>()
  readonly #rows: BulkInsert
  readonly #updates: SqlParams[] = []
  readonly #firstReleases: SqlParams[] = []
  readonly #states: SqlParams[] = []
  /** Times of releases that events of the batch name, by project. */
  readonly #releases = new Map<ProjectId, Map<string, number>>()
  /** People of issues that own several groups, with those of the batch. */
  readonly #users = new Map<IssueId, UserSet>()
  readonly #facts: SqlParams[] = []
  readonly #returned: IssueChanged[] = []
  readonly #activities: BulkInsert
  #nextId: number | null = null

  constructor(db: Connection) {
    this.#db = db
    this.#texts = new IssueTexts(db)
    this.#rows = new BulkInsert(db, INSERT)
    this.#activities = new BulkInsert(db, INSERT_ACTIVITY)
  }

  discard(): void {
    this.#remembered.clear()
    this.#counters.clear()
    this.#nextId = null
    const changes = [this.#updates, this.#firstReleases, this.#states, this.#facts, this.#returned]
    for (const waiting of changes) waiting.length = 0
    for (const rows of [this.#rows, this.#activities]) rows.discard()
    this.#texts.discard()
  }

  /** Before the issues of a batch. `projects`: all in which one may begin. */
  begin(projects: ReadonlyMap<ProjectId, { readonly counter: IssueCounter }>): void {
    this.#projects = projects
  }

  /** Reads those at once that are not remembered. */
  load(ids: readonly IssueId[]): void {
    const missing = [...new Set(ids)].filter((id) => !this.#remembered.has(id))
    for (const [at, issue] of readKnownIssues(this.#db, missing).entries()) {
      const id = missing[at]
      if (id !== undefined) this.#remembered.set(id, issue)
    }
  }

  /** A new issue of one new group; its rows are written with `finishNew`. */
  insert(delta: GroupDelta, ofGroup: GroupUsers, waits: boolean): IssueId {
    const users = usersOf([ofGroup])
    const { projectId, newest, firstMs, lastMs } = delta
    this.#nextId ??= lastIdOf(this.#db, 'issues') + 1
    const id = issueId(this.#nextId++)
    const hour = hourSinceEpoch(delta.firstReceivedMs)
    const number = waits
      ? this.#takeRoom(id, { project: projectId, hour })
      : this.#nextNumber(projectId, hour)
    const state = newIssueState(firstMs, waits ? 'waiting' : 'new')
    const facts: StoredFacts = JSON.parse(delta.facts) // as the port says
    const params = factsParams(facts)
    const sums = ownSums(withSums(NO_SUMS, [delta]))
    this.#rows.add(
      ...[id, projectId, number, state.status, state.substatus, state.statusChangedMs, params.level],
      ...[firstMs, lastMs, delta.eventCount, delta.mirrorCount, countUsers(users), users.isExact ? 1 : 0, 1],
      ...[sums.firstRelease, sums.firstReleaseMs, sums.lastRelease, sums.lastReleaseMs, newest.atMs],
      ...[ownTitle(facts), params.type, params.value, params.filename, params.function, params.culprit],
      ...[params.platform, params.logger, params.handled, sums.kinds, sums.routes],
      ...[delta.payloadCount, delta.window.hour, delta.window.events, params.category],
    )
    // What waits is not searched for.
    if (!waits) this.#texts.add(id, facts)
    this.#activities.add(id, 'first_seen', firstMs, null, 'Errata', writeBeginning(newest))
    return id
  }

  /** Writes the new issues: before the rows of their groups. */
  finishNew(): void {
    this.#rows.flush()
    this.#activities.flush()
    const counted = [...this.#counters].map(([project, { number, begun }]) => ({ project, number, ...begun }))
    this.#db.runEach(UPDATE_PROJECT, counted)
    this.#counters.clear()
  }

  /**
   * Reads what decides beside the rows of the issues: the releases of those that are resolved in one, the people of those
   * that own several groups, which are written. Before `update`.
   */
  loadBeside(known: ReadonlyMap<IssueId, readonly IssueAddition[]>): void {
    this.#releases.clear()
    this.#users.clear()
    const several: IssueId[] = []
    const named = new Map<string, readonly [ProjectId, string]>()
    for (const [id, additions] of known) {
      const issue = this.#find(id)
      this.#remembered.set(id, issue)
      if (issue.groupCount > 1 && additions.some(({ users }) => users !== null)) several.push(id)
      if (!namesReleases(issue)) continue
      const { projectId } = issue
      for (const { release } of additions.flatMap(({ delta }) => delta.arrivals()))
        if (release !== null) named.set(`${projectId} ${release}`, [projectId, release])
    }
    for (const [id, users] of usersOfIssues(this.#db, several)) this.#users.set(id, users)
    const asked = [...named.values()]
    const times = releasedMs(this.#db, asked)
    for (const [at, [project, release]] of asked.entries()) {
      const ms = times[at] ?? null
      const ofProject = this.#releases.get(project) ?? new Map<string, number>()
      if (ms !== null) this.#releases.set(project, ofProject.set(release, ms))
    }
  }

  /** Adds the groups' numbers to their issue. Answers whether it came back. */
  update(id: IssueId, additions: readonly IssueAddition[]): boolean {
    const before = this.#find(id)
    const deltas = additions.map(({ delta }) => delta)
    const own = additions.filter(({ isFolded }) => !isFolded).map(({ delta }) => delta)
    const newest = own.length === 0 ? null : newestOf(own)
    const added = addedBy(deltas)
    const sums = withSums(before.sums, own)
    const window = windowAfter(
      before.window,
      deltas.map((delta) => delta.window),
    )
    const users = usersAfter({ before, additions }, this.#users.get(id) ?? null)
    const moved = transition(before, {
      arrivals: () => deltas.flatMap(({ arrivals }) => arrivals()),
      users: users.userCount,
      releasedMs: this.#releases.get(before.projectId) ?? NO_RELEASES,
    })
    const { state } = moved
    const factsMs = Math.max(before.factsMs, newest?.newest.atMs ?? 0)
    const written = ownSums(sums)
    const { eventCount, mirrorCount, firstMs, lastMs, payloadCount } = added
    const { lastRelease, lastReleaseMs, kinds, routes } = written
    const { userCount, usersExact } = users
    const numbers = [
      eventCount,
      mirrorCount,
      firstMs,
      lastMs,
      payloadCount,
      factsMs,
      lastRelease,
      lastReleaseMs,
    ]
    numbers.push(kinds, routes, userCount, usersExact, window.hour, window.events, id)
    this.#updates.push(numbers)
    if (sums.firstRelease !== before.sums.firstRelease)
      this.#firstReleases.push([written.firstRelease, written.firstReleaseMs, id])
    // A state that did not change is the whole of what was known.
    if (state !== before) this.#states.push({ id, ...stateParams(state) })
    const facts = newest === null ? NO_CHANGE : this.#changeFacts(id, { before, newest })
    const isSame = state === before && facts === NO_CHANGE
    const known = isSame ? before : { ...before, ...state, ...facts }
    this.#remembered.set(id, { ...known, userCount, usersExact, sums, window, factsMs })
    const returned = whatFollowsEvents(id, moved)
    if (returned === null) return false
    this.#returned.push(returned)
    return true
  }

  /** Once, after the last issue. */
  finish(): void {
    this.#db.runEach(UPDATE, this.#updates.splice(0))
    this.#db.runEach(UPDATE_FIRST_RELEASE, this.#firstReleases.splice(0))
    this.#db.runEach(UPDATE_STATE, this.#states.splice(0))
    this.#db.runEach(UPDATE_FACTS, this.#facts.splice(0))
    noteIssues(this.#db, this.#returned.splice(0))
    this.#texts.finish()
    for (const id of this.#remembered.keys()) {
      if (this.#remembered.size <= max('groupsRememberedMax')) return
      this.#remembered.delete(id)
    }
  }

  /** The issue's newest hour of receipt, and its events in it. */
  window(id: IssueId): HourCount {
    const issue = this.#find(id)
    this.#remembered.set(id, issue)
    return issue.window
  }

  #find(id: IssueId): KnownIssue {
    const known = this.#remembered.get(id)
    this.#remembered.delete(id)
    const [issue] = known === undefined ? readKnownIssues(this.#db, [id]) : [known]
    assert(issue !== undefined, 'an issue was asked for')
    return issue
  }

  /** Takes room in the hour for an issue that waits; its number is its own, below zero. */
  #takeRoom(id: IssueId, { project, hour }: { readonly project: ProjectId; readonly hour: number }): number {
    this.#counters.set(project, withWaiting(this.#counterOf(project), hour))
    return -id
  }

  #counterOf(project: ProjectId): IssueCounter {
    const counter = this.#counters.get(project) ?? this.#projects.get(project)?.counter
    assert(counter !== undefined, 'groups of projects that are gone are left out before')
    return counter
  }

  #nextNumber(project: ProjectId, hour: number): number {
    const counter = withNewIssue(this.#counterOf(project), hour)
    this.#counters.set(project, counter)
    return counter.number
  }

  /** The newest event says what the issue is called; most events say the same as the one before. */
  #changeFacts(
    id: IssueId,
    { before, newest }: { readonly before: KnownIssue; readonly newest: GroupDelta },
  ): Partial<FactsParams> {
    if (!isNewest(newest.newest.atMs, before.factsMs)) return NO_CHANGE
    const facts: StoredFacts = JSON.parse(newest.facts) // as the port says
    const params = factsParams(facts)
    if (FACTS.every((name) => params[name] === before[name])) return NO_CHANGE
    this.#facts.push({ id, ...params, title: ownTitle(facts) })
    const isSame = facts.title === before.title && facts.culprit === before.culprit
    if (!isSame && before.substatus !== 'waiting') this.#texts.change(id, { before, after: facts })
    return params
  }
}

const INSERT = {
  insert: `INSERT INTO issues (id, project_id, number, status, substatus, status_changed_ms, level, first_seen_ms,
    last_seen_ms, event_count, mirror_count, user_count, users_exact, group_count, first_release, first_release_ms,
    own_last_release, own_last_release_ms, facts_ms, own_title, type, value, filename, function, culprit, platform, logger,
    handled, kinds, routes, payload_count, window_hour, window_events, category)`,
  columns: 34,
}

const UPDATE_PROJECT = `UPDATE projects SET issue_counter = :number, new_issues = :events, new_issues_hour = :hour
  WHERE id = :project`

/** Numbers alone: a column that is set is written in each index that has it, whether it changed or not. */
const UPDATE = `UPDATE issues SET event_count = event_count + ?, mirror_count = mirror_count + ?,
    first_seen_ms = min(first_seen_ms, ?), last_seen_ms = max(last_seen_ms, ?), payload_count = payload_count + ?,
    facts_ms = ?, own_last_release = ?, own_last_release_ms = ?, kinds = ?, routes = ?, user_count = ?,
    users_exact = ?, window_hour = ?, window_events = ?
  WHERE id = ?`

const UPDATE_FIRST_RELEASE = 'UPDATE issues SET first_release = ?, first_release_ms = ? WHERE id = ?'

const UPDATE_STATE = `UPDATE issues SET status = :status, substatus = :substatus,
    archived_events_left = :archivedEventsLeft, archived_users_at = :archivedUsersAt,
    archived_until_ms = :archivedUntilMs, resolved_in = :resolvedIn, status_changed_ms = :statusChangedMs
  WHERE id = :id`

const UPDATE_FACTS = `UPDATE issues SET level = :level, own_title = :title, type = :type, value = :value,
    filename = :filename, function = :function, culprit = :culprit, platform = :platform, logger = :logger,
    handled = :handled, category = :category
  WHERE id = :id`

const NO_CHANGE: Partial<FactsParams> = {}

const FACTS = [
  'level',
  'title',
  'type',
  'value',
  'filename',
  'function',
  'culprit',
  'platform',
  'logger',
  'handled',
  'category',
] as const

/** Returns an issue's users after a change. `together` holds the users of an issue that owns several groups. */
function usersAfter(
  { before, additions }: { readonly before: KnownIssue; readonly additions: readonly IssueAddition[] },
  together: UserSet | null,
): IssueUsers {
  const changed = additions.find(({ users }) => users !== null)?.users ?? null
  if (changed === null) return { userCount: before.userCount, usersExact: before.usersExact }
  const users = usersOfIssueAfter(changed, together)
  return { userCount: countUsers(users), usersExact: users.isExact ? 1 : 0 }
}

interface NamedIssue {
  readonly id: IssueId
  readonly facts: StoredFacts
  readonly atMs: number
}

/** Calls the issue what the facts of its newest event say, the text for search included. */
export function writeIssueFacts(db: Connection, id: IssueId, named: Omit<NamedIssue, 'id'>): void {
  writeFactsOfIssues(db, [{ id, ...named }])
}

/** Names issues by sets, as `writeIssueFacts` does. */
export function writeFactsOfIssues(db: Connection, issues: readonly NamedIssue[]): void {
  const sql = 'SELECT title, culprit, substatus FROM issues WHERE id = ?'
  type Row = Pick<StoredFacts, 'title' | 'culprit'> & Pick<IssueState, 'substatus'>
  const rows = db.getEach<Row>(
    sql,
    issues.map(({ id }) => [id]),
  )
  db.runEach(
    UPDATE_FACTS,
    issues.map(({ id, facts }) => ({ id, ...factsParams(facts), title: ownTitle(facts) })),
  )
  db.runEach(
    'UPDATE issues SET facts_ms = ? WHERE id = ?',
    issues.map(({ id, atMs }) => [atMs, id]),
  )
  const texts = new IssueTexts(db)
  for (const [at, { id, facts }] of issues.entries()) {
    const before = rows[at]
    if (before === undefined || before.substatus === 'waiting') continue
    if (before.title === facts.title && before.culprit === facts.culprit) continue
    texts.change(id, { before, after: facts })
  }
  texts.finish()
}

export function writeUserCount(db: Connection, id: IssueId, users: UserSet): void {
  writeUserCounts(db, new Map([[id, users]]))
}

/** Writes how many people issues have met. */
export function writeUserCounts(db: Connection, issues: ReadonlyMap<IssueId, UserSet>): void {
  const sql = 'UPDATE issues SET user_count = ?, users_exact = ? WHERE id = ?'
  db.runEach(
    sql,
    [...issues].map(([id, users]) => [countUsers(users), users.isExact ? 1 : 0, id]),
  )
}

/** By what its groups keep. */
export function usersOfIssue(db: Connection, id: IssueId): UserSet {
  return usersOf(usersOfGroups(db, id))
}

/** Returns the users of issues by what their groups keep. */
export function usersOfIssues(db: Connection, ids: readonly IssueId[]): ReadonlyMap<IssueId, UserSet> {
  // groups_by_issue
  const sql = 'SELECT id FROM groups WHERE issue_id = ?'
  const groups = db.allEach<{ readonly id: number }>(
    sql,
    ids.map((id) => [id]),
  )
  const users = usersOfEach(db, groups.flat())
  let first = 0
  return new Map(
    ids.map((id, at) => {
      const count = groups[at]?.length ?? 0
      first += count
      return [id, usersOf(users.slice(first - count, first))]
    }),
  )
}

/** At most `groupsPerIssueMax`. */
function usersOfGroups(db: Connection, id: IssueId): readonly GroupUsers[] {
  // groups_by_issue
  return usersOfEach(db, db.all<{ readonly id: number }>('SELECT id FROM groups WHERE issue_id = ?', [id]))
}

function usersOfEach(db: Connection, groups: readonly { readonly id: number }[]): readonly GroupUsers[] {
  return readUsersOf(
    db,
    groups.map(({ id }) => id),
  )
}

/** Returns what the row adds to type and value, `''` for nothing; as the column `title` has it. */
function ownTitle({ title, type, value }: StoredFacts): string {
  return type !== '' && title === `${type}: ${value}` ? '' : title
}

/** Returns the row's sums: the last release only if it is not the first. */
export function ownSums(sums: Sums): SumsRow {
  const { firstRelease, firstReleaseMs, lastRelease, lastReleaseMs, ...counts } = sumsParams(sums)
  const last = {
    lastRelease: lastRelease === firstRelease ? null : lastRelease,
    lastReleaseMs: lastReleaseMs === firstReleaseMs ? null : lastReleaseMs,
  }
  return { firstRelease, firstReleaseMs, ...last, ...counts }
}

function factsParams(facts: StoredFacts): FactsParams {
  return {
    level: facts.level,
    title: facts.title,
    type: facts.type,
    value: facts.value,
    filename: facts.filename,
    function: facts.function,
    culprit: facts.culprit,
    platform: facts.platform,
    logger: facts.logger,
    handled: facts.handled === null ? null : facts.handled ? 1 : 0,
    // Facts that were shared out by an older version lack it.
    category: facts.category ?? 'other',
  }
}
