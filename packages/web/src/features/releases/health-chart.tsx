/** Crash-free over time beside the release before, and adoption below it. */

import { crashFreeText, floorOf, GOALS, labelledParts } from '#parts/crash-free.ts'
import { versionOf } from '#parts/release-text.ts'
import { useZone } from '#ui/time.tsx'
import { TimeAxis } from '#ui/time-axis.tsx'
import { exactText } from '#ui/time-text.ts'
import type { PageHealth } from './health.server.ts'

const LINES = 120
/** Half of a label stands above the highest line, and below the lowest. */
const EDGE = 7
const LABEL_HEIGHT = 13
const BARS = 36

export function HealthChart({ health }: { readonly health: PageHealth }) {
  const { of, line, before, shares } = health
  const floor = floorOf([...line, ...(before?.line ?? [])])
  const y = (share: number) => EDGE + (1 - (share - floor) / (1 - floor)) * (LINES - 2 * EDGE)
  const last = line.findLast((share) => share !== null) ?? null
  const isBad = last !== null && !health.isYoung && last < GOALS[of]
  const goal = GOALS[of]
  return (
    <figure
      aria-label={`Crash-free ${of === 'people' ? 'users' : 'sessions'}: ${crashFreeText(last)} recently`}
    >
      <div className="grid grid-cols-[44px_minmax(0,1fr)] gap-x-2">
        <ShareLabels shares={goal > floor ? [1, goal, floor] : [1, floor]} y={y} />
        <svg
          width="100%"
          height={LINES}
          viewBox={`0 0 100 ${LINES}`}
          preserveAspectRatio="none"
          role="presentation"
          className="block"
        >
          <Rule y={y(1)} />
          <Rule y={y(floor)} />
          {goal > floor ? <Rule y={y(goal)} dashed /> : null}
          {before === null ? null : <Line shares={before.line} y={y} className="stroke-bar" width={1.5} />}
          <Line shares={line} y={y} className={isBad ? 'stroke-bad-fill' : 'stroke-ink'} width={2} />
        </svg>
        <div className="num mt-2 text-end text-11 text-ink-3" aria-hidden="true">
          adopted
        </div>
        <Adoption health={health} shares={shares} />
        <span />
        <Axis health={health} />
      </div>
      <figcaption className="mt-2 ms-13 flex flex-wrap gap-x-5 gap-y-1 text-12 text-ink-2">
        <Key className={isBad ? 'bg-bad-fill' : 'bg-ink'} text="this release" />
        {before === null ? null : <Key className="bg-bar" text={versionOf(before.version)} />}
        <span>dashed: goal {Math.round(goal * 100)} %</span>
      </figcaption>
    </figure>
  )
}

/** Each at its line; one that would lie on another is left out, the goal before the ends. */
function ShareLabels(props: { readonly shares: readonly number[]; readonly y: (share: number) => number }) {
  const { shares, y } = props
  const ends = [shares[0], shares.at(-1)]
  const isFree = (share: number) =>
    ends.includes(share) || ends.every((end) => Math.abs(y(share) - y(end ?? 0)) >= LABEL_HEIGHT)
  return (
    <svg width="100%" height={LINES} aria-hidden="true" className="num block text-11">
      {shares.filter(isFree).map((share) => (
        <text key={share} x="100%" y={y(share) + 4} textAnchor="end" className="fill-ink-3">
          {Math.round(share * 100)} %
        </text>
      ))}
    </svg>
  )
}

function Rule({ y, dashed = false }: { readonly y: number; readonly dashed?: boolean }) {
  return (
    <line
      x1="0"
      x2="100"
      y1={y}
      y2={y}
      vectorEffect="non-scaling-stroke"
      strokeDasharray={dashed ? '3 3' : undefined}
      className={dashed ? 'stroke-control' : 'stroke-grid'}
    />
  )
}

function Key({ className, text }: { readonly className: string; readonly text: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className={`h-0.5 w-4 ${className}`} />
      <span className="foreign">{text}</span>
    </span>
  )
}

/** A point is the middle of its bucket. One without neighbours is a short stroke. */
function Line(props: {
  readonly shares: readonly (number | null)[]
  readonly y: (share: number) => number
  readonly className: string
  readonly width: number
}) {
  const { shares, y } = props
  const step = 100 / Math.max(1, shares.length)
  return runsOf(shares).map((run) => {
    const [first] = run
    if (first === undefined) return null
    const points = run.map(
      ({ index, share }) => `${((index + 0.5) * step).toFixed(2)},${y(share).toFixed(1)}`,
    )
    const alone = `${(first.index * step).toFixed(2)},${y(first.share).toFixed(1)}`
    return (
      <polyline
        key={first.index}
        points={(run.length === 1 ? [alone, ...points] : points).join(' ')}
        fill="none"
        strokeWidth={props.width}
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
        className={props.className}
      />
    )
  })
}

interface Point {
  readonly index: number
  readonly share: number
}

/** Buckets without sessions part the line. */
function runsOf(shares: readonly (number | null)[]): readonly (readonly Point[])[] {
  const runs: Point[][] = [[]]
  for (const [index, share] of shares.entries()) {
    if (share === null) runs.push([])
    else runs.at(-1)?.push({ index, share })
  }
  return runs.filter((run) => run.length > 0)
}

function Adoption({
  health,
  shares,
}: {
  readonly health: PageHealth
  readonly shares: PageHealth['shares']
}) {
  const zone = useZone()
  const step = 100 / Math.max(1, shares.length)
  return (
    <svg width="100%" height={BARS} role="presentation" className="mt-2 block">
      <line x1="0" x2="100%" y1="0.5" y2="0.5" className="stroke-grid" />
      {shares.map((share, index) => {
        if (share === null || share === 0) return null
        const height = Math.max(1, share * (BARS - 2))
        const atMs = health.startMs + index * health.stepMs
        return (
          <rect
            key={atMs}
            x={`${index * step + step * 0.04}%`}
            width={`${step * 0.92}%`}
            y={BARS - 1 - height}
            height={height}
            className="fill-bar"
          >
            <title>{`${exactText(atMs, zone)}: ${crashFreeText(share)} of sessions`}</title>
          </rect>
        )
      })}
      <line x1="0" x2="100%" y1={BARS - 0.5} y2={BARS - 0.5} className="stroke-control" />
    </svg>
  )
}

function Axis({ health }: { readonly health: PageHealth }) {
  const { startMs, endMs, stepMs, isOver } = health
  const parts = labelledParts((endMs - startMs) / stepMs)
  return <TimeAxis {...{ startMs, endMs, parts }} {...(isOver ? {} : { endText: 'now' })} />
}
