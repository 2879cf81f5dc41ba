/** Issues that begin with a batch. */
import { assert } from '#base/errors.ts'
import { type IssueId, issueId, type ProjectId } from '#base/ids.ts'
import { type GroupUsers, usersOf } from '#issues/group-users.ts'
import { NO_SUMS, withSums } from '#issues/issue-sums.ts'
import { type IssueCounter, newIssueState, withNewIssue, withWaiting } from '#issues/new-issue.ts'
import { hourSinceEpoch } from '#issues/payload-sampling.ts'
import { countUsers } from '#issues/user-set.ts'
import type { GroupDelta, StoredFacts } from '#ports/ingest.ts'
import type { BatchProjects } from '../batch-projects.ts'
import { BulkInsert } from '../bulk-insert.ts'
import type { Connection } from '../connection.ts'
import { INSERT_ACTIVITY, writeBeginning } from '../rows/activity.ts'
import type { TextChange } from '../rows/issue-texts.ts'
import { factsParams, ownSums, ownTitle } from './issue-facts.ts'

export class BegunIssues {
  /** Texts of those that are searched for. */
  readonly texts: TextChange[] = []
  readonly #db: Connection
  readonly #projects: BatchProjects
  /** Counters of projects in which issues begin. */
  readonly #counters = new Map<ProjectId, IssueCounter>()
  readonly #rows: BulkInsert
  readonly #activities: BulkInsert
  #lastId: number

  constructor(db: Connection, projects: BatchProjects, lastId: number) {
    this.#db = db
    this.#projects = projects
    this.#lastId = lastId
    this.#rows = new BulkInsert(db, INSERT)
    this.#activities = new BulkInsert(db, INSERT_ACTIVITY)
  }

  /** A new issue of one new group; its rows are written with `write`. */
  add(delta: GroupDelta, ofGroup: GroupUsers, waits: boolean): IssueId {
    const users = usersOf([ofGroup])
    const { projectId, newest, firstMs, lastMs } = delta
    const id = issueId(++this.#lastId)
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
    if (!waits) this.texts.push({ id, before: null, after: facts })
    this.#activities.add(id, 'first_seen', firstMs, null, 'Errata', writeBeginning(newest))
    return id
  }

  /** Once, before the rows of their groups. */
  write(): void {
    this.#rows.flush()
    this.#activities.flush()
    const counted = [...this.#counters].map(([project, { number, begun }]) => ({ project, number, ...begun }))
    this.#db.runEach(UPDATE_PROJECT, counted)
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
