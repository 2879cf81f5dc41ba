/**
 * Reads what spans say about a segment they arrived apart from. An SDK that streams spans sends finished ones
 * when an error is captured, so a failing request arrives alone, after everything that tells what it was.
 */
import { statedFields } from '#base/stated-fields.ts'
import { textAttribute } from '#model/attributes.ts'
import type { RequestKind } from '#model/event.ts'
import type { Fragment, RequestEnd } from '#model/span.ts'
import type { SegmentSeen, SegmentTold } from '#ports/requests.ts'
import {
  handlerWork,
  isFailedPrerender,
  isHandlerSpan,
  isRenderSpan,
  isRouteHandlerPath,
  type SaidSpan,
  spanType,
} from './framework-spans.ts'
import { RENDERING_SDKS } from './request-paths.ts'
import { isSvelteKit, toldByKit, withoutSubRequests } from './sveltekit-spans.ts'

/**
 * Returns what spans that came without their segment tell of it. `null` for spans that say nothing, or came with their
 * segment.
 */
export function segmentTold(fragment: Fragment): SegmentTold | null {
  const { root, spans } = fragment
  if (root === null) return toldBy(withoutSubRequests(fragment))
  const own = spans[root]
  return own !== undefined && isFailedPrerender(own) ? REMADE : null
}

/** The segment that it is told of: spans that begin when it has ended are a segment of their own below it. */
export function toldOf({ root, segmentId, spans }: Fragment): string | null {
  return root === null ? segmentId : (spans[root]?.parent_span_id ?? null)
}

const REMADE: SegmentTold = { kind: null, work: 'thrown', httpStatus: null, action: null }

/** Reads what spans below a segment say about it. */
export function toldBy({
  spans,
  sdk,
  platform,
}: Pick<Fragment, 'sdk' | 'platform'> & { readonly spans: readonly SaidSpan[] }): SegmentTold | null {
  if (isSvelteKit(sdk)) return platform === 'javascript' ? null : toldByKit({ sdk, spans })
  const handler = spans.find((span) => isHandlerSpan(span))
  if (handler !== undefined) {
    const work = handlerWork(spans)
    const route = textAttribute(handler.attributes ?? {}, 'next.route')
    // The request's own address tells as much.
    return work === null && isRouteHandlerPath(route ?? '')
      ? null
      : { kind: 'route-handler', work, httpStatus: null, action: null }
  }
  if (spans.some(isFailedPrerender)) return REMADE
  if (platform === 'javascript' || !RENDERING_SDKS.test(sdk ?? '')) return null
  // Next.js says of each request whether it is a document.
  const renders = spans.some((span) => spanType(span) === '' && isRenderSpan(span))
  return renders ? { kind: 'document', work: null, httpStatus: null, action: null } : null
}

/** How a segment is counted. `revalidated`: it answered, and errors of its trace are not of what it answered. */
export type CountedEnd = RequestEnd | 'revalidated'

export interface CountedHint {
  readonly kind: RequestKind
  readonly end: CountedEnd
}

/** Returns how an open segment counts once that is known. A route handler runs for nothing else. */
export function asTold({ kind, end }: CountedHint, told: SegmentTold): CountedHint {
  return { kind: kindTold(kind, told.kind), end: endTold(end, told) }
}

function kindTold(kind: RequestKind, told: SegmentTold['kind']): RequestKind {
  if (told === 'route-handler') return KINDS_OF_HANDLERS.has(kind) ? told : kind
  if (told === 'action') return KINDS_OF_ACTIONS.has(kind) ? told : kind
  return told === 'document' && kind === 'route-handler' ? told : kind
}

/** An open segment that comes after what was told of it. */
export function segmentAsTold(segment: SegmentSeen, told: SegmentTold): SegmentSeen {
  const { action, ...rest } = segment
  const { kind, end } = asTold({ kind: segment.kind, end: countedEnd(segment) }, told)
  return {
    ...rest,
    kind,
    ...(end === 'revalidated' ? { isRevalidation: true, end: 'answered' } : { end }),
    ...(kind !== 'action' ? {} : statedFields({ action: action ?? told.action ?? undefined })),
  }
}

export function countedEnd({ end, isRevalidation }: Pick<SegmentSeen, 'end' | 'isRevalidation'>): CountedEnd {
  return isRevalidation === true ? 'revalidated' : end
}

/** By what a browser asks for: a document by its address, a form, a file’s name. */
const KINDS_OF_HANDLERS: ReadonlySet<RequestKind> = new Set(['document', 'action', 'static'])

/** By what a browser asks for that names no action. */
const KINDS_OF_ACTIONS: ReadonlySet<RequestKind> = new Set(['document', 'route-handler', 'static'])

function endTold(end: CountedEnd, { work, httpStatus }: SegmentTold): CountedEnd {
  if (work === 'aborted') return end === 'failed' || end === 'failed-behind-200' ? 'aborted' : end
  if (work === 'thrown') return end === 'answered' ? 'revalidated' : end
  if (end === 'aborted' || end === 'revalidated') return end
  if (httpStatus !== null && httpStatus >= 300) return httpStatus >= 500 ? 'failed' : 'answered'
  if (end === 'answered') return work === 'failed' ? 'failed-behind-200' : end
  return httpStatus !== null && httpStatus >= 200 ? 'failed-behind-200' : end
}
