/** Errors, or rows of another dataset, by time: `events-stats/`, and the same as series with names, `events-timeseries/`. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#base/durations.ts'
import { max } from '#limits/limits.ts'
import { stepsOfFigures } from '#queries/traces/figure-steps.ts'
import type { TimeRange } from '#queries/types.ts'
import { EVENTS_STATS, EVENTS_TIMESERIES } from './answers/event.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { type DatasetSeriesGroup, datasetSeries } from './dataset-events.ts'
import { DATASET, readDataset } from './datasets.ts'
import { AGGREGATE_NAMES, aggregateOf, type Cell, type CellType, isAggregate } from './error-fields.ts'
import { type CellsOfGroup, readGroupedEvents, sumTallies } from './found-events.ts'
import { ENVIRONMENTS_PARAMETER, PROJECTS_PARAMETER, readPeriod, timeRange } from './params.ts'
import { askedProjects } from './project-terms.ts'
import { listParameter, words } from './query.ts'
import { badField } from './refusals.ts'
import { type SpanFieldType, spanFigureOf, spanSumsAsked } from './span-events.ts'

const RANGE = timeRange('14d')
const Y_AXIS = listParameter('yAxis', `What is counted, by default count(); of ${AGGREGATE_NAMES.join(', ')}`)
const FIELD = listParameter('field', 'What it is kept apart by, with topEvents')
const GROUP_BY = listParameter('groupBy', 'The same')
const TOP = words('topEvents', 'How many values are kept apart, at most 10')
const QUERY = words('query', 'A search of events, as in the web app; empty for all')
const INTERVAL = words('interval', 'Width of a step, such as 5m, 1h or 1d')
const TOP_MAX = 10
const QUERIES = [
  DATASET,
  Y_AXIS,
  TOP,
  QUERY,
  INTERVAL,
  PROJECTS_PARAMETER,
  ENVIRONMENTS_PARAMETER,
  ...RANGE.parameters,
]

export const EVENTS_STATS_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/organizations/{org}/events-stats/',
    permission: 'issue.read',
    what: 'errors, requests of spans by the hour or, from three days back, by the day, or rows of another dataset, by time, of all or of the most frequent values',
    query: [...QUERIES, FIELD],
    answer: EVENTS_STATS,
    run: async (call) => answerOk(statsShape(await readSeries(call, FIELD.read(call.url)))),
  },
  {
    method: 'GET',
    pattern: '/organizations/{org}/events-timeseries/',
    permission: 'issue.read',
    what: 'the same as series with names',
    query: [...QUERIES, GROUP_BY],
    answer: EVENTS_TIMESERIES,
    run: async (call): Promise<ApiAnswer> =>
      answerOk(timeSeriesShape(await readSeries(call, GROUP_BY.read(call.url)))),
  },
]

interface Axis {
  readonly name: string
  readonly type: CellType | SpanFieldType
}

interface SeriesGroup {
  readonly cells: readonly Cell[]
  /** Value of an axis in a step. */
  readonly valueAt: (step: number, axis: number) => number | null
}

interface Series {
  readonly dataset: string
  readonly axes: readonly Axis[]
  readonly keys: readonly string[]
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
  readonly groups: readonly SeriesGroup[]
  /** Group shown where nothing was counted. */
  readonly none: SeriesGroup
}

async function readSeries(call: OrgCall, fields: readonly string[]): Promise<Series> {
  const { url, clock } = call
  const dataset = readDataset(call)
  const asked = await askedProjects(call, QUERY.read(url))
  const named = [...new Set(Y_AXIS.read(url))]
  const axes = named.length === 0 ? ['count()'] : named
  const top = topOf(TOP.read(url))
  const keys = top === null ? [] : [...new Set(fields)].filter((name) => !isAggregate(name))
  const range = RANGE.read(url, clock)
  const asking = readStep(INTERVAL.read(url), range)
  const { stepMs, startMs } =
    dataset === 'spans'
      ? stepsOfFigures(range.startMs, asking, clock.now())
      : { stepMs: asking, startMs: Math.floor(range.startMs / asking) * asking }
  const endMs = Math.min(range.endMs, clock.now() + MINUTE_MS)
  const whole = {
    ...asked,
    environments: ENVIRONMENTS_PARAMETER.read(url),
    range: { startMs, endMs },
    stepMs,
    keys,
    axes,
  }
  const told =
    dataset === 'errors'
      ? await errorSeries(call, whole)
      : dataset === 'spans'
        ? await spanSeries(call, whole)
        : await ofDataset(call, dataset, { ...whole, limit: keys.length === 0 ? 1 : TOP_READ })
  const name = typeof dataset === 'string' ? dataset : dataset.name
  return { ...told, dataset: name, keys, startMs, endMs, stepMs, groups: told.groups.slice(0, top ?? 1) }
}

