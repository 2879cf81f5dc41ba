/** From how many on a cell of a heat map has which grey. Pure. */
import type { ChartCells } from './chart-types.ts'

const STEPS_MAX = 5

/** From how many on a cell has which of the five greys. */
export function cellSteps({ counts }: Pick<ChartCells, 'counts'>): readonly number[] {
  const most = counts.reduce((high, row) => row.reduce((one, count) => Math.max(one, count), high), 0)
  const ratio = most ** (1 / STEPS_MAX)
  const steps = Array.from({ length: STEPS_MAX }, (_, at) => Math.max(at + 1, Math.round(ratio ** at)))
  return steps.filter((step) => step <= Math.max(1, most))
}
