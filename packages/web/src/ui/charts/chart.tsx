/**
 * The one chart: drawn on the server, so that it says everything without a script; in the browser a cursor is on it, for
 * pointer and keys. What is drawn, what the cursor says and what the table for assistive technology has are the same values.
 */
import { useId } from 'react'
import { cutText } from '../cut-text.ts'
import { useHydrated, useZone } from '../time.tsx'
import { ChartCursor } from './chart-cursor.tsx'
import { ChartMarks, markHead } from './chart-marks.tsx'
import { ChartTable } from './chart-table.tsx'
import { TEXT } from './chart-tones.ts'
import type { ChartPlot, ChartProps, ChartX } from './chart-types.ts'
import { labelMarks, spreadLabels } from './label-places.ts'
import { heightOf, type PlotPlace, PlotShapes } from './plot-shapes.tsx'
import { hasAny, readingsOf, slotBounds, slotText } from './readings.ts'
import { placeOn, ticksBetween } from './scales.ts'
import { Axis, DurationAxis, TimeAxis } from './time-axis.tsx'

/** Room for the last label of a plot and the first of the next. */
const GAP = 20
const AXIS_TICKS_MAX = 9

export function Chart(props: ChartProps) {
  const { label, x, plots, marks = [] } = props
  const hatch = useId()
  const zone = useZone()
  const part = partOf(x)
  const placed = labelMarks(marks, (at) => part(at) * 100)
  const head = markHead(placed)
  const tops = plots.map((_, at) => plots.slice(0, at).reduce((y, { height }) => y + height + GAP, head))
  const height = tops.reduce((y, top, at) => Math.max(y, top + (plots[at]?.height ?? 0)), head)
  const names = namesOf(plots, tops)
  return (
    <figure aria-label={label}>
      <div className={`ps-12 ${names.length === 0 ? '' : 'phone:pe-22'}`}>
        <div className="relative">
          <svg
            width="100%"
            height={height + 1}
            role="presentation"
            className="num block overflow-visible text-11"
          >
            {plots.some(({ series }) => series.some(({ tone }) => tone === 'hatch')) ? (
              <defs>
                <Hatch id={hatch} />
              </defs>
            ) : null}
            {plots.map((plot, at) => (
              <PlotFrame
                key={plot.name ?? at}
                plot={plot}
                y0={tops[at] ?? head}
                place={{ x, part, hatch, link: props.link }}
              />
            ))}
            <SlotLinks chart={props} head={head} height={height} zone={zone} />
            <ChartMarks placed={placed} height={height} link={props.link} zone={zone} />
            {names.map(({ key, name, y, tone }) => (
              <text key={key} x="100%" dx="8" y={y} className={`chart-name ${TEXT[tone] ?? 'fill-ink-2'}`}>
                <title>{name}</title>
                {cutText(name, NAME_CHARS)}
              </text>
            ))}
          </svg>
          <ChartCursor chart={props} tops={tops} height={height} head={head} zone={zone} />
        </div>
        <ChartAxis x={x} part={part} />
      </div>
      <ChartTable label={label} x={x} plots={plots} marks={marks} zone={zone} />
    </figure>
  )
}

function ChartAxis({ x, part }: { readonly x: ChartX; readonly part: (at: number) => number }) {
  if (x.kind === 'log')
    return <DurationAxis ticks={ticksBetween(x.fromMs, x.toMs, AXIS_TICKS_MAX)} part={part} />
  if (x.kind === 'linear') {
    const ticks = [0, 1, 2, 3].map((third) => (third / 3) * x.step * x.count)
    return <Axis ticks={ticks.map((value) => ({ part: part(value), text: x.text(value) }))} />
  }
  return (
    <TimeAxis
      startMs={x.startMs}
      endMs={x.startMs + x.count * x.stepMs}
      {...(x.endText === undefined ? {} : { endText: x.endText })}
      {...(x.parts === undefined ? {} : { parts: x.parts })}
    />
  )
}

