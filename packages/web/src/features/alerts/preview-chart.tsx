/** The measure of a rule by the hour, with its thresholds, shaded and marked where the rule would have fired. */
import { useState } from 'react'
import { PageChart } from '#parts/page-chart.tsx'
import type { ChartMark, ChartSeries } from '#ui/charts/chart-types.ts'
import { valueScale } from '#ui/charts/scales.ts'
import { Segmented } from '#ui/segmented.tsx'
import type { PreviewData } from './rule-data.ts'

const HEIGHT = 180
const HOUR_MS = 3_600_000
const DAY_HOURS = 24
/** More would lie on each other. */
const NUMBERED_MAX = 24
const LINE_TONES = { critical: 'bad', warning: 'warn', resolved: 'good' } as const

type Shown = Pick<PreviewData, 'startMs' | 'endMs'> & {
  readonly values: readonly (number | null)[]
  /** Values with enough data; the others are drawn pale. */
  readonly enough: readonly boolean[]
  readonly firings: readonly Numbered[]
}
type Numbered = PreviewData['firings'][number] & { readonly number: number }

export function PreviewChart({ preview }: { readonly preview: PreviewData }) {
  const [isDay, setIsDay] = useState(false)
  const { name, scale, values } = preview
  if (values === null || scale === null) return null
  const all = preview.firings.map((firing, at) => ({ ...firing, number: at + 1 }))
  const enough = preview.enough ?? values.map(() => true)
  const whole: Shown = { values, enough, firings: all, startMs: preview.startMs, endMs: preview.endMs }
  const shown = isDay ? lastDay(whole) : whole
  return (
    <div className="mt-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <span className="foreign text-13 font-strong">
          {name} <span className="font-normal text-12 text-ink-3">per hour</span>
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
      <Plot shown={shown} scale={scale} preview={preview} />
      <p className="mt-1 flex flex-wrap gap-x-4 text-12 text-ink-2">
        {preview.lines.map((line) => (
          <span key={line.name}>
            {line.name} {line.text}
          </span>
        ))}
        {preview.top === null ? null : <span>highest {preview.top}</span>}
        {enough.every((is, at) => is || values[at] === null) ? null : <span>pale: below the minimum</span>}
      </p>
    </div>
  )
}

function lastDay({ values, enough, startMs, endMs, firings }: Shown): Shown {
  const first = Math.max(0, values.length - DAY_HOURS)
  const fromMs = startMs + first * HOUR_MS
  return {
    ...{ values: values.slice(first), enough: enough.slice(first), startMs: fromMs, endMs },
    firings: firings.filter((firing) => firing.endedMs === null || firing.endedMs > fromMs),
  }
}

function Plot(props: {
  readonly shown: Shown
  readonly scale: NonNullable<PreviewData['scale']>
  readonly preview: PreviewData
}) {
  const { shown, scale, preview } = props
  const { values, enough, startMs, endMs, firings } = shown
  const text = (value: number) =>
    `${Number(value.toPrecision(4)).toLocaleString('en-US')}${preview.unit === '' ? '' : ` ${preview.unit}`}`
  const hasTooLittle = values.some((value, at) => value !== null && enough[at] !== true)
  const line: ChartSeries = {
    ...{ name: preview.name === '' ? 'Value' : preview.name, as: 'line', tone: 'ink-2', width: 2, values },
    ...(hasTooLittle ? { isPale: enough.map((is) => !is) } : {}),
  }
  return (
    <PageChart
      label={`${preview.name}, per hour`}
      x={{ kind: 'time', startMs, stepMs: HOUR_MS, count: Math.max(1, values.length), endText: 'now' }}
      plots={[
        {
          height: HEIGHT,
          y: valueScale({
            ...{ base: scale.base, top: scale.top, text },
            ticks: scale.ticks.map(({ at, text: said }) => ({ value: at, text: said })),
          }),
          series: [line],
          levels: preview.lines.map(({ name, at }) => ({
            ...{ name, value: at, tone: LINE_TONES[name], isDashed: name === 'resolved' },
          })),
          shades: firings.map(({ startedMs, endedMs, level }) => ({
            ...{ startMs: startedMs, endMs: endedMs ?? endMs },
            tone: level === 'critical' ? 'bad' : 'warn',
          })),
        },
      ]}
      marks={firingMarks(firings, startMs)}
    />
  )
}

/** Each stands where its firing begins; the table has the same numbers. */
function firingMarks(firings: readonly Numbered[], startMs: number): readonly ChartMark[] {
  const isNumbered = firings.length <= NUMBERED_MAX
  return firings.map(({ number, level, startedMs }) => ({
    ...{ atMs: Math.max(startMs, startedMs), kind: 'note', name: `Firing ${number}, ${level}` },
    label: isNumbered ? String(number) : '',
  }))
}
