/** Figures of requests, vitals, server actions and what time goes to. */
import type { ProjectId } from '#base/ids.ts'
import {
  bytes,
  flag,
  greatest,
  id,
  ofGreatest,
  orNull,
  real,
  ref,
  sum,
  table,
  text,
  time,
  whole,
  withDefault,
} from './table.ts'

/** Series by which figures are kept apart: a short name, so that rows of hours are numbers. */
export const REQUEST_SERIES = table(
  'request_series',
  {
    id: id(),
    projectId: ref<ProjectId>('projects'),
    // '': none.
    environment: text(),
    release: text(),
    route: text(),
    kind: text(),
    // Hours since 1970 of the newest figure: what retention goes by, and what is read of a range.
    lastHour: whole(),
  },
  {
    key: ['id'],
    unique: [['projectId', 'kind', 'route', 'environment', 'release']],
    indices: {
      request_series_by_use: { on: ['projectId', 'lastHour'] },
      request_series_by_release: { on: ['projectId', 'release'] },
    },
  },
)

/** `hours`: 1, or 24 where hours of a day were joined. `hour`: since 1970, the first of them. */
const SUM_COLUMNS = {
  hour: whole(),
  hours: whole(),
  // Extrapolated by the SDK's sampling; `seen` is what came.
  count: sum(real()),
  seen: sum(whole()),
  failed: sum(real()),
  failedBehind200: sum(real()),
  aborted: sum(real()),
  totalMs: sum(real()),
  // Of durations, weighted.
  sketch: bytes(),
  failedSketch: orNull(bytes()),
}

export const REQUEST_SUMS = table(
  'request_sums',
  {
    seriesId: ref('request_series'),
    ...SUM_COLUMNS,
  },
  {
    key: ['seriesId', 'hour'],
    indices: {
      request_sums_by_age: { on: ['hours', 'hour'] },
    },
  },
)

export const VITAL_SUMS = table(
  'vital_sums',
  {
    seriesId: ref('request_series'),
    vital: text(),
    hour: whole(),
    hours: whole(),
    count: sum(real()),
    good: sum(real()),
    poor: sum(real()),
    sketch: bytes(),
  },
  {
    key: ['seriesId', 'vital', 'hour'],
    indices: {
      vital_sums_by_age: { on: ['hours', 'hour'] },
    },
  },
)

/**
 * Series of actions, as request_series and request_sums: what is counted here is counted there too, under the
 * route.
 */
export const ACTION_SERIES = table(
  'action_series',
  {
    id: id(),
    projectId: ref<ProjectId>('projects'),
    // '': none.
    environment: text(),
    release: text(),
    route: text(),
    // '': actions that have an id alone, all of them together.
    action: text(),
    // Hours since 1970 of the newest figure: what retention goes by, and what is read of a range.
    lastHour: whole(),
  },
  {
    key: ['id'],
    unique: [['projectId', 'route', 'action', 'environment', 'release']],
    indices: { action_series_by_use: { on: ['projectId', 'lastHour'] } },
  },
)

export const ACTION_SUMS = table(
  'action_sums',
  {
    seriesId: ref('action_series'),
    ...SUM_COLUMNS,
  },
  {
    key: ['seriesId', 'hour'],
    indices: {
      action_sums_by_age: { on: ['hours', 'hour'] },
    },
  },
)

/** Ids of actions as the wrappers in the app name them. `day`: since 1970, when it was told last. */
export const ACTION_NAMES = table(
  'action_names',
  {
    projectId: ref<ProjectId>('projects'),
    actionId: text(),
    name: text(),
    day: whole(),
  },
  {
    key: ['projectId', 'actionId'],
  },
)

/**
 * Spans counted in the last days, so that nothing is counted twice, and a failure told later finds its
 * request. `trace` and `span`: 64 bits of each; a vital's name is in the span's.
 */
