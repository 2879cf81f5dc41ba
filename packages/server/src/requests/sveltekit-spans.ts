/**
 * Reads SvelteKit's spans. With SDK 11 the segment has neither status nor operation, and children are
 * recognised by name only.
 */
import { numberAttribute, textAttribute } from '#model/attributes.ts'
import type { Attributes, Fragment, Span } from '#model/span.ts'
import type { SegmentTold } from '#ports/requests.ts'
import { isHandlerSpan, isRenderSpan, type SaidSpan } from './framework-spans.ts'

const RESOLVE = 'sveltekit.resolve'
const NAMED_ACTIONS: readonly string[] = ['sveltekit.remote.call.name', 'sveltekit.form_action.name']
const FORM_ACTION = 'sveltekit.form_action'
const RUNS_ACTION = /^sveltekit\.(?:form_action|remote\.call)$/
const RESULTS: readonly string[] = ['sveltekit.load.result.type', 'sveltekit.form_action.result.type']
const STATUSES: readonly string[] = ['sveltekit.load.result.status', 'sveltekit.form_action.result.status']
const WITHOUT_OP: ReadonlySet<string> = new Set(['', 'default', 'http'])

/**
 * Without what runs in the process where a `load` or a handler asks the app itself (`fetch('/api/stock')`): it has an answer,
 * a handler and failures of its own, which are none of the request's. The very same fragment where there is nothing such.
 */
export function withoutSubRequests<
  T extends Pick<Fragment, 'sdk' | 'root'> & { readonly spans: readonly Span[] },
>(fragment: T): T {
  const { sdk, spans, root } = fragment
  if (!isSvelteKit(sdk) || !spans.some((span, at) => at !== root && isSubRequest(span))) return fragment
  const children = Map.groupBy(spans, ({ parent_span_id: parent }) => parent)
  const left = new Set<Span>()
  const waiting = spans.filter((span, at) => at !== root && isSubRequest(span))
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    if (left.has(span)) continue
    left.add(span)
    waiting.push(...(children.get(span.span_id) ?? []))
  }
  const own = root === null ? undefined : spans[root]
  const kept = spans.filter((span) => span === own || !left.has(span))
  return { ...fragment, spans: kept, root: own === undefined ? null : kept.indexOf(own) }
}

/** True for what an app asks of itself for a request. */
export function isSubRequest({ attributes = {} }: Pick<Span, 'attributes'>): boolean {
  const said = attributes['sveltekit.is_sub_request']
  return said === true || said === 'true'
}

/** Spans of a segment, which may be among them. */
type KitSpans = Pick<Fragment, 'sdk'> & { readonly spans: readonly SaidSpan[] }

/** Returns what spans tell of a request that they came apart from; `null` for those that say nothing. */
export function toldByKit(some: KitSpans): SegmentTold | null {
  const httpStatus = resolvedStatus(some)
  const work = hasThrown(some) ? 'failed' : null
  const kind = kindToldByKit(some)
  const action = some.spans.map(actionNameOf).find((name) => name !== null) ?? null
  const isSilent = httpStatus === null && work === null && kind === null && action === null
  return isSilent ? null : { kind, work, httpStatus, action }
}

/** A remote function may run for a request that only reads: its address tells whether it does. */
function kindToldByKit({ spans }: KitSpans): SegmentTold['kind'] {
  if (spans.some(isHandlerSpan)) return 'route-handler'
  if (spans.some(({ name }) => name === FORM_ACTION)) return 'action'
  return spans.some(isRenderSpan) ? 'document' : null
}

/** Any other number is nobody's answer, and none that every store has room for. */
export function isHttpStatus(status: number | null): status is number {
  return status !== null && Number.isInteger(status) && status >= 0 && status <= 999
}

/** Returns the answer's status, if the segment does not state it; `null` for other frameworks. */
export function resolvedStatus({ sdk, spans }: KitSpans): number | null {
  if (!isSvelteKit(sdk)) return null
  for (const { name, attributes } of spans) {
    if (name !== RESOLVE || attributes === undefined) continue
    const status = numberAttribute(attributes, 'http.response.status_code')
    if (isHttpStatus(status)) return status
  }
  return null
}

/** True where a `load` or an action threw what Kit did not expect, or what the app calls a failure, whatever was answered. */
export function hasThrown({ sdk, spans }: KitSpans): boolean {
  return isSvelteKit(sdk) && spans.some(({ attributes = {} }) => isFailedResult(attributes))
}

function isFailedResult(attributes: Attributes): boolean {
  const type = textAttribute(attributes, ...RESULTS)
  // `error(503)`: its status is that of a document, and behind 200 where it was page data.
  return (
    type === 'unknown_error' ||
    (type === 'known_error' && (numberAttribute(attributes, ...STATUSES) ?? 0) >= 500)
  )
}

export function runsAction({ sdk, spans }: Fragment): boolean {
  return isSvelteKit(sdk) && spans.some(({ name }) => RUNS_ACTION.test(name))
}

/** Returns the name of a form action or remote function; `null` for nearly every span. */
export function actionNameOf({ op, name, attributes = {} }: SaidSpan): string | null {
  const isOwn = op.includes('sveltekit') || name.startsWith('sveltekit.')
  return isOwn ? textAttribute(attributes, ...NAMED_ACTIONS) : null
}

/** SvelteKit knows no route of a remote function that only reads, and its SDK then leaves the span as it is. */
export function isRemoteFunction({ op, attributes = {} }: Pick<Span, 'op' | 'attributes'>): boolean {
  return (
    WITHOUT_OP.has(op) &&
    isOfKit(attributes) &&
    /^(?:[a-z]+:\/\/[^/]+)?\/_app\/remote\//.test(textAttribute(attributes, 'http.url', 'url') ?? '')
  )
}

function isOfKit(attributes: Attributes): boolean {
  return 'sveltekit.is_sub_request' in attributes || 'sveltekit.is_data_request' in attributes
}

/** True for SDKs of SvelteKit. */
export function isSvelteKit(sdk: string | null): boolean {
  return sdk?.includes('sveltekit') === true
}
