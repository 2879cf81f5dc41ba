/** The errors of requests in a list: which issue each leads to. */
import { ERROR, type EventRow } from '#kinds/error/fields.ts'
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import type { Issue, IssuesRead } from '#ports/issues.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { TelemetryStore } from '#ports/telemetry.ts'
import { type ErrorReads, filesNear, newestErrors } from './errors-near.ts'
import { segmentKey } from './segment-key.ts'
import type { RowError } from './types.ts'

export interface RowErrorParts {
  readonly telemetry: ErrorReads & Pick<TelemetryStore, 'files'>
  readonly issues: Pick<IssuesRead, 'issueOfGroup'>
}

type Place = Pick<FragmentRow, 'projectId' | 'traceId' | 'segmentId' | 'timestampMs' | 'durationMs' | 'day'>

const SLACK_MS = max('failureSlackMs')

/**
 * Each row with the newest error of its own project and trace: one of its own span, else one that happened while it ran
 * and that no other row’s span claims. `null`: none is kept, or its issue may not be read.
 */
export async function withErrors<R extends Place>(
  parts: RowErrorParts,
  scope: ReadScope,
  rows: readonly R[],
): Promise<readonly (R & { readonly error: RowError | null })[]> {
  const events = await readErrorsOfRows(parts, scope, rows)
  const issues = new Map<string, ReturnType<IssuesRead['issueOfGroup']>>()
  const issueOf = ({ projectId, groupHash }: EventRow) => {
    const key = `${projectId}:${groupHash}`
    const known = issues.get(key) ?? parts.issues.issueOfGroup(scope, projectId, groupHash)
    issues.set(key, known)
    return known
  }
  const byTrace = Map.groupBy(events, rowTraceKey)
  const segments = new Set(rows.map(segmentKey))
  return Promise.all(
    rows.map(async (row) => {
      const own = (byTrace.get(rowTraceKey(row)) ?? []).filter((event) => isErrorOfRow(event, row, segments))
      const found = (await Promise.all(own.map(issueOf))).filter((issue) => issue !== null)
      const others = new Set(found.map(({ id }) => id)).size - 1
      return { ...row, error: found[0] === undefined ? null : rowError(found[0], others) }
    }),
  )
}

function rowError({ shortId, title, type, value, category, level }: Issue, others: number): RowError {
  return { shortId, title, type, value, category, level, others }
}

/** Newest first. */
async function readErrorsOfRows(
  { telemetry }: RowErrorParts,
  scope: ReadScope,
  rows: readonly Place[],
): Promise<readonly EventRow[]> {
  if (rows.length === 0) return []
  const days = rows.map(({ day }) => day)
  const value = rows.map(({ projectId, traceId }) => ({ projectId, value: traceId }))
  const projects = new Set(rows.map(({ projectId }) => projectId))
  const within = { ...scope, projects: scope.projects.filter((id) => projects.has(id)) }
  return newestErrors(telemetry, within, {
    files: filesNear(await telemetry.files(), ERROR, days),
    startMs: Math.min(...rows.map(({ timestampMs }) => timestampMs)) - SLACK_MS,
    endMs: Math.max(...rows.map(({ timestampMs, durationMs }) => timestampMs + durationMs)) + SLACK_MS,
    tags: [{ key: 'trace', value, negated: false }],
  })
}

function isErrorOfRow(event: EventRow, row: Place, segments: ReadonlySet<string>): boolean {
  const { spanId, timestampMs: atMs } = event
  if (spanId !== null && segments.has(segmentKey({ ...row, segmentId: spanId })))
    return spanId === row.segmentId
  return atMs >= row.timestampMs - SLACK_MS && atMs <= row.timestampMs + row.durationMs + SLACK_MS
}

function rowTraceKey({ projectId, traceId }: Pick<EventRow, 'projectId' | 'traceId'>): string {
  return `${projectId}:${traceId}`
}
