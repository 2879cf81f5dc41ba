/**
 * Events of issues within a range, remembered from page to page: counting 20,000 issues takes 80 ms, and most have not
 * changed since the last page of the same range (2 vCPU, 2026-11).
 */
import type { IssueId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { Connection } from '../connection.ts'
import { COUNT_IN_RANGE, rangeParameters } from './issue-filter.ts'

/** An issue as the list's index has it. */
export interface CountedIssue {
  readonly id: IssueId
  /** Number of events of all time. */
  readonly eventCount: number
  readonly lastSeenMs: number
}

export interface CountRange {
  readonly startMs: number
  readonly endMs: number
}

interface Known extends Omit<CountedIssue, 'id'> {
  readonly inRange: number
}

/** Lives as long as its connection. Only whole hours matter to a count, so that a range that moves on is one for an hour. */
export class CountsInRange {
  readonly #db: Connection
  /** By range, that of the last page last. */
  readonly #ranges = new Map<string, Map<IssueId, Known>>()

  constructor(db: Connection) {
    this.#db = db
  }

  /** Counts of the issues, in their order. */
  of(issues: readonly CountedIssue[], range: CountRange): readonly number[] {
    const { startHour, endHour } = rangeParameters(range)
    const name = `${startHour}-${endHour}`
    const known = this.#ranges.get(name) ?? new Map<IssueId, Known>()
    this.#ranges.delete(name)
    this.#ranges.set(name, known)
    this.#count(
      issues.filter((issue) => !isSameIssue(known.get(issue.id), issue)),
      { range, known },
    )
    const counts = issues.map(({ id }) => known.get(id)?.inRange ?? 0)
    this.#forgetOldest()
    return counts
  }

  #count(
    issues: readonly CountedIssue[],
    { range, known }: { readonly range: CountRange; readonly known: Map<IssueId, Known> },
  ): void {
    if (issues.length === 0) return
    const sql = `SELECT i.id, ${COUNT_IN_RANGE} AS inRange FROM issues i WHERE i.id IN (SELECT value FROM json_each(:ids))`
    const rows = this.#db.all<{ id: IssueId; inRange: number }>(sql, {
      ids: JSON.stringify(issues.map(({ id }) => id)),
      ...rangeParameters(range),
    })
    const counts = new Map(rows.map(({ id, inRange }) => [id, inRange]))
    for (const { id, eventCount, lastSeenMs } of issues) {
      known.set(id, { eventCount, lastSeenMs, inRange: counts.get(id) ?? 0 })
    }
  }

  #forgetOldest(): void {
    let size = 0
    for (const known of this.#ranges.values()) size += known.size
    for (const [name, known] of this.#ranges) {
      if (size <= max('issueCountsRememberedMax')) return
      this.#ranges.delete(name)
      size -= known.size
    }
  }
}

/** Every event changes both, and so does what is merged into an issue or taken out of it. */
function isSameIssue(known: Known | undefined, issue: CountedIssue): boolean {
  return known?.eventCount === issue.eventCount && known.lastSeenMs === issue.lastSeenMs
}
