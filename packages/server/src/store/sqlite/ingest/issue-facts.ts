/** Titles of issues and counts of the people they have met, as their rows say it. */
import type { IssueId } from '#base/ids.ts'
import { type GroupUsers, usersOf } from '#issues/group-users.ts'
import type { Sums } from '#issues/issue-sums.ts'
import { countUsers, type UserSet } from '#issues/user-set.ts'
import type { StoredFacts } from '#ports/ingest.ts'
import type { IssueState } from '#ports/issue-rows.ts'
import type { Connection } from '../connection.ts'
import { IssueTexts } from '../rows/issue-texts.ts'
import { readUsersOf, type SumsRow, sumsParams } from './group-rows.ts'
import type { FactsParams } from './known-issues.ts'

export const UPDATE_FACTS = `UPDATE issues SET level = :level, own_title = :title, type = :type, value = :value,
    filename = :filename, function = :function, culprit = :culprit, platform = :platform, logger = :logger,
    handled = :handled, category = :category
  WHERE id = :id`

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
export function ownTitle({ title, type, value }: StoredFacts): string {
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

export function factsParams(facts: StoredFacts): FactsParams {
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
