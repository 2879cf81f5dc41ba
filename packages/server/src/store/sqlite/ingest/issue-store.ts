/** What a batch does to issues: new ones, numbers of known ones, and the transitions that events cause. */

import { type IssueId, issueId, type ProjectId } from '#base/ids.ts'
import { readCounts, sumCounts, writeCounts } from '#issues/counts.ts'
import { type IssueState, transition } from '#issues/issue-transition.ts'
import { hourOf } from '#issues/payload-sampling.ts'
import { earlier, later } from '#issues/release-seen.ts'
import { countUsers, NO_USERS, type UserSet, unionOfUsers } from '#issues/user-set.ts'
import { max } from '#limits/limits.ts'
import type { GroupDelta, ReleaseSeen, StoredFacts } from '#ports/ingest.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import { INSERT_ACTIVITY, writeActivity } from '../issues/activity.ts'
import { issueText } from '../issues/issue-rows.ts'
import { IssueTexts } from '../issues/issue-texts.ts'
import { lastIdOf, readUsers, seen } from './group-store.ts'

interface StoredIssue extends IssueState {
  readonly groupCount: number
  readonly userCount: number
  readonly usersExact: number
  readonly firstRelease: string | null
  readonly firstReleaseMs: number | null
  readonly lastRelease: string | null
  readonly lastReleaseMs: number | null
  readonly windowHour: number
  readonly windowEvents: number
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

/** An issue as remembered: changed in place with what is written. */
interface KnownIssue extends Omit<StoredIssue, 'kinds' | 'routes'> {
  kinds: ReadonlyMap<string, number>
  routes: ReadonlyMap<string, number>
}

/**
 * Lives as long as its connection; new issues, numbers and texts are written with the end of a batch. `discard` after
 * a transaction that was undone, and before a batch that comes after writes of others.
 */
export class IssueStore {
  readonly #db: Connection
  readonly #texts: IssueTexts
  /** Project to the number of its newest issue. */
  readonly #numbers = new Map<ProjectId, number>()
  /** Issues that begin with the batch at hand, in the newest hour of receipt. */
  readonly #begun = new Map<ProjectId, { hour: number; count: number }>()
  /** In the order of last use. */
  readonly #remembered = new Map<IssueId, KnownIssue>()
  readonly #rows: BulkInsert
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
    this.#numbers.clear()
    this.#begun.clear()
    this.#nextId = null
  }

  /** A new issue of one new group; its rows are written with `finishNew`. */
  insert(delta: GroupDelta, users: UserSet): IssueId {
    const { projectId, newest, firstMs, lastMs } = delta
    this.#nextId ??= lastIdOf(this.#db, 'issues') + 1
    const id = issueId(this.#nextId++)
    this.#countBegun(projectId, hourOf(delta.firstReceivedMs))
    const facts = JSON.parse(delta.facts) as StoredFacts // as the port says
    const params = factsParams(facts)
    const release = releaseParams(delta.firstRelease, delta.lastRelease)
    this.#rows.add(
      ...[
        id,
        projectId,
        this.#nextNumber(projectId),
        'unresolved',
        'new',
        firstMs,
        params.level,
        firstMs,
        lastMs,
      ],
      ...[delta.eventCount, delta.mirrorCount, countUsers(users), users.isExact ? 1 : 0, 1],
      ...[
        release.firstRelease,
        release.firstReleaseMs,
        release.lastRelease,
        release.lastReleaseMs,
        newest.atMs,
      ],
      ...[params.title, params.type, params.value, params.filename, params.function, params.culprit],
      ...[params.platform, params.logger, params.handled, writeCounts(delta.kinds)],
      writeCounts(sumCounts(new Map(), delta.routes, max('routesPerGroupMax'))),
      ...[delta.payloadCount, delta.window.hour, delta.window.events],
    )
    this.#texts.add(id, issueText(facts))
    const { eventId, release: of } = newest
    this.#activities.add(id, 'first_seen', firstMs, null, 'Errata', JSON.stringify({ eventId, release: of }))
    return id
  }

  /** Writes the new issues: before the rows of their groups. */
  finishNew(): void {
    this.#rows.flush()
    this.#activities.flush()
    for (const [project, number] of this.#numbers) {
      const { hour, count } = this.#begun.get(project) ?? { hour: 0, count: 0 }
      this.#db.run(UPDATE_PROJECT, { project, number, hour, count })
    }
    this.#numbers.clear()
    this.#begun.clear()
  }

