/** Legend of a chart's marks and fills. */
import { useId } from 'react'
import { Hatch } from './chart.tsx'
import { FILL, STROKE } from './chart-tones.ts'
import type { ChartMark, ChartTone } from './chart-types.ts'

export interface LegendItem {
  readonly text: string
  readonly tone: ChartTone
  /** Drawn as the chart draws it; a filled square unless it is said. */
  readonly as?: 'bar' | 'line' | 'dashed' | 'dotted'
  /** Value in strong ink, beside the text. */
  readonly value?: string
}

export function ChartLegend({ items }: { readonly items: readonly LegendItem[] }) {
  return (
    <span className="num flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-ink-2">
      {items.map(({ text, tone, as = 'bar', value }) => (
        <span key={text} className="inline-flex items-center gap-1.5">
          <LegendMark tone={tone} as={as} />
          <span className="foreign">{text}</span>
          {value === undefined ? null : <b className="font-strong">{value}</b>}
        </span>
      ))}
    </span>
  )
}

/** Returns what the legend says of marks of flags; nothing where there are none. */
export function flagLegend(marks: readonly ChartMark[]): readonly LegendItem[] {
  return marks.some(({ kind }) => kind === 'flag')
    ? [{ tone: 'ink-2', as: 'dotted', text: 'flag changed' }]
    : []
}

const DASHES = { line: undefined, dashed: '4 3', dotted: '2 3' } as const

export function LegendMark({
  tone,
  as,
}: {
  readonly tone: ChartTone
  readonly as: NonNullable<LegendItem['as']>
}) {
  const id = useId()
  if (as !== 'bar')
    return (
      <svg width="14" height="8" aria-hidden="true" className="shrink-0">
        <line
          x1="0"
          x2="14"
          y1="4"
          y2="4"
          strokeWidth="2"
          strokeDasharray={DASHES[as]}
          className={tone === 'hatch' ? STROKE.bar : STROKE[tone]}
        />
      </svg>
    )
  return (
    <svg width="10" height="10" aria-hidden="true" className="shrink-0">
      {tone === 'hatch' ? (
        <>
          <defs>
            <Hatch id={id} />
          </defs>
          <rect width="10" height="10" fill={`url(#${id})`} />
        </>
      ) : (
        <rect width="10" height="10" className={FILL[tone]} />
      )}
    </svg>
  )
}
