import { max } from '@errata/server/limits'
import { isActionId, searchTokens, shortAction, type TraceList } from '@errata/server/queries'
import { readAddress } from '#parts/address.ts'
import { namesOfProjects, projectChoices } from '#parts/choices.server.ts'
import { chosenOrBack } from '#parts/chosen-range.ts'
import { readCompletion } from '#parts/completion.server.ts'
import { releaseMarks } from '#parts/release-marks.server.ts'
import { requireScope } from '#wire/loader.ts'
import { readable } from '#wire/readable.ts'
import type { LoaderContext } from '#wire/types.ts'
import { isFailed } from './failed.ts'
import { traceRows } from './trace-rows.ts'
import { TRACES } from './traces-address.ts'

/** Segments that match a search, a page at a time, with a picture of all of them. */
export async function loadTraces(ctx: LoaderContext) {
  const org = requireScope(ctx)
  const { engine, scope, url, nowMs } = org
  const address = readAddress(TRACES, url.searchParams)
  const range = chosenOrBack(address, nowMs)
  const { query, project, sort, cursor } = address
  const search = { range, project, query, sort, limit: max('pageRowsDefault'), cursor }
  const list = await readable(ctx, 'traces', {
    read: () => engine.queries.traces(scope, search),
    otherwise: (): TraceList => noTraces(range),
  })
  const [choices, named, marks] = await Promise.all([
    projectChoices(org, project === null ? [] : [project]),
    namesOfProjects(
      org,
      list.rows.map(({ projectId }) => projectId),
    ),
    releaseMarks(org, { project, ...range }),
  ])
  const { of, total, otherTotal, nextCursor, points, others, bounds, facets, problems, unknownTags } = list
  const isHeat = address.chart === 'heat' || (address.chart === null && total > points.length)
  return {
    ...{ org: scope.orgSlug, address, range, of, total, otherTotal, nextCursor, facets, problems },
    ...{ unknownTags, bounds, marks, nowMs },
    heat: isHeat ? heatOf(list) : { ...heatOf(list), cells: [] },
    isHeat,
    shown: shownPoints(points),
    // A heat map shows no marks: four hundred of them would be a fifth of its document.
    points: isHeat ? [] : points,
    others: isHeat ? [] : others.map(({ atMs, durationMs }) => ({ atMs, durationMs })),
    rows: traceRows(list.rows.map((row) => listRow(row, named.get(row.projectId)?.slug ?? ''))),
    requests: list.rows.length,
    choices,
    tokens: problems.length > 0 ? [] : searchTokens(query),
    queryCharsMax: max('searchCharsMax'),
  }
}

/** Returns the heat map with each cell as slot, row and count: it has some hundreds, and each is sent twice. */
function heatOf({ heat }: TraceList) {
  return { ...heat, cells: heat.cells.map(({ slot, row, count }) => [slot, row, count] as const) }
}

/** Returns how many requests were read for the chart, how many of them failed, and their least and greatest duration in ms. */
function shownPoints(points: TraceList['points']) {
  const durations = points.map(({ durationMs }) => durationMs)
  return {
    count: points.length,
    failed: points.filter(({ end }) => isFailed(end)).length,
    spreadMs: durations.length === 0 ? null : ([Math.min(...durations), Math.max(...durations)] as const),
  }
}

function noTraces({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): TraceList {
  return {
    ...{ of: 'requests', rows: [], total: 0, otherTotal: 0, nextCursor: null, points: [], others: [] },
    ...{ bounds: { minMs: null, maxMs: null }, facets: [], problems: [], unknownTags: [] },
    heat: { startMs, stepMs: endMs - startMs, perDecade: 1, slots: 1, cells: [] },
  }
}

/** Completes what is typed into the search field. */
export async function answerSuggestions(ctx: LoaderContext): Promise<Response> {
  const { engine, scope, url } = requireScope(ctx)
  const { key, prefix, projects } = readCompletion(url.searchParams)
  const [project] = projects
  const suggestions = await engine.queries.traceSuggestions(scope, {
    ...{ key, prefix, projects: project === undefined ? null : [project] },
  })
  return Response.json({ suggestions })
}

/** Returns what a row shows; the rest of a fragment stays here. */
function listRow(row: TraceList['rows'][number], project: string) {
  const { eventId: id, traceId, segmentId, timestampMs: atMs, durationMs, name, op, route, user } = row
  const { requestKind, method, httpStatus, end, spanCount, isSampledOut, repeated, error } = row
  const { queriesMs, callsMs, service } = row
  return {
    ...{ id, traceId, segmentId, atMs, durationMs, name, op, route, user },
    services: [service ?? project, ...row.services.filter((name) => name !== (service ?? project))],
    ...{ requestKind, method, httpStatus, end, spanCount, isSampledOut, error, queriesMs, callsMs },
    isSlow: durationMs >= max('slowRequestMs'),
    ...calledBy(row),
    repeats: repeated.length > 0,
  }
}

/** Returns a request's name, if not its address; an id says nothing without it. */
function calledBy({ action, actionId, route }: TraceList['rows'][number]) {
  if (action === null || !isActionId(action)) return { action, actionId }
  return { action: [route, shortAction(action)].filter(Boolean).join(' '), actionId: action }
}

export type TracesData = Awaited<ReturnType<typeof loadTraces>>
export type TraceRow = TracesData['rows'][number]
