/**
 * Changes of the control store: a transaction is a function that runs where the connection is, over rows by
 * sets. What is said of a table is in `model/tables`.
 */
import type { NewRow, Table, TableRow } from '#model/tables/table.ts'
import type { AccountRows } from './account-rows.ts'
import type { AlertRows } from './alert-rows.ts'
import type { IssueRows } from './issue-rows.ts'
import type { ProjectRows } from './project-rows.ts'
import type { ReleaseRows } from './release-rows.ts'

export interface Control {
  /**
   * Runs a transaction in its turn: nobody else reads or writes on the connection until `work` has settled, whatever it waits
   * for. What throws undoes all of it. Work may not ask for another turn, and ends when `controlTurnMs` have passed.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Only of use until its transaction ends: each call throws afterwards. */
export interface Tx {
  rows<T extends Table>(table: T): Rows<T>
  readonly issues: IssueRows
  readonly projects: ProjectRows
  readonly accounts: AccountRows
  readonly alerts: AlertRows
  readonly releases: ReleaseRows
}

/** Rows of a table. Each call is one statement, however many rows it is given; none at all for no rows. */
export interface Rows<T extends Table> {
  /**
   * Finds rows in the order of the key, at most `limit`. What is asked for is the beginning of the key, or of
   * an index.
   */
  find(where: Where<T>, limit: number): Promise<readonly TableRow<T>[]>
  /** Finds the one row there can be, as `find` does. */
  one(where: Where<T>): Promise<TableRow<T> | null>
  count(where: Where<T>): Promise<number>
  /** Answers the ids that they got, in their order; of a table that gives none, nothing. All rows say the same columns. */
  insert(rows: readonly NewRow<T>[]): Promise<readonly number[]>
  /** Inserts rows; those of one key become one, as each column says. */
  merge(rows: readonly NewRow<T>[]): Promise<void>
  /** Sets what each says beside its key; all say the same columns. Answers how many rows there were. */
  update(rows: readonly Change<T>[]): Promise<number>
  /** Sets the same of all that are found. Answers how many there were. */
  change(where: Where<T>, to: Change<T>): Promise<number>
  /** Answers how many there were. */
  remove(where: Where<T>): Promise<number>
}

/** Columns and what they hold: a value, `null`, or any of a list. All of them hold. */
export type Where<T> = {
  readonly [K in keyof TableRow<T>]?: TableRow<T>[K] | readonly Exclude<TableRow<T>[K], null>[]
}

/** The columns of the key, and those that change. */
export type Change<T> = { readonly [K in keyof TableRow<T>]?: TableRow<T>[K] }
