/** Events as JSON, in the camel case of Sentry's web API. */

import type { IssueId } from '#base/ids.ts'
import type { Problem, ProblemRule } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'
import type { Unresolved } from '#model/map-lookup.ts'
import type { EventView, StoredEvent } from '#queries/types.ts'
import { encodedEvent } from '#recognise/react/decode-event.ts'
import { EVENT_ROW } from '../answers/event.ts'
import { picks } from '../pick.ts'
import { entriesOf } from './entries.ts'
import { isoTimeText } from './times.ts'

type EventRow = EventView['row']

/** Shapes a row of a list from its columns. */
export const eventRowShape = picks(EVENT_ROW).from<EventRow, IssueId>({
  id: ({ eventId }) => eventId,
  eventID: ({ eventId }) => eventId,
  groupID: (_, issueId) => String(issueId),
  projectID: ({ projectId }) => String(projectId),
  'event.type': () => 'error',
  message: ({ title }) => title,
  location: () => null,
  user: userOfRow,
  tags: eventTags,
  dateCreated: ({ timestampMs }) => isoTimeText(timestampMs),
  dateReceived: ({ receivedMs }) => isoTimeText(receivedMs),
  crashFile: () => null,
})

export function eventShape(view: EventView) {
  const { row, issueId, event, problems, neighbours, digests, requestKind, readable, hydration, action } =
    view
  const metadata = metadataOf(event, row)
  return {
    id: row.eventId,
    eventID: row.eventId,
    groupID: String(issueId),
    projectID: String(row.projectId),
    type: metadata.type === undefined ? 'default' : 'error',
    title: row.title,
    message: event.logentry?.formatted ?? event.message ?? '',
    culprit: row.culprit,
    location: metadata.filename ?? null,
    platform: row.platform,
    dist: row.dist,
    dateCreated: isoTimeText(row.timestampMs),
    dateReceived: isoTimeText(row.receivedMs),
    size: null,
    user: eventUser(event),
    tags: eventTags(row),
    entries: entriesOf(event),
    contexts: event.contexts ?? {},
    context: event.extra ?? {},
    packages: event.modules ?? {},
    sdk: event.sdk === undefined ? null : { name: event.sdk.name, version: event.sdk.version },
    release: row.release === null ? null : { version: row.release },
    fingerprints: [row.groupHash],
    metadata,
    errors: [...problems.map(problemShape), ...readable.notes.map(unresolvedShape)],
    digests,
    errata: {
      category: row.category ?? 'other',
      ...(hydration === null ? {} : { hydration }),
      ...(action === null ? {} : { action }),
    },
    requestKind,
    nextEventID: neighbours.next,
    previousEventID: neighbours.previous,
    crashFile: null,
    _meta: {},
  }
}

/** The stored event in the SDK's own spelling and as it was sent: what Errata noted beside it is left out. */
export function storedShape(view: EventView): Readonly<Record<string, unknown>> {
  const { problems: _problems, scrubbedPaths: _paths, other, ...rest } = encodedEvent(view)
  return { ...other, ...rest }
}

function eventTags({ tags }: EventRow) {
  return tags.map(([key, value]) => ({ key, value }))
}

function eventUser({ user }: StoredEvent) {
  if (user === undefined) return null
  return {
    id: user.id ?? null,
    email: user.email ?? null,
    username: user.username ?? null,
    ip_address: user.ip_address ?? null,
    name: user.name ?? null,
    geo: user.geo ?? null,
    data: user.data ?? null,
  }
}

const PERSON = /^(id|email|username|ip):([\s\S]*)$/

export function userOfRow({ user }: Pick<EventRow, 'user'>) {
  const [, kind, value = null] = PERSON.exec(user ?? '') ?? []
  if (kind === undefined) return null
  const empty = { id: null, email: null, username: null, ip_address: null }
  return { ...empty, [kind === 'ip' ? 'ip_address' : kind]: value }
}

export interface EventMetadata {
  readonly title?: string
  readonly type?: string
  readonly value?: string
  readonly filename?: string
  readonly function?: string
}

/** Returns the thrown exception, and its last frame in the app's own code. */
function metadataOf(event: StoredEvent, row: EventRow): EventMetadata {
  const thrown = mainException(event)
  if (thrown === null) return { title: row.title }
  const frames = thrown.stacktrace?.frames ?? []
  const frame = frames.findLast((each) => each.in_app === true) ?? frames.at(-1)
  const filename = frame?.filename ?? frame?.abs_path
  return {
    type: thrown.type ?? 'Error',
    value: thrown.value ?? '',
    ...(filename === undefined ? {} : { filename }),
    ...(frame?.function === undefined ? {} : { function: frame.function }),
  }
}

const PROBLEMS: Readonly<Record<ProblemRule, readonly [type: string, message: string]>> = {
  invalid_type: ['invalid_data', 'Discarded invalid value'],
  invalid_value: ['invalid_data', 'Discarded invalid value'],
  too_long: ['value_too_long', 'Discarded value due to exceeding maximum length'],
  too_deep: ['invalid_data', 'Value was nested too deep'],
  too_many: ['invalid_data', 'Too many values'],
  missing: ['missing_attribute', 'Missing value for required attribute'],
  clock_drift: ['clock_drift', 'Clock drift detected in SDK'],
  past_timestamp: ['past_timestamp', 'Invalid timestamp (too old)'],
  future_timestamp: ['future_timestamp', 'Invalid timestamp (in future)'],
  unknown_level: ['invalid_data', 'Unknown level'],
  sdk_reported: ['sdk_reported', 'Reported by the SDK'],
  scrub_budget: ['invalid_data', 'Too much text to look for secrets in; the rest was filtered'],
  filters_budget: ['invalid_data', 'Message filters took too long; the rest was not applied'],
  rules_budget: ['invalid_data', 'Fingerprint rules took too long; the rest was not applied'],
}

function problemShape({ path, rule, found }: Problem) {
  const [type, message] = PROBLEMS[rule]
  return {
    type,
    message,
    data: { name: path, reason: rule, ...(found === undefined ? {} : { value: found }) },
  }
}

/** Sentry's own names where it has them: what reads them knows what they mean. */
const UNRESOLVED_TYPES: Readonly<Record<Unresolved, string>> = {
  no_debug_id_no_release: 'js_no_source',
  no_map_for_debug_id: 'js_no_source',
  no_artifact_matches: 'js_no_source',
  other_dist: 'js_no_source',
  other_project: 'js_no_source',
  map_pending: 'js_no_source',
  map_damaged: 'js_invalid_source',
  outside_map: 'js_invalid_sourcemap_location',
  no_source_in_map: 'js_missing_sources_content',
}

function unresolvedShape(note: EventView['readable']['notes'][number]) {
  const { why, title, cause, next, command, file, debugId, frames } = note
  return {
    type: UNRESOLVED_TYPES[why],
    message: title,
    data: { url: file, unresolved: why, reason: cause, next, command, debugId, frames },
  }
}
