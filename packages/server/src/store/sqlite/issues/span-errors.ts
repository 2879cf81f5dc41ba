/**
 * The stage that joins issues of one error, whoever told of it first: if an exception of a span has made an issue and a
 * Sentry SDK tells of it afterwards in the same trace, the issues become one. The other order is
 * `ingest/told-errors.ts`.
 */
import { groupHash, type IssueId, type ProjectId } from '#base/ids.ts'
import type { GroupDelta, StoredFacts } from '#ports/ingest.ts'
import type { MovedIssues } from '#skew/gathering.ts'
import type { Connection } from '../connection.ts'
import { traceIdKey } from '../rows/trace-key.ts'
import type { Stage } from '../stage.ts'
import { joinGroups } from './group-joining.ts'

interface KnownGroup {
  readonly hash: Uint8Array
  readonly issueId: IssueId
}

interface DeltasAtHand {
  readonly deltas: readonly GroupDelta[]
  readonly nowMs: number
}

interface TracedDeltas {
  readonly traced: readonly TracedDelta[]
  readonly nowMs: number
}

/** Errors of spans, decided one after the other: each sees what the earlier ones left. */
export const SPAN_ERROR_STAGE: Stage<
  DeltasAtHand,
  readonly TracedDelta[],
  TracedDeltas,
  DeltasAtHand & { readonly before: { readonly hasSpanFailures: number } },
  { readonly moved: MovedIssues; readonly isChanged: boolean }
> = {
  name: 'span errors',
  pick({ deltas, before, nowMs }) {
    const maySpan = before.hasSpanFailures === 1 || deltas.some(tellsOfSpan)
    return maySpan && deltas.length > 0 ? { deltas, nowMs } : null
  },
  load: (db, { deltas }) => mayHaveSpans(db, deltas),
  decide: (traced, { nowMs }) => ({ traced, nowMs }),
  save(db, { traced, nowMs }) {
    const moved = joinTraced(db, traced, nowMs)
    return { moved, isChanged: moved.size > 0 }
  },
}

function tellsOfSpan({ sightings }: GroupDelta): boolean {
  return sightings.some(({ isOfSpan }) => isOfSpan === true)
}

/** Answers the issues that became part of others. */
function joinTraced(db: Connection, traced: readonly TracedDelta[], nowMs: number): MovedIssues {
  const moved = new Map<IssueId, IssueId>()
  for (const { delta, traces } of traced) {
    const before = findIssue(db, delta.projectId, Buffer.from(delta.hash, 'hex'))
    const spans = before === null ? null : groupOfSpans(db, delta, traces)
    if (before === null || spans === null || spans.issueId === before) continue
    const facts: StoredFacts = JSON.parse(delta.facts)
    const hash = groupHash(Buffer.from(spans.hash).toString('hex'))
    joinGroups(db, { projectId: delta.projectId, hash, written: { hash: delta.hash, facts } }, nowMs)
    for (const [was, group] of [
      [before, Buffer.from(delta.hash, 'hex')],
      [spans.issueId, spans.hash],
    ] as const) {
      const now = findIssue(db, delta.projectId, group)
      if (now !== null && now !== was) moved.set(was, now)
    }
  }
  return moved
}

interface TracedDelta {
  readonly delta: GroupDelta
  readonly traces: readonly bigint[]
}

/** Returns deltas of a trace in which a span has failed. */
function mayHaveSpans(db: Connection, deltas: readonly GroupDelta[]): readonly TracedDelta[] {
  const traced = deltas.map((delta) => ({ delta, traces: tracesOfSdk(delta) }))
  const asked = traced.flatMap(({ delta, traces }) => traces.map((trace) => ({ delta, trace })))
  // server_failures_of_spans
  const sql = 'SELECT 1 FROM server_failures WHERE of_span = 1 AND trace = ? AND project_id = ?'
  const rows = db.getEach(
    sql,
    asked.map(({ delta, trace }) => [trace, delta.projectId]),
  )
  const found = new Set(asked.filter((_, at) => rows[at] !== undefined).map(({ delta }) => delta))
  return traced.filter(({ delta }) => found.has(delta))
}

function tracesOfSdk({ sightings, mirrorCount }: GroupDelta): readonly bigint[] {
  if (mirrorCount > 0) return []
  return sightings.flatMap(({ traceId, isOfSpan }) => {
    const key = traceId === null || isOfSpan === true ? null : traceIdKey(traceId)
    return key === null ? [] : [key]
  })
}

function findIssue(db: Connection, project: ProjectId, hash: Uint8Array): IssueId | null {
  const sql = 'SELECT issue_id AS issueId FROM groups WHERE project_id = ? AND hash = ?'
  return db.get<{ issueId: IssueId }>(sql, [project, hash])?.issueId ?? null
}

/** Returns the group of the same trace, type and message. */
function groupOfSpans(db: Connection, delta: GroupDelta, traces: readonly bigint[]): KnownGroup | null {
  // server_failures_of_spans: of nearly every project there is no such row.
  const sql = `SELECT g.hash, g.issue_id AS issueId FROM server_failures f
    JOIN groups g ON g.id = f.group_id
    JOIN issues i ON i.id = g.issue_id
    WHERE f.of_span = 1 AND f.trace = ? AND f.project_id = ? AND i.type = ? AND i.value = ?
    ORDER BY g.id LIMIT 1`
  const { type, value }: StoredFacts = JSON.parse(delta.facts)
  for (const trace of traces) {
    const found = db.get<KnownGroup>(sql, [trace, delta.projectId, type, value])
    if (found !== undefined) return found
  }
  return null
}