  /** Adds the groups' numbers to their issue. Answers whether it came back. */
  update(id: IssueId, additions: readonly IssueAddition[]): boolean {
    const before = this.#find(id)
    const deltas = additions.map(({ delta }) => delta)
    const newest = deltas.reduce((one, other) => (other.newest.atMs >= one.newest.atMs ? other : one))
    const sums = sumsOf(before, deltas)
    const window = windowAfter(before, deltas)
    const users = usersAfter(this.#db, id, { before, additions })
    const { state, activity } = transition(before, {
      arrivals: () => deltas.flatMap(({ arrivals }) => arrivals()),
      users: users.userCount,
    })
    this.#db.run(UPDATE, {
      id,
      events: deltas.reduce((sum, { eventCount }) => sum + eventCount, 0),
      mirrors: deltas.reduce((sum, { mirrorCount }) => sum + mirrorCount, 0),
      first: deltas.reduce((least, { firstMs }) => Math.min(least, firstMs), Number.POSITIVE_INFINITY),
      last: deltas.reduce((greatest, { lastMs }) => Math.max(greatest, lastMs), 0),
      factsMs: newest.newest.atMs,
      payloads: deltas.reduce((sum, { payloadCount }) => sum + payloadCount, 0),
      ...window,
      ...releaseParams(sums.first, sums.last),
      kinds: writeCounts(sums.kinds),
      routes: writeCounts(sums.routes),
      users: users.userCount,
      usersExact: users.usersExact,
      ...stateParams(state),
    })
    const facts = this.#changeFacts(id, { before, newest })
    const { kinds, routes } = sums
    this.#remembered.set(id, {
      ...{
        ...before,
        ...facts,
        ...state,
        ...releaseParams(sums.first, sums.last),
        ...users,
        ...window,
        kinds,
        routes,
      },
      factsMs: Math.max(before.factsMs, newest.newest.atMs),
    })
    if (activity === null) return false
    writeActivity(this.#db, id, { ...activity, actor: null })
    return true
  }

  /** Once, after the last issue. */
  finish(): void {
    this.#texts.finish()
    for (const id of this.#remembered.keys()) {
      if (this.#remembered.size <= max('groupsRememberedMax')) return
      this.#remembered.delete(id)
    }
  }

  /** The issue's newest hour of receipt, and its events in it. */
  window(id: IssueId): Pick<KnownIssue, 'windowHour' | 'windowEvents'> {
    const issue = this.#find(id)
    this.#remembered.set(id, issue)
    return issue
  }

  #find(id: IssueId): KnownIssue {
    const known = this.#remembered.get(id)
    this.#remembered.delete(id)
    if (known !== undefined) return known
    const row = readIssue(this.#db, id)
    return { ...row, kinds: readCounts(row.kinds), routes: readCounts(row.routes) }
  }

  #countBegun(project: ProjectId, hour: number): void {
    const begun = this.#begun.get(project)
    if (begun === undefined || hour > begun.hour) this.#begun.set(project, { hour, count: 1 })
    else begun.count++
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
    { before, newest }: { readonly before: KnownIssue; readonly newest: GroupDelta },
  ): Partial<FactsParams> {
    if (newest.newest.atMs < before.factsMs) return {}
    const facts = JSON.parse(newest.facts) as StoredFacts // as the port says
    const params = factsParams(facts)
    if (FACTS.every((name) => params[name] === before[name])) return {}
    this.#db.run(UPDATE_FACTS, { id, ...params })
    const text = issueText(facts)
    if (text !== issueText(before)) this.#texts.change(id, text)
    return params
  }
}

const INSERT = {
  insert: `INSERT INTO issues (id, project_id, number, status, substatus, status_changed_ms, level, first_seen_ms,
    last_seen_ms, event_count, mirror_count, user_count, users_exact, group_count, first_release, first_release_ms,
    last_release, last_release_ms, facts_ms, title, type, value, filename, function, culprit, platform, logger,
    handled, kinds, routes, payload_count, window_hour, window_events)`,
  columns: 33,
}

const UPDATE_PROJECT = `UPDATE projects SET issue_counter = :number,
    new_issues = iif(new_issues_hour >= :hour, new_issues, 0) + :count, new_issues_hour = max(new_issues_hour, :hour)
  WHERE id = :project`

