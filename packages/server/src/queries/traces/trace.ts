/** Reads one trace: every kept span and error of it, in the projects that may be read. */
import type { Clock } from '#base/clock.ts'
import { dayOf } from '#base/ids.ts'
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import { type FragmentRow, SPAN } from '#kinds/span/fields.ts'
import { readStoredSpans } from '#kinds/span/stored-spans.ts'
import { max } from '#limits/limits.ts'
import type { FileName } from '#model/file-name.ts'
import type { IssuesRead } from '#ports/issues.ts'
import type { ProjectsRead } from '#ports/projects.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { EventReads, PayloadSegments, TelemetryStore } from '#ports/telemetry.ts'
import type { TraceReads } from '#ports/traces.ts'
import { isServerFailure } from '#requests/failures.ts'
import { type ActionNameParts, actionNames, shownIn } from '../action-names.ts'
import { filesNear, newestErrors } from './errors-near.ts'
import { type ToldFailure, toldSegments } from './told-segments.ts'
import { unendedSegments, type ReadFragment, traceProjects, traceSpans } from './tree.ts'
import type { TraceError, TraceSpan, TraceView } from './types.ts'

export interface TraceParts extends ActionNameParts {
  readonly telemetry: EventReads<EventRow> & TraceReads<FragmentRow> & Pick<TelemetryStore, 'files'>
  readonly payloads: Pick<PayloadSegments, 'read'>
  readonly issues: Pick<IssuesRead, 'issueOfGroup' | 'groups'>
  readonly projects: ProjectsRead
  readonly clock: Clock
}

const TRACE_ID = /^[0-9a-f]{32}$/

/** Same as `TraceQueries.trace`. */
export async function traceView(
  parts: TraceParts,
  scope: ReadScope,
  { traceId: given, nearMs }: { readonly traceId: string; readonly nearMs: number | undefined },
): Promise<TraceView | null> {
  const traceId = given.toLowerCase().replaceAll('-', '')
  if (!TRACE_ID.test(traceId)) return null
  const files = await parts.telemetry.files()
  const [fragments, { errors, failures }] = await Promise.all([
    readPayloadFragments(parts, scope, { traceId, files: nearest(files, SPAN, nearMs) }),
    readErrorsOfTrace(parts, scope, { traceId, files: nearest(files, ERROR, nearMs) }),
  ])
  if (fragments.length === 0 && errors.length === 0) {
    // Perhaps it is not where it was looked for.
    return nearMs === undefined ? null : traceView(parts, scope, { traceId, nearMs: undefined })
  }
  const { spans, isCut, clockShiftMs } = await shownOf(parts, scope, { fragments, failures })
  const times = [
    ...spans.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    ...errors.map(({ atMs }) => atMs),
  ]
  const ids = new Set([...traceProjects(fragments), ...errors.map(({ projectId }) => projectId)])
  const projects = await parts.projects.projects(scope)
  return {
    traceId,
    startMs: times.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
    endMs: times.reduce((most, one) => Math.max(most, one), 0),
    spans,
    errors,
    projects: projects.filter(({ id }) => ids.has(id)).map(({ id, slug, name }) => ({ id, slug, name })),
    isCut,
    sampledOut: fragments.filter(({ row }) => row.isSampledOut).length,
    clockShiftMs,
    unendedSegments: unendedSegments(fragments),
  }
}

type ShownSpans = Pick<TraceView, 'spans' | 'isCut' | 'clockShiftMs'>

/** The spans of a trace in these files, where some of its failures are known. */
export async function spansIn(
  parts: TraceParts,
  scope: ReadScope,
  { failures, ...place }: TracePlace & { readonly failures: readonly ToldFailure[] },
): Promise<ShownSpans> {
  const fragments = await readPayloadFragments(parts, scope, place)
  return shownOf(parts, scope, { fragments, failures })
}

async function shownOf(
  parts: TraceParts,
  scope: ReadScope,
  {
    fragments,
    failures,
  }: { readonly fragments: readonly ReadFragment[]; readonly failures: readonly ToldFailure[] },
): Promise<ShownSpans> {
  const { spans: sent, isCut } = traceSpans(fragments, max('traceSpansShownMax'))
  const spans = await withActionNames(parts, scope, toldSegments(sent, failures))
  return {
    spans,
    isCut: isCut || fragments.length >= max('traceFragmentsMax'),
    clockShiftMs: clockShift(spans),
  }
}

