/** Answers about events. */
import * as v from 'valibot'
import { CATEGORIES } from '#model/recognised.ts'
import { AUTHOR, COMMIT } from './release.ts'
import {
  anyObject,
  anything,
  digits,
  empty,
  flag,
  maybe,
  named,
  numberOrNull,
  text,
  textOrNull,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
} from './words.ts'

const TAGS = v.array(v.object({ key: text, value: text }))
const PERSON = { id: textOrNull, email: textOrNull, username: textOrNull, ip_address: textOrNull }

/** Row of an event list: the columns' values. */
export const EVENT_ROW = named(
  'EventRow',
  v.object({
    ...{ id: text, eventID: text, groupID: digits, projectID: digits, 'event.type': text, title: text },
    ...{ message: text, culprit: text, location: v.null(), platform: text, dist: textOrNull },
    ...{ user: v.nullable(v.object(PERSON)), tags: TAGS, dateCreated: time, dateReceived: time },
    crashFile: v.null(),
  }),
)

/** `context`: pairs of line number and text. */
const FRAME = named(
  'Frame',
  v.object({
    ...{ filename: textOrNull, absPath: textOrNull, module: textOrNull, package: textOrNull },
    ...{ platform: textOrNull, instructionAddr: textOrNull, symbolAddr: v.null(), function: textOrNull },
    ...{ rawFunction: textOrNull, symbol: v.null(), context: v.array(v.tuple([whole, text])) },
    ...{ lineNo: wholeOrNull, colNo: wholeOrNull, inApp: flag, trust: v.null(), errors: v.null() },
    ...{ lock: v.null(), vars: v.nullable(anyObject) },
    data: v.nullable(
      v.object({
        symbolicated: flag,
        ...{ resolved_with: anything, sourcemap: anything, unresolved: anything },
      }),
    ),
  }),
)
const STACKTRACE = named(
  'Stacktrace',
  v.object({
    frames: v.array(FRAME),
    framesOmitted: v.nullable(v.tuple([whole, whole])),
    ...{ registers: v.null(), hasSystemFrames: flag },
  }),
)
const STACKS = { stacktrace: v.nullable(STACKTRACE), rawStacktrace: v.nullable(STACKTRACE) }
const thread = v.nullable(v.union([text, v.number()]))

/** By `type`; an event has those it has something for. */
const ENTRY = named(
  'Entry',
  v.variant('type', [
    v.object({
      type: v.literal('exception'),
      data: v.object({
        values: v.array(
          v.object({
            ...{ type: textOrNull, value: textOrNull, module: textOrNull, threadId: thread },
            ...{ mechanism: v.nullable(anyObject), ...STACKS },
          }),
        ),
        ...{ hasSystemFrames: flag, excOmitted: v.null() },
      }),
    }),
    v.object({ type: v.literal('stacktrace'), data: STACKTRACE }),
    v.object({
      type: v.literal('threads'),
      data: v.object({
        values: v.array(
          v.object({
            ...{ id: thread, name: textOrNull, crashed: v.nullable(flag), current: v.nullable(flag) },
            ...{ main: v.nullable(flag), state: textOrNull, ...STACKS },
          }),
        ),
      }),
    }),
    v.object({
      type: v.literal('message'),
      data: v.object({ formatted: text, message: textOrNull, params: anything }),
    }),
    v.object({
      type: v.literal('breadcrumbs'),
      data: v.object({
        values: v.array(
          v.object({
            ...{ type: text, category: textOrNull, level: text, message: textOrNull, data: anything },
            ...{ timestamp: timeOrNull, event_id: v.null() },
          }),
        ),
      }),
    }),
    v.object({
      type: v.literal('request'),
      data: v.object({
        ...{ url: textOrNull, method: textOrNull, query: anything, fragment: textOrNull },
        ...{ headers: anything, cookies: anything, data: anything, env: anything },
        ...{ inferredContentType: textOrNull, apiTarget: v.null() },
      }),
    }),
    v.object({ type: v.literal('debugmeta'), data: anything }),
  ]),
)

