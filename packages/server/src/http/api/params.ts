/** Parameters that several calls know. Every mistake names its parameter. */

import { byWord } from '#base/by-word.ts'
import type { Clock } from '#base/clock.ts'
import { HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import type { ProjectId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { IssueSort } from '#model/search-words.ts'
import type { TimeRange } from '#queries/types.ts'
import type { OrgCall } from './call.ts'
import { choice, listParameter, type QueryParameter, type Reading, words } from './query.ts'
import { badField, existing } from './refusals.ts'

const UNITS_MS: Readonly<Record<string, number>> = byWord({
  s: 1000,
  m: MINUTE_MS,
  h: 60 * MINUTE_MS,
  d: 1_440 * MINUTE_MS,
  w: 10_080 * MINUTE_MS,
})
const PERIOD = /^(\d{1,6})([smhdw])$/
const TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const RANGE_DAYS_MAX = 366
const SORTS = ['date', 'new', 'freq', 'user', 'trends', 'priority'] as const satisfies readonly IssueSort[]

/** An id in an address; `null` where it is none. */
export function readId(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Reads a period such as `14d`, in milliseconds; `null` for anything else. */
export function readPeriod(text: string): number | null {
  const match = PERIOD.exec(text)
  const unit = match === null ? undefined : UNITS_MS[match[2] ?? '']
  return match === null || unit === undefined ? null : Number(match[1]) * unit
}

export const PROJECTS_PARAMETER = listParameter(
  'project',
  'Slug or id of a project; several, or none for all',
)
/** Tools look for what lists hold by a part of its name. */
export const NAMED_PARAMETER = words('query', 'Part of a name or slug, in any case; empty for all', 200)

export function isNamed(
  { name, slug }: { readonly name: string; readonly slug: string },
  query: string,
): boolean {
  const wanted = query
    .trim()
    .replace(/^(?:slug|name|query):/, '')
    .toLowerCase()
  return name.toLowerCase().includes(wanted) || slug.toLowerCase().includes(wanted)
}

export const ENVIRONMENTS_PARAMETER = listParameter(
  'environment',
  'Name of an environment; several, or none for all',
)

/** Projects that are named, 404 for one that is absent or not the viewer's; `null`: all of them. */
export async function chosenProjects({ queries, scope, url }: OrgCall): Promise<readonly ProjectId[] | null> {
  const refs = PROJECTS_PARAMETER.read(url)
  if (refs.length === 0) return null
  return Promise.all(refs.map(async (ref) => existing(await queries.project(scope, ref)).id))
}

export interface RangeReading {
  readonly parameters: readonly QueryParameter[]
  read(url: URL, clock: Clock): TimeRange
}

/** `statsPeriod`, or `start` with or without `end`; otherwise the period that is given here. */
export function timeRange(fallback: string): RangeReading {
  return {
    parameters: [
      {
        name: 'statsPeriod',
        what: 'How far back from now, such as 14d: a number and a unit of s, m, h, d or w',
        schema: { type: 'string', pattern: PERIOD.source, default: fallback },
      },
      {
        name: 'start',
        what: 'Instead of `statsPeriod`: RFC 3339, UTC without an offset',
        schema: { type: 'string', pattern: TIME.source },
      },
      {
        name: 'end',
        what: `With \`start\`, default now; at most ${RANGE_DAYS_MAX} days after it`,
        schema: { type: 'string', pattern: TIME.source },
      },
    ],
    read: (url, clock) => readRange(url, clock, fallback),
  }
}

/** Reads a range as `timeRange` does; without one, everything is read. */
export function givenRange(): {
  readonly parameters: readonly QueryParameter[]
  read(url: URL, clock: Clock): TimeRange | null
} {
  const { parameters, read } = timeRange('')
  return {
    parameters: parameters.map(({ schema: { default: _, ...schema }, ...one }) => ({ ...one, schema })),
    read: (url, clock) =>
      ['statsPeriod', 'start', 'end'].some((name) => (url.searchParams.get(name) ?? '') !== '')
        ? read(url, clock)
        : null,
  }
}

/** Counts are kept by the hour: one that began is of a range that ends now, for what matches as for the whole. */
export function wholeHours({ startMs, endMs }: TimeRange, { searchParams }: URL): TimeRange {
  return { startMs: searchParams.has('start') ? startMs : Math.floor(startMs / HOUR_MS) * HOUR_MS, endMs }
}

function readRange({ searchParams }: URL, clock: Clock, fallback: string): TimeRange {
  const [start, end] = [searchParams.get('start') ?? '', searchParams.get('end') ?? '']
  const nowMs = clock.now()
  if (start === '' && end === '')
    return readStatsPeriod(searchParams.get('statsPeriod') ?? '', fallback, nowMs)
  const startMs = readTimeParam('start', start)
  const endMs = end === '' ? nowMs : readTimeParam('end', end)
  if (endMs <= startMs) throw badField('end', 'The end must come after the start.')
  return refuseLongRange('start', { startMs, endMs })
}

function readStatsPeriod(text: string, fallback: string, nowMs: number): TimeRange {
  const ms = readPeriod(text === '' ? fallback : text)
  if (ms === null || ms === 0)
    throw badField('statsPeriod', 'A number and a unit of s, m, h, d or w, such as 14d.')
  // Events of a client whose clock is a little ahead belong to "until now".
  return refuseLongRange('statsPeriod', { startMs: nowMs - ms, endMs: nowMs + max('eventFutureMsMax') })
}

function refuseLongRange(field: string, range: TimeRange): TimeRange {
  if (range.endMs - range.startMs > RANGE_DAYS_MAX * (UNITS_MS.d ?? 0) + max('eventFutureMsMax')) {
    throw badField(field, `A range of at most ${RANGE_DAYS_MAX} days.`)
  }
  return range
}

/** A moment; `null` where nothing is said. */
export function moment(name: string, what: string): Reading<number | null> {
  return {
    ...{ name, what, schema: { type: 'string', pattern: TIME.source } },
    read({ searchParams }) {
      const text = searchParams.get(name) ?? ''
      return text === '' ? null : readTimeParam(name, text)
    },
  }
}

/** RFC 3339; without an offset it is UTC. */
function readTimeParam(field: string, text: string): number {
  const plain = text.trim().replace(' ', 'T')
  const isDated = TIME.test(plain)
  const isZoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(plain) && plain.includes('T')
  const ms = isDated ? Date.parse(isZoned || !plain.includes('T') ? plain : `${plain}Z`) : Number.NaN
  if (Number.isNaN(ms)) throw badField(field, 'A time such as 2026-11-21T10:00:00Z.')
  return ms
}

const SORT_WORDS = choice({
  ...{ name: 'sort', what: 'What comes first; recommended and inbox are date', fallback: 'date' },
  of: [...SORTS, 'recommended', 'inbox'],
})
/** Tools for Sentry name orders that are made of what is not known here. */
export const SORT: Reading<IssueSort> = {
  ...SORT_WORDS,
  read(url) {
    const sort = SORT_WORDS.read(url)
    return sort === 'recommended' || sort === 'inbox' ? 'date' : sort
  },
}