const UPDATE = `UPDATE issues SET event_count = event_count + :events, mirror_count = mirror_count + :mirrors,
    first_seen_ms = min(first_seen_ms, :first), last_seen_ms = max(last_seen_ms, :last),
    first_release = :firstRelease, first_release_ms = :firstReleaseMs, last_release = :lastRelease,
    last_release_ms = :lastReleaseMs, facts_ms = max(facts_ms, :factsMs), kinds = :kinds, routes = :routes,
    user_count = :users, users_exact = :usersExact, status = :status, substatus = :substatus,
    archived_events_left = :archivedEventsLeft, archived_users_at = :archivedUsersAt,
    archived_until_ms = :archivedUntilMs, status_changed_ms = :statusChangedMs,
    payload_count = payload_count + :payloads, window_hour = :windowHour, window_events = :windowEvents
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
      archived_users_at AS archivedUsersAt, archived_until_ms AS archivedUntilMs, status_changed_ms AS statusChangedMs, group_count AS groupCount, user_count AS userCount,
      users_exact AS usersExact, window_hour AS windowHour, window_events AS windowEvents, first_release AS firstRelease, first_release_ms AS firstReleaseMs,
      last_release AS lastRelease, last_release_ms AS lastReleaseMs, facts_ms AS factsMs, level, title, type, value,
      filename, function, culprit, platform, logger, handled, kinds, routes
    FROM issues WHERE id = ?`
  const row = db.get<StoredIssue>(sql, [id])
  if (row === undefined) throw new Error(`no issue ${id}: a group names an issue that does not exist`)
  return row
}

function sumsOf(before: KnownIssue, deltas: readonly GroupDelta[]) {
  let first = seen(before.firstRelease, before.firstReleaseMs)
  let last = seen(before.lastRelease, before.lastReleaseMs)
  let { kinds, routes } = before
  for (const delta of deltas) {
    first = earlier(first, delta.firstRelease)
    last = later(last, delta.lastRelease)
    kinds = sumCounts(kinds, delta.kinds, max('routesPerGroupMax'))
    routes = sumCounts(routes, delta.routes, max('routesPerGroupMax'))
  }
  return { first, last, kinds, routes }
}

/** Hours of receipt never go back; what comes late counts as of the newest. */
function windowAfter(
  { windowHour, windowEvents }: KnownIssue,
  deltas: readonly GroupDelta[],
): Pick<KnownIssue, 'windowHour' | 'windowEvents'> {
  const hour = deltas.reduce((newest, { window }) => Math.max(newest, window.hour), windowHour)
  const events = deltas.reduce(
    (sum, { window }) => sum + (window.hour === hour || windowHour === hour ? window.events : 0),
    windowHour === hour ? windowEvents : 0,
  )
  return { windowHour: hour, windowEvents: events }
}

/** The only group's set is the issue's; of several groups it is their union, taken anew when somebody was new. */
function usersAfter(
  db: Connection,
  id: IssueId,
  { before, additions }: { readonly before: KnownIssue; readonly additions: readonly IssueAddition[] },
): Pick<KnownIssue, 'userCount' | 'usersExact'> {
  const changed = additions.find(({ users }) => users !== null)?.users ?? null
  if (changed === null) return { userCount: before.userCount, usersExact: before.usersExact }
  const users = before.groupCount === 1 ? changed : usersOfIssue(db, id)
  return { userCount: countUsers(users), usersExact: users.isExact ? 1 : 0 }
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
      archived_events_left = :archivedEventsLeft, archived_users_at = :archivedUsersAt,
      archived_until_ms = :archivedUntilMs, status_changed_ms = :statusChangedMs
    WHERE id = :id`
  db.run(sql, { id, ...stateParams(state) })
}

function stateParams(state: IssueState) {
  const { status, substatus, archivedEventsLeft, archivedUsersAt, archivedUntilMs, statusChangedMs } = state
  return { status, substatus, archivedEventsLeft, archivedUsersAt, archivedUntilMs, statusChangedMs }
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

export function releaseParams(first: ReleaseSeen | null, last: ReleaseSeen | null) {
  return {
    firstRelease: first?.release ?? null,
    firstReleaseMs: first?.atMs ?? null,
    lastRelease: last?.release ?? null,
    lastReleaseMs: last?.atMs ?? null,
  }
}

type FactsParams = ReturnType<typeof factsParams>

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
