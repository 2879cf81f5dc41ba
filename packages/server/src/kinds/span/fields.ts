/** The one table of what a fragment says: everything that traces are found, filtered and listed by. */
import type { RequestKind } from '#model/event.ts'
import { asTag, flag, list, number, orNull, pairs, type RowOf, rowTable, text, whole } from '#model/fields.ts'
import type { RequestEnd } from '#model/span.ts'

export const SPAN = 'span'
/** Data category under which spans are counted, where they did not come as one transaction. */
export const SPAN_CATEGORY = 'span'

/**
 * A row is a fragment: spans of one segment that came together. `timestampMs`: start of the segment, or of the first of
 * its spans that came. New fields go to the end, and may be null.
 */
export const SPANS = rowTable(
  SPAN,
  {
    /** 32 hex characters, 16 of `segmentId`. */
    traceId: text(),
    segmentId: orNull(text()),
    parentSpanId: orNull(text()),
    /** The segment’s own span is among them. What follows is of it, or what its children say of it. */
    hasRoot: flag(),
    name: text(),
    op: text(),
    status: text(),
    /** Duration of the segment; of the spans that came if it is not among them. */
    durationMs: number(),
    spanCount: whole(),
    requestKind: asTag('request_kind', text<RequestKind>()),
    /** The framework’s own pattern such as `/orders/[id]`, or `null`. */
    route: asTag('route', orNull(text())),
    method: asTag('http.method', orNull(text())),
    httpStatus: orNull(whole()),
    /** `null` for what is no request. */
    end: orNull(text<RequestEnd>()),
    /** Name of a server action in its app. */
    action: asTag('action', orNull(text())),
    /** How many such segments it stands for: 1 ÷ the rate that the SDK samples by. */
    weight: number(),
    lcp: orNull(number()),
    inp: orNull(number()),
    cls: orNull(number()),
    fcp: orNull(number()),
    ttfb: orNull(number()),
    /** Operations of its spans, each once. */
    ops: list(),
    /** Statements that ran again and again, one after the other, as `statementOf` writes them. */
    repeated: list(),
    platform: text(),
    environment: asTag('environment', orNull(text())),
    release: asTag('release', orNull(text())),
    dist: asTag('dist', orNull(text())),
    browser: asTag('browser', orNull(text())),
    os: asTag('os', orNull(text())),
    runtime: asTag('runtime', orNull(text())),
    device: asTag('device', orNull(text())),
    serverName: asTag('server_name', orNull(text())),
    /** User, as of an error: `id:…`, `email:…`, `username:…` or `ip:…`. */
    user: asTag('user', orNull(text())),
    people: list(),
    sdk: orNull(text()),
    /** Tags, those that fields stand for included, sorted by key. */
    tags: pairs(),
    /** The sampling rule of the project left its spans out: it is counted, and its payload is not kept. */
    isSampledOut: flag(),
    /**
     * Waits of the segment in milliseconds: see `waitsOf`. `null` for rows stored before waits were known.
     */
    queriesMs: orNull(whole()),
    callsMs: orNull(whole()),
    /** Service as OpenTelemetry names it; `null` if it has no other name than its project. */
    service: asTag('service.name', orNull(text())),
  },
  { hasEventId: true, neighbours: ['route', 'op'] },
)

/** Row of a stored fragment. */
export type FragmentRow = RowOf<typeof SPANS>
