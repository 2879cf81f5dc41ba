/** Events by an id that their app showed on its page. */

import { readEventId } from '#base/ids.ts'
import { SHOWN_ID } from '#kinds/error/details.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { max } from '#limits/limits.ts'
import { readShownId } from '#model/shown-id.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventReads, TelemetryStore } from '#ports/telemetry.ts'
import type { FindEvent } from './find-event.ts'

export interface ShownEventParts {
  readonly telemetry: Pick<EventReads<EventRow>, 'events'> & Pick<TelemetryStore, 'files'>
}

const EVENTS_MAX = max('shownIdEventsMax')
/** A server's failure, and what browsers say of it. */
const GROUPS_MAX = 3

/**
 * The newest event of each group that has the id, the server's before its echoes; none where so many have it that it is
 * no id of an error.
 */
export async function shownEvents(
  { telemetry }: ShownEventParts,
  scope: ReadScope,
  id: string,
): Promise<readonly EventRow[]> {
  const files = (await telemetry.files()).filter(({ kind }) => kind === ERROR)
  const details = [{ key: SHOWN_ID, value: id, negated: false }]
  const { rows } = await telemetry.events(
    scope,
    { groups: null, files, details },
    { limit: EVENTS_MAX + 1, cursor: null },
  )
  if (rows.length > EVENTS_MAX) return []
  const newest = new Map<string, EventRow>()
  for (const row of rows) {
    const group = `${row.projectId} ${row.groupHash}`
    if (!newest.has(group)) newest.set(group, row)
  }
  if (newest.size > GROUPS_MAX) return []
  return [...newest.values()].sort((one, other) => Number(one.isMirror) - Number(other.isMirror))
}

/** The event of this id, or the one that an app gave it to show. */
export async function eventNamed(
  { findEvent, ...parts }: ShownEventParts & { readonly findEvent: FindEvent },
  scope: ReadScope,
  text: string,
): Promise<EventRow | null> {
  const own = readEventId(text)
  const row = own === null ? null : await findEvent(scope, own)
  const shown = row === null ? readShownId(text) : null
  return shown === null ? row : ((await shownEvents(parts, scope, shown))[0] ?? null)
}