export const COUNTED_SPANS = table(
  'counted_spans',
  {
    projectId: ref<ProjectId>('projects'),
    trace: whole(),
    span: whole(),
    // Day of receipt.
    day: whole(),
    seriesId: whole(),
    atMs: time(),
    // As the segment itself says it. `is_behind`: an error tells that it failed nevertheless.
    ended: text(),
    isBehind: withDefault(false, flag()),
    durationMs: withDefault(0, time()),
    weight: real(),
    actionSeriesId: orNull(whole()),
    tookMs: orNull(real()),
  },
  {
    key: ['projectId', 'trace', 'span'],
    indices: {
      counted_spans_by_day: { on: ['day'] },
    },
  },
)

/** Failures that error events tell of, for as long as segments are known to be counted: either may come first. */
export const REQUEST_FAILURES = table(
  'request_failures',
  {
    projectId: ref<ProjectId>('projects'),
    trace: whole(),
    // 64 bits of the event's id.
    event: whole(),
    // Day of receipt.
    day: whole(),
    atMs: time(),
    // The segment that it is nearest to, as `counted_spans` has it; null while none came.
    span: orNull(whole()),
    distance: orNull(real()),
    place: withDefault(0, whole()),
  },
  {
    key: ['projectId', 'trace', 'event'],
  },
)

/**
 * Facts that spans said of a segment they came apart from, for as long as it may come. Keys as in
 * counted_spans.
 */
export const SEGMENT_HINTS = table(
  'segment_hints',
  {
    projectId: ref<ProjectId>('projects'),
    trace: whole(),
    span: whole(),
    // Day of receipt.
    day: whole(),
    // '': they don't say.
    kind: text(),
    work: text(),
    httpStatus: orNull(whole()),
    action: orNull(text()),
  },
  {
    key: ['projectId', 'trace', 'span'],
    indices: {
      segment_hints_by_day: { on: ['day'] },
    },
  },
)

/**
 * Vitals that came before the page that they were measured on, for as long as it may come. Keys as in counted_spans:
 * `segment` is its page's, `span` its own.
 */
export const WAITING_VITALS = table(
  'waiting_vitals',
  {
    projectId: ref<ProjectId>('projects'),
    trace: whole(),
    segment: whole(),
    span: whole(),
    // Day of receipt.
    day: whole(),
    // As it is counted until then.
    seriesId: whole(),
    atMs: time(),
    vital: text(),
    value: real(),
    weight: real(),
  },
  {
    key: ['projectId', 'trace', 'segment', 'span'],
    indices: {
      waiting_vitals_by_day: { on: ['day'] },
    },
  },
)

/** Segments that are counted otherwise than their own rows say, for as long as that is known. Keys as in counted_spans. */
export const MOVED_SEGMENTS = table(
  'moved_segments',
  {
    projectId: ref<ProjectId>('projects'),
    trace: whole(),
    span: whole(),
    // Day of receipt.
    day: whole(),
    atMs: time(),
    // As its own row says it.
    kind: text(),
  },
  {
    key: ['projectId', 'trace', 'span'],
    indices: {
      moved_segments_by_day: { on: ['day'] },
      moved_segments_by_time: { on: ['projectId', 'atMs'] },
    },
  },
)

/**
 * Costs of time, by the kind of request as well. Rows from before kinds were kept apart are of all of them
 * together: ''.
 */
export const SPAN_COSTS = table(
  'span_costs',
  {
    projectId: ref<ProjectId>('projects'),
    day: whole(),
    route: text(),
    kind: text(),
    op: text(),
    description: text(),
    count: sum(whole()),
    totalMs: sum(real()),
    failed: sum(whole()),
    repeatedIn: sum(whole()),
    slowestMs: greatest(real()),
    slowestTrace: ofGreatest('slowestMs', text()),
    slowestSpan: ofGreatest('slowestMs', text()),
  },
  {
    key: ['projectId', 'day', 'route', 'kind', 'op', 'description'],
  },
)
