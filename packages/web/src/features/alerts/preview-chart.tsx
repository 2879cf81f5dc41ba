/** The measure of a rule by the hour, with its thresholds, shaded and marked where the rule would have fired. */
import { useState } from 'react'
import { Segmented } from '#ui/segmented.tsx'
import { useZone } from '#ui/time.tsx'
import { clockText, dateText } from '#ui/time-text.ts'
import type { PreviewData } from './rule-data.ts'

/** Above the plot: numbers of firings, then their marks. */
const HEAD = 30
const HEIGHT = 180
const WIDTH = 1_000
const HOUR_MS = 3_600_000
const DAY_HOURS = 24
/** More would lie on each other. */
const NUMBERED_MAX = 24
const LABEL_GAP = 13

type Shown = Pick<PreviewData, 'startMs' | 'endMs'> & {
  readonly values: readonly (number | null)[]
  /** Those of which there was enough; the others are drawn pale. */
  readonly enough: readonly boolean[]
  readonly firings: readonly Numbered[]
}
type Numbered = PreviewData['firings'][number] & { readonly number: number }

export function PreviewChart({ preview }: { readonly preview: PreviewData }) {
  const zone = useZone()
  const [isDay, setIsDay] = useState(false)
  const { name, scale, values } = preview
  if (values === null || scale === null) return null
  const all = preview.firings.map((firing, at) => ({ ...firing, number: at + 1 }))
  const enough = preview.enough ?? values.map(() => true)
  const whole: Shown = { values, enough, firings: all, startMs: preview.startMs, endMs: preview.endMs }
  const shown = isDay ? lastDay(whole) : whole
  const { startMs, endMs } = shown
  const label = isDay ? clockText : dateText
  return (
    <figure className="mt-4" aria-label={`${name}, by the hour`}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <span className="foreign text-13 font-strong">
          {name} <span className="font-normal text-12 text-ink-3">by the hour</span>
        </span>
        <Segmented label="Range">
          <button type="button" aria-pressed={!isDay} onClick={() => setIsDay(false)}>
            14 d
          </button>
          <button type="button" aria-pressed={isDay} onClick={() => setIsDay(true)}>
            24 h
          </button>
        </Segmented>
      </div>
      <div className="ps-14 pe-18">
        <Plot shown={shown} scale={scale} lines={preview.lines} />
        <div className="num mt-1 flex justify-between text-11 text-ink-3" aria-hidden="true">
          {[0, 0.25, 0.5, 0.75].map((part) => (
            <span key={part}>{label(startMs + (endMs - startMs) * part, zone)}</span>
          ))}
          <span>now</span>
        </div>
      </div>
      <figcaption className="mt-1 flex flex-wrap gap-x-4 text-12 text-ink-2">
        {preview.lines.map((line) => (
          <span key={line.name}>
            {line.name} {line.text}
          </span>
        ))}
        {preview.top === null ? null : <span>highest {preview.top}</span>}
        {enough.every((is, at) => is || values[at] === null) ? null : <span>pale: below the minimum</span>}
      </figcaption>
    </figure>
  )
}

function hasTooLittle({ values, enough }: Pick<Shown, 'values' | 'enough'>): boolean {
  return values.some((value, at) => value !== null && enough[at] !== true)
}

function lastDay({ values, enough, startMs, endMs, firings }: Shown): Shown {
  const first = Math.max(0, values.length - DAY_HOURS)
  const fromMs = startMs + first * HOUR_MS
  return {
    ...{ values: values.slice(first), enough: enough.slice(first), startMs: fromMs, endMs },
    firings: firings.filter((firing) => firing.endedMs === null || firing.endedMs > fromMs),
  }
}

interface PlotProps {
  readonly shown: Shown
  readonly scale: NonNullable<PreviewData['scale']>
  readonly lines: PreviewData['lines']
}

