/** What a batch does to issues: new ones, numbers of known ones, and the transitions that events cause. */

import { type IssueId, issueId, type ProjectId } from '#base/ids.ts'
import { max } from '#base/limits.ts'
import { writeActivity } from './activity.ts'
import { earlier, type GroupDelta, later, type ReleaseSeen, seenMs } from './batch-groups.ts'
import type { Connection } from './connection.ts'
import { readCounts, sumCounts, writeCounts } from './counts.ts'
import { readUsers, type StoredFacts } from './group-store.ts'
import { issueText } from './issue-rows.ts'
import { IssueTexts } from './issue-texts.ts'
import { type IssueState, transition } from './issue-transition.ts'
import { countUsers, NO_USERS, type UserSet, unionOfUsers } from './user-set.ts'

interface StoredIssue extends IssueState {
  readonly groupCount: number
  readonly userCount: number
  readonly usersExact: number
  readonly firstRelease: string | null
  readonly firstReleaseMs: number | null
  readonly lastRelease: string | null
  readonly lastReleaseMs: number | null
  readonly factsMs: number
  readonly level: string
  readonly title: string
  readonly type: string
  readonly value: string
  readonly filename: string | null
  readonly function: string | null
  readonly culprit: string
  readonly platform: string
  readonly logger: string | null
  readonly handled: number | null
  readonly kinds: string
  readonly routes: string
}

/** What one group adds to its issue. `users`: the group's set after the batch; `null` when nobody was new. */
export interface IssueAddition {
  readonly delta: GroupDelta
  readonly users: UserSet | null
}

/** Lives for one batch: issue numbers and texts are written once, at its end. */
export class IssueStore {
  readonly #db: Connection
  readonly #texts: IssueTexts
  /** Project to the number of its newest issue. */
  readonly #numbers = new Map<ProjectId, number>()

  constructor(db: Connection) {
    this.#db = db
    this.#texts = new IssueTexts(db)
  }

  /** A new issue of one new group. */
  insert(delta: GroupDelta, users: UserSet): IssueId {
    const { projectId, events, newest, firstMs, lastMs } = delta
    const { lastId } = this.#db.run(INSERT, {
      project: projectId,
      number: this.#nextNumber(projectId),
      first: firstMs,
      last: lastMs,
      events: events.length,
      mirrors: delta.mirrorCount,
      users: countUsers(users),
      usersExact: users.isExact ? 1 : 0,
      ...releaseParams(delta.firstRelease, delta.lastRelease),
      factsMs: seenMs(newest),
      ...factsParams(newest.facts),
      kinds: writeCounts(delta.kinds),
      routes: writeCounts(sumCounts(new Map(), delta.routes, max('routesPerGroupMax'))),
    })
    const id = issueId(lastId)
    this.#texts.add(id, issueText(newest.facts))
    const { eventId, release } = newest.row
    writeActivity(this.#db, id, {
      kind: 'first_seen',
      atMs: firstMs,
      actor: null,
      detail: { eventId, release },
    })
    return id
  }

  /** Adds the groups' numbers to their issue. Answers whether it came back. */
  update(id: IssueId, additions: readonly IssueAddition[]): boolean {
    const before = readIssue(this.#db, id)
    const deltas = additions.map(({ delta }) => delta)
    const events = deltas.flatMap((delta) => delta.events)
    const { state, activity } = transition(before, events)
    const newest = deltas.reduce((one, other) =>
      seenMs(other.newest) >= seenMs(one.newest) ? other : one,
    ).newest
    this.#db.run(UPDATE, {
      id,
      events: events.length,
      mirrors: deltas.reduce((sum, { mirrorCount }) => sum + mirrorCount, 0),
      first: Math.min(...deltas.map(({ firstMs }) => firstMs)),
      last: Math.max(...deltas.map(({ lastMs }) => lastMs)),
      factsMs: seenMs(newest),
      ...sumsOf(before, deltas),
      ...usersParams(this.#db, id, { before, additions }),
      ...stateParams(state),
    })
    this.#changeFacts(id, { before, facts: newest.facts, atMs: seenMs(newest) })
    if (activity === null) return false
    writeActivity(this.#db, id, { ...activity, actor: null })
    return true
  }

  /** Once, after the last issue. */
  finish(): void {
    for (const [project, number] of this.#numbers) {
      this.#db.run('UPDATE projects SET issue_counter = ? WHERE id = ?', [number, project])
    }
    this.#texts.finish()
  }

  #nextNumber(project: ProjectId): number {
    const sql = 'SELECT issue_counter AS number FROM projects WHERE id = ?'
    const last = this.#numbers.get(project) ?? this.#db.get<{ number: number }>(sql, [project])?.number
    if (last === undefined)
      throw new Error(`no project ${project}: groups of gone projects are left out before`)
    this.#numbers.set(project, last + 1)
    return last + 1
  }

  /** The newest event says what the issue is called; most events say the same as the one before. */
  #changeFacts(
    id: IssueId,
    change: { readonly before: StoredIssue; readonly facts: StoredFacts; readonly atMs: number },
  ): void {
    const { before, facts, atMs } = change
    const params = factsParams(facts)
    const says = FACTS.every((name) => params[name] === before[name])
    if (says || atMs < before.factsMs) return
    this.#db.run(UPDATE_FACTS, { id, ...params })
    const text = issueText(facts)
    if (text !== issueText(before)) this.#texts.change(id, text)
  }
}

