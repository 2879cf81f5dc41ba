/** The whole trace in a strip above its rows: a part of it that is dragged over is what they show. */
import { type PointerEvent, useRef, useState } from 'react'
import type { TraceData } from './trace.server.ts'
import { clampView, sideOf, type TimeView, type WaterfallTimes } from './waterfall.ts'
import { TREE_COLUMN } from './waterfall-row.tsx'

const HEIGHT = 40
/** Most spans drawn; of more every nth is. */
const DRAWN_MAX = 400

export function WaterfallOverview(props: {
  readonly data: TraceData
  readonly axis: WaterfallTimes
  readonly view: TimeView | null
  readonly onView: (view: TimeView | null) => void
}) {
  const { data, axis, view, onView } = props
  const strip = useRef<SVGSVGElement>(null)
  const [drag, setDrag] = useState<TimeView | null>(null)
  const timeAt = (event: PointerEvent) => {
    const box = strip.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return 0
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * axis.spanMs
  }
  const end = () => {
    setDrag(null)
    if (drag === null) return
    const isDrag = Math.abs(drag.endMs - drag.startMs) > axis.spanMs * 0.005
    if (isDrag) onView(clampView(axis.spanMs, drag.startMs, drag.endMs))
  }
  const marked = drag ?? view
  const part = (ms: number) => `${(100 * ms) / axis.spanMs}%`
  return (
    <div className="flex border-b bg-canvas max-phone:flex-col">
      <span
        className={`sticky start-0 z-2 flex items-center justify-between border-e bg-canvas ps-6 pe-2 text-12 text-ink-3 max-phone:border-e-0 max-phone:px-4 max-phone:pt-1 ${TREE_COLUMN}`}
      >
        Overview
        {view === null ? null : (
          <button type="button" className="link max-phone:min-h-11" onClick={() => onView(null)}>
            Reset zoom
          </button>
        )}
      </span>
      <svg
        ref={strip}
        width="100%"
        height={HEIGHT}
        aria-hidden="true"
        className="ms-2 block min-w-0 flex-1 cursor-crosshair touch-none max-phone:ms-4 max-phone:me-6 max-phone:w-auto max-phone:flex-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const atMs = timeAt(event)
          setDrag({ startMs: atMs, endMs: atMs })
        }}
        onPointerMove={(event) => {
          if (drag !== null) setDrag({ ...drag, endMs: timeAt(event) })
        }}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
        onDoubleClick={() => onView(null)}
      >
        <Spans data={data} spanMs={axis.spanMs} />
        {marked === null ? null : (
          <rect
            x={part(Math.min(marked.startMs, marked.endMs))}
            width={part(Math.abs(marked.endMs - marked.startMs))}
            height={HEIGHT}
            className="fill-accent/15 stroke-accent"
          />
        )}
      </svg>
    </div>
  )
}

const FILLS = { b: 'fill-bar-2', s: 'fill-span-server', d: 'fill-span-db' } as const

function Spans({ data: { columns, errors }, spanMs }: { readonly data: TraceData; readonly spanMs: number }) {
  const count = columns.id.length
  const step = Math.max(1, Math.ceil(count / DRAWN_MAX))
  const deepest = Math.max(1, ...columns.depth)
  const failed = new Set(columns.failed)
  return (
    <>
      {columns.id.map((id, place) =>
        place % step === 0 ? (
          <rect
            key={id}
            x={`${(100 * (columns.startMs[place] ?? 0)) / spanMs}%`}
            width={`${Math.max(0.15, (100 * (columns.tookMs[place] ?? 0)) / spanMs)}%`}
            y={3 + ((columns.depth[place] ?? 0) / deepest) * (HEIGHT - 8)}
            height="2"
            className={failed.has(place) ? 'fill-bad-fill' : FILLS[sideOf(columns, place)]}
          />
        ) : null,
      )}
      {errors.map(({ atMs }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an error is its place
        <circle key={at} cx={`${(100 * atMs) / spanMs}%`} cy={HEIGHT - 4} r="3" className="fill-bad-fill" />
      ))}
    </>
  )
}
