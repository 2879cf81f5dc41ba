/** Stored above the axis; what was not stored hangs below it, on its own scale that says so. */
import type { OutcomesView } from '@errata/server/queries'
import { useId } from 'react'
import { numberText, roundUp } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { TimeAxis } from '#ui/time-axis.tsx'
import { exactText, stepText } from '#ui/time-text.ts'
import { type Amounts, COLUMNS, NOT_STORED, notStored } from './ledger.ts'
import { FILLS, Hatch } from './swatch.tsx'

type ChartView = Pick<OutcomesView, 'range' | 'intervalMs' | 'buckets' | 'groups'>

const UP = 96
const DOWN = 64
const HEIGHT = UP + DOWN + 1

export function OutcomesChart({
  view,
  buckets,
}: {
  readonly view: ChartView
  readonly buckets: readonly Amounts[]
}) {
  const hatch = useId()
  const zone = useZone()
  const peakUp = Math.max(0, ...buckets.map(({ stored }) => stored))
  const peakDown = Math.max(0, ...buckets.map(notStored))
  const [topUp, topDown] = [roundUp(peakUp), roundUp(peakDown)]
  const step = stepText(view.intervalMs)
  const per = `per ${step}`
  const share = 100 / Math.max(1, buckets.length)
  return (
    <figure
      className="px-6 max-phone:px-4"
      aria-label={`Stored: at most ${numberText(peakUp)} ${per}. Not stored: at most ${numberText(peakDown)} ${per}.`}
    >
      <Scale name="stored" text={`line: ${numberText(topUp)} ${per}`} />
      <svg width="100%" height={HEIGHT} role="presentation" className="block">
        <defs>
          <Hatch id={hatch} />
        </defs>
        <line x1="0" x2="100%" y1="0.5" y2="0.5" className="stroke-grid" />
        <line x1="0" x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="stroke-grid" />
        {buckets.map((amounts, index) => (
          <Bucket
            key={view.buckets[index]}
            amounts={amounts}
            x={index * share + share * 0.04}
            width={share * 0.92}
            tops={{ up: topUp, down: topDown }}
            hatch={hatch}
            isRunning={index === buckets.length - 1}
            title={exactText(view.buckets[index] ?? 0, zone)}
          />
        ))}
        <line x1="0" x2="100%" y1={UP + 0.5} y2={UP + 0.5} className="stroke-control" />
      </svg>
      <Scale name="not stored" text={`own scale, line: ${numberText(topDown)} ${per}`} />
      <ChartAxis view={view} />
    </figure>
  )
}

function Scale({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="num py-1 text-11 text-ink-3">
      <b className="font-strong text-ink-2">{name}</b> <span className="ms-2">{text}</span>
    </div>
  )
}

function Bucket(props: {
  readonly amounts: Amounts
  readonly x: number
  readonly width: number
  readonly tops: { readonly up: number; readonly down: number }
  readonly hatch: string
  readonly isRunning: boolean
  readonly title: string
}) {
  const { amounts, tops } = props
  const place = { x: `${props.x}%`, width: `${props.width}%` }
  const up = heightOf(amounts.stored, tops.up, UP)
  let y = UP + 1
  return (
    <g>
      <title>{`${props.title}\n${COLUMNS.map(({ key, label }) => `${label}: ${numberText(amounts[key])}`).join('\n')}`}</title>
      <rect x={place.x} width={place.width} y="0" height={HEIGHT} fill="transparent" />
      {up === 0 ? null : (
        <rect
          {...place}
          y={UP - up}
          height={up}
          className={props.isRunning ? 'stroke-bar' : FILLS.stored}
          fill={props.isRunning ? 'none' : undefined}
        />
      )}
      {NOT_STORED.map((key) => {
        const height = heightOf(amounts[key], tops.down, DOWN)
        if (height === 0) return null
        const from = y
        y += height
        return (
          <rect
            key={key}
            {...place}
            y={from}
            height={height}
            className={key === 'dropped' || key === 'stored' ? undefined : FILLS[key]}
            fill={key === 'dropped' ? `url(#${props.hatch})` : undefined}
          />
        )
      })}
    </g>
  )
}

/** What is not nothing is at least a pixel. */
function heightOf(count: number, top: number, height: number): number {
  return count === 0 ? 0 : Math.max(1, (count / top) * (height - 4))
}

/** A bar stands for a whole interval, the last one for a running one. */
function ChartAxis({ view }: { readonly view: ChartView }) {
  const startMs = view.buckets[0] ?? view.range.startMs
  const endMs = startMs + view.buckets.length * view.intervalMs
  return <TimeAxis startMs={startMs} endMs={endMs} endText="now" />
}
