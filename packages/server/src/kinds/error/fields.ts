/** The one table of an event's fields: everything a list filters, counts or shows without opening the payload. */
import type { GroupHash } from '#base/ids.ts'
import type { Level, RequestKind } from '#model/event.ts'
import { asTag, flag, list, onlySearched, orNull, pairs, type RowOf, rowTable, text } from '#model/fields.ts'
import type { Category, SkewKind } from '#model/recognised.ts'

export const ERROR = 'error'
/** Data category under which errors and messages are counted. */
export const ERROR_CATEGORY = 'error'

/** New fields go to the end, and may be null. */
export const ERRORS = rowTable(
  ERROR,
  {
    groupHash: text<GroupHash>(),
    level: asTag('level', text<Level>()),
    platform: text(),
    title: text(),
    culprit: text(),
    environment: asTag('environment', orNull(text())),
    release: asTag('release', orNull(text())),
    dist: asTag('dist', orNull(text())),
    transaction: asTag('transaction', orNull(text())),
    browser: asTag('browser', orNull(text())),
    os: asTag('os', orNull(text())),
    runtime: asTag('runtime', orNull(text())),
    device: asTag('device', orNull(text())),
    serverName: asTag('server_name', orNull(text())),
    url: asTag('url', orNull(text())),
    /** Person: `id:…`, `email:…`, `username:…` or `ip:…`; `null` if unknown. */
    user: asTag('user', orNull(text())),
    handled: asTag('handled', orNull(flag())),
    traceId: asTag('trace', orNull(text())),
    spanId: orNull(text()),
    requestKind: asTag('request_kind', text<RequestKind>()),
    /** The framework's own pattern such as `/orders/[id]`, or `null`. */
    route: asTag('route', orNull(text())),
    sdk: orNull(text()),
    isMirror: flag(),
    /** All tags, derived ones included, sorted by key. */
    tags: pairs(),
    /**
     * Every key that names that person, at most four, each once: `id:…`, `email:…` (in lower case), `username:…`,
     * `ip:…`. What a person asks to have deleted is found by any of them. Empty when unknown.
     */
    people: list(),
    /** Debug ids of files whose source map was missed, with a space between them; `-` for files without one. */
    missedMaps: orNull(text()),
    /** Category of the cause. Older rows lack it. */
    category: orNull(text<Category>()),
    /** Kind of `skew`: what an old page asked for in vain, with the action's id or the chunk's path. */
    skew: asTag('errata.skew', orNull(text<SkewKind>())),
    skewSubject: orNull(text()),
    /** Details that a search asks for beside tags and people: `stack.function=total`. See `details.ts`. */
    details: onlySearched(orNull(list())),
    /** Frames that needed a source map: `resolved/needed`; `null` where none did. Rows that are older lack it. */
    mapFrames: orNull(text()),
  },
  { hasEventId: true, neighbours: ['groupHash'] },
)

/** Row of a stored event. */
export type EventRow = RowOf<typeof ERRORS>