function Plot({ shown, scale, lines }: PlotProps) {
  const { values, enough, startMs, endMs } = shown
  const x = (at: number) => part(startMs + (at + 0.5) * HOUR_MS) * WIDTH
  const { base, top } = scale
  const part = (atMs: number) => Math.min(1, Math.max(0, (atMs - startMs) / (endMs - startMs)))
  const y = (value: number) => HEIGHT - ((value - base) / (top - base)) * HEIGHT
  return (
    <svg width="100%" height={HEAD + HEIGHT + 1} role="presentation" className="block overflow-visible">
      {scale.ticks.map(({ at, text }) => (
        <g key={at}>
          <line x1="0" x2="100%" y1={HEAD + y(at)} y2={HEAD + y(at)} className="stroke-grid" />
          <text x="0" dx="-8" y={HEAD + y(at) + 4} textAnchor="end" className="num fill-ink-3 text-11">
            {text}
          </text>
        </g>
      ))}
      <svg
        y={HEAD}
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="presentation"
      >
        <Shades firings={shown.firings} x={(atMs) => part(atMs) * WIDTH} endMs={endMs} />
        {lines.map((line) => (
          <line
            key={line.name}
            x1={0}
            x2={WIDTH}
            y1={y(line.at)}
            y2={y(line.at)}
            vectorEffect="non-scaling-stroke"
            strokeDasharray={line.name === 'resolved' ? '3 3' : undefined}
            className={LINE_TONES[line.name]}
          />
        ))}
        {hasTooLittle(shown) ? (
          <path
            d={pathOf(values, x, y)}
            fill="none"
            strokeWidth={2}
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink-3"
            opacity={0.45}
          />
        ) : null}
        <path
          d={pathOf(
            values.map((value, at) => (enough[at] === true ? value : null)),
            x,
            y,
          )}
          fill="none"
          strokeWidth={2}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className="stroke-ink-2"
        />
      </svg>
      <Marks firings={shown.firings} part={part} />
      <LineNames lines={lines} y={y} />
    </svg>
  )
}

function Shades(props: {
  readonly firings: readonly Numbered[]
  readonly x: (atMs: number) => number
  readonly endMs: number
}) {
  const { firings, x, endMs } = props
  return firings.map((firing) => (
    <rect
      key={firing.number}
      x={x(firing.startedMs)}
      y={0}
      width={Math.max(3, x(firing.endedMs ?? endMs) - x(firing.startedMs))}
      height={HEIGHT}
      className={firing.level === 'critical' ? 'fill-bad-fill' : 'fill-warn-fill'}
      opacity={0.18}
    />
  ))
}

/** Each stands above where its firing begins; the table has the same numbers. */
function Marks(props: { readonly firings: readonly Numbered[]; readonly part: (atMs: number) => number }) {
  const { firings, part } = props
  const isNumbered = firings.length <= NUMBERED_MAX
  return firings.map(({ number, level, startedMs }) => {
    const x = `${(part(startedMs) * 100).toFixed(2)}%`
    return (
      <g key={number}>
        {isNumbered ? (
          <text x={x} y={12} textAnchor="middle" className="num fill-ink-2 text-11">
            {number}
          </text>
        ) : null}
        <svg x={x} y={17} width="1" height="1" overflow="visible" role="presentation">
          {level === 'critical' ? (
            <circle cx={0} cy={5} r={4} className="fill-bad-fill" />
          ) : (
            <path d="M0 0.5 5 9.5H-5Z" className="fill-warn-fill" />
          )}
        </svg>
      </g>
    )
  })
}

/** Names stand beside their lines, no two on each other. */
function LineNames(props: { readonly lines: PreviewData['lines']; readonly y: (value: number) => number }) {
  const ordered = [...props.lines].sort((one, other) => other.at - one.at)
  let above = Number.NEGATIVE_INFINITY
  return ordered.map(({ name, at }) => {
    above = Math.max(above + LABEL_GAP, HEAD + props.y(at) + 4)
    return (
      <text key={name} x="100%" dx="6" y={above} className={`text-11 ${NAME_TONES[name]}`}>
        {name}
      </text>
    )
  })
}

const LINE_TONES = {
  critical: 'stroke-bad-fill',
  warning: 'stroke-warn-fill',
  resolved: 'stroke-good-fill',
} as const
const NAME_TONES = { critical: 'fill-bad', warning: 'fill-warn', resolved: 'fill-good' } as const

function pathOf(
  values: readonly (number | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let isOpen = false
  return values
    .map((value, at) => {
      if (value === null) {
        isOpen = false
        return ''
      }
      // An hour by itself has no length: its round end is what shows.
      const isAlone = !isOpen && (values[at + 1] ?? null) === null
      const place = `${isOpen ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}${isAlone ? 'h0' : ''}`
      isOpen = true
      return place
    })
    .join('')
}
