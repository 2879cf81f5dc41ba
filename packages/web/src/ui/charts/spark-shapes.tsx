/** Other shapes of sparklines than bars: a line, and the cells of a matrix. */
import { FILL } from './chart-tones.ts'
import { areaPath, linePath } from './paths.ts'
import type { SparklineProps } from './sparkline.tsx'

function yOf({ base = 0, top, height }: SparklineProps): (value: number) => number {
  return (value) => 1 + (1 - Math.min(1, Math.max(0, (value - base) / (top - base || 1)))) * (height - 2)
}

/** The more, the darker: a row of a matrix. All empty cells are one dashed line. */
export function SparkCells({ values, top, width, height }: SparklineProps) {
  const pitch = width / Math.max(1, values.length)
  const cell = roundToHundredth(pitch * 0.92)
  // A path a shade: pages with fifty rows of these would be half as large again with an element a cell.
  const shades = Map.groupBy(values.keys(), (slot) => shadeOf(values[slot] ?? 0, top))
  const pathOf = (slots: readonly number[]) =>
    slots.map((slot) => `M${roundToHundredth(slot * pitch)} 1h${cell}v${height - 2}h-${cell}z`).join('')
  return (
    <>
      <line
        x2={width}
        y1={height / 2}
        y2={height / 2}
        strokeWidth={height - 2}
        strokeDasharray={`${cell} ${roundToHundredth(pitch - cell)}`}
        className="stroke-grid"
      />
      {[...shades].map(([shade, slots]) =>
        shade === 0 ? null : <path key={shade} d={pathOf(slots)} opacity={shade} className={FILL.server} />,
      )}
    </>
  )
}

/** Returns the opacity of a count, in eight steps; 0 for none. */
function shadeOf(value: number, top: number): number {
  return value === 0 ? 0 : roundToHundredth(0.3 + (0.7 * Math.ceil((8 * value) / (top || 1))) / 8)
}

function roundToHundredth(value: number): number {
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
      <path d={`M0 ${height - 0.5}h${width}`} className="stroke-line-2" />
      <path d={linePath(values, { step: width / Math.max(1, values.length), y })} className="spark-line" />
    </>
  )
}
