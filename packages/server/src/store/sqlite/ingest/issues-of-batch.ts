/** The stage of issues that are known: numbers, the transitions that events cause, and what they are called. */
import { assert } from '#base/errors.ts'
import type { IssueId, ProjectId } from '#base/ids.ts'
import { whatFollowsEvents } from '#issues/follows/regressing.ts'
import { type GroupUsers, usersOfIssueAfter } from '#issues/group-users.ts'
import { addedBy, isNewest, newestOf, windowAfter, withSums } from '#issues/issue-sums.ts'
import { canComeBack, namesReleases, transition } from '#issues/issue-transition.ts'
import { countUsers, type UserSet } from '#issues/user-set.ts'
import type { GroupDelta, StoredFacts } from '#ports/ingest.ts'
import type { IssueChanged } from '#ports/issue-rows.ts'
import type { Connection, SqlParams } from '../connection.ts'
import { releasedMs } from '../releases/release-rows.ts'
import { noteIssues } from '../rows/activity.ts'
import { stateParams } from '../rows/issue-state.ts'
import { type TextChange, writeTexts } from '../rows/issue-texts.ts'
import type { Stage, WritingStage } from '../stage.ts'
import { factsParams, ownSums, ownTitle, UPDATE_FACTS, usersOfIssues } from './issue-facts.ts'
import type { FactsParams, IssueUsers, KnownIssue, KnownIssues } from './known-issues.ts'

/** Addition of one group to its issue. `users`: the group's set after the batch; `null` if nobody was new. */
export interface KnownAddition {
  readonly delta: GroupDelta
  readonly users: GroupUsers | null
  /** A mirror: what the issue is called, its routes and its releases are the server's. */
  readonly isFolded: boolean
}

export type KnownAdditions = ReadonlyMap<IssueId, readonly KnownAddition[]>

interface AtIssues {
  readonly known: KnownAdditions
  readonly remembered: { readonly issues: KnownIssues }
}

export interface IssuesStory {
  /** Regressed, or back from the archive. */
  readonly returnedIssues: readonly IssueId[]
  /** Texts of issues whose title changed. */
  readonly changedTexts: readonly TextChange[]
}

interface IssuesAtHand {
  readonly known: KnownAdditions
  readonly issues: KnownIssues
}

export const ISSUE_STAGE: Stage<IssuesAtHand, IssuesBeside, IssueWrites, AtIssues, IssuesStory> = {
  name: 'issues',
  pick: ({ known, remembered: { issues } }) => (known.size === 0 ? null : { known, issues }),
  load: (db, { known, issues }) => readBeside(db, known, issues),
  decide(beside, { known, issues }) {
    const writes = new IssueWrites(issues, beside)
    for (const [id, additions] of known) writes.update(id, additions)
    return writes
  },
  save(db, writes) {
    writes.write(db)
    return { returnedIssues: writes.returned.map(({ id }) => id), changedTexts: writes.texts }
  },
}

interface AtTexts extends Pick<IssuesStory, 'changedTexts'> {
  readonly texts: readonly TextChange[]
}

/** Texts of issues: of all together, in the order of their rows. */
export const TEXT_STAGE: WritingStage<readonly TextChange[], AtTexts> = {
  name: 'texts',
  pick({ texts, changedTexts }) {
    const all = [...texts, ...changedTexts]
    return all.length === 0 ? null : all
  },
  save: writeTexts,
}

/** Facts that decide beside the rows of the issues. */
interface IssuesBeside {
  /** Times of releases that events of the batch name, by project. */
  readonly releases: ReadonlyMap<ProjectId, ReadonlyMap<string, number>>
  /** People of issues that own several groups, with those of the batch, which are written. */
  readonly users: ReadonlyMap<IssueId, UserSet>
}

function readBeside(db: Connection, known: KnownAdditions, issues: KnownIssues): IssuesBeside {
  const several: IssueId[] = []
  const named = new Map<string, readonly [ProjectId, string]>()
  for (const [id, additions] of known) {
    const issue = issueOf(issues, id)
    if (issue.groupCount > 1 && additions.some(({ users }) => users !== null)) several.push(id)
    if (!namesReleases(issue)) continue
    const { projectId } = issue
    for (const { release } of additions.flatMap(({ delta }) => delta.arrivals()))
      if (release !== null) named.set(`${projectId} ${release}`, [projectId, release])
  }
  const users = usersOfIssues(db, several)
  const asked = [...named.values()]
  const times = releasedMs(db, asked)
  const releases = new Map<ProjectId, Map<string, number>>()
  for (const [at, [project, release]] of asked.entries()) {
    const ms = times[at] ?? null
    const ofProject = releases.get(project) ?? new Map<string, number>()
    if (ms !== null) releases.set(project, ofProject.set(release, ms))
  }
  return { releases, users }
}

function issueOf(issues: KnownIssues, id: IssueId): KnownIssue {
  const issue = issues.get(id)
  assert(issue !== undefined, 'issues are loaded with their groups')
  return issue
}

const NO_RELEASES: ReadonlyMap<string, number> = new Map()

class IssueWrites {
  readonly texts: TextChange[] = []
  readonly returned: IssueChanged[] = []
  readonly #issues: KnownIssues
  readonly #beside: IssuesBeside
  readonly #updates: SqlParams[] = []
  readonly #firstReleases: SqlParams[] = []
  readonly #states: SqlParams[] = []
  readonly #facts: SqlParams[] = []

  constructor(issues: KnownIssues, beside: IssuesBeside) {
    this.#issues = issues
    this.#beside = beside
  }

  /** Adds the groups' numbers to their issue. */
  update(id: IssueId, additions: readonly KnownAddition[]): void {
    const before = issueOf(this.#issues, id)
    const deltas = additions.map(({ delta }) => delta)
    const own = additions.filter(({ isFolded }) => !isFolded).map(({ delta }) => delta)
    const newest = own.length === 0 ? null : newestOf(own)
    const added = addedBy(deltas)
    const sums = withSums(before.sums, own)
    const window = windowAfter(
      before.window,
      deltas.map((delta) => delta.window),
    )
    const users = usersAfter({ before, additions }, this.#beside.users.get(id) ?? null)
    const moved = transition(before, {
      arrivals: canComeBack(before) ? deltas.flatMap(({ arrivals }) => arrivals()) : [],
      users: users.userCount,
      releasedMs: this.#beside.releases.get(before.projectId) ?? NO_RELEASES,
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
    this.#issues.set(id, { ...known, userCount, usersExact, sums, window, factsMs })
    const returned = whatFollowsEvents(id, moved)
    if (returned !== null) this.returned.push(returned)
  }

  /** Once, after the last issue. */
  write(db: Connection): void {
    db.runEach(UPDATE, this.#updates)
    db.runEach(UPDATE_FIRST_RELEASE, this.#firstReleases)
    db.runEach(UPDATE_STATE, this.#states)
    db.runEach(UPDATE_FACTS, this.#facts)
    noteIssues(db, this.returned)
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
    if (!isSame && before.substatus !== 'waiting') this.texts.push({ id, before, after: facts })
    return params
  }
}

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

/** `together`: everybody of an issue that owns several groups. */
function usersAfter(
  { before, additions }: { readonly before: KnownIssue; readonly additions: readonly KnownAddition[] },
  together: UserSet | null,
): IssueUsers {
  const changed = additions.find(({ users }) => users !== null)?.users ?? null
  if (changed === null) return { userCount: before.userCount, usersExact: before.usersExact }
  const users = usersOfIssueAfter(changed, together)
  return { userCount: countUsers(users), usersExact: users.isExact ? 1 : 0 }
}
