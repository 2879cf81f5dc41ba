/** Answers about events. */
import * as v from 'valibot'
import { CATEGORIES } from '#model/recognised.ts'
import { AUTHOR, COMMIT } from './release.ts'
import {
  anyObject,
  anything,
  digits,
  empty,
  flagSchema,
  namedSchema,
  numberOrNull,
  optionalSchema,
  textOrNull,
  textSchema,
  timeOrNullSchema,
  timeSchema,
  wholeOrNull,
  wholeSchema,
} from './words.ts'

const TAGS = v.array(v.object({ key: textSchema, value: textSchema }))
const PERSON = { id: textOrNull, email: textOrNull, username: textOrNull, ip_address: textOrNull }

/** Row of an event list: the columns' values. */
export const EVENT_ROW = namedSchema(
  'EventRow',
  v.object({
    ...{
      id: textSchema,
      eventID: textSchema,
      groupID: digits,
      projectID: digits,
      'event.type': textSchema,
      title: textSchema,
    },
    ...{
      message: textSchema,
      culprit: textSchema,
      location: v.null(),
      platform: textSchema,
      dist: textOrNull,
    },
    ...{ user: v.nullable(v.object(PERSON)), tags: TAGS, dateCreated: timeSchema, dateReceived: timeSchema },
    crashFile: v.null(),
  }),
)

/** `context`: pairs of line number and text. */
const FRAME = namedSchema(
  'Frame',
  v.object({
    ...{ filename: textOrNull, absPath: textOrNull, module: textOrNull, package: textOrNull },
    ...{ platform: textOrNull, instructionAddr: textOrNull, symbolAddr: v.null(), function: textOrNull },
    ...{ rawFunction: textOrNull, symbol: v.null(), context: v.array(v.tuple([wholeSchema, textSchema])) },
    ...{ lineNo: wholeOrNull, colNo: wholeOrNull, inApp: flagSchema, trust: v.null(), errors: v.null() },
    ...{ lock: v.null(), vars: v.nullable(anyObject) },
    data: v.nullable(
      v.object({
        symbolicated: flagSchema,
        ...{ resolved_with: anything, sourcemap: anything, unresolved: anything },
      }),
    ),
  }),
)
const STACKTRACE = namedSchema(
  'Stacktrace',
  v.object({
    frames: v.array(FRAME),
    framesOmitted: v.nullable(v.tuple([wholeSchema, wholeSchema])),
    ...{ registers: v.null(), hasSystemFrames: flagSchema },
  }),
)
const STACKS = { stacktrace: v.nullable(STACKTRACE), rawStacktrace: v.nullable(STACKTRACE) }
const thread = v.nullable(v.union([textSchema, v.number()]))

