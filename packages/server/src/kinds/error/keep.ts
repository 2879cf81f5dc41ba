/**
 * Decides which payloads of events are kept: new issues are bounded within an hour, and so are the payloads
 * of one issue.
 */
import { projectId } from '#base/ids.ts'
import { isObject } from '#base/json.ts'
import { REQUEST_KINDS } from '#model/event.ts'
import type { AskedError, ControlCommit } from '#ports/ingest.ts'
import type { FailureSeen } from '#ports/requests.ts'
import type { KindKeep } from '../kind.ts'
import { parseJson } from '../lenient-json.ts'
import { eventIdAt } from '../row-columns.ts'
import { CappedGroups, PayloadSampler } from './capped-groups.ts'
import { ERROR, ERROR_CATEGORY, type EventRow } from './fields.ts'
import { gatherIssues } from './gathered-issues.ts'
import { groupDeltas } from './group-deltas.ts'
import { askWindows, capPayloads } from './payload-caps.ts'
import { staleApart } from './stale-apart.ts'
import { staleClicks } from './stale-clicks.ts'
import { type EventColumns, type EventOwn, type EventSums, eventColumns, FLAGS, textAt } from './sum.ts'

export const eventKeep: KindKeep<EventRow, EventOwn, EventSums> = {
  thinner: () => new PayloadSampler(),
  hints: () => new CappedGroups(),
  repeats: (part, places, control) => repeatedErrors(eventColumns(part), places, control),
  async settle(arrived, places, { control, encoding, newIssuesMax }) {
    const apart = await staleApart(arrived, places, { control, encoding })
    const before = await askWindows(control, eventColumns(apart), places)
    const part = gatherIssues(apart, places, { windows: before, newIssuesMax, encoding })
    const columns = eventColumns(part)
    const windows = part === apart ? before : await askWindows(control, columns, places)
    const { bare, capped } = capPayloads(columns, places, windows)
    const groups = groupDeltas(columns, places, bare)
    const failures = serverFailures(columns, places)
    const stale = staleClicks(columns, places)
    return {
      part,
      bare,
      control:
        groups.length === 0
          ? null
          : { type: 'groups', kind: ERROR, category: ERROR_CATEGORY, groups, failures, stale },
      hint: capped.length === 0 ? null : capped,
    }
  },
  holds(payload, row) {
    const event = parseJson(Buffer.from(payload).toString('utf8'))
    return isObject(event) && event.event_id === row.eventId
  },
}

/**
 * Returns the places of exceptions on spans of OpenTelemetry that a Sentry SDK of the same app told of as well; nothing is
 * asked for a part without such exceptions.
 */
async function repeatedErrors(
  columns: EventColumns,
  places: readonly number[],
  control: Pick<ControlCommit, 'toldErrors'>,
): Promise<ReadonlySet<number>> {
  const asked = places.flatMap((place) => {
    const one = askedError(columns, place)
    return one === null ? [] : [{ place, one }]
  })
  if (asked.length === 0) return new Set()
  const told = await control.toldErrors(asked.map(({ one }) => one))
  return new Set(asked.filter((_, at) => told[at] === true).map(({ place }) => place))
}

function askedError(columns: EventColumns, place: number): AskedError | null {
  if (((columns.flags[place] ?? 0) & FLAGS.isOfSpan) === 0) return null
  const traceId = textAt(columns, columns.trace[place])
  const group = columns.groups[columns.group[place] ?? 0]
  if (traceId === null || group === undefined) return null
  // As the group's newest event says it: of others of one batch the values may differ.
  const { type, value }: { readonly type: string; readonly value: string } = JSON.parse(group.facts)
  return { projectId: projectId(columns.projectId[place] ?? 0), traceId, type, value }
}

/** Returns requests that events say have failed: handed to the figures of requests, whose spans may not know. */
function serverFailures(columns: EventColumns, places: readonly number[]): readonly FailureSeen[] {
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
