/** A query that runs again and again, as one request had it: each call a bead, below what they are part of. */
import { durationText } from '#ui/time-text.ts'
import type { RouteData } from './performance.server.ts'

type Repeated = RouteData['repeated'][number]
type Stretch = Repeated['calls'][number]

const HEIGHT = 10
const LINE = 20
const TOP = (LINE - HEIGHT) / 2

export function QueryBeads({ of }: { readonly of: Repeated }) {
  const { calls, parent, before, description } = of
  const whole = parent.endMs - parent.startMs
  const took = calls.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return (
    <figure className="mt-2 grid items-center gap-x-3 gap-y-0.5 text-12 phone:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      {parent.text === '' ? null : (
        <>
          <Bars stretches={[parent]} whole={whole} fill="fill-span-server" />
          <Label text={`${parent.text}, ${durationText(whole)}`} className="text-ink-2" />
        </>
      )}
      {before === null ? null : (
        <>
          <Bars stretches={[before]} whole={whole} fill="fill-span-db" />
          <Label text={before.text} className="text-ink-2" />
        </>
      )}
      <Bars stretches={calls} whole={whole} fill="fill-span-db" />
      <Label
        text={`${calls.length} calls, ${durationText(took)}: ${description}`}
        className="font-strong text-warn"
      />
    </figure>
  )
}

/** Parted by a line of the page's own colour, so that calls without a gap are told apart. */
function Bars(props: {
  readonly stretches: readonly Stretch[]
  readonly whole: number
  readonly fill: string
}) {
  const percent = (ms: number) => `${(props.whole === 0 ? 0 : (ms / props.whole) * 100).toFixed(3)}%`
  return (
    <svg width="100%" height={LINE} aria-hidden="true" className="block">
      {props.stretches.map(({ startMs, endMs }) => (
        <rect
          key={startMs}
          x={percent(startMs)}
          width={percent(endMs - startMs)}
          y={TOP}
          height={HEIGHT}
          className={`${props.fill} stroke-canvas`}
        />
      ))}
    </svg>
  )
}

function Label({ text, className }: { readonly text: string; readonly className: string }) {
  return (
    <span className={`foreign min-w-0 truncate ${className}`} title={text}>
      {text}
    </span>
  )
}