/** By `type`; an event has those it has something for. */
const ENTRY = namedSchema(
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
        ...{ hasSystemFrames: flagSchema, excOmitted: v.null() },
      }),
    }),
    v.object({ type: v.literal('stacktrace'), data: STACKTRACE }),
    v.object({
      type: v.literal('threads'),
      data: v.object({
        values: v.array(
          v.object({
            ...{
              id: thread,
              name: textOrNull,
              crashed: v.nullable(flagSchema),
              current: v.nullable(flagSchema),
            },
            ...{ main: v.nullable(flagSchema), state: textOrNull, ...STACKS },
          }),
        ),
      }),
    }),
    v.object({
      type: v.literal('message'),
      data: v.object({ formatted: textSchema, message: textOrNull, params: anything }),
    }),
    v.object({
      type: v.literal('breadcrumbs'),
      data: v.object({
        values: v.array(
          v.object({
            ...{
              type: textSchema,
              category: textOrNull,
              level: textSchema,
              message: textOrNull,
              data: anything,
            },
            ...{ timestamp: timeOrNullSchema, event_id: v.null() },
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
export const EVENT = namedSchema(
  'Event',
  v.object({
    ...{
      id: textSchema,
      eventID: textSchema,
      groupID: digits,
      projectID: digits,
      type: textSchema,
      title: textSchema,
    },
    ...{
      message: textSchema,
      culprit: textSchema,
      location: textOrNull,
      platform: textSchema,
      dist: textOrNull,
    },
    ...{ dateCreated: timeSchema, dateReceived: timeSchema, size: v.null() },
    user: v.nullable(v.object({ ...PERSON, name: textOrNull, geo: anything, data: anything })),
    ...{ tags: TAGS, entries: v.array(ENTRY), contexts: anyObject, context: anyObject, packages: anyObject },
    sdk: v.nullable(v.object({ name: optionalSchema(anything), version: optionalSchema(anything) })),
    release: v.nullable(v.object({ version: textSchema })),
    fingerprints: v.array(textSchema),
    metadata: v.object({
      ...{
        title: optionalSchema(textSchema),
        type: optionalSchema(textSchema),
        value: optionalSchema(textSchema),
        filename: optionalSchema(textSchema),
      },
      function: optionalSchema(textSchema),
    }),
    errors: v.array(v.object({ type: textSchema, message: textSchema, data: anyObject })),
    digests: v.array(textSchema),
    errata: v.object({
      category: v.picklist(CATEGORIES),
      hydration: optionalSchema(anyObject),
      action: optionalSchema(textSchema),
    }),
    ...{ requestKind: textSchema, nextEventID: textOrNull, previousEventID: textOrNull, crashFile: v.null() },
    _meta: anyObject,
  }),
)

/** Transaction with its spans; it belongs to no issue. */
export const TRANSACTION = namedSchema(
  'Transaction',
  v.object({
    ...{
      id: textSchema,
      eventID: textSchema,
      groupID: v.null(),
      projectID: digits,
      type: v.literal('transaction'),
    },
    ...{
      title: textSchema,
      message: textSchema,
      culprit: textSchema,
      location: textSchema,
      platform: textSchema,
      dist: textOrNull,
    },
    ...{ dateCreated: timeSchema, dateReceived: timeSchema, size: v.null() },
    ...{ startTimestamp: v.number(), endTimestamp: v.number() },
    ...{ user: v.nullable(v.object(PERSON)), tags: TAGS },
    entries: v.array(v.object({ type: v.literal('spans'), data: v.array(anyObject) })),
    ...{ contexts: anyObject, context: anyObject, packages: anyObject },
    sdk: v.nullable(v.object({ name: textSchema, version: optionalSchema(textSchema) })),
    release: v.nullable(v.object({ version: textSchema })),
    ...{ fingerprints: v.array(textSchema), metadata: v.object({ title: textSchema, location: textSchema }) },
    ...{ errors: v.array(anything), digests: v.array(textSchema), requestKind: textSchema },
    ...{ nextEventID: v.null(), previousEventID: v.null(), crashFile: v.null(), _meta: anyObject },
  }),
)

/** Authors whose commits an error may come from, likeliest first. */
export const COMMITTERS = v.object({
  committers: v.array(v.object({ author: v.nullable(AUTHOR), commits: v.array(COMMIT) })),
})

/** Event in the SDK's own spelling, with whatever it sent. */
export const STORED_EVENT = namedSchema('StoredEvent', v.record(v.string(), v.unknown()))

export const EVENT_PLACE = v.object({
  ...{
    organizationSlug: textSchema,
    projectSlug: textSchema,
    groupId: digits,
    eventId: textSchema,
    event: EVENT,
  },
})

export const ISSUE_GROUP = v.object({
  ...{ title: textSchema, culprit: textSchema, project: textSchema, isMirror: flagSchema },
  ...{ count: digits, userCount: wholeSchema, firstSeen: timeSchema, lastSeen: timeSchema },
})
/** Groups of an issue, each with its newest event. */
export const HASHES = v.array(
  v.object({
    id: textSchema,
    latestEvent: v.nullable(EVENT_ROW),
    errata: optionalSchema(ISSUE_GROUP),
  }),
)

const SPAN_FIELDS = {
  ...{ event_type: v.literal('span'), event_id: textSchema, span_id: textSchema, parent_span_id: textOrNull },
  ...{
    project_id: wholeSchema,
    project_slug: textSchema,
    is_transaction: flagSchema,
    op: textSchema,
    name: textSchema,
  },
  ...{ description: textSchema, status: textSchema, origin: textOrNull, start_timestamp: v.number() },
  ...{ timestamp: v.number(), end_timestamp: v.number(), duration: v.number(), data: anyObject },
  ...{ links: v.array(anyObject), transaction: textOrNull },
  errata: optionalSchema(
    v.object({
      ...{
        kind: textSchema,
        route: textOrNull,
        end: textOrNull,
        action: textOrNull,
        httpStatus: wholeOrNull,
      },
      sampledOut: flagSchema,
    }),
  ),
  ...{
    release: optionalSchema(textOrNull),
    environment: optionalSchema(textOrNull),
    sdk_name: optionalSchema(textOrNull),
  },
  measurements: optionalSchema(v.record(textSchema, v.number())),
  ...{ transaction_id: textSchema, occurrences: v.pipe(v.array(v.unknown()), v.maxLength(0)) },
}
const TRACE_ERROR = namedSchema(
  'TraceError',
  v.object({
    ...{ event_type: v.literal('error'), event_id: textSchema, issue_id: wholeSchema, short_id: textSchema },
    ...{
      project_id: wholeSchema,
      project_slug: textSchema,
      title: textSchema,
      message: textSchema,
      level: textSchema,
    },
    ...{ is_mirror: flagSchema, span_id: textOrNull, start_timestamp: v.number(), timestamp: v.number() },
  }),
)
/** With its children below it. */
const TRACE_SPAN: v.GenericSchema = namedSchema(
  'TraceSpan',
  v.object({ ...SPAN_FIELDS, children: v.array(v.lazy(() => TRACE_SPAN)), errors: v.array(TRACE_ERROR) }),
)
/** Logs and issues of performance are none here. */
export const TRACE_META = v.object({
  ...{ logs: wholeSchema, errors: wholeSchema, performance_issues: wholeSchema, span_count: wholeSchema },
  transaction_child_count_map: v.array(
    v.object({ 'transaction.event_id': textSchema, 'count()': wholeSchema }),
  ),
  span_count_map: v.record(textSchema, wholeSchema),
})
export const TRACE_SCHEMA = v.array(v.union([TRACE_SPAN, TRACE_ERROR]))

export const PROJECT_TAG = namedSchema(
  'ProjectTag',
  v.object({ key: textSchema, name: textSchema, totalValues: wholeSchema, canDelete: flagSchema }),
)
/** When it was first and last seen is known by issue alone. */
export const PROJECT_TAG_VALUE = namedSchema(
  'ProjectTagValue',
  v.object({
    key: textSchema,
    name: textSchema,
    value: textSchema,
    count: wholeSchema,
    firstSeen: v.null(),
    lastSeen: v.null(),
  }),
)
/** Person under one of their names. */
export const PROJECT_USER = namedSchema(
  'ProjectUser',
  v.object({
    ...{
      id: textSchema,
      tagValue: textSchema,
      hash: textSchema,
      identifier: textOrNull,
      username: textOrNull,
    },
    ...{
      email: textOrNull,
      ipAddress: textOrNull,
      name: textOrNull,
      avatarUrl: v.null(),
      dateCreated: v.null(),
    },
  }),
)

const VALIDATED = v.object({ name: textSchema, valid: flagSchema, attrType: v.null(), error: textOrNull })
export const EVENTS_VALIDATION = v.object({
  ...{ valid: flagSchema, projects: empty, environment: empty, field: v.array(VALIDATED) },
  dataset: v.array(v.object({ name: textSchema, valid: flagSchema, error: textOrNull })),
  query: v.object({ valid: flagSchema, error: textOrNull, fields: empty }),
  orderby: v.array(VALIDATED),
})

const POINTS = v.array(v.tuple([wholeSchema, v.array(v.object({ count: numberOrNull }))]))
/** By what is counted, by the value that it is kept apart by, or both; of one thing it stands for itself. */
export const EVENTS_STATS = namedSchema(
  'EventsStats',
  v.union([
    v.object({
      ...{
        data: POINTS,
        start: wholeSchema,
        end: wholeSchema,
        order: wholeSchema,
        isMetricsData: flagSchema,
      },
      meta: v.object({ fields: v.record(textSchema, textSchema), units: v.record(textSchema, v.null()) }),
    }),
    v.record(textSchema, v.unknown()),
  ]),
)
export const EVENTS_TIMESERIES = namedSchema(
  'EventsTimeSeries',
  v.object({
    meta: v.object({ dataset: textSchema, start: wholeSchema, end: wholeSchema }),
    timeSeries: v.array(
      v.object({
        yAxis: textSchema,
        groupBy: optionalSchema(
          v.array(
            v.object({ key: textSchema, value: v.nullable(v.union([textSchema, v.number(), flagSchema])) }),
          ),
        ),
        values: v.array(v.object({ timestamp: wholeSchema, value: numberOrNull, incomplete: flagSchema })),
        meta: v.object({
          valueType: textSchema,
          valueUnit: v.null(),
          interval: wholeSchema,
          isOther: flagSchema,
          order: wholeSchema,
        }),
      }),
    ),
  }),
)
