/**
 * Shapes of a plot: bars and areas on each other, lines, marks of single requests, and the cells of a heat
 * map.
 */
import { Fragment, type ReactNode } from 'react'
import { FILL, STROKE } from './chart-tones.ts'
import type { ChartLink, ChartPlot, ChartSeries, ChartTone, ChartX } from './chart-types.ts'
import { areaPath, linePath, splitIntoPointRuns } from './paths.ts'

/** Width of the box that lines are drawn in: it is stretched to the plot. */
const WIDTH = 1_000

export interface PlotPlace {
  readonly x: ChartX
  /** Offset of its top. */
  readonly y0: number
  /** Share of the axis, 0 to 1, that a time stands at. */
  readonly part: (at: number) => number
  readonly hatch: string
  readonly link: ChartLink
}

export function PlotShapes({ plot, place }: { readonly plot: ChartPlot; readonly place: PlotPlace }) {
  const { y0, x } = place
  const { layer: Layer } = plot
  const bottom = y0 + plot.height
  const isRunning = x.kind === 'time' && x.isRunning === true
  return (
    <g>
      {plot.y.ticks.map(({ value }) => (
        <line
          key={value}
          x1="0"
          x2="100%"
          y1={heightOf(plot, y0, value)}
          y2={heightOf(plot, y0, value)}
          className="stroke-grid"
        />
      ))}
      <Lines plot={plot} place={place} isBehind />
      {Layer === undefined ? null : <Layer plot={plot} y0={y0} part={place.part} link={place.link} />}
      <Bars plot={plot} place={place} isRunning={isRunning} />
      <Lines plot={plot} place={place} />
      {plot.strips?.map((strip) => (
        <rect
          key={strip.startMs}
          {...stretchOf(place, strip)}
          y={bottom - 3}
          height="3"
          className={fillOf(strip.tone)}
        />
      ))}
      <line
        x1="0"
        x2="100%"
        y1={(plot.hangs === true ? y0 : bottom) + 0.5}
        y2={(plot.hangs === true ? y0 : bottom) + 0.5}
        className="stroke-control"
      />
    </g>
  )
}

/** Returns where a value stands in the whole drawing. */
export function heightOf(plot: ChartPlot, y0: number, value: number): number {
  const place = plot.y.place(value)
  return Math.round((y0 + (plot.hangs === true ? place : 1 - place) * plot.height) * 10) / 10
}

function stretchOf({ part }: PlotPlace, { startMs, endMs }: { startMs: number; endMs: number }) {
  const within = (atMs: number) => Math.min(1, Math.max(0, part(atMs)))
  const [from, to] = [within(startMs), within(endMs)]
  return { x: `${(from * 100).toFixed(2)}%`, width: `${Math.max(0.3, (to - from) * 100).toFixed(2)}%` }
}

function fillOf(tone: ChartTone): string {
  return tone === 'hatch' ? '' : FILL[tone]
}

function strokeOf(tone: ChartTone): string {
  return tone === 'hatch' ? STROKE.bar : STROKE[tone]
}

function Bars(props: {
  readonly plot: ChartPlot
  readonly place: PlotPlace
  readonly isRunning: boolean
}): ReactNode {
  const { plot, place, isRunning } = props
  const bars = plot.series.filter((series) => series.as === 'bar')
  if (bars.length === 0) return null
  const { count } = place.x
  const share = 100 / count
  return Array.from({ length: count }, (_, slot) => {
    let sum = 0
    const rects = bars.map((series) => {
      const value = series.values[slot] ?? 0
      if (value <= 0) return null
      const from = heightOf(plot, place.y0, sum)
      sum += value
      const to = heightOf(plot, place.y0, sum)
      // What is not nothing is at least a pixel.
      const height = Math.max(1, Math.abs(to - from))
      const tone = series.toneAt?.(slot) ?? series.tone
      const isHollow = isRunning && slot === count - 1 && bars.length === 1
      return (
        <rect
          key={series.name}
          x={`${(slot * share + share * 0.05).toFixed(3)}%`}
          width={`${(share * 0.9).toFixed(3)}%`}
          y={plot.hangs === true ? from : from - height}
          height={height}
          className={
            isHollow
              ? strokeOf(tone)
              : `${fillOf(tone)}${isRunning && slot === count - 1 ? ' opacity-60' : ''}`
          }
          fill={isHollow ? 'none' : tone === 'hatch' ? `url(#${place.hatch})` : undefined}
        />
      )
    })
    // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place on the axis
    return sum === 0 ? null : <Fragment key={slot}>{rects}</Fragment>
  })
}

