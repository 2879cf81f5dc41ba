/**
 * Draws the right half of a span's row: its bar, and marks at a moment. Positions are percentages, so that no width
 * is measured.
 */
import { cutText } from '#ui/cut-text.ts'
import { durationText } from '#ui/time-text.ts'
import { visibleText } from '#ui/visible-text.ts'
import type { SpanTree } from './span-tree.ts'
import type { TraceData } from './trace.server.ts'
import { type axisOf, isPaint, ownStretches, sideOf } from './waterfall.ts'

export const ROW_HEIGHT = 28
const TOP = 9
const HEIGHT = 10
const MIDDLE = TOP + HEIGHT / 2
/** Above the bar, and below it. */
const CRITICAL_Y = 5
const OWN_Y = TOP + HEIGHT + 2
/** A label of a mark further right stands left of it, where there is more room. */
const TURNS_AT = 0.5

type Axis = Pick<ReturnType<typeof axisOf>, 'spanMs'>
/** Most repeated spans that are drawn. */
const REPEATS_DRAWN_MAX = 200

function percent(ms: number, { spanMs }: Axis): string {
  return `${((ms / spanMs) * 100).toFixed(3)}%`
}

export function SpanTime(props: {
  readonly data: TraceData
  readonly tree: SpanTree
  readonly place: number
  readonly axis: Axis
}) {
  const { data, tree, place, axis } = props
  const { columns } = data
  const startMs = columns.startMs[place] ?? 0
  const tookMs = columns.tookMs[place] ?? 0
  const endMs = startMs + tookMs
  if (isPaint(columns, place)) return <PaintTime atMs={columns.lcpMs[place] ?? startMs} axis={axis} />
  const [x, width, end] = [percent(startMs, axis), percent(tookMs, axis), percent(endMs, axis)]
  const id = columns.id[place]
  const errors = data.errors.filter(({ spanId }) => spanId === id)
  return (
    <>
      {columns.critical.includes(place) ? (
        <rect x={x} y={CRITICAL_Y} width={width} height="2" className="fill-ink" />
      ) : null}
      <Bar side={sideOf(columns, place)} x={x} width={width} />
      {columns.failed.includes(place) ? (
        <rect
          x={end}
          y={TOP}
          width="4"
          height={HEIGHT}
          transform="translate(-4 0)"
          className="fill-bad-fill"
        />
      ) : null}
      {ownStretches(columns, tree, place).map((own) => (
        <rect
          key={own.fromMs}
          x={percent(own.fromMs, axis)}
          y={OWN_Y}
          width={percent(own.toMs - own.fromMs, axis)}
          height="2"
          className="fill-control"
        />
      ))}
      {errors.map((error) => (
        <ErrorDot key={error.eventId} atMs={error.atMs} isMirror={error.isMirror} axis={axis} />
      ))}
      <text x={end} y={MIDDLE + 4} dx={6} className="fill-ink-2">
        {durationText(tookMs)}
      </text>
    </>
  )
}

/** Several spans on one line. */
export function RepeatBars(props: {
  readonly data: TraceData
  readonly places: readonly number[]
  readonly axis: Axis
}) {
  const { data, places, axis } = props
  const { columns } = data
  return places.slice(0, REPEATS_DRAWN_MAX).map((at) => {
    const [startMs, tookMs] = [columns.startMs[at] ?? 0, columns.tookMs[at] ?? 0]
    const id = columns.id[at]
    return (
      <Bar key={id} side={sideOf(columns, at)} x={percent(startMs, axis)} width={percent(tookMs, axis)} />
    )
  })
}

/** Bar of a span; what ran in the browser is an outline. At least two pixels wide. */
function Bar(props: { readonly side: 'b' | 's' | 'd'; readonly x: string; readonly width: string }) {
  const { side, x, width } = props
  if (side === 'b') {
    return (
      <>
        <rect x={x} y={TOP + 0.5} width={width} height={HEIGHT - 1} className="fill-canvas stroke-control" />
        <rect x={x} y={TOP} width="1.5" height={HEIGHT} className="fill-control" />
      </>
    )
  }
  const fill = side === 'd' ? 'fill-span-db' : 'fill-span-server'
  return (
    <>
      <rect x={x} y={TOP} width={width} height={HEIGHT} className={fill} />
      <rect x={x} y={TOP} width="2" height={HEIGHT} className={fill} />
    </>
  )
}

function ErrorDot(props: { readonly atMs: number; readonly isMirror: boolean; readonly axis: Axis }) {
  const cx = percent(props.atMs, props.axis)
  return props.isMirror ? (
    <circle cx={cx} cy={MIDDLE} r="4" strokeWidth="1.5" className="fill-canvas stroke-bad-fill" />
  ) : (
    <circle cx={cx} cy={MIDDLE} r="4.5" strokeWidth="1" className="fill-bad-fill stroke-canvas" />
  )
}

export function ErrorTime({
  error,
  axis,
}: {
  readonly error: TraceData['errors'][number] | undefined
  readonly axis: Axis
}) {
  if (error === undefined) return null
  const title = cutText(visibleText(error.title.split('\n', 1)[0] ?? ''), 120)
  return (
    <>
      <ErrorDot atMs={error.atMs} isMirror={error.isMirror} axis={axis} />
      <Label
        atMs={error.atMs}
        axis={axis}
        text={error.isMirror ? `browser copy: ${title}` : title}
        className={error.isMirror ? 'text-ink-2' : 'text-bad font-strong'}
      />
    </>
  )
}

export function PaintTime({ atMs, axis }: { readonly atMs: number; readonly axis: Axis }) {
  return (
    <>
      <svg x={percent(atMs, axis)} y={0} width="1" height={ROW_HEIGHT} overflow="visible" aria-hidden="true">
        <path
          d={`M0 ${MIDDLE - 5} L5 ${MIDDLE} L0 ${MIDDLE + 5} L-5 ${MIDDLE} Z`}
          strokeWidth="1.4"
          className="fill-canvas stroke-ink"
        />
      </svg>
      <Label atMs={atMs} axis={axis} text={`LCP ${durationText(atMs)}`} className="text-ink-2" />
    </>
  )
}

/** Label of a mark; one longer than its room ends in "…". */
function Label(props: {
  readonly atMs: number
  readonly axis: Axis
  readonly text: string
  readonly className: string
}) {
  const { atMs, axis, text } = props
  const isTurned = atMs / axis.spanMs > TURNS_AT
  return (
    <foreignObject
      x={isTurned ? '0' : percent(atMs, axis)}
      y="0"
      width={percent(isTurned ? atMs : axis.spanMs - atMs, axis)}
      height={ROW_HEIGHT}
    >
      <span
        className={`block truncate px-2.25 leading-7 ${isTurned ? 'text-end' : ''} ${props.className}`}
        title={text}
      >
        {text}
      </span>
    </foreignObject>
  )
}