/** `groupID` is the issue that the event belongs to now, after merging and folding. */
export const EVENT = named(
  'Event',
  v.object({
    ...{ id: text, eventID: text, groupID: digits, projectID: digits, type: text, title: text },
    ...{ message: text, culprit: text, location: textOrNull, platform: text, dist: textOrNull },
    ...{ dateCreated: time, dateReceived: time, size: v.null() },
    user: v.nullable(v.object({ ...PERSON, name: textOrNull, geo: anything, data: anything })),
    ...{ tags: TAGS, entries: v.array(ENTRY), contexts: anyObject, context: anyObject, packages: anyObject },
    sdk: v.nullable(v.object({ name: maybe(anything), version: maybe(anything) })),
    release: v.nullable(v.object({ version: text })),
    fingerprints: v.array(text),
    metadata: v.object({
      ...{ title: maybe(text), type: maybe(text), value: maybe(text), filename: maybe(text) },
      function: maybe(text),
    }),
    errors: v.array(v.object({ type: text, message: text, data: anyObject })),
    digests: v.array(text),
    errata: v.object({
      category: v.picklist(CATEGORIES),
      hydration: maybe(anyObject),
      action: maybe(text),
    }),
    ...{ requestKind: text, nextEventID: textOrNull, previousEventID: textOrNull, crashFile: v.null() },
    _meta: anyObject,
  }),
)

/** Transaction with its spans; it belongs to no issue. */
export const TRANSACTION = named(
  'Transaction',
  v.object({
    ...{ id: text, eventID: text, groupID: v.null(), projectID: digits, type: v.literal('transaction') },
    ...{ title: text, message: text, culprit: text, location: text, platform: text, dist: textOrNull },
    ...{ dateCreated: time, dateReceived: time, size: v.null() },
    ...{ startTimestamp: v.number(), endTimestamp: v.number() },
    ...{ user: v.nullable(v.object(PERSON)), tags: TAGS },
    entries: v.array(v.object({ type: v.literal('spans'), data: v.array(anyObject) })),
    ...{ contexts: anyObject, context: anyObject, packages: anyObject },
    sdk: v.nullable(v.object({ name: text, version: maybe(text) })),
    release: v.nullable(v.object({ version: text })),
    ...{ fingerprints: v.array(text), metadata: v.object({ title: text, location: text }) },
    ...{ errors: v.array(anything), digests: v.array(text), requestKind: text },
    ...{ nextEventID: v.null(), previousEventID: v.null(), crashFile: v.null(), _meta: anyObject },
  }),
)

/** Authors whose commits an error may come from, likeliest first. */
export const COMMITTERS = v.object({
  committers: v.array(v.object({ author: v.nullable(AUTHOR), commits: v.array(COMMIT) })),
})

/** Event in the SDK's own spelling, with whatever it sent. */
export const STORED_EVENT = named('StoredEvent', v.record(v.string(), v.unknown()))

export const EVENT_PLACE = v.object({
  ...{ organizationSlug: text, projectSlug: text, groupId: digits, eventId: text, event: EVENT },
})

/** Groups of an issue, each with its newest event. */
export const HASHES = v.array(
  v.object({
    id: text,
    latestEvent: v.nullable(EVENT_ROW),
    errata: maybe(
      v.object({
        ...{ title: text, culprit: text, project: text, isMirror: flag, count: digits, userCount: whole },
        ...{ firstSeen: time, lastSeen: time },
      }),
    ),
  }),
)