const INSERT = `INSERT INTO issues (project_id, number, status, substatus, status_changed_ms, level, first_seen_ms,
    last_seen_ms, event_count, mirror_count, user_count, users_exact, group_count, first_release, first_release_ms,
    last_release, last_release_ms, facts_ms, title, type, value, filename, function, culprit, platform, logger,
    handled, kinds, routes)
  VALUES (:project, :number, 'unresolved', 'new', :first, :level, :first, :last, :events, :mirrors, :users,
    :usersExact, 1, :firstRelease, :firstReleaseMs, :lastRelease, :lastReleaseMs, :factsMs, :title, :type, :value,
    :filename, :function, :culprit, :platform, :logger, :handled, :kinds, :routes)`

const UPDATE = `UPDATE issues SET event_count = event_count + :events, mirror_count = mirror_count + :mirrors,
    first_seen_ms = min(first_seen_ms, :first), last_seen_ms = max(last_seen_ms, :last),
    first_release = :firstRelease, first_release_ms = :firstReleaseMs, last_release = :lastRelease,
    last_release_ms = :lastReleaseMs, facts_ms = max(facts_ms, :factsMs), kinds = :kinds, routes = :routes,
    user_count = :users, users_exact = :usersExact, status = :status, substatus = :substatus,
    archived_events_left = :archivedEventsLeft, status_changed_ms = :statusChangedMs
  WHERE id = :id`

const UPDATE_FACTS = `UPDATE issues SET level = :level, title = :title, type = :type, value = :value,
    filename = :filename, function = :function, culprit = :culprit, platform = :platform, logger = :logger,
    handled = :handled
  WHERE id = :id`

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
] as const

function readIssue(db: Connection, id: IssueId): StoredIssue {
  const sql = `SELECT status, substatus, archived_events_left AS archivedEventsLeft,
      status_changed_ms AS statusChangedMs, group_count AS groupCount, user_count AS userCount,
      users_exact AS usersExact, first_release AS firstRelease, first_release_ms AS firstReleaseMs,
      last_release AS lastRelease, last_release_ms AS lastReleaseMs, facts_ms AS factsMs, level, title, type, value,
      filename, function, culprit, platform, logger, handled, kinds, routes
    FROM issues WHERE id = ?`
  const row = db.get<StoredIssue>(sql, [id])
  if (row === undefined) throw new Error(`no issue ${id}: a group names an issue that does not exist`)
  return row
}

function sumsOf(before: StoredIssue, deltas: readonly GroupDelta[]) {
  let first = seen(before.firstRelease, before.firstReleaseMs)
  let last = seen(before.lastRelease, before.lastReleaseMs)
  let kinds = readCounts(before.kinds)
  let routes = readCounts(before.routes)
  for (const delta of deltas) {
    first = earlier(first, delta.firstRelease)
    last = later(last, delta.lastRelease)
    kinds = sumCounts(kinds, delta.kinds, max('routesPerGroupMax'))
    routes = sumCounts(routes, delta.routes, max('routesPerGroupMax'))
  }
  return { ...releaseParams(first, last), kinds: writeCounts(kinds), routes: writeCounts(routes) }
}

/** The only group's set is the issue's; of several groups it is their union, taken anew when somebody was new. */
function usersParams(
  db: Connection,
  id: IssueId,
  { before, additions }: { readonly before: StoredIssue; readonly additions: readonly IssueAddition[] },
) {
  const changed = additions.find(({ users }) => users !== null)?.users ?? null
  if (changed === null) return { users: before.userCount, usersExact: before.usersExact }
  const users = before.groupCount === 1 ? changed : usersOfIssue(db, id)
  return { users: countUsers(users), usersExact: users.isExact ? 1 : 0 }
}

/** Calls the issue what the facts of its newest event say, the text for search included. */
export function writeIssueFacts(
  db: Connection,
  id: IssueId,
  { facts, atMs }: { readonly facts: StoredFacts; readonly atMs: number },
): void {
  db.run(UPDATE_FACTS, { id, ...factsParams(facts) })
  db.run('UPDATE issues SET facts_ms = ? WHERE id = ?', [atMs, id])
  const texts = new IssueTexts(db)
  texts.change(id, issueText(facts))
  texts.finish()
}

export function writeState(db: Connection, id: IssueId, state: IssueState): void {
  const sql = `UPDATE issues SET status = :status, substatus = :substatus,
      archived_events_left = :archivedEventsLeft, status_changed_ms = :statusChangedMs
    WHERE id = :id`
  db.run(sql, { id, ...stateParams(state) })
}

function stateParams({ status, substatus, archivedEventsLeft, statusChangedMs }: IssueState) {
  return { status, substatus, archivedEventsLeft, statusChangedMs }
}

export function writeUserCount(db: Connection, id: IssueId, users: UserSet): void {
  const sql = 'UPDATE issues SET user_count = ?, users_exact = ? WHERE id = ?'
  db.run(sql, [countUsers(users), users.isExact ? 1 : 0, id])
}

/** The union over the issue's groups, of which there are at most `groupsPerIssueMax`. */
export function usersOfIssue(db: Connection, id: IssueId): UserSet {
  // groups_by_issue
  const groups = db.all<{ id: number }>('SELECT id FROM groups WHERE issue_id = ?', [id])
  if (groups.length === 0) return NO_USERS
  return unionOfUsers(groups.map((group) => readUsers(db, group.id)))
}

export function seen(release: string | null, atMs: number | null): ReleaseSeen | null {
  return release === null || atMs === null ? null : { release, atMs }
}

export function releaseParams(first: ReleaseSeen | null, last: ReleaseSeen | null) {
  return {
    firstRelease: first?.release ?? null,
    firstReleaseMs: first?.atMs ?? null,
    lastRelease: last?.release ?? null,
    lastReleaseMs: last?.atMs ?? null,
  }
}

function factsParams(facts: StoredFacts) {
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
  }
}
