/** Web vitals as fragments themselves say them: by what figures are not kept apart by, and with what was measured. */
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import { VITALS, type Vital } from '#model/span.ts'
import type { DeviceVital, FragmentLike, VitalFilter } from '#ports/traces.ts'
import { binValueSql } from './ask-sums.ts'
import { type FileRows, fromProjects, type Parameters } from './conditions.ts'
import type { AnswerRow } from './driver.ts'
import { ROWS, readAnswerRow, selectShown } from './table-sql.ts'
import { askTraceFile, filesOfKind, type TraceContext } from './trace-reads.ts'

/** `iOS` of `iOS 18.5`. */
const SYSTEM = "coalesce(regexp_extract(e.os, '^[A-Za-z][A-Za-z ]*[A-Za-z]'), '')"
const HAS_VITAL = `(${VITALS.map((vital) => `e.${vital} IS NOT NULL`).join(' OR ')})`

/** Same as `TraceReads.deviceVitals`. */
export async function readDeviceVitals<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: VitalFilter,
  bounds: Readonly<Record<Vital, readonly [good: number, poor: number]>>,
): Promise<readonly DeviceVital[]> {
  const sums = new Map<string, DeviceSum>()
  for (const file of filesOfKind(context, filter.files)) {
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const from = fromVitals(context, { attached, filter, parameters, file })
      const each = VITALS.map((vital) => {
        const [good, poor] = bounds[vital].map((value) => `${parameters.add(value)}::DOUBLE`)
        const ofBins =
          `SELECT device, ${binValueSql('v')} AS bin, sum(weight) AS w, sum(weight) FILTER (v <= ${good}) AS good, ` +
          `sum(weight) FILTER (v > ${poor}) AS poor ` +
          `FROM (SELECT device, weight, ${vital} AS v FROM found WHERE ${vital} IS NOT NULL) GROUP BY device, bin`
        return (
          `SELECT device, '${vital}' AS vital, sum(good)::DOUBLE, sum(poor)::DOUBLE, ` +
          `list_concat(list(bin ORDER BY bin)::DOUBLE[], list(w ORDER BY bin)::DOUBLE[]) FROM (${ofBins}) GROUP BY device`
        )
      })
      const columns = VITALS.map((vital) => `e.${vital}`).join(', ')
      return `WITH found AS (SELECT ${SYSTEM} AS device, e.weight, ${columns} ${from}) ${each.join(' UNION ALL ')}`
    })
    for (const row of found) addDeviceRow(sums, row)
  }
  return [...sums.values()]
    .map(({ values, ...of }) => ({ ...of, values: [...values].sort(([a], [b]) => a - b) }))
    .sort((a, b) => b.count - a.count)
    .slice(0, max('traceFacetValuesMax') * VITALS.length)
}

interface DeviceSum {
  readonly device: string
  readonly vital: Vital
  count: number
  good: number
  poor: number
  readonly values: Map<number, number>
}

function addDeviceRow(sums: Map<string, DeviceSum>, [device, name, good, poor, bins]: AnswerRow): void {
  const vital = VITALS.find((one) => one === name)
  if (vital === undefined || !Array.isArray(bins)) return
  const key = `${String(device)}\n${vital}`
  const sum = sums.get(key) ?? {
    ...{ device: String(device), vital, count: 0, good: 0, poor: 0, values: new Map() },
  }
  sums.set(key, sum)
  sum.good += Number(good ?? 0)
  sum.poor += Number(poor ?? 0)
  const many = bins.length / 2
  for (let at = 0; at < many; at++) {
    const [value, count] = [Number(bins[at]), Number(bins[many + at])]
    sum.count += count
    sum.values.set(value, (sum.values.get(value) ?? 0) + count)
  }
}

/** Same as `TraceReads.vitalFragments`. */
export async function readVitalFragments<R extends FragmentLike>(
  context: TraceContext<R>,
  filter: VitalFilter,
  limit: number,
): Promise<readonly R[]> {
  const rows: R[] = []
  for (const file of filesOfKind(context, filter.files)) {
    if (rows.length >= limit) break
    const found = await askTraceFile(context, file, (attached, parameters) => {
      const from = fromVitals(context, { attached, filter, parameters, file })
      return `SELECT ${selectShown(context.table)} ${from} AND NOT e.is_sampled_out
        ORDER BY e.timestamp_ms DESC LIMIT ${Math.floor(limit - rows.length)}`
    })
    rows.push(...found.map((values) => readAnswerRow(context.table, values, file)))
  }
  return rows
}

function fromVitals<R extends FragmentLike>(
  { scope, rules }: TraceContext<R>,
  of: {
    readonly attached: FileRows
    readonly filter: VitalFilter
    readonly parameters: Parameters
    readonly file: FileName
  },
): string {
  const { attached, filter, parameters, file } = of
  const { startMs, endMs, projects } = filter
  const route = filter.tags.find(isRouteTag)
  const tags = filter.tags.filter((tag) => tag !== route)
  const wanted = projects === null ? null : new Set(projects)
  const readable =
    wanted === null ? scope : { ...scope, projects: scope.projects.filter((id) => wanted.has(id)) }
  const from = fromProjects(attached, readable, { filter: { startMs, endMs, tags }, parameters, rules, file })
  const ofRoute = route === undefined ? '' : ` AND ${vitalsOfRouteSql(attached, parameters.add(route.value))}`
  return `${from}${ofRoute} AND ${HAS_VITAL}`
}

type RouteTag = VitalFilter['tags'][number] & { readonly value: string }

function isRouteTag(tag: VitalFilter['tags'][number]): tag is RouteTag {
  return tag.key === 'route' && typeof tag.value === 'string' && !tag.negated
}

/** Condition on rows of a page: those that came apart name none, and are of the page whose own row came on that day. */
function vitalsOfRouteSql({ alias, rows = `${alias}.${ROWS}` }: FileRows, route: string): string {
  const own = `SELECT 1 FROM ${rows} s WHERE s.has_root AND s.route = ${route} AND s.project_id = e.project_id
    AND s.trace_id = e.trace_id AND s.segment_id = e.segment_id`
  return `(e.route = ${route} OR e.route IS NULL AND NOT e.has_root AND EXISTS (${own}))`
}
