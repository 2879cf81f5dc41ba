/** Requests that events say have failed: handed to the figures of requests, whose spans may not know. */
import { projectId } from '#base/ids.ts'
import { REQUEST_KINDS } from '#model/event.ts'
import type { FailureSeen } from '#ports/requests.ts'
import { eventIdAt } from '../row-columns.ts'
import { type EventColumns, FLAGS, textAt } from './sum.ts'

export function serverFailures(columns: EventColumns, places: readonly number[]): readonly FailureSeen[] {
  const failures: FailureSeen[] = []
  for (const place of places) {
    if (((columns.flags[place] ?? 0) & FLAGS.isServerFailure) === 0) continue
    const traceId = textAt(columns, columns.trace[place])
    const route = textAt(columns, columns.route[place])
    const kind = textAt(columns, columns.kind[place])
    const known = REQUEST_KINDS.find((one) => one === kind)
    if (traceId === null || route === null || known === undefined) continue
    failures.push({
      ...{ projectId: projectId(columns.projectId[place] ?? 0), eventId: eventIdAt(columns, place) },
      ...{ traceId, route, kind: known },
      ...{ atMs: columns.timestampMs[place] ?? 0, receivedMs: columns.receivedMs[place] ?? 0 },
    })
  }
  return failures
}
