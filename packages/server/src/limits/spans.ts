/** Spans: what of them is read, kept, summed up and shown. */
import { KIB, type Limit, limit, MIB } from './limit.ts'

export const SPAN_LIMITS = {
  spansPerItemMax: limit(10_000, 'count', 'Spans read of one item; further ones are counted and left out.'),
  spanNameCharsMax: limit(1_024, 'chars', 'Name or description of a span; longer ones are cut.'),
  spanAttributesMax: limit(128, 'count', 'Attributes of one span; further ones are left out.'),
  spanAttributeCharsMax: limit(4_096, 'chars', 'One attribute of a span; longer ones are cut.'),
  spanAttributesBytesMax: limit(32 * KIB, 'bytes', 'Attributes of one span together, about.'),
  spanLinksMax: limit(32, 'count', 'Links of one span.'),
  spanEventsReadMax: limit(128, 'count', 'Events of one OpenTelemetry span that are looked at.'),
  otlpExceptionsMax: limit(
    100,
    'count',
    'Exceptions of one OpenTelemetry export that become events; further ones are counted and left out.',
  ),
  otlpStackCharsMax: limit(
    64 * KIB,
    'chars',
    'The printed stack of an OpenTelemetry exception that is read.',
  ),
  otlpBytesMax: limit(
    20 * MIB - KIB,
    'bytes',
    'An OTLP export, decompressed, so that a record of the journal holds it; collectors send some thousand spans at a time.',
  ),
  otlpFieldsMax: limit(
    4_000_000,
    'count',
    'Protobuf fields read of an OTLP export: more in so many bytes say nothing, and cost as much as those that do.',
  ),
  otlpFieldsCountedMax: limit(
    200_000,
    'count',
    'Of those, spans and what is around them: they are counted on the thread that accepts.',
  ),
  otlpValueDepthMax: limit(8, 'levels', 'Nesting of an OpenTelemetry attribute; what is deeper is left out.'),
  spanDurationMsMax: limit(
    86_400_000,
    'ms',
    'A span that says it took longer has a start that cannot be: it begins with its segment.',
  ),
  spanCostsPerSegmentMax: limit(
    40,
    'count',
    'Sorts of spans of one segment that are summed up: those with most time.',
  ),
  repeatedStatementMin: limit(
    5,
    'count',
    'A query that runs so often, one after the other, is called out as N+1.',
  ),
  statementsRememberedMax: limit(
    16_384,
    'count',
    'Statements whose form without values a process thread remembers.',
  ),
  segmentOpsMax: limit(50, 'count', 'Operations of one segment that it is found by.'),
  repeatedStatementsMax: limit(10, 'count', 'N+1 statements that are named for one segment.'),
  routeCharsMax: limit(300, 'chars', 'Route that figures are kept of; longer ones are cut.'),
  seriesPerProjectMax: limit(
    20_000,
    'count',
    'Routes by kind, environment and release that a project has figures of; further ones count as other routes.',
  ),
  otherSeriesPerProjectMax: limit(
    1_000,
    'count',
    'Environments and releases beyond that which other routes are kept apart by; further ones count as none.',
  ),
  actionSeriesPerProjectMax: limit(
    5_000,
    'count',
    'Actions by route, environment and release that a project has figures of; further ones count with their route alone.',
  ),
  actionIdSeriesPerProjectMax: limit(
    2_500,
    'count',
    'Of those, actions that have an id alone, so that a name which is learned later is theirs; further ones count as one.',
  ),
  actionNamesPerProjectMax: limit(
    2_000,
    'count',
    'Ids of actions whose names a project’s wrappers told; the one told longest ago makes room.',
  ),
  actionNamesReadMax: limit(
    2_000,
    'count',
    'Ids of actions, the newest first, by whose names traces are found and shown.',
  ),
  spanCostsPerDayMax: limit(5_000, 'count', 'Sorts of spans that a project has sums of in one day.'),
  spanCostsRememberedMax: limit(
    100_000,
    'count',
    'Sorts of spans that the commit remembers, of the days used last: about 20 MB.',
  ),
  seriesRememberedMax: limit(
    50_000,
    'count',
    'Series of requests, series of actions and names of actions that the commit remembers, of each so many.',
  ),
  countedSpanDays: limit(
    3,
    'days',
    'For so long it is known which segments are counted: a repeat adds nothing.',
  ),
  failureSlackMs: limit(
    2_000,
    'ms',
    'An error so long before a request began or after it ended may still be of it: clocks of one process drift apart.',
  ),
  knownRoutesPerProjectMax: limit(
    1_000,
    'count',
    'Routes of a project that SDKs stated, by which requests are named that are told by their address; further ones name none.',
  ),
  routeAddressesMax: limit(
    200,
    'count',
    'Addresses that a search for a route finds too, of requests and errors that came before it was known, those with most events.',
  ),
  knownRouteDays: limit(30, 'days', 'For so long a route names requests that no SDK has stated again.'),
  segmentHintsPerProjectMax: limit(
    50_000,
    'count',
    'Requests of one project that are still to come and whose spans told their kind; further ones tell it themselves.',
  ),
  waitingVitalsPerProjectMax: limit(
    50_000,
    'count',
    'Web vitals of one project that wait for their page; further ones stay with “(unknown page)”.',
  ),
  failuresPerTraceMax: limit(
    500,
    'count',
    'Errors of one trace that are joined to its requests; further ones change no figure.',
  ),
  failuresPerProjectMax: limit(
    200_000,
    'count',
    'Errors of one project that wait for their requests, or are joined to them; further ones change no figure.',
  ),
  waitingFailuresMax: limit(
    2_000,
    'count',
    'Errors that are remembered, until a restart, of projects that have sent no spans; those of the project that failed last are kept.',
  ),
  joinedFailuresReadMax: limit(
    10_000,
    'count',
    'Requests that failed behind a good status, by their errors alone, that a search of traces knows of.',
  ),
  movedSegmentsReadMax: limit(
    10_000,
    'count',
    'Requests whose kind, route or end became known apart from them, that a search of traces goes by.',
  ),
  failureSegmentsMax: limit(
    1_000,
    'count',
    'Requests of one trace among which that of an error is looked for.',
  ),
  requestHoursKept: limit(72, 'count', 'Figures of requests are kept per hour for so long, then per day.'),
  failingSharePercent: limit(2, 'percent', 'From this share of failed requests on, a number is red.'),
  slowRequestMs: limit(3_000, 'ms', 'From here on, how long a request takes is amber.'),
  routesReadMax: limit(2_000, 'count', 'Routes of one table.'),
  traceFragmentsMax: limit(
    2_000,
    'count',
    'Fragments of one trace that are read; a cached page shares its trace id among visitors.',
  ),
  segmentValuesMax: limit(100, 'count', 'Values of a tag that are looked at in one file.'),
  traceSpansShownMax: limit(
    10_000,
    'count',
    'Spans of one trace that are shown; a page of them stays quick.',
  ),
  traceErrorsMax: limit(200, 'count', 'Errors of one trace that are shown.'),
  traceLateDaysMax: limit(
    1,
    'days',
    'Segments that came so many days after they began are found by their time.',
  ),
  vitalFragmentsReadMax: limit(
    300,
    'count',
    'Page loads, the newest ones, that are read for what was measured in them: the element, what moved, what blocked.',
  ),
  comparedRequestsMax: limit(
    40,
    'count',
    'Requests of a release whose spans are compared with those of as many requests of the release before.',
  ),
  tracePointsMax: limit(400, 'count', 'Segments in the picture above a list of traces.'),
  tracedErrorsReadMax: limit(
    5_000,
    'count',
    'Errors, the newest first, whose requests a list of traces knows: to count them by issue, and to find those of one.',
  ),
  traceIssueGroupsMax: limit(
    24,
    'count',
    'Groups of errors, those of most requests first, whose issues are offered beside a list of traces.',
  ),
  traceFacetValuesMax: limit(8, 'count', 'Values of a tag that are offered beside a list of traces.'),
} satisfies Readonly<Record<string, Limit>>
