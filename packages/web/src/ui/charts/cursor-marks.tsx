/** Shapes that the cursor draws over a chart. They exist in the browser only, where places may be styles. */
import type { ChartPlot, ChartX } from './chart-types.ts'
import { cursorRange, type Selected } from './cursor-range.ts'
import { heightOf } from './plot-shapes.tsx'

interface Drawn {
  readonly x: ChartX
  readonly plots: readonly ChartPlot[]
  readonly tops: readonly number[]
  readonly head: number
  readonly height: number
}

const LAYER = 'pointer-events-none absolute inset-0 overflow-visible'

export function CursorMarks(props: Drawn & { readonly slot: number; readonly row: number | null }) {
  const { x, plots, tops, head, height, slot, row } = props
  const at = `${(((slot + 0.5) / x.count) * 100).toFixed(3)}%`
  const cell = row === null ? undefined : plots[0]?.cells?.rows[row]
  return (
    <svg width="100%" height={height + 1} aria-hidden="true" className={LAYER}>
      <line x1={at} x2={at} y1={head - 4} y2={height} className="stroke-accent" />
      {plots.map((plot, index) =>
        plot.series
          .filter(({ as }) => as === 'line')
          .map(({ name, values }) => {
            const value = values[slot] ?? null
            if (value === null) return null
            const y = heightOf(plot, tops[index] ?? 0, value)
            return (
              <circle
                key={`${plot.name ?? ''} ${name}`}
                cx={at}
                cy={y}
                r="3"
                className="fill-canvas stroke-accent stroke-[1.5]"
              />
            )
          }),
      )}
      {cell === undefined || plots[0] === undefined ? null : (
        <CellFrame plot={plots[0]} top={tops[0] ?? 0} x={x} slot={slot} cell={cell} />
      )}
    </svg>
  )
}

function CellFrame(props: {
  readonly plot: ChartPlot
  readonly top: number
  readonly x: ChartX
  readonly slot: number
  readonly cell: { readonly from: number; readonly to: number }
}) {
  const { plot, top, x, slot, cell } = props
  const [high, low] = [heightOf(plot, top, cell.to), heightOf(plot, top, cell.from)]
  return (
    <rect
      x={`${((slot / x.count) * 100).toFixed(3)}%`}
      width={`${(100 / x.count).toFixed(3)}%`}
      y={high}
      height={Math.max(2, low - high)}
      className="fill-none stroke-accent stroke-[1.5]"
    />
  )
}

/** Shape of what is dragged over. */
export function Selection(props: Drawn & { readonly selected: Selected }) {
  const { x, plots, selected, tops, head, height } = props
  const [plot] = plots
  const first = Math.min(selected.from.slot, selected.to.slot)
  const last = Math.max(selected.from.slot, selected.to.slot)
  const { low, high } = cursorRange({ x, plots }, selected)
  const isBox = plot !== undefined && low !== undefined && high !== undefined
  const top = isBox ? heightOf(plot, tops[0] ?? 0, high) : head
  const bottom = isBox ? heightOf(plot, tops[0] ?? 0, low) : height
  return (
    <svg width="100%" height={height + 1} aria-hidden="true" className={LAYER}>
      <rect
        x={`${(first / x.count) * 100}%`}
        width={`${((last + 1 - first) / x.count) * 100}%`}
        y={top}
        height={Math.max(2, bottom - top)}
        className="fill-accent stroke-accent [fill-opacity:.14]"
      />
    </svg>
  )
}