/** Draws lines in a box that is stretched; strokes are not. Shades and areas are behind the bars. */
function Lines(props: { readonly plot: ChartPlot; readonly place: PlotPlace; readonly isBehind?: boolean }) {
  const { plot, place } = props
  const { height } = plot
  const shown = plot.series.filter(({ as }) =>
    props.isBehind === true ? as === 'area' : as === 'line' || as === 'step',
  )
  const shades = props.isBehind === true ? (plot.shades ?? []) : []
  const levels = props.isBehind === true ? [] : (plot.levels ?? [])
  if (shown.length + shades.length + levels.length === 0) return null
  const y = (value: number) => heightOf(plot, 0, value)
  return (
    <svg
      y={place.y0}
      width="100%"
      height={height}
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      role="presentation"
      overflow="visible"
    >
      {shades.map(({ startMs, endMs, tone }) => {
        const [from, to] = [place.part(startMs) * WIDTH, place.part(endMs) * WIDTH]
        const left = Math.max(0, from)
        return (
          <rect
            key={startMs}
            x={left}
            width={Math.max(3, Math.min(WIDTH, to) - left)}
            y="0"
            height={height}
            className={fillOf(tone)}
            opacity="0.18"
          />
        )
      })}
      {levels.map(({ name, value, tone, isDashed }) => (
        <line
          key={name}
          x1="0"
          x2={WIDTH}
          y1={y(value)}
          y2={y(value)}
          strokeDasharray={isDashed === true ? '4 3' : undefined}
          vectorEffect="non-scaling-stroke"
          className={strokeOf(tone)}
        />
      ))}
      {props.isBehind === true ? (
        <Areas series={shown} count={place.x.count} y={y} />
      ) : (
        shown.map((series) => <Line key={series.name} series={series} count={place.x.count} y={y} />)
      )}
    </svg>
  )
}

interface LineProps {
  readonly count: number
  readonly y: (value: number) => number
}

function Areas({ series, count, y }: LineProps & { readonly series: readonly ChartSeries[] }) {
  const below = Array.from({ length: count }, () => 0)
  return series.map(({ name, tone, values }) => {
    const from = [...below]
    for (const [slot, value] of values.entries()) below[slot] = (below[slot] ?? 0) + (value ?? 0)
    const to = below.map((sum, slot) => (values[slot] === null ? null : sum))
    return (
      <path
        key={name}
        d={areaPath({ from, to, width: WIDTH, y })}
        vectorEffect="non-scaling-stroke"
        className={`${fillOf(tone)} stroke-canvas`}
      />
    )
  })
}

/** A value without neighbours is a dot: its round end is what shows. */
function Line({ series, count, y }: LineProps & { readonly series: ChartSeries }) {
  const { as, tone, values, isPale } = series
  const step = WIDTH / count
  const strokes = {
    fill: 'none',
    strokeWidth: series.width ?? 1.5,
    vectorEffect: 'non-scaling-stroke',
    className: strokeOf(tone),
  } as const
  if (as === 'step')
    return splitIntoPointRuns(values).map((run) => (
      <path
        key={run[0]?.slot}
        d={run
          .map(
            ({ slot, value }, at) =>
              `${at === 0 ? 'M' : 'L'}${(slot * step).toFixed(1)} ${y(value)}H${((slot + 1) * step).toFixed(1)}`,
          )
          .join('')}
        strokeDasharray="3 2"
        {...strokes}
      />
    ))
  const path = (shown: readonly (number | null)[]) => linePath(shown, { step, y })
  const alone = values.map((value, at) => (isAlone(values, at) ? value : null))
  return (
    <g strokeLinecap="round" strokeLinejoin="round">
      {isPale === undefined ? null : <path d={path(values)} opacity="0.4" {...strokes} />}
      <path
        d={path(isPale === undefined ? values : values.map((one, at) => (isPale[at] === true ? null : one)))}
        {...strokes}
      />
      <path d={path(alone)} {...strokes} strokeWidth={strokes.strokeWidth + 3} />
    </g>
  )
}

function isAlone(values: readonly (number | null)[], at: number): boolean {
  const isThere = (slot: number) => (values[slot] ?? null) !== null
  return isThere(at) && !isThere(at - 1) && !isThere(at + 1)
}
