/** Page of a trace: what it was, its waterfall, and the chosen span beside it. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { withBasePath } from '#wire/base-path.ts'
import { usePageData } from '#wire/page-data.ts'
import { type Chosen, chosenPath } from './chosen.ts'
import { SpanPanel } from './span-panel.tsx'
import type { loadTrace, TraceData } from './trace.server.ts'
import { TraceHead } from './trace-head.tsx'
import { type SpanAnswer, useSpan } from './use-span.ts'
import { Waterfall } from './waterfall-view.tsx'

export function TracePage() {
  const data = usePageData<typeof loadTrace>()
  // The key starts anew with another trace.
  return <Trace key={data.traceId} data={data} />
}

function Trace({ data }: { readonly data: TraceData }) {
  const [chosen, setChosen] = useState<Chosen>({ spanId: data.details?.id ?? null, error: data.error })
  const answer = useSpan(data, chosen.spanId)
  const [isAsked, setIsAsked] = useState(false)
  const choose = useCallback(
    (next: Chosen) => {
      setChosen(next)
      setIsAsked(true)
      // So that the address leads to the span; nothing of the page changes but what is shown already.
      window.history.replaceState(window.history.state, '', withBasePath(chosenPath(data, next)))
    },
    [data],
  )
  return (
    <div className="wide:flex wide:h-screen wide:flex-col">
      <TraceHead data={data} />
      <div className="min-h-0 border-t wide:grid wide:flex-1 wide:grid-cols-[minmax(0,1fr)_340px]">
        <Waterfall data={data} chosen={chosen} onChoose={choose} />
        <Panel data={data} chosen={chosen} answer={answer} isAsked={isAsked} />
      </div>
    </div>
  )
}

function Panel(props: {
  readonly data: TraceData
  readonly chosen: Chosen
  readonly answer: SpanAnswer
  /** Somebody chose it: where it is below the waterfall, it comes into view. */
  readonly isAsked: boolean
}) {
  const { chosen, isAsked } = props
  const box = useRef<HTMLElement>(null)
  // An effect, because a place on the screen is known after rendering.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each that is chosen
  useEffect(() => {
    if (isAsked) box.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen, isAsked])
  return (
    <aside
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Chosen span"
      className="min-w-0 overflow-y-auto border-s px-5 pb-8 max-wide:border-s-0 max-wide:border-t max-wide:px-6 max-phone:px-4 max-phone:[&_dd>a]:inline-flex max-phone:[&_dd>a]:min-h-11 max-phone:[&_dd>a]:items-center max-phone:[&_dl]:items-center"
    >
      <SpanPanel data={props.data} chosen={chosen} answer={props.answer} />
    </aside>
  )
}