type SeriesAsked = Omit<Parameters<typeof readGroupedEvents>[1], 'users' | 'limit' | 'stepMs'> & {
  readonly axes: readonly string[]
  readonly stepMs: number
}

async function errorSeries(
  call: OrgCall,
  { axes: names, ...asked }: SeriesAsked,
): Promise<Pick<Series, 'axes' | 'groups' | 'none'>> {
  const { keys, range, stepMs } = asked
  const aggregates = names.map((axis) => aggregateOf(axis, 'yAxis'))
  const users = aggregates.some((aggregate) => aggregate.users === true)
  const groups = await readGroupedEvents(call, { ...asked, users, limit: keys.length === 0 ? 1 : TOP_READ })
  const groupOf = ({ cells, tallies }: CellsOfGroup): SeriesGroup => {
    const byStep = Map.groupBy(tallies, ({ step }) => step)
    return {
      cells,
      valueAt(step, axis) {
        const own = byStep.get(step) ?? []
        const atMs = range.startMs + step * stepMs
        const none = { count: 0, users: 0, firstMs: atMs, lastMs: atMs }
        const figures = { ...(own.length === 0 ? none : sumTallies(own)), minutes: stepMs / MINUTE_MS }
        const value = aggregates[axis]?.of(figures)
        return typeof value === 'number' ? value : null
      },
    }
  }
  return {
    axes: aggregates.map(({ type }, at) => ({ name: names[at] ?? '', type })),
    groups: groupsByCount(groups).map(groupOf),
    none: groupOf({ cells: [], tallies: [] }),
  }
}

/** Requests by steps that figures are known by, of all that the search leaves. */
async function spanSeries(
  call: OrgCall,
  { axes: names, keys, query, projects, environments, range, stepMs }: SeriesAsked,
): Promise<Pick<Series, 'axes' | 'groups' | 'none'>> {
  if (keys.length > 0) throw badField('topEvents', 'Of spans there is one line: leave it out.')
  if (environments.length > 0) throw badField('environment', 'Of spans it stands in `query`.')
  const figures = names.map((name) => spanFigureOf(name, 'yAxis'))
  const asked = { ...spanSumsAsked(query, projects), ...range }
  const buckets = await call.queries.requests.requestSeries(call.scope, asked, stepMs)
  const group: SeriesGroup = {
    cells: [],
    valueAt(step, axis) {
      const bucket = buckets[step]
      const value = bucket === undefined ? null : figures[axis]?.of(bucket)
      return typeof value === 'number' ? value : null
    },
  }
  return {
    axes: figures.map(({ type }, at) => ({ name: names[at] ?? '', type })),
    groups: [group],
    none: group,
  }
}

async function ofDataset(
  ...asked: Parameters<typeof datasetSeries>
): Promise<Pick<Series, 'axes' | 'groups' | 'none'>> {
  const { axes, groups } = await datasetSeries(...asked)
  const groupOf = ({ cells, steps }: Pick<DatasetSeriesGroup, 'cells' | 'steps'>): SeriesGroup => ({
    cells,
    // Nothing is counted as none; of nothing there is no average.
    valueAt: (step, axis) => steps.get(step)?.[axis] ?? (isCountFigure(axes[axis]?.name) ? 0 : null),
  })
  return { axes, groups: groups.map(groupOf), none: groupOf({ cells: [], steps: new Map() }) }
}

