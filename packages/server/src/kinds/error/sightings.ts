/** Events of a group by which a server's failure and its mirrors in browsers find each other. */
import { max } from '#limits/limits.ts'
import { REQUEST_KINDS } from '#model/event.ts'
import type { Sighting } from '#ports/ingest.ts'
import { eventIdAt } from '../row-columns.ts'
import { type EventColumns, FLAGS, textAt } from './sum.ts'

const MIRRORS_MAX = max('mirrorSightingsMax')

/** Returns sightings: for a server the first of each trace; for mirrors no more than are kept. */
export function sightingsOf(columns: EventColumns, places: readonly number[]): readonly Sighting[] {
  const sightings: Sighting[] = []
  const traces = new Set<number>()
  let mirrors = 0
  for (const place of places) {
    const flags = columns.flags[place] ?? 0
    const trace = columns.trace[place] ?? 0
    const isMirror = (flags & FLAGS.isMirror) !== 0
    const isRemembered = (flags & (FLAGS.isMirrored | FLAGS.isOfJob)) !== 0
    if (isMirror ? mirrors++ >= MIRRORS_MAX : !isRemembered) continue
    if (!isMirror && trace !== 0 && traces.has(trace)) continue
    traces.add(trace)
    const isFetch = (flags & FLAGS.isFetch) !== 0
    const isOfJob = (flags & FLAGS.isOfJob) !== 0
    // No page shows what fails in a job, nor what a server sends as it is.
    const kind = isOfJob ? 'static' : isFetch ? 'other' : textAt(columns, columns.kind[place])
    sightings.push({
      eventId: eventIdAt(columns, place),
      traceId: textAt(columns, trace),
      route: isOfJob ? null : textAt(columns, columns.route[place]),
      kind: REQUEST_KINDS.find((one) => one === kind) ?? 'other',
      isHandled: (flags & FLAGS.isHandled) !== 0,
      ...((flags & FLAGS.isOfSpan) === 0 ? {} : { isOfSpan: true }),
      atMs: Math.floor(columns.timestampMs[place] ?? 0),
      receivedMs: columns.receivedMs[place] ?? 0,
    })
  }
  return sightings
}
