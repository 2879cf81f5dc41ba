/** Release health by groups and over time, as dashboards and scripts ask for it. docs/wire.md, section "Sessions". */
import { HOUR_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import type { HealthDimension, HealthFigures, HealthGroup, HealthQuery } from '#ports/health.ts'
import { NO_FIGURES } from '#queries/release-health.ts'
import { SESSIONS_SCHEMA } from './answers/release.ts'
import { type ApiRoute, answerOk, type OrgCall } from './call.ts'
import {
  chosenProjects,
  ENVIRONMENTS_PARAMETER,
  PROJECTS_PARAMETER,
  readPeriod,
  timeRange,
} from './params.ts'
import { choices, words } from './query.ts'
import { badField } from './refusals.ts'
import { FIELDS, type FieldName, STATUSES, sessionFieldValue } from './session-fields.ts'
import { isoTimeText } from './shape/times.ts'

const DAY_HOURS = 24
const GROUP_BY = ['project', 'release', 'environment', 'session.status'] as const
type GroupName = (typeof GROUP_BY)[number]
const RANGE = timeRange('90d')
const FIELD = choices({ name: 'field', what: 'What to compute; default sum(session)', of: FIELDS })
const GROUPS = choices({ name: 'groupBy', what: 'What to group by', of: GROUP_BY })
const INTERVAL = words('interval', 'A multiple of an hour, such as 1h or 1d')
const QUERY = words('query', 'Terms of release: and environment:')

export const SESSION_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/sessions/',
    permission: 'release.read',
    what: 'release health by project, release, environment, status and time',
    query: [FIELD, GROUPS, INTERVAL, QUERY, ENVIRONMENTS_PARAMETER, PROJECTS_PARAMETER, ...RANGE.parameters],
    answer: SESSIONS_SCHEMA,
    run: answerSessions,
  },
]

async function answerSessions(call: OrgCall) {
  const { url, queries, scope } = call
  const fields = readFieldNames(url)
  const groupBy = GROUPS.read(url)
  const range = readHealthRange(call)
  const { releases, environments } = termsOf(url)
  const query: HealthQuery = {
    ...{ ...range, releases, environments },
    projects: await chosenProjects(call),
    groupBy: groupBy.filter((name) => name !== 'session.status'),
  }
  if (fields.some((field) => field.includes('user')) && isTooOld(call, query)) {
    throw badField(
      'interval',
      `Users are counted by the hour for ${max('healthHourPeopleDays')} days; ask for whole days.`,
    )
  }
  const found = await queries.sessionStats(scope, query)
  const groups = found.length === 0 && groupBy.length === 0 ? [emptyGroup(range)] : found
  return answerOk({
    start: isoTimeText(range.startHour * HOUR_MS),
    end: isoTimeText(range.endHour * HOUR_MS),
    query: QUERY.read(url),
    intervals: range.starts.map((hour) => isoTimeText(hour * HOUR_MS)),
    groups: groups.flatMap((group) => shapesOf(group, { fields, groupBy })),
  })
}

function isTooOld({ clock }: OrgCall, { startHour, stepHours }: HealthQuery): boolean {
  const isByHour = stepHours !== null && stepHours % DAY_HOURS !== 0
  return isByHour && startHour * HOUR_MS < clock.now() - max('healthHourPeopleDays') * DAY_HOURS * HOUR_MS
}

function emptyGroup({ starts }: Range): HealthGroup {
  return { totals: NO_FIGURES, series: starts.map(() => NO_FIGURES) }
}

function readFieldNames(url: URL): readonly FieldName[] {
  const names = FIELD.read(url)
  return names.length === 0 ? ['sum(session)'] : names
}

interface Range extends Pick<HealthQuery, 'startHour' | 'endHour' | 'stepHours'> {
  /** Starts of the intervals, in hours since 1970. */
  readonly starts: readonly number[]
}

/** Whole intervals that cover what was asked for; an hour, or a day for ranges of more than two weeks. */
function readHealthRange({ url, clock }: OrgCall): Range {
  const { startMs, endMs } = RANGE.read(url, clock)
  const text = INTERVAL.read(url)
  const spanHours = (endMs - startMs) / HOUR_MS
  const ms = text === '' ? (spanHours > 15 * DAY_HOURS ? DAY_HOURS : 1) * HOUR_MS : readPeriod(text)
  if (ms === null || ms < HOUR_MS || ms % HOUR_MS !== 0)
    throw badField('interval', 'A multiple of an hour, such as 1h or 1d.')
  const stepHours = ms / HOUR_MS
  const startHour = Math.floor(startMs / ms) * stepHours
  const endHour = Math.ceil(Math.min(endMs, clock.now() + 1) / ms) * stepHours
  const count = Math.max(0, (endHour - startHour) / stepHours)
  if (count > max('trendBucketsMax'))
    throw badField('interval', `The range may hold at most ${max('trendBucketsMax')} intervals.`)
  const starts = Array.from({ length: count }, (_, index) => startHour + index * stepHours)
  return { startHour, endHour: Math.max(startHour, endHour), stepHours, starts }
}

const TERM = /^(release|environment):(?:"([^"]*)"|\[([^\]]*)\]|(\S+))(?:\s+|$)/

/** `release:web@1.0.0 environment:[production, staging]`: terms of one key are alternatives. */
function termsOf(url: URL): Pick<HealthQuery, 'releases' | 'environments'> {
  const values: Record<'release' | 'environment', string[]> = {
    ...{ release: [], environment: [...ENVIRONMENTS_PARAMETER.read(url)] },
  }
  let rest = QUERY.read(url).trim()
  while (rest !== '') {
    const match = TERM.exec(rest)
    const [whole, key, quoted, listed, bare] = match ?? []
    if (whole === undefined || (key !== 'release' && key !== 'environment'))
      throw badField('query', 'Terms of release: and environment:.')
    values[key].push(...(listed === undefined ? [quoted ?? bare ?? ''] : splitCommas(listed)))
    rest = rest.slice(whole.length)
  }
  const { release, environment } = values
  return {
    releases: release.length === 0 ? null : release,
    environments: environment.length === 0 ? null : environment,
  }
}

function splitCommas(text: string): readonly string[] {
  return text.split(',').map((each) => each.trim().replace(/^"(.*)"$/, '$1'))
}

interface Shown {
  readonly fields: readonly FieldName[]
  readonly groupBy: readonly GroupName[]
}

/** Shapes one group; one per status if statuses are told apart. */
function shapesOf(group: HealthGroup, { fields, groupBy }: Shown) {
  const statuses = groupBy.includes('session.status') ? STATUSES : [null]
  return statuses.map((status) => {
    const values = (of: (field: FieldName) => unknown) =>
      Object.fromEntries(fields.map((field) => [field, of(field)]))
    const valueIn = (figures: HealthFigures, field: FieldName) =>
      sessionFieldValue(field, { figures, status })
    return {
      by: { ...groupNames(group, groupBy), ...(status === null ? {} : { 'session.status': status }) },
      totals: values((field) => valueIn(group.totals, field)),
      series: values((field) => group.series.map((figures) => valueIn(figures, field))),
    }
  })
}

function groupNames(group: HealthGroup, groupBy: readonly GroupName[]) {
  const names: Readonly<Record<HealthDimension, unknown>> = {
    project: group.projectId,
    release: group.release,
    environment: group.environment,
  }
  return Object.fromEntries(
    groupBy.flatMap((name) => (name === 'session.status' ? [] : [[name, names[name]]])),
  )
}
