/** Web vitals: their names, their values by the public thresholds, and how many were good. */
import { shareText } from '#ui/number-text.ts'
import { durationText } from '#ui/time-text.ts'
import {
  type Rating,
  ratingOf,
  type VitalBounds,
  type VitalFigures,
  type VitalName,
} from './vital-figures.ts'

export const VITALS: readonly { readonly key: VitalName; readonly short: string; readonly name: string }[] = [
  { key: 'lcp', short: 'LCP', name: 'largest contentful paint' },
  { key: 'inp', short: 'INP', name: 'interaction to next paint' },
  { key: 'cls', short: 'CLS', name: 'layout shift' },
  { key: 'fcp', short: 'FCP', name: 'first contentful paint' },
  { key: 'ttfb', short: 'TTFB', name: 'time to first byte' },
]

const TONES: Readonly<Record<Rating, string>> = {
  good: 'text-good',
  'needs improvement': 'text-warn',
  poor: 'text-bad',
}
const FILLS = ['fill-good-fill', 'fill-warn-fill', 'fill-bad-fill'] as const
const PARTS = ['good', 'needs improvement', 'poor'] as const

/** `1.90 s`, `248 ms`; a layout shift has no unit. */
export function vitalText(vital: VitalName, value: number): string {
  return vital === 'cls' ? value.toFixed(value > 0 && value < 0.01 ? 3 : 2) : durationText(value)
}

export function VitalValue(props: {
  readonly figures: Pick<VitalFigures, 'vital' | 'p75'>
  readonly bounds: VitalBounds
  readonly className?: string
}) {
  const { vital, p75 } = props.figures
  const rating = ratingOf(p75, props.bounds[vital])
  return (
    <span className={`num relative ${TONES[rating]} ${props.className ?? ''}`} title={`p75, ${rating}`}>
      {vitalText(vital, p75)}
      <span className="visually-hidden">, {rating}</span>
    </span>
  )
}

/** The rating in a word, for where there is room. */
export function VitalRating(props: {
  readonly figures: Pick<VitalFigures, 'vital' | 'p75'>
  readonly bounds: VitalBounds
}) {
  const rating = ratingOf(props.figures.p75, props.bounds[props.figures.vital])
  return <span className={`text-12 ${TONES[rating]}`}>{rating}</span>
}

/** Shares of good, needs improvement and poor, a hairline between them. */
export function VitalBar({
  figures,
  height = 5,
}: {
  readonly figures: Pick<VitalFigures, 'shares'>
  readonly height?: number
}) {
  let from = 0
  const parts = figures.shares.map((share, at) => {
    const part = { x: from * 100, width: share * 100, fill: FILLS[at] ?? FILLS[0] }
    from += share
    return part
  })
  return (
    <svg
      width="100%"
      height={height}
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={sharesText(figures)}
      className="block"
    >
      <title>{sharesText(figures)}</title>
      {parts.map(({ x, width, fill }) =>
        width <= 0 ? null : <rect key={fill} x={x} width={width} height={height} className={fill} />,
      )}
    </svg>
  )
}

/** The same in numbers, each below its end of the bar. */
export function VitalShares({ figures }: { readonly figures: Pick<VitalFigures, 'shares'> }) {
  return (
    <span aria-hidden="true" className="num flex justify-between text-12 text-ink-3">
      {figures.shares.map((share, at) => (
        <span key={PARTS[at]}>{shareText(share, 1)}</span>
      ))}
    </span>
  )
}

function sharesText({ shares }: Pick<VitalFigures, 'shares'>): string {
  return shares.map((share, at) => `${shareText(share, 1)} ${PARTS[at] ?? ''}`).join(', ')
}
