import type { ChartTone } from '#ui/charts/chart-types.ts'
import { LegendMark } from '#ui/charts/legend.tsx'
import type { ColumnKey } from './ledger.ts'

/** Tones of the columns; what never reached Errata is hatched. */
export const TONE_OF_COLUMN: Readonly<Record<ColumnKey, ChartTone>> = {
  stored: 'bar',
  unsupported: 'bar-2',
  filtered: 'server',
  limited: 'warn',
  invalid: 'bad',
  dropped: 'hatch',
}

export function Swatch({ column }: { readonly column: ColumnKey }) {
  return <LegendMark tone={TONE_OF_COLUMN[column]} as="bar" />
}
