/** Cells of a heat map: five steps of one grey, with their key. */
import { numberText } from '../number-text.ts'
import { cellSteps } from './cell-steps.ts'
import type { ChartCells, LayerProps } from './chart-types.ts'
import { heightOf } from './plot-shapes.tsx'

const OPACITY = [0.14, 0.3, 0.5, 0.74, 1] as const

/** A path for each step: a search of a day has six hundred cells, and an element for each would be a third of its document. */
export function CellShapes({ plot, y0 }: LayerProps) {
  const { cells, height } = plot
  if (cells === undefined) return null
  const steps = cellSteps(cells)
  const paths = OPACITY.map(() => '')
  cells.counts.forEach((counts, slot) => {
    counts.forEach((count, row) => {
      const bounds = cells.rows[row]
      if (count <= 0 || bounds === undefined) return
      const [top, bottom] = [heightOf(plot, 0, bounds.to), heightOf(plot, 0, bounds.from)]
      const tall = Math.max(1, roundToTenth(bottom - top - 1))
      paths[toneStep(steps, count)] += `M${slot} ${top}h${CELL_SHARE}v${tall}h-${CELL_SHARE}z`
    })
  })
  return (
    <svg
      y={y0}
      width="100%"
      height={height}
      viewBox={`0 0 ${Math.max(1, cells.counts.length)} ${height}`}
      preserveAspectRatio="none"
      role="presentation"
      overflow="visible"
    >
      {paths.map((d, step) =>
        d === '' ? null : (
          <path key={OPACITY[step]} d={d} opacity={OPACITY[step]} className="fill-span-server" />
        ),
      )}
    </svg>
  )
}

/** Width of a cell as a share of its slot; the rest parts it from the next. */
const CELL_SHARE = 0.96

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}

function toneStep(steps: readonly number[], count: number): number {
  return Math.max(
    0,
    steps.findLastIndex((from) => count >= from),
  )
}

/** The key: from how many on. */
export function CellKey({ cells }: { readonly cells: ChartCells }) {
  const steps = cellSteps(cells)
  return (
    <span className="num flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-ink-3">
      {cells.unit}
      {steps.map((from, at) => (
        <span key={from} className="inline-flex items-center gap-1">
          <svg width="12" height="10" aria-hidden="true">
            <rect width="12" height="10" opacity={OPACITY[at]} className="fill-span-server" />
          </svg>
          {numberText(from)}
          {at === steps.length - 1 ? '+' : ''}
        </span>
      ))}
    </span>
  )
}
