/** A route before and after a release: two distributions, and what its spans add, with the commit that touched them. */
import type { FragmentRow } from '#kinds/span/fields.ts'
import { max } from '#limits/limits.ts'
import { latestRelease, releaseBefore } from '#model/release-order.ts'
import type { ReleasedCommit, ReleasesRead } from '#ports/releases.ts'
import type { RequestsQuery, RequestsRead } from '#ports/requests.ts'
import type { ReadScope } from '#ports/scope.ts'
import type { SegmentFilter, TraceReads } from '#ports/traces.ts'
import { costsOf } from '#requests/costs.ts'
import { commitOfRoute } from '#requests/route-commit.ts'
import { changedP75 } from '#requests/worse.ts'
import { spansOfRow } from './stored-fragment.ts'
import type { TraceParts } from './trace.ts'
import type { ChangedSpan, RouteChange } from './types.ts'

export interface RouteChangeParts {
  readonly requests: RequestsRead
  readonly telemetry: Pick<TraceReads<FragmentRow>, 'segments'>
  readonly payloads: TraceParts['payloads']
  readonly releases: Pick<ReleasesRead, 'commits'>
}

/**
 * `null` where the route ran with one release alone. `query.release`: the one that is looked at, else the newest. What was
 * before is looked for as long before the range as the range is.
 */
export async function routeChange(
  parts: RouteChangeParts,
  scope: ReadScope,
  { query, filter }: { readonly query: RequestsQuery; readonly filter: Omit<SegmentFilter, 'tags'> },
): Promise<RouteChange | null> {
  const { requests } = parts
  const { release: chosen, ...plain } = query
  const wide = { ...plain, startMs: 2 * plain.startMs - plain.endMs }
  const seen = await requests.requestReleases(scope, wide)
  const timed = seen.map(({ release, firstMs }) => ({ version: release, atMs: firstMs }))
  const newest =
    chosen === undefined ? latestRelease(timed) : (timed.find(({ version }) => version === chosen) ?? null)
  const previous = newest === null ? null : releaseBefore(timed, newest)
  if (newest === null || previous === null) return null
  const side = async (release: string, of: RequestsQuery) => {
    const asked = { ...of, release }
    const [figures, durations, spans] = await Promise.all([
      requests.requestFigures(scope, asked),
      requests.requestDurations(scope, asked),
      spanTimes(parts, scope, {
        ...filter,
        startMs: asked.startMs,
        tags: [{ key: 'release', value: release, negated: false }],
      }),
    ])
    return { figures, durations, spans }
  }
  const [now, was, commits] = await Promise.all([
    side(newest.version, plain),
    side(previous.version, wide),
    parts.releases.commits(scope, newest.version),
  ])
  if (now.figures.count === 0 || was.figures.count === 0) return null
  return {
    ...{ release: newest.version, before: previous.version, atMs: newest.atMs },
    now: { figures: now.figures, durations: now.durations, sampled: now.spans.requests },
    was: { figures: was.figures, durations: was.durations, sampled: was.spans.requests },
    change: changedP75(now.figures, was.figures),
    spans: changedSpans(now.spans, was.spans, (files) => likelyCommit(query.route ?? '', files, commits)),
    likely: likelyCommit(query.route ?? '', [], commits),
  }
}

interface SpanTimes {
  readonly requests: number
  /** By operation and description: own milliseconds of a request. */
  readonly ms: ReadonlyMap<string, { readonly op: string; readonly description: string; readonly ms: number }>
  /** Files that spans of it name. */
  readonly files: ReadonlyMap<string, ReadonlySet<string>>
}

const FILE_KEYS = ['code.file.path', 'code.filepath']

/** Returns times of spans in the newest requests whose spans are kept. */
async function spanTimes(
  parts: RouteChangeParts,
  scope: ReadScope,
  filter: SegmentFilter,
): Promise<SpanTimes> {
  const page = { sort: 'newest', limit: max('comparedRequestsMax'), cursor: null } as const
  const { rows } = await parts.telemetry.segments(scope, filter, page)
  const kept = rows.filter(({ isSampledOut }) => !isSampledOut)
  const ms = new Map<string, { op: string; description: string; ms: number }>()
  const files = new Map<string, Set<string>>()
  for (const row of kept) await addSpansOfRow(parts, row, { ms, files })
  const each = [...ms].map(([key, sum]) => [key, { ...sum, ms: sum.ms / kept.length }] as const)
  return { requests: kept.length, ms: new Map(each), files }
}

async function addSpansOfRow(
  parts: RouteChangeParts,
  row: FragmentRow,
  to: {
    readonly ms: Map<string, { op: string; description: string; ms: number }>
    readonly files: Map<string, Set<string>>
  },
): Promise<void> {
  const spans = await spansOfRow(parts, row)
  const root = spans.findIndex(({ span_id }) => span_id === row.segmentId)
  const fragment = { spans, root: root === -1 ? null : root }
  for (const { op, description, totalMs } of costsOf(fragment)) {
    const key = `${op}\n${description}`
    const sum = to.ms.get(key) ?? { op, description, ms: 0 }
    to.ms.set(key, sum)
    sum.ms += totalMs
  }
  for (const { op, attributes } of spans) {
    const file = FILE_KEYS.map((name) => attributes?.[name]).find((value) => typeof value === 'string')
    if (typeof file !== 'string') continue
    const of = to.files.get(op) ?? new Set()
    to.files.set(op, of.add(file))
  }
}

const SPANS_SHOWN = 10
/** Less is within what few requests say. */
const ADDED_MS_MIN = 1

/** Returns spans that add most first, then those that save. */
function changedSpans(
  now: SpanTimes,
  was: SpanTimes,
  commit: (files: readonly string[]) => ChangedSpan['likely'],
): readonly ChangedSpan[] {
  if (now.requests === 0 || was.requests === 0) return []
  return [...new Set([...now.ms.keys(), ...was.ms.keys()])]
    .flatMap((key): ChangedSpan[] => {
      const of = now.ms.get(key) ?? was.ms.get(key)
      if (of === undefined) return []
      const [nowMs, wasMs] = [now.ms.get(key)?.ms ?? 0, was.ms.get(key)?.ms ?? 0]
      const likely = nowMs > wasMs ? commit([...(now.files.get(of.op) ?? [])]) : null
      return [{ op: of.op, description: of.description, nowMs, wasMs, likely }]
    })
    .filter(({ nowMs, wasMs }) => Math.abs(nowMs - wasMs) >= ADDED_MS_MIN)
    .sort((a, b) => b.nowMs - b.wasMs - (a.nowMs - a.wasMs))
    .slice(0, SPANS_SHOWN)
}

/** By a file that a span names, else by the route's own folder. */
function likelyCommit(
  route: string,
  files: readonly string[],
  commits: readonly ReleasedCommit[],
): ChangedSpan['likely'] {
  for (const commit of commits) {
    const touched = commit.files.find(({ path }) => files.some((file) => isFileOfPath(file, path)))
    if (touched !== undefined) return withoutFiles(commit, touched.path)
  }
  const found = commitOfRoute(route, commits)
  return found === null ? null : withoutFiles(found.commit, found.path)
}

/** A path of the machine ends with that of the repository. */
function isFileOfPath(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`)
}

function withoutFiles({ files: _, ...commit }: ReleasedCommit, path: string) {
  return { commit, path }
}
