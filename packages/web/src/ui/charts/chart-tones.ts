import type { ChartTone } from './chart-types.ts'

export const FILL: Readonly<Record<Exclude<ChartTone, 'hatch'>, string>> = {
  bar: 'fill-bar',
  'bar-2': 'fill-bar-2',
  server: 'fill-span-server',
  grid: 'fill-grid',
  ink: 'fill-ink',
  'ink-2': 'fill-ink-2',
  'ink-3': 'fill-ink-3',
  control: 'fill-control',
  bad: 'fill-bad-fill',
  warn: 'fill-warn-fill',
  good: 'fill-good-fill',
}

export const STROKE: Readonly<Record<Exclude<ChartTone, 'hatch'>, string>> = {
  bar: 'stroke-bar',
  'bar-2': 'stroke-bar-2',
  server: 'stroke-span-server',
  grid: 'stroke-grid',
  ink: 'stroke-ink',
  'ink-2': 'stroke-ink-2',
  'ink-3': 'stroke-ink-3',
  control: 'stroke-control',
  bad: 'stroke-bad-fill',
  warn: 'stroke-warn-fill',
  good: 'stroke-good-fill',
}

export const TEXT: Partial<Record<ChartTone, string>> = {
  ink: 'fill-ink font-strong',
  bad: 'fill-bad',
  warn: 'fill-warn',
  good: 'fill-good',
}
