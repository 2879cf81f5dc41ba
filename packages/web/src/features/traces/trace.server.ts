import { isActionId, type TraceSpan, type TraceView } from '@errata/server/queries'
import { type AddressTable, readAddress } from '#parts/address.ts'
import { RANGES } from '#parts/ranges.ts'
import { notFound, requireScope } from '#wire/loader.ts'
import type { LoaderContext } from '#wire/types.ts'
import { hasFailed, timedTrace } from './span-columns.ts'
import { spanDetails } from './span-details.ts'

/**
 * Loads a trace as a waterfall, and the details of the span that the address names, or of the first that
 * failed.
 */
export async function loadTrace(ctx: LoaderContext) {
  const { org, near, nowMs, view, asked } = await loadTraceView(ctx)
  const error = view.errors.find(({ eventId }) => eventId === asked.error)
  const chosen = [asked.span, error?.spanId, firstChoice(view)].find(
    (id) => id !== undefined && id !== null && view.spans.some(({ spanId }) => spanId === id),
  )
  const { columns, totalMs, startMs, errorAtMs } = timedTrace(view)
  const { traceId, projects, isCut, sampledOut, clockShiftMs } = view
  return {
    ...{ org, near, traceId, startMs, totalMs, columns, isCut, sampledOut, clockShiftMs },
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    /** The shortest one back from now that the trace is in. */
    range: RANGES.find(({ ms }) => startMs > nowMs - ms)?.key ?? LONGEST,
    head: traceHead(view),
    errors: view.errors.map(({ eventId, shortId, title, spanId, isMirror, digest }, at) => {
      return { eventId, shortId, title, spanId, isMirror, digest, atMs: errorAtMs[at] ?? 0 }
    }),
    /** An error that was chosen, by its place; the first where there is nothing else to choose. */
    error: error === undefined ? (view.spans.length === 0 ? 0 : null) : view.errors.indexOf(error),
    details: chosen === undefined || chosen === null ? null : spanDetails(view, chosen),
  }
}

/** The details of one span, for a waterfall that is open. */
export async function answerSpan(ctx: LoaderContext): Promise<Response | null> {
  const { view, asked } = await loadTraceView(ctx)
  const details = spanDetails(view, asked.span ?? '')
  return details === null ? null : Response.json(details)
}

/** `near`: a time that the trace is about, in milliseconds. */
const ASKED = {
  span: { type: 'value', first: null },
  error: { type: 'value', first: null },
  near: { type: 'value', first: null },
} as const satisfies AddressTable

async function loadTraceView(ctx: LoaderContext) {
  const { engine, scope, params, url, nowMs } = requireScope(ctx)
  const asked = readAddress(ASKED, url.searchParams)
  const near = asked.near === null ? Number.NaN : Number(asked.near)
  const nearMs = Number.isFinite(near) ? near : undefined
  const view = await engine.queries.trace(scope, params.trace ?? '', nearMs)
  if (view === null) {
    throw notFound('No spans or errors of this trace are stored. Spans are kept for 30 days by default.')
  }
  return { org: scope.orgSlug, near: nearMs ?? null, nowMs, view, asked }
}

const LONGEST = '90d'

/** Returns the span that somebody looks at first: the one that failed. */
function firstChoice({ spans, errors }: TraceView): string | null {
  const [error] = errors.filter(({ isMirror, spanId }) => !isMirror && spanId !== null)
  if (error?.spanId !== undefined) return error.spanId
  return (spans.find(hasFailed) ?? spans[0])?.spanId ?? null
}

/** Returns the request that names the trace: one that failed, else the first. */
function traceHead({ spans, errors, unendedSegments }: TraceView) {
  const segments = spans.filter(isSegment)
  const requests = segments.filter(({ segment }) => segment.requestKind !== 'browser' && segment.end !== null)
  const named = requests.find(hasFailed) ?? segments[0]
  const isBrowser = ({ segment }: (typeof segments)[number]) =>
    segment.requestKind === 'browser' || segment.platform === 'javascript'
  return {
    title: actionOf(named) ?? named?.segment.route ?? named?.name ?? unendedSegments[0] ?? spans[0]?.name ?? '',
    kind: named?.segment.requestKind ?? null,
    requests: requests.length,
    hasBrowser: segments.some(isBrowser),
    hasServer: segments.some((span) => !isBrowser(span)),
    failures: errors.filter(({ isMirror }) => !isMirror).length,
    mirrors: errors.filter(({ isMirror }) => isMirror).length,
  }
}

/** An id that nobody named says less than the route. */
function actionOf(named: Segment | undefined): string | null {
  const action = named?.segment.action ?? null
  return action === null || isActionId(action) ? null : action
}

type Segment = TraceSpan & { readonly segment: NonNullable<TraceSpan['segment']> }

function isSegment(span: TraceSpan): span is Segment {
  return span.segment !== null
}

export type TraceData = Awaited<ReturnType<typeof loadTrace>>