function isCountFigure(name: string | undefined): boolean {
  return name !== undefined && /^(?:count|epm|eps)/.test(name)
}

/** Groups of one issue are counted apart, and put together behind that. */
const TOP_READ = 200

function groupsByCount(groups: readonly CellsOfGroup[]): readonly CellsOfGroup[] {
  return groups.toSorted((a, b) => sumTallies(b.tallies).count - sumTallies(a.tallies).count)
}

function topOf(text: string): number | null {
  if (text === '') return null
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1)
    throw badField('topEvents', `A number from 1 to ${TOP_MAX}.`)
  return Math.min(Number(text), TOP_MAX)
}

/** Returns the step that is asked for; a longer one that suits the range if that is too many steps. */
function readStep(text: string, { startMs, endMs }: TimeRange): number {
  const asked = text === '' ? null : readPeriod(text)
  if (text !== '' && (asked === null || asked === 0)) throw badField('interval', 'Such as 5m, 1h or 1d.')
  const widthMs = endMs - startMs
  if (asked !== null && widthMs / asked <= max('trendBucketsMax')) return asked
  if (widthMs <= 2 * HOUR_MS) return MINUTE_MS
  if (widthMs <= DAY_MS) return 5 * MINUTE_MS
  if (widthMs <= 15 * DAY_MS) return HOUR_MS
  return widthMs <= 90 * DAY_MS ? 4 * HOUR_MS : DAY_MS
}

/** Returns each step's start, and the count in it. */
function pointsOf({ startMs, endMs, stepMs, none }: Series, group: SeriesGroup | undefined, axis: number) {
  const steps = Math.max(1, Math.ceil((endMs - startMs) / stepMs))
  return Array.from({ length: steps }, (_, step) => {
    return { atMs: startMs + step * stepMs, value: (group ?? none).valueAt(step, axis) }
  })
}

function statsShape(series: Series) {
  const { axes, keys, groups } = series
  const ofGroup = (group: SeriesGroup | undefined, order: number) =>
    axes.length === 1
      ? setShape(series, group, { axis: 0, order })
      : {
          ...Object.fromEntries(
            axes.map(({ name }, at) => [name, setShape(series, group, { axis: at, order: at })]),
          ),
          ...(keys.length === 0 ? {} : { order }),
        }
  if (keys.length === 0) return ofGroup(groups[0], 0)
  return Object.fromEntries(
    groups.map((group, order) => [group.cells.map(shownCell).join(','), ofGroup(group, order)]),
  )
}

function setShape(
  series: Series,
  group: SeriesGroup | undefined,
  { axis, order }: { readonly axis: number; readonly order: number },
) {
  const { name = '', type = 'number' } = series.axes[axis] ?? {}
  return {
    data: pointsOf(series, group, axis).map(({ atMs, value }) => [
      Math.floor(atMs / 1_000),
      [{ count: value }],
    ]),
    ...{ start: Math.floor(series.startMs / 1_000), end: Math.floor(series.endMs / 1_000) },
    ...{ order, isMetricsData: false },
    meta: { fields: { [name]: type }, units: { [name]: null } },
  }
}

function shownCell(cell: Cell): string {
  return cell === null ? '(no value)' : String(cell)
}

function timeSeriesShape(series: Series) {
  const { axes, keys, groups, startMs, endMs, stepMs, dataset } = series
  const shown = keys.length === 0 ? [groups[0]] : groups
  return {
    meta: { dataset, start: startMs, end: endMs },
    timeSeries: shown.flatMap((group, order) =>
      axes.map(({ name: yAxis, type }, axis) => ({
        yAxis,
        ...(keys.length === 0
          ? {}
          : { groupBy: keys.map((key, at) => ({ key, value: group?.cells[at] ?? null })) }),
        values: pointsOf(series, group, axis).map(({ atMs, value }) => ({
          ...{ timestamp: atMs, value, incomplete: atMs + stepMs > endMs },
        })),
        meta: {
          ...{ valueType: type, valueUnit: null },
          ...{ interval: stepMs, isOther: false, order },
        },
      })),
    ),
  }
}