/** Characters of a name at the right that fit there. */
const NAME_CHARS = 15

function partOf(x: ChartX): (at: number) => number {
  if (x.kind === 'log') return (ms) => placeOn(ms, x.fromMs, x.toMs)
  if (x.kind === 'linear') return (value) => value / (x.step * x.count)
  return (atMs) => (atMs - x.startMs) / (x.count * x.stepMs)
}

function PlotFrame(props: {
  readonly plot: ChartPlot
  readonly y0: number
  readonly place: Omit<PlotPlace, 'y0'>
}) {
  const { plot, y0 } = props
  const places = spreadLabels(
    plot.y.ticks.map(({ value }) => heightOf(plot, y0, value) + 4),
    { top: y0 + 4, bottom: y0 + plot.height + 4, gap: 11 },
  )
  return (
    <>
      <PlotShapes plot={plot} place={{ ...props.place, y0 }} />
      {plot.y.ticks.map(({ value, text }, at) => (
        <text key={value} x="0" dx="-8" y={places[at]} textAnchor="end" className="fill-ink-3">
          {text}
        </text>
      ))}
    </>
  )
}

/** Names at the right, each at its line and none on another. */
function namesOf(plots: readonly ChartPlot[], tops: readonly number[]) {
  return plots.flatMap((plot, at) => {
    const y0 = tops[at] ?? 0
    const levels = (plot.levels ?? []).map(({ name, value, tone }) => ({ name, tone, value }))
    const ends = plot.series.flatMap(({ endText, tone, values }) => {
      const value = values.findLast((one) => one !== null) ?? null
      return value === null || endText === undefined ? [] : [{ name: endText, tone, value }]
    })
    const all = [...levels, ...ends]
    const places = spreadLabels(
      all.map(({ value }) => heightOf(plot, y0, value) + 4),
      { top: y0 + 4, bottom: y0 + plot.height + 4 },
    )
    return all.map((name, index) => ({ ...name, key: `${at} ${name.name}`, y: places[index] ?? y0 }))
  })
}

/** Links to what each slot counts: they work without a script. The keys of the cursor open the same. */
function SlotLinks(props: {
  readonly chart: ChartProps
  readonly head: number
  readonly height: number
  readonly zone: Parameters<typeof slotText>[2]
}) {
  const { chart, head, height, zone } = props
  const { x, plots, rowsOf, link } = chart
  const isLive = useHydrated()
  // The cursor tells the cells of a slot apart; marks of requests are links of their own.
  if (plots.some(({ points, cells }) => points !== undefined || (isLive && cells !== undefined))) return null
  const share = 100 / x.count
  return Array.from({ length: x.count }, (_, slot) => {
    if (!plots.some((plot) => hasAny(plot, x, slot))) return null
    const readings = plots.flatMap((plot) => readingsOf(plot, { x, slot }))
    const text = `${slotText(x, slot, zone)}: ${readings.map(({ name, text: said }) => `${said} ${name}`).join(', ')}`
    const area = (
      <>
        {isLive ? null : <title>{text}</title>}
        <rect
          x={`${(slot * share).toFixed(3)}%`}
          width={`${share.toFixed(3)}%`}
          y={head}
          height={height - head}
          className="fill-transparent"
        />
      </>
    )
    const to = rowsOf?.(slot) ?? null
    const key = slotBounds(x, slot)[0]
    return to === null ? (
      isLive ? null : (
        <g key={key}>{area}</g>
      )
    ) : (
      <g key={key}>
        {link(to, {
          className: 'chart-slot max-phone:hidden',
          children: area,
          'aria-label': text,
          ...(isLive ? { tabIndex: -1 } : {}),
        })}
      </g>
    )
  })
}

/** 45° lines, 4 px apart: what never reached Errata. */
export function Hatch({ id }: { readonly id: string }) {
  return (
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="4" height="4" className="fill-canvas" />
      <rect width="1.6" height="4" className="fill-bar" />
    </pattern>
  )
}
