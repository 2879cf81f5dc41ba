/**
 * Decides which payloads of events are kept: new issues are bounded within an hour, and so are the payloads
 * of one issue.
 */
import { isObject } from '#base/json.ts'
import type { KindKeep } from '../kind.ts'
import { parseJson } from '../lenient-json.ts'
import { CappedGroups, PayloadSampler } from './capped-groups.ts'
import { ERROR, ERROR_CATEGORY, type EventRow } from './fields.ts'
import { gatherIssues } from './gathered-issues.ts'
import { groupDeltas } from './group-deltas.ts'
import { askWindows, capPayloads } from './payload-caps.ts'
import { repeatedErrors } from './repeated-errors.ts'
import { serverFailures } from './server-failures.ts'
import { staleApart } from './stale-apart.ts'
import { staleClicks } from './stale-clicks.ts'
import { type EventOwn, type EventSums, eventColumns } from './sum.ts'

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
