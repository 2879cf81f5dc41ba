/** Readings of one slot: the same under the cursor, to assistive technology, and in the table. Pure. */
import { numberText } from '../number-text.ts'
import { dateText, durationText, hourText, type Zone } from '../time-text.ts'
import type { ChartMark, ChartPlot, ChartSeries, ChartTone, ChartX } from './chart-types.ts'
import { spanOf } from './reading-head.ts'

export interface Reading {
  readonly name: string
  readonly text: string
  readonly tone: ChartTone | null
  /** Value at which its dot stands; `null` for none. */
  readonly value: number | null
}

/** From where to where a slot reaches. */
export function slotBounds(x: ChartX, slot: number): readonly [from: number, to: number] {
  if (x.kind === 'time') return [x.startMs + slot * x.stepMs, x.startMs + (slot + 1) * x.stepMs]
  if (x.kind === 'linear') return [slot * x.step, (slot + 1) * x.step]
  const step = (x.toMs / x.fromMs) ** (1 / x.count)
  return [x.fromMs * step ** slot, x.fromMs * step ** (slot + 1)]
}

/** The slot of a time or duration; `null`: the chart does not reach there. */
export function slotAt(x: ChartX, value: number): number | null {
  const place =
    x.kind === 'time'
      ? (value - x.startMs) / x.stepMs
      : x.kind === 'linear'
        ? value / x.step
        : (Math.log(value / x.fromMs) / Math.log(x.toMs / x.fromMs)) * x.count
  return place >= 0 && place < x.count ? Math.floor(place) : null
}

/** `20 Nov, 08:00 to 09:00`, `20 Nov (UTC)`, `100 ms to 126 ms`. */
export function slotText(x: ChartX, slot: number, zone: Zone): string {
  const [from, to] = slotBounds(x, slot)
  if (x.kind === 'log') return `${durationText(from)} to ${durationText(to)}`
  if (x.kind === 'linear')
    return slot === x.count - 1 ? `${x.text(from)} and more` : `${x.text(from)} to ${x.text(to)}`
  const isRunning = x.isRunning === true && slot === x.count - 1
  return `${spanOf(from, to, zone)}${isRunning ? ', still running' : ''}`
}

/** Returns what is read out of a mark. Of a flag: `new-checkout was changed by Ada, 20 Nov, 14:05`. */
export function markText({ kind, name, atMs }: ChartMark, zone: Zone): string {
  return kind === 'flag' ? `${name}, ${dateText(atMs, zone)}, ${hourText(atMs, zone)}` : name
}

/** Returns what is read out of the flags that were changed within a slot. */
export function flagsIn(
  marks: readonly ChartMark[],
  { x, slot, zone }: { readonly x: ChartX; readonly slot: number; readonly zone: Zone },
): readonly string[] {
  if (x.kind !== 'time') return []
  const [from, to] = slotBounds(x, slot)
  const isWithin = ({ kind, atMs }: ChartMark) => kind === 'flag' && atMs >= from && atMs < to
  return marks.filter(isWithin).map((mark) => markText(mark, zone))
}

/** Returns the newest release that began before a slot ended. */
export function releaseAt(marks: readonly ChartMark[], endMs: number): string | null {
  const before = marks.filter(({ kind, atMs }) => (kind === 'release' || kind === 'deploy') && atMs < endMs)
  return (
    before.reduce<ChartMark | null>(
      (newest, mark) => (newest === null || mark.atMs >= newest.atMs ? mark : newest),
      null,
    )?.label ?? null
  )
}

/** Returns the readings of one plot. `row`: the row of a heat map that is looked at. */
export function readingsOf(
  plot: ChartPlot,
  { x, slot, row = null }: { readonly x: ChartX; readonly slot: number; readonly row?: number | null },
): readonly Reading[] {
  return [
    ...plot.series.filter(isNamedFirst).map(({ name, tone, toneAt, values }): Reading => {
      const value = values[slot] ?? null
      return { name, tone: toneAt?.(slot) ?? tone, value, text: value === null ? 'none' : plot.y.text(value) }
    }),
    ...pointReadings(plot, slotBounds(x, slot)),
    ...cellReadings(plot, slot, row),
  ]
}

/** A line along the top of its own area is read once. */
function isNamedFirst({ name, values }: ChartSeries, at: number, all: readonly ChartSeries[]): boolean {
  return all.findIndex((other) => other.name === name && other.values === values) === at
}

function pointReadings({ points, y }: ChartPlot, [from, to]: readonly [number, number]): readonly Reading[] {
  if (points === undefined) return []
  const values = points.filter(({ atMs }) => atMs >= from && atMs < to).map(({ value }) => value)
  const said = { tone: null, value: null }
  if (values.length === 0) return [{ name: 'Requests', text: 'none', ...said }]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return [
    { name: 'Requests', text: numberText(values.length), ...said },
    {
      name: 'Duration',
      text: least === most ? y.text(least) : `${y.text(least)} to ${y.text(most)}`,
      ...said,
    },
  ]
}

function cellReadings({ cells, y }: ChartPlot, slot: number, row: number | null): readonly Reading[] {
  if (cells === undefined) return []
  const counts = cells.counts[slot] ?? []
  const sum = counts.reduce((total, count) => total + count, 0)
  const said = { tone: null, value: null }
  const bounds = row === null ? undefined : cells.rows[row]
  const own =
    bounds === undefined || row === null
      ? []
      : [
          {
            name: `${y.text(bounds.from)} to ${y.text(bounds.to)}`,
            text: numberText(counts[row] ?? 0),
            ...said,
          },
        ]
  return [...own, { name: `All ${cells.unit}`, text: numberText(sum), ...said }]
}

/** Returns where the cursor stands. */
export function middleOf(x: ChartX, slot: number): number {
  const [from, to] = slotBounds(x, slot)
  return x.kind === 'log' ? Math.sqrt(from * to) : (from + to) / 2
}

/** A line is at zero where that was measured; a bar of zero is none. */
function isSaid(value: number | null, as: ChartSeries['as']): boolean {
  return value !== null && (as === 'line' || value !== 0)
}

/** True where a slot has something to tell: a value, a cell, or a mark of a request. */
export function hasAny(plot: ChartPlot, x: ChartX, slot: number): boolean {
  if (plot.series.some(({ as, values }) => isSaid(values[slot] ?? null, as))) return true
  if (plot.cells?.counts[slot]?.some((count) => count > 0) === true) return true
  const [from, to] = slotBounds(x, slot)
  return plot.points?.some(({ atMs }) => atMs >= from && atMs < to) === true
}
