/** Web vitals: how they are spread, by page, release and device, over time, and what was measured in the newest page loads. */
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { Vital } from '#model/span.ts'
import type { RequestsQuery } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { DeviceVital, VitalFilter } from '#ports/traces.ts'
import { DurationSketch } from '#requests/sketch.ts'
import { type Blocking, blockingIn, type MeasuredVital, measuredIn } from '#requests/vital-causes.ts'
import { VITAL_THRESHOLDS } from '#requests/vitals.ts'
import { pageStepMs } from './figure-steps.ts'
import { filesWithin, type PerformanceParts } from './performance.ts'
import { spansOfRow } from './stored-fragment.ts'
import type { TraceParts } from './trace.ts'
import type { BlockingCause, PerformanceFilter, VitalElement, VitalsView } from './types.ts'

export type VitalsFilter = PerformanceFilter & { readonly route: string | null }

/** Reads the web vitals of a project. `null` for a project that is not in the scope. */
export async function vitalsView(
  parts: PerformanceParts & Pick<TraceParts, 'payloads'>,
  scope: ReadScope,
  filter: VitalsFilter,
): Promise<VitalsView | null> {
  const { requests, telemetry } = parts
  const all = filter.project === null ? [] : await parts.projects.projects(scope)
  const project = all.find(({ slug, id }) => slug === filter.project || String(id) === filter.project)
  if (filter.project !== null && project === undefined) return null
  const { startMs, endMs } = filter.range
  const { route, environment, release } = filter
  const ofAll: RequestsQuery = {
    ...{ startMs, endMs, projects: project === undefined ? null : [project.id] },
    ...(environment === null ? {} : { environment }),
  }
  const narrow = { ...(route === null ? {} : { route }), ...(release === null ? {} : { release }) }
  const query = { ...ofAll, ...narrow }
  const bucketMs = pageStepMs(filter.range, parts.clock.now())
  const stored = {
    ...{ files: filesWithin(await telemetry.files(), filter.range), startMs, endMs },
    ...{ projects: query.projects, tags: vitalTags({ route, environment, release }) },
  }
  const [spreads, series, pages, releases, visits, devices, causes] = await Promise.all([
    requests.vitalSpreads(scope, query),
    requests.vitalGroups(scope, query, bucketMs),
    requests.vitals(scope, { ...ofAll, ...(release === null ? {} : { release }) }),
    requests.vitalGroups(scope, { ...ofAll, ...(route === null ? {} : { route }) }, 'release'),
    requests.routes(scope, { ...ofAll, kind: 'browser' }),
    telemetry.deviceVitals(scope, stored, VITAL_THRESHOLDS),
    readVitalCauses(parts, scope, stored),
  ])
  return {
    ...{ range: filter.range, bucketMs, bounds: VITAL_THRESHOLDS },
    ...{ spreads, series, pages, releases, devices: devices.map(deviceFigures), ...causes },
    estimated: visits
      .filter(({ isEstimated }) => isEstimated)
      .map(({ projectId, route: of }) => ({ projectId, route: of })),
  }
}

/** Returns figures whose percentile is that of the figures by page and release, where it is of the same numbers. */
function deviceFigures({ values, ...of }: DeviceVital): VitalsView['devices'][number] {
  const sketch = new DurationSketch()
  for (const [value, count] of values) sketch.add(value, count)
  return { ...of, p75: sketch.quantile(0.75) ?? 0 }
}

function vitalTags(of: Pick<VitalsFilter, 'route' | 'environment' | 'release'>): VitalFilter['tags'] {
  return Object.entries(of).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value, negated: false }],
  )
}

const SHOWN = 6
const MEASURED: readonly Vital[] = ['lcp', 'cls', 'inp']

async function readVitalCauses(
  parts: PerformanceParts & Pick<TraceParts, 'payloads'>,
  scope: ReadScope,
  filter: VitalFilter,
): Promise<Pick<VitalsView, 'elements' | 'blocking' | 'looked'>> {
  const rows = await parts.telemetry.vitalFragments(scope, filter, max('vitalFragmentsReadMax'))
  const read = await Promise.all(rows.map(async (row) => ({ row, spans: await spansOfRow(parts, row) })))
  const measured = read.flatMap(({ row, spans }) => measuredIn(spans).map((one) => ({ ...one, row })))
  const blocking = read.flatMap(({ row, spans }) => blockingIn(spans).map((one) => ({ ...one, row })))
  return {
    // A load whose spans were streamed is several rows.
    looked: new Set(rows.map(({ traceId, segmentId }) => `${traceId} ${segmentId}`)).size,
    elements: MEASURED.flatMap((vital) => elementsOf(measured.filter((one) => one.vital === vital))),
    blocking: blockingOf(blocking),
  }
}

type OfRow<T> = T & { readonly row: FragmentRow }

/** Returns elements, most often measured first. */
function elementsOf(measured: readonly OfRow<MeasuredVital>[]): readonly VitalElement[] {
  return [...Map.groupBy(measured, ({ element }) => element).values()]
    .flatMap((own): VitalElement[] => {
      const sorted = own.toSorted((a, b) => a.value - b.value)
      const [worst, p75] = [sorted.at(-1), sorted[Math.floor(0.75 * (sorted.length - 1))]]
      if (worst === undefined || p75 === undefined) return []
      const { vital, element, row } = worst
      const example = { traceId: row.traceId, atMs: row.timestampMs }
      return [
        {
          vital,
          element,
          count: own.length,
          of: measured.length,
          p75: p75.value,
          worst: worst.value,
          example,
        },
      ]
    })
    .sort((a, b) => b.count - a.count)
    .slice(0, SHOWN)
}

/** Returns causes, most time together first. */
function blockingOf(found: readonly OfRow<Blocking>[]): readonly BlockingCause[] {
  return [...Map.groupBy(found, ({ what, name }) => `${what}\n${name}`).values()]
    .flatMap((own): BlockingCause[] => {
      const longest = own.toSorted((a, b) => b.ms - a.ms)[0]
      if (longest === undefined) return []
      const { what, name, ms, row } = longest
      const loads = new Set(own.map((one) => one.row.traceId)).size
      const totalMs = own.reduce((sum, one) => sum + one.ms, 0)
      return [
        {
          what,
          name,
          loads,
          totalMs,
          longestMs: ms,
          example: { traceId: row.traceId, atMs: row.timestampMs },
        },
      ]
    })
    .sort((a, b) => b.totalMs - a.totalMs)
    .slice(0, SHOWN)
}
