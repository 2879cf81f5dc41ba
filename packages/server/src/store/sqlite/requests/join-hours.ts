/** Hours that are days ago become one row a day: a table of routes over a month reads thirty times less. */
import { firstHourKept } from '#requests/kept-hours.ts'
import { DurationSketch } from '#requests/sketch.ts'
import type { Connection, SqlValue } from '../connection.ts'

const DAY_HOURS = 24
/** Joined with one batch: a millisecond or two. */
const JOINED_MAX = 20

interface Sums {
  readonly table: string
  /** Columns of a row beside its hour. */
  readonly keys: readonly string[]
  readonly counts: readonly string[]
  readonly sketches: readonly string[]
}

const REQUEST_COUNTS = ['count', 'seen', 'failed', 'failed_behind_200', 'aborted', 'total_ms']
// Of failed requests there is none while none failed.
const REQUEST_SKETCHES = ['sketch', 'failed_sketch']
// By the indices request_sums_by_age, action_sums_by_age and vital_sums_by_age.
const TABLES: readonly Sums[] = [
  { table: 'request_sums', keys: ['series_id'], counts: REQUEST_COUNTS, sketches: REQUEST_SKETCHES },
  { table: 'action_sums', keys: ['series_id'], counts: REQUEST_COUNTS, sketches: REQUEST_SKETCHES },
  {
    table: 'vital_sums',
    keys: ['series_id', 'vital'],
    counts: ['count', 'good', 'poor'],
    sketches: ['sketch'],
  },
]

/** Adds the hours of days that it joined to `changed`. */
export function joinHours(db: Connection, nowMs: number, changed: Set<number>): void {
  const before = firstHourKept(nowMs)
  for (const sums of TABLES) {
    for (const start of joinDays(db, sums, before))
      for (let hour = start; hour < start + DAY_HOURS; hour++) changed.add(hour)
  }
}

/** Answers their first hours. */
function joinDays(db: Connection, sums: Sums, before: number): readonly number[] {
  const due = db.all<Readonly<Record<string, SqlValue>> & { readonly day: number }>(
    `SELECT DISTINCT ${sums.keys.join(', ')}, hour / ${DAY_HOURS} AS day FROM ${sums.table}
      WHERE hours = 1 AND hour < ? LIMIT ${JOINED_MAX}`,
    [before],
  )
  for (const { day, ...keys } of due) joinDay(db, sums, { keys, start: day * DAY_HOURS })
  return due.map(({ day }) => day * DAY_HOURS)
}

function joinDay(
  db: Connection,
  { table, keys: names, counts, sketches: sketchNames }: Sums,
  { keys, start }: { readonly keys: Readonly<Record<string, SqlValue>>; readonly start: number },
): void {
  const range = { ...keys, start, end: start + DAY_HOURS }
  const where = `WHERE ${names.map((name) => `${name} = :${name} AND `).join('')}hour >= :start AND hour < :end`
  type Kept = Readonly<Record<string, Uint8Array | null>>
  const kept = db.all<Kept>(`SELECT ${sketchNames.join(', ')} FROM ${table} ${where}`, range)
  const sketches = Object.fromEntries(
    sketchNames.map((name) => [name, joinSketches(kept.map((row) => row[name]))]),
  )
  const summed = counts.map((name) => `sum(${name}) AS ${name}`).join(', ')
  const sums = db.get<Readonly<Record<string, number>>>(`SELECT ${summed} FROM ${table} ${where}`, range)
  db.run(`DELETE FROM ${table} ${where}`, range)
  db.run(
    `INSERT INTO ${table} (${[...names, 'hour', 'hours', ...counts, ...sketchNames].join(', ')})
      VALUES (${[...names, 'start'].map((name) => `:${name}`).join(', ')}, ${DAY_HOURS},
        ${[...counts, ...sketchNames].map((name) => `:${name}`).join(', ')})`,
    { ...keys, start, ...sums, ...sketches },
  )
}

function joinSketches(kept: readonly (Uint8Array | null | undefined)[]): Uint8Array | null {
  const sketch = new DurationSketch()
  const parts = kept.filter((bytes) => bytes != null)
  for (const bytes of parts) sketch.merge(bytes)
  return parts.length === 0 ? null : sketch.toBytes()
}