async function withActionNames(
  parts: ActionNameParts,
  scope: ReadScope,
  spans: readonly TraceSpan[],
): Promise<readonly TraceSpan[]> {
  const asked = spans.flatMap(({ projectId, segment }) =>
    segment === null || segment.action === null
      ? []
      : [{ project: projectId, release: segment.release, id: segment.action }],
  )
  const names = await actionNames(parts, scope, asked)
  if (names.all.length === 0) return spans
  return spans.map((span) => {
    const { projectId, segment } = span
    if (segment === null || segment.actionId !== null) return span
    return { ...span, segment: { ...segment, ...shownIn(names, { projectId, action: segment.action }) } }
  })
}

/** Whether anything of a trace is kept, spans or errors: cheaper than its view. */
export async function hasTrace(
  { telemetry }: Pick<TraceParts, 'telemetry'>,
  scope: ReadScope,
  traceId: string,
): Promise<boolean> {
  const files = await telemetry.files()
  const tags = [{ key: 'trace', value: traceId, negated: false }]
  const [fragments, groups] = await Promise.all([
    telemetry.fragments(scope, { traceId, files: nearest(files, SPAN, undefined) }),
    telemetry.groupsMatching(scope, { files: nearest(files, ERROR, undefined), tags }, 1),
  ])
  return fragments.length > 0 || groups.length > 0
}

/** Files of a kind; those of the days around a time where one is known. */
export function nearest(
  files: readonly FileName[],
  kind: string,
  nearMs: number | undefined,
): readonly FileName[] {
  if (nearMs === undefined) return files.filter((file) => file.kind === kind)
  return filesNear(files, kind, [dayOf(nearMs)])
}

interface TracePlace {
  readonly traceId: string
  readonly files: readonly FileName[]
}

async function readPayloadFragments(
  { telemetry, payloads }: TraceParts,
  scope: ReadScope,
  place: TracePlace,
): Promise<readonly ReadFragment[]> {
  const rows = await telemetry.fragments(scope, place)
  return Promise.all(
    rows.map(async (row) => {
      const { day, retentionDays, projectId, eventId, timestampMs } = row
      const payload = await payloads.read({ kind: SPAN, day, retentionDays }, projectId, eventId)
      const stored = payload === null || payload.length === 0 ? null : readStoredSpans(payload, timestampMs)
      return { row, spans: stored?.spans ?? [] }
    }),
  )
}

async function readErrorsOfTrace(
  { telemetry, issues }: TraceParts,
  scope: ReadScope,
  { traceId, files }: TracePlace,
): Promise<{ readonly errors: readonly TraceError[]; readonly failures: readonly ToldFailure[] }> {
  const tags = [{ key: 'trace', value: traceId, negated: false }]
  const rows = await newestErrors(telemetry, scope, { files, tags })
  const found = await Promise.all(
    rows.map(async (row): Promise<readonly TraceError[]> => {
      const issue = await issues.issueOfGroup(scope, row.projectId, row.groupHash)
      if (issue === null) return []
      const { projectId, eventId, title, level, spanId, isMirror, timestampMs: atMs } = row
      const { id: issueId, shortId } = issue
      const digest = row.tags.find(([key]) => key === 'digest')?.[1] ?? null
      return [{ projectId, eventId, issueId, shortId, title, level, atMs, spanId, isMirror, digest }]
    }),
  )
  const failures = rows.filter(isServerFailure).map((row): ToldFailure => {
    const { projectId, requestKind, route, timestampMs: atMs } = row
    return { projectId, requestKind, route, atMs }
  })
  return { errors: found.flat().sort((a, b) => a.atMs - b.atMs), failures }
}

/** From requests of a browser and the server's answers to them: an answer lies within its request. */
function clockShift(spans: TraceView['spans']): number | null {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  for (const span of spans) {
    const parent = span.parentSpanId === null ? undefined : byId.get(span.parentSpanId)
    if (parent === undefined || !span.isSegment || parent.projectId === undefined) continue
    if (span.segment?.platform === 'javascript' || !parent.op.startsWith('http.client')) continue
    if (span.startMs >= parent.startMs - 1 && span.endMs <= parent.endMs + 1) return null
    return (parent.startMs + parent.endMs - span.startMs - span.endMs) / 2
  }
  return null
}
