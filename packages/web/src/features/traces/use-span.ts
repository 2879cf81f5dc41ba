import { useEffect, useState } from 'react'
import { withBasePath } from '#wire/base-path.ts'
import { tracesPaths } from './paths.ts'
import type { SpanDetails } from './span-details.ts'
import type { TraceData } from './trace.server.ts'

/** Details of a span, on their way, or not to be had. */
export type SpanAnswer =
  | { readonly state: 'none' | 'loading' | 'failed' }
  | { readonly state: 'there'; readonly details: SpanDetails }

const LATE: SpanAnswer = { state: 'loading' }

/** Asks for the details of a span that the page did not come with. What was asked for once is kept. */
export function useSpan({ org, traceId, near, details }: TraceData, spanId: string | null): SpanAnswer {
  const [kept, setKept] = useState<ReadonlyMap<string, SpanAnswer>>(
    () => new Map(details === null ? [] : [[details.id, { state: 'there', details }]]),
  )
  const answer = spanId === null ? undefined : kept.get(spanId)
  const isMissing = spanId !== null && answer === undefined
  // An effect, because the answer comes from the server after a span was chosen; the last one counts.
  useEffect(() => {
    if (spanId === null || !isMissing) return
    const stop = new AbortController()
    const keep = (next: SpanAnswer) => {
      if (!stop.signal.aborted) setKept((known) => new Map(known).set(spanId, next))
    }
    void fetchSpan(tracesPaths.traceSpan(org, traceId, { span: spanId, near }), stop.signal).then(keep)
    return () => stop.abort()
  }, [org, traceId, near, spanId, isMissing])
  if (spanId === null) return { state: 'none' }
  return answer ?? LATE
}

async function fetchSpan(path: string, signal: AbortSignal): Promise<SpanAnswer> {
  try {
    const response = await fetch(withBasePath(path), { signal, headers: { Accept: 'application/json' } })
    const details: unknown = response.ok ? await response.json() : null
    return isDetails(details) ? { state: 'there', details } : { state: 'failed' }
  } catch {
    // No answer: the panel says so, and choosing the span again after another asks again.
    return { state: 'failed' }
  }
}

/** True for details: the handler of this build answers nothing else. */
function isDetails(value: unknown): value is SpanDetails {
  return typeof value === 'object' && value !== null && 'attributes' in value
}
