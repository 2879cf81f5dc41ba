/** Stretches that are chosen on a chart, by slots and, where values can be chosen, by rows. Pure. */
import type { ChartPlot, ChartRange, ChartX } from './chart-types.ts'
import { slotBounds } from './readings.ts'

export interface ChartSpot {
  readonly slot: number
  /** Row in a heat map; for single marks a hundredth of the height; `null` for any value. */
  readonly row: number | null
}

export interface Selected {
  readonly from: ChartSpot
  readonly to: ChartSpot
}

interface Of {
  readonly x: ChartX
  readonly plots: readonly ChartPlot[]
}

const PARTS = 100

/** The row at so many pixels below the top of the first plot; `null` where values cannot be chosen. */
export function rowAt({ plots }: Of, py: number): number | null {
  const [plot] = plots
  if (plot === undefined || (plot.cells === undefined && plot.points === undefined)) return null
  const place = Math.min(0.999_999, Math.max(0, 1 - py / plot.height))
  if (plot.cells === undefined) return Math.floor(place * PARTS)
  const value = plot.y.valueAt(place)
  const row = plot.cells.rows.findIndex(({ from, to }) => value >= from && value < to)
  return row === -1 ? (place < 0.5 ? 0 : plot.cells.rows.length - 1) : row
}

/** Between which values a row lies. */
function rowBounds(plot: ChartPlot, row: number): readonly [low: number, high: number] {
  const cell = plot.cells?.rows[row]
  if (cell !== undefined) return [cell.from, cell.to]
  return [plot.y.valueAt(row / PARTS), plot.y.valueAt((row + 1) / PARTS)]
}

/** From the first slot to the last, both included; with values where rows were chosen. */
export function cursorRange({ x, plots }: Of, { from, to }: Selected): ChartRange {
  const [first, last] = [Math.min(from.slot, to.slot), Math.max(from.slot, to.slot)]
  const range = { from: slotBounds(x, first)[0], to: slotBounds(x, last)[1] }
  const [plot] = plots
  if (plot === undefined || from.row === null || to.row === null) return range
  return {
    ...range,
    low: rowBounds(plot, Math.min(from.row, to.row))[0],
    high: rowBounds(plot, Math.max(from.row, to.row))[1],
  }
}
