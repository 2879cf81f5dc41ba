/** Every span of one trace, not its segments alone: rows of `events/` whose search is `trace:…`, and one span whole. */
import * as v from 'valibot'
import type { ProjectId } from '#base/ids.ts'
import type { TraceSpan } from '#queries/traces/types.ts'
import { anything, namedSchema, textSchema, timeSchema } from './answers/words.ts'
import { type ApiAnswer, type ApiRoute, answerOk, type OrgCall } from './call.ts'
import { requireProject } from './projects.ts'
import { words } from './query.ts'
import { existing, notFound } from './refusals.ts'

const TRACE_ID = words('trace_id', 'The trace that the span is of', 64)
const ITEM_TYPE = words('item_type', 'spans')

const SPAN_ANSWER = namedSchema(
  'TraceItem',
  v.object({
    ...{ itemId: textSchema, timestamp: timeSchema, meta: v.record(v.string(), v.never()), links: v.null() },
    attributes: v.array(
      v.object({ name: textSchema, type: v.picklist(['str', 'float', 'bool', 'array']), value: anything }),
    ),
  }),
)

export const SPAN_OF_TRACE_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    pattern: '/projects/{org}/{project}/trace-items/{span}/',
    permission: 'trace.read',
    what: 'one span of a trace with all that is known of it',
    query: [TRACE_ID, ITEM_TYPE],
    answer: SPAN_ANSWER,
    run: oneSpan,
  },
]

async function oneSpan(call: OrgCall): Promise<ApiAnswer> {
  const { queries, scope, params, url } = call
  const { id } = await requireProject(call)
  if ((ITEM_TYPE.read(url) || 'spans') !== 'spans')
    throw notFound('This version stores spans alone of these.')
  const found = existing(await queries.trace(scope, TRACE_ID.read(url)))
  const span = existing(
    found.spans.find(({ spanId, projectId }) => spanId === params.span && projectId === id),
  )
  const attributes = Object.entries({ ...span.attributes, ...spanFields(span) })
  return answerOk({
    ...{ itemId: span.spanId, timestamp: new Date(span.startMs).toISOString(), meta: {}, links: null },
    attributes: attributes.flatMap(([name, value]) =>
      value === null ? [] : [{ name, type: attributeType(value), value }],
    ),
  })
}

function attributeType(value: unknown): 'str' | 'float' | 'bool' | 'array' {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return 'float'
  return typeof value === 'boolean' ? 'bool' : 'str'
}

function spanFields(span: TraceSpan) {
  return {
    ...{ 'span.op': span.op, 'span.description': span.name, 'span.status': span.status },
    ...{ 'span.duration': span.endMs - span.startMs, parent_span: span.parentSpanId },
    is_transaction: span.isSegment,
  }
}

type Cell = string | number | boolean | null

/** Fields of any span; those of segments are empty elsewhere. */
const FIELDS: Readonly<Record<string, (span: TraceSpan, root: TraceSpan | undefined) => Cell>> = {
  id: ({ spanId }) => spanId,
  span_id: ({ spanId }) => spanId,
  parent_span: ({ parentSpanId }) => parentSpanId,
  is_transaction: ({ isSegment }) => isSegment,
  timestamp: ({ startMs }) => new Date(startMs).toISOString(),
  'project.id': ({ projectId }) => Number(projectId),
  transaction: (_, root) => root?.name ?? null,
  'span.op': ({ op }) => op,
  'span.description': ({ name }) => name,
  'span.duration': ({ startMs, endMs }) => endMs - startMs,
  'span.status': ({ status }) => status,
  route: (_, root) => root?.segment?.route ?? null,
  kind: (_, root) => root?.segment?.requestKind ?? null,
  environment: (_, root) => root?.segment?.environment ?? null,
  release: (_, root) => root?.segment?.release ?? null,
  'sdk.name': (_, root) => root?.segment?.sdk ?? null,
}

/** Cells by the name of a field, one function a span, newest first; none where there is no such trace. */
export async function spansOfTrace(
  { queries, scope }: OrgCall,
  traceId: string,
  projects: readonly ProjectId[] | null,
): Promise<readonly ((field: string) => Cell)[]> {
  const found = await queries.trace(scope, traceId)
  if (found === null) return []
  const slugs = new Map(found.projects.map(({ id, slug }) => [id, slug]))
  const roots = new Map<string, TraceSpan>()
  for (const span of found.spans) {
    const above = span.shownBelow === null ? undefined : roots.get(span.shownBelow)
    roots.set(span.spanId, span.isSegment ? span : (above ?? span))
  }
  return found.spans
    .filter(({ projectId }) => projects === null || projects.includes(projectId))
    .toSorted((a, b) => b.startMs - a.startMs)
    .map((span) => (field) => {
      if (field === 'trace') return traceId
      if (field === 'project') return slugs.get(span.projectId) ?? null
      const read = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined
      return read?.(span, roots.get(span.spanId)) ?? null
    })
}
