/** Hours that are days ago become one row a day: a table of routes over a month reads thirty times less. */
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { Sketch } from '#requests/sketch.ts'
import type { Connection } from '../connection.ts'

const DAY_HOURS = 24
/** Joined with one batch: a millisecond or two. */
const JOINED_MAX = 20

export function joinHours(db: Connection, nowMs: number): void {
  const hour = Math.floor(nowMs / HOUR_MS) - max('requestHoursKept')
  const before = Math.floor(hour / DAY_HOURS) * DAY_HOURS
  joinRequests(db, before)
  joinVitals(db, before)
}

interface Due {
  readonly series: number
  readonly day: number
}

function joinRequests(db: Connection, before: number): void {
  // request_sums_by_age
  const due = db.all<Due>(
    `SELECT DISTINCT series_id AS series, hour / ${DAY_HOURS} AS day FROM request_sums
      WHERE hours = 1 AND hour < ? LIMIT ${JOINED_MAX}`,
    [before],
  )
  for (const { series, day } of due) {
    const range = { series, start: day * DAY_HOURS, end: (day + 1) * DAY_HOURS }
    const where = 'WHERE series_id = :series AND hour >= :start AND hour < :end'
    const sketch = joined(db.all<{ sketch: Uint8Array }>(`SELECT sketch FROM request_sums ${where}`, range))
    const sums = db.get<Record<string, number>>(
      `SELECT sum(count) AS count, sum(seen) AS seen, sum(failed) AS failed, sum(failed_behind_200) AS behind,
        sum(aborted) AS aborted, sum(total_ms) AS total FROM request_sums ${where}`,
      range,
    )
    db.run(`DELETE FROM request_sums ${where}`, range)
    db.run(
      `INSERT INTO request_sums
          (series_id, hour, hours, count, seen, failed, failed_behind_200, aborted, total_ms, sketch)
        VALUES (:series, :start, ${DAY_HOURS}, :count, :seen, :failed, :behind, :aborted, :total, :sketch)`,
      { series, start: range.start, ...sums, sketch },
    )
  }
}

function joinVitals(db: Connection, before: number): void {
  // vital_sums_by_age
  const due = db.all<Due & { readonly vital: string }>(
    `SELECT DISTINCT series_id AS series, vital, hour / ${DAY_HOURS} AS day FROM vital_sums
      WHERE hours = 1 AND hour < ? LIMIT ${JOINED_MAX}`,
    [before],
  )
  for (const { series, vital, day } of due) {
    const range = { series, vital, start: day * DAY_HOURS, end: (day + 1) * DAY_HOURS }
    const where = 'WHERE series_id = :series AND vital = :vital AND hour >= :start AND hour < :end'
    const sketch = joined(db.all<{ sketch: Uint8Array }>(`SELECT sketch FROM vital_sums ${where}`, range))
    const sums = db.get<Record<string, number>>(
      `SELECT sum(count) AS count, sum(good) AS good, sum(poor) AS poor FROM vital_sums ${where}`,
      range,
    )
    db.run(`DELETE FROM vital_sums ${where}`, range)
    db.run(
      `INSERT INTO vital_sums (series_id, vital, hour, hours, count, good, poor, sketch)
        VALUES (:series, :vital, :start, ${DAY_HOURS}, :count, :good, :poor, :sketch)`,
      { series, vital, start: range.start, ...sums, sketch },
    )
  }
}

function joined(rows: readonly { readonly sketch: Uint8Array }[]): Uint8Array {
  const sketch = new Sketch()
  for (const row of rows) sketch.merge(row.sketch)
  return sketch.toBytes()
}
