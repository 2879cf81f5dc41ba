/** Other shapes of sparklines than bars: a line, and the cells of a matrix. */
import { FILL } from './chart-tones.ts'
import { areaPath, linePath } from './paths.ts'
import type { SparklineProps } from './sparkline.tsx'

function yOf({ base = 0, top, height }: SparklineProps): (value: number) => number {
  return (value) => 1 + (1 - Math.min(1, Math.max(0, (value - base) / (top - base || 1)))) * (height - 2)
}

/** The more, the darker: a row of a matrix. Empty cells are one shape: most are, and a page has a hundred rows. */
export function SparkCells({ values, top, width, height }: SparklineProps) {
  const pitch = width / Math.max(1, values.length)
  const cell = { width: rounded(pitch * 0.92), height: height - 2 }
  const isEmpty = (value: number | null | undefined) => value === null || value === undefined || value === 0
  const empty = values.flatMap((value, slot) =>
    isEmpty(value) ? `M${rounded(slot * pitch)} 1h${cell.width}v${cell.height}h-${cell.width}z` : [],
  )
  return (
    <>
      <path d={empty.join('')} className="fill-grid" />
      {values.map((value, slot) =>
        isEmpty(value) ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place in time
            key={slot}
            x={rounded(slot * pitch)}
            y="1"
            {...cell}
            opacity={rounded(0.3 + 0.7 * ((value ?? 0) / (top || 1)))}
            className={FILL.server}
          />
        ),
      )}
    </>
  )
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** Values as a line over what is below it. */
export function SparkLine(props: SparklineProps) {
  const { values, width, height, base = 0 } = props
  const y = yOf(props)
  const from = values.map(() => base)
  return (
    <>
      <path d={areaPath({ from, to: values, width, y })} className="fill-grid" />
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line-2" />
      <path
        d={linePath(values, { step: width / Math.max(1, values.length), y })}
        fill="none"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-bar"
      />
    </>
  )
}
