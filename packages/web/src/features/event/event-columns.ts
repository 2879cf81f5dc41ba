/** Columns that tell the events of a page apart, and values that all of them share. Pure. */
import type { EventTable } from '@errata/server/queries'
import { REQUEST_KINDS } from '#parts/request-kinds.ts'

type EventRow = EventTable['rows'][number]

export interface EventRowsData {
  readonly columns: readonly string[]
  readonly rows: readonly {
    readonly eventId: string
    readonly timestampMs: number
    /** The browser's side of a failure on the server. */
    readonly isMirror: boolean
    /** Cells, one for each column. */
    readonly cells: readonly (string | null)[]
  }[]
  /** Names and values that every row of the page has. */
  readonly same: readonly (readonly [name: string, value: string])[]
}

const COLUMNS: readonly (readonly [name: string, of: (row: EventRow) => string | null])[] = [
  ['Title', ({ title }) => title],
  ['Kind', ({ requestKind }) => REQUEST_KINDS[requestKind]?.label ?? null],
  ['Release', ({ release }) => release],
  ['Environment', ({ environment }) => environment],
  ['User', ({ user }) => user],
  ['Browser', ({ browser }) => browser],
  ['URL', ({ url }) => url],
  ['Server', ({ serverName }) => serverName],
  ['Transaction', ({ transaction }) => transaction],
]
/** Columns of a page with one row. */
const OF_ONE: ReadonlySet<string> = new Set(['Release', 'Environment', 'User'])

export function eventRows(rows: readonly EventRow[]): EventRowsData {
  const differs = ([name, of]: (typeof COLUMNS)[number]) =>
    rows.length === 1 ? OF_ONE.has(name) : new Set(rows.map(of)).size > 1
  const columns = COLUMNS.filter(differs)
  const [first] = rows
  const same = COLUMNS.filter((column) => column[0] !== 'Title' && !differs(column)).flatMap(([name, of]) => {
    const value = first === undefined ? null : of(first)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    columns: columns.map(([name]) => name),
    rows: rows.map((row) => ({
      eventId: row.eventId,
      timestampMs: row.timestampMs,
      isMirror: row.isMirror,
      cells: columns.map(([, of]) => of(row)),
    })),
    same,
  }
}
