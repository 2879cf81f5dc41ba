/** An issue that becomes part of another, which takes over what is kept of it. */
import type { IssueId } from '#base/ids.ts'
import type { Connection } from '../connection.ts'

export interface IssueMove {
  readonly from: IssueId
  readonly into: IssueId
}

/** Runs `UPDATE …` with the issue that takes over, then the one that goes. */
export function moveRows(db: Connection, sql: string, moves: readonly IssueMove[]): void {
  db.runEach(
    sql,
    moves.map(({ from, into }) => [into, from]),
  )
}
