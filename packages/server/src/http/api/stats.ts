/** Outcomes of everything that was sent, and digests. */

import { keyId } from '#base/ids.ts'
import { max } from '#limits/limits.ts'
import type { OutcomeName } from '#model/outcome.ts'
import type { OutcomeGroup, OutcomeQuery } from '#ports/ingest.ts'
import { DIGEST } from './answers/issue.ts'
import { STATS } from './answers/release.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { chosenProjects, PROJECTS_PARAMETER, readPeriod, timeRange } from './params.ts'
import { choices, listParameter, words } from './query.ts'
import { ApiRefusal, badField, notFound } from './refusals.ts'
import { isoTimeText } from './shape/times.ts'

/** Clients know a fixed list of outcomes: what this version does not support is `invalid` there, told apart by its reason. */
export const API_NAMES: Readonly<Partial<Record<OutcomeName, OutcomeName>>> = { unsupported: 'invalid' }

export const QUARTER_MS = 15 * 60_000
const HOUR_MS = 4 * QUARTER_MS
const GROUP_BY = ['outcome', 'category', 'reason', 'project', 'key'] as const
type Dimension = (typeof GROUP_BY)[number]
const RANGE = timeRange('1d')
/** Items are counted; bytes of attachments are `quantity` of their own category. */
const FIELD = choices({
  ...{ name: 'field', what: 'What to compute; default sum(quantity)' },
  of: ['sum(quantity)', 'sum(times_seen)'],
})
const GROUPS = choices({ name: 'groupBy', what: 'What to group by', of: GROUP_BY })
const INTERVAL = words('interval', 'A multiple of 15 minutes, such as 15m, 1h or 1d')
const KEYS = listParameter('key', 'Number of a key; several, or none for all')
const FILTERS = (['outcome', 'category', 'reason'] as const).map((name) => ({
  ...listParameter(name, `Only this ${name}; several may be named`),
  name,
}))

export const STATS_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/stats_v2/',
    permission: 'outcome.read',
    what: 'outcomes by outcome, category, reason, project, key and time',
    query: [FIELD, GROUPS, INTERVAL, ...RANGE.parameters, PROJECTS_PARAMETER, KEYS, ...FILTERS],
    answer: STATS,
    run: stats,
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/digests/{number}/',
    permission: 'issue.read',
    what: 'the issues behind the number or id of an error page, or its whole text',
    answer: DIGEST,
    run: digests,
  },
]

async function stats(call: OrgCall): Promise<ApiAnswer> {
  const { queries, scope, url, clock } = call
  const fields = readStatsFields(url)
  const groupBy = GROUPS.read(url)
  const asked = RANGE.read(url, clock)
  const intervalMs = readInterval(url, asked.endMs - asked.startMs)
  const startMs = Math.floor(asked.startMs / intervalMs) * intervalMs
  const endMs = Math.ceil(asked.endMs / intervalMs) * intervalMs
  if ((endMs - startMs) / intervalMs > max('trendBucketsMax')) {
    throw badField('interval', `The range may hold at most ${max('trendBucketsMax')} intervals.`)
  }
  const filters = FILTERS.filter(({ name }) => url.searchParams.has(name))
  const query: OutcomeQuery = {
    startMs,
    endMs,
    intervalMs,
    projects: await chosenProjects(call),
    keys: readKeys(url),
    groupBy: [...new Set([...groupBy, ...filters.map(({ name }) => name)])],
  }
  const { buckets, groups } = await queries.outcomeStats(scope, query)
  const kept = groups.filter((group) =>
    filters.every((filter) => filter.read(url).includes(dimensionText(group, filter.name))),
  )
  return answerOk({
    start: isoTimeText(startMs),
    end: isoTimeText(endMs),
    intervals: buckets.map(isoTimeText),
    groups: sumGroups(kept, groupBy).map((group) => ({
      by: byOf(group, groupBy),
      totals: Object.fromEntries(fields.map((field) => [field, group.total])),
      series: Object.fromEntries(fields.map((field) => [field, group.series])),
    })),
  })
}

function readStatsFields(url: URL): readonly string[] {
  const fields = FIELD.read(url)
  return fields.length === 0 ? ['sum(quantity)'] : fields
}

/** An hour, or a day for ranges of more than two weeks. */
function readInterval(url: URL, spanMs: number): number {
  const text = INTERVAL.read(url)
  if (text === '') return spanMs > 15 * 24 * HOUR_MS ? 24 * HOUR_MS : HOUR_MS
  const ms = readPeriod(text)
  if (ms === null || ms < QUARTER_MS || ms % QUARTER_MS !== 0) {
    throw badField('interval', 'A multiple of 15 minutes, such as 15m, 1h or 1d.')
  }
  return ms
}

function readKeys(url: URL): OutcomeQuery['keys'] {
  const refs = KEYS.read(url)
  if (refs.length === 0) return null
  return refs.map((ref) => {
    if (!/^\d{1,15}$/.test(ref)) throw badField('key', 'The number of a key.')
    return keyId(Number(ref))
  })
}

function dimensionText(group: OutcomeGroup, dimension: Dimension): string {
  const value = rawValue(group, dimension)
  return value === null || value === undefined ? 'none' : String(value)
}

function rawValue(group: OutcomeGroup, dimension: Dimension): string | number | null | undefined {
  if (dimension === 'project') return group.projectId
  if (dimension === 'key') return group.keyId
  if (dimension === 'outcome') {
    return group.outcome === undefined ? undefined : (API_NAMES[group.outcome] ?? group.outcome)
  }
  return group[dimension]
}

function byOf(group: OutcomeGroup, groupBy: readonly Dimension[]) {
  return Object.fromEntries(
    groupBy.map((name) => [
      name,
      name === 'reason' ? dimensionText(group, name) : (rawValue(group, name) ?? null),
    ]),
  )
}

/** Groups that differ only in what was filtered by, or in what has one name here, are one again. */
function sumGroups(groups: readonly OutcomeGroup[], groupBy: readonly Dimension[]): readonly OutcomeGroup[] {
  const sums = new Map<string, OutcomeGroup>()
  for (const group of groups) {
    const name = JSON.stringify(groupBy.map((dimension) => dimensionText(group, dimension)))
    const sum = sums.get(name)
    sums.set(
      name,
      sum === undefined
        ? group
        : {
            ...sum,
            total: sum.total + group.total,
            series: sum.series.map((count, index) => count + (group.series[index] ?? 0)),
          },
    )
  }
  return [...sums.values()]
}

async function digests({ queries, scope, params, publicAddress }: OrgCall): Promise<ApiAnswer> {
  const number = (params.number ?? '').slice(0, max('digestPasteCharsMax'))
  const matches = await queries.digestMatches(scope, number)
  if (matches.length === 0) {
    throw new ApiRefusal(
      notFound(`No event with the digest or id ${number.slice(0, 36)} has been seen here.`).refusal,
      {
        help: `Check that the server process that showed the number reports to this organisation. ${publicAddress.link('/digest')} tells what was received lately.`,
      },
    )
  }
  return answerOk({
    digest: matches[0]?.digest,
    matches: matches.map((match) => ({
      issueId: String(match.issue.id),
      shortId: match.issue.shortId,
      title: match.issue.title,
      project: match.project.slug,
      release: match.release,
      environment: match.environment,
      route: match.route,
      requestKind: match.requestKind,
      eventId: match.eventId,
      traceId: match.traceId,
      count: String(match.count),
      firstSeen: isoTimeText(match.firstSeenMs),
      lastSeen: isoTimeText(match.lastSeenMs),
    })),
  })
}