const SPAN_FIELDS = {
  ...{ event_type: v.literal('span'), event_id: text, span_id: text, parent_span_id: textOrNull },
  ...{ project_id: whole, project_slug: text, is_transaction: flag, op: text, name: text },
  ...{ description: text, status: text, origin: textOrNull, start_timestamp: v.number() },
  ...{ timestamp: v.number(), end_timestamp: v.number(), duration: v.number(), data: anyObject },
  ...{ links: v.array(anyObject), transaction: textOrNull },
  errata: maybe(
    v.object({
      ...{ kind: text, route: textOrNull, end: textOrNull, action: textOrNull, httpStatus: wholeOrNull },
      sampledOut: flag,
    }),
  ),
  ...{ release: maybe(textOrNull), environment: maybe(textOrNull), sdk_name: maybe(textOrNull) },
  measurements: maybe(v.record(text, v.number())),
  ...{ transaction_id: text, occurrences: v.pipe(v.array(v.unknown()), v.maxLength(0)) },
}
const TRACE_ERROR = named(
  'TraceError',
  v.object({
    ...{ event_type: v.literal('error'), event_id: text, issue_id: whole, short_id: text },
    ...{ project_id: whole, project_slug: text, title: text, message: text, level: text },
    ...{ is_mirror: flag, span_id: textOrNull, start_timestamp: v.number(), timestamp: v.number() },
  }),
)
/** With its children below it. */
const TRACE_SPAN: v.GenericSchema = named(
  'TraceSpan',
  v.object({ ...SPAN_FIELDS, children: v.array(v.lazy(() => TRACE_SPAN)), errors: v.array(TRACE_ERROR) }),
)
/** Logs and issues of performance are none here. */
export const TRACE_META = v.object({
  ...{ logs: whole, errors: whole, performance_issues: whole, span_count: whole },
  transaction_child_count_map: v.array(v.object({ 'transaction.event_id': text, 'count()': whole })),
  span_count_map: v.record(text, whole),
})
export const TRACE = v.array(v.union([TRACE_SPAN, TRACE_ERROR]))

export const PROJECT_TAG = named(
  'ProjectTag',
  v.object({ key: text, name: text, totalValues: whole, canDelete: flag }),
)
/** When it was first and last seen is known by issue alone. */
export const PROJECT_TAG_VALUE = named(
  'ProjectTagValue',
  v.object({ key: text, name: text, value: text, count: whole, firstSeen: v.null(), lastSeen: v.null() }),
)
/** Person under one of their names. */
export const PROJECT_USER = named(
  'ProjectUser',
  v.object({
    ...{ id: text, tagValue: text, hash: text, identifier: textOrNull, username: textOrNull },
    ...{
      email: textOrNull,
      ipAddress: textOrNull,
      name: textOrNull,
      avatarUrl: v.null(),
      dateCreated: v.null(),
    },
  }),
)

const VALIDATED = v.object({ name: text, valid: flag, attrType: v.null(), error: textOrNull })
export const EVENTS_VALIDATION = v.object({
  ...{ valid: flag, projects: empty, environment: empty, field: v.array(VALIDATED) },
  dataset: v.array(v.object({ name: text, valid: flag, error: textOrNull })),
  query: v.object({ valid: flag, error: textOrNull, fields: empty }),
  orderby: v.array(VALIDATED),
})

const POINTS = v.array(v.tuple([whole, v.array(v.object({ count: numberOrNull }))]))
/** By what is counted, by the value that it is kept apart by, or both; of one thing it stands for itself. */
export const EVENTS_STATS = named(
  'EventsStats',
  v.union([
    v.object({
      ...{ data: POINTS, start: whole, end: whole, order: whole, isMetricsData: flag },
      meta: v.object({ fields: v.record(text, text), units: v.record(text, v.null()) }),
    }),
    v.record(text, v.unknown()),
  ]),
)
export const EVENTS_TIMESERIES = named(
  'EventsTimeSeries',
  v.object({
    meta: v.object({ dataset: text, start: whole, end: whole }),
    timeSeries: v.array(
      v.object({
        yAxis: text,
        groupBy: maybe(
          v.array(v.object({ key: text, value: v.nullable(v.union([text, v.number(), flag])) })),
        ),
        values: v.array(v.object({ timestamp: whole, value: numberOrNull, incomplete: flag })),
        meta: v.object({
          valueType: text,
          valueUnit: v.null(),
          interval: whole,
          isOther: flag,
          order: whole,
        }),
      }),
    ),
  }),
)
