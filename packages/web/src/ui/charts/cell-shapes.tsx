/** Cells of a heat map: five steps of one grey, with their key. */
import { numberText } from '../number-text.ts'
import { cellSteps } from './cell-steps.ts'
import type { ChartCells, LayerProps } from './chart-types.ts'
import { heightOf } from './plot-shapes.tsx'

const OPACITY = [0.14, 0.3, 0.5, 0.74, 1] as const

export function CellShapes({ plot, y0 }: LayerProps) {
  const { cells } = plot
  if (cells === undefined) return null
  const steps = cellSteps(cells)
  const share = 100 / Math.max(1, cells.counts.length)
  return cells.counts.map((counts, slot) =>
    counts.map((count, row) => {
      const bounds = cells.rows[row]
      if (count <= 0 || bounds === undefined) return null
      const [top, bottom] = [heightOf(plot, y0, bounds.to), heightOf(plot, y0, bounds.from)]
      return (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
          key={`${slot} ${row}`}
          x={`${(slot * share).toFixed(3)}%`}
          width={`${(share * 0.96).toFixed(3)}%`}
          y={top}
          height={Math.max(1, bottom - top - 1)}
          opacity={OPACITY[toneStep(steps, count)]}
          className="fill-span-server"
        />
      )
    }),
  )
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
