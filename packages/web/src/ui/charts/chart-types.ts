/** Values of a chart: shapes, cursor and table are made of the same. */
import type { ReactNode } from 'react'

export type ChartTone =
  | 'bar'
  | 'bar-2'
  | 'server'
  | 'grid'
  | 'ink'
  | 'ink-2'
  | 'ink-3'
  | 'control'
  | 'bad'
  | 'warn'
  | 'good'
  | 'hatch'

/** Axis: `count` slots of time, or of durations on a log scale. */
export type ChartX =
  | {
      readonly kind: 'time'
      readonly startMs: number
      readonly stepMs: number
      readonly count: number
      /** At the end of the axis; left out, its time. */
      readonly endText?: string
      /** Whether the last slot is not over. */
      readonly isRunning?: boolean
      /** Places of named times, as shares of the axis. */
      readonly parts?: readonly number[]
    }
  | { readonly kind: 'log'; readonly fromMs: number; readonly toMs: number; readonly count: number }
  | {
      readonly kind: 'linear'
      readonly step: number
      readonly count: number
      readonly text: (value: number) => string
      /** Heading of the table's first column. */
      readonly name: string
    }

export interface ChartTick {
  readonly value: number
  readonly text: string
}

export interface ChartY {
  /** 0 at the bottom, 1 at the top. What lies outside is at the edge. */
  readonly place: (value: number) => number
  /** The value of a place: what a dragged box reaches to. */
  readonly valueAt: (place: number) => number
  /** Three at least. */
  readonly ticks: readonly ChartTick[]
  /** With its unit. */
  readonly text: (value: number) => string
}

/** Series with one value a slot; `null` if nothing is known there. */
export interface ChartSeries {
  readonly name: string
  /** Bars and areas of one plot stand on each other; a step is a dashed line across each slot. */
  readonly as: 'bar' | 'area' | 'line' | 'step'
  readonly tone: ChartTone
  readonly values: readonly (number | null)[]
  readonly toneAt?: (slot: number) => ChartTone
  /** Width of a line. */
  readonly width?: number
  /** Slots of which there was too little to say much: drawn pale. */
  readonly isPale?: readonly boolean[]
  /** Stands at its end, in words. */
  readonly endText?: string
}

/** A level across the whole chart, with its name at the right. */
export interface ChartLevel {
  readonly value: number
  readonly name: string
  readonly tone: ChartTone
  readonly isDashed?: boolean
}

export interface ChartStretch {
  readonly startMs: number
  readonly endMs: number
  readonly tone: ChartTone
  readonly name?: string
}

export interface ChartPoint {
  readonly key: string
  readonly atMs: number
  readonly value: number
  readonly look: 'normal' | 'faint' | 'failed'
  readonly to?: string
}

/** A heat map: how many lie between two values, slot by slot, the lowest row first. */
export interface ChartCells {
  readonly rows: readonly { readonly from: number; readonly to: number }[]
  readonly counts: readonly (readonly number[])[]
  /** Unit of the counts: `requests`. */
  readonly unit: string
}

export interface ChartPlot {
  readonly name?: string
  readonly height: number
  readonly y: ChartY
  readonly series: readonly ChartSeries[]
  /** Bars hang from its top. */
  readonly hangs?: boolean
  readonly levels?: readonly ChartLevel[]
  /** Shaded behind what is drawn. */
  readonly shades?: readonly ChartStretch[]
  /** On the axis. */
  readonly strips?: readonly ChartStretch[]
  readonly points?: readonly ChartPoint[]
  readonly cells?: ChartCells
  /** Draws points or cells: only charts that have them load it. */
  readonly layer?: (props: LayerProps) => ReactNode
}

export interface LayerProps {
  readonly plot: ChartPlot
  /** Offset of its top. */
  readonly y0: number
  /** Share of the axis that a time stands at. */
  readonly part: (at: number) => number
  readonly link: ChartLink
}

/** The line of a mark, or a bar, as a link inside an `svg`: `a` is an element of both. */
export type ChartLink = (
  to: string,
  link: {
    readonly className: string
    readonly children: ReactNode
    readonly 'aria-label'?: string
    readonly tabIndex?: number
  },
) => ReactNode

/** A release or deploy (solid), a change of a flag (dotted), or what a chart itself has to say (dashed). */
export interface ChartMark {
  readonly atMs: number
  readonly kind: 'release' | 'deploy' | 'flag' | 'percentile' | 'note'
  /** Whole, as it is read out. */
  readonly name: string
  /** Short name, as people say it. */
  readonly label: string
  readonly to?: string
}

/** Range that was dragged over. `low` and `high` only if values were chosen as well. */
export interface ChartRange {
  readonly from: number
  readonly to: number
  readonly low?: number
  readonly high?: number
}

export interface ChartProps {
  /** Says what is drawn, for who does not see it. */
  readonly label: string
  readonly x: ChartX
  /** Below each other, over the same axis. */
  readonly plots: readonly ChartPlot[]
  readonly marks?: readonly ChartMark[]
  readonly link: ChartLink
  /** Opens an address. */
  readonly go: (to: string) => void
  /** Returns the list of what a slot counts; `null` if nothing finds it. */
  readonly rowsOf?: (slot: number) => string | null
  /** Returns the path of a dragged range; `null` for none. */
  readonly rangeTo?: (range: ChartRange) => string | null
}
