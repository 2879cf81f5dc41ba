/** The cursor on a chart: follows the pointer and the arrow keys, says what stands there, and marks what is dragged over. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useHydrated } from '../time.tsx'
import type { Zone } from '../time-text.ts'
import type { ChartProps } from './chart-types.ts'
import { CursorMarks, Selection } from './cursor-marks.tsx'
import { listenToPointer, type PointerOf } from './cursor-pointer.ts'
import { type ChartSpot, cursorRange, type Selected } from './cursor-range.ts'
import { leaveCursor, moveCursor, useCursor } from './cursor-store.ts'
import { flagsIn, hasAny, middleOf, readingsOf, releaseAt, slotAt, slotBounds, slotText } from './readings.ts'
import { Readout } from './readout.tsx'

export interface CursorProps {
  readonly chart: ChartProps
  /** Tops of the plots in the drawing. */
  readonly tops: readonly number[]
  readonly head: number
  readonly height: number
  readonly zone: Zone
}

/** There in the browser alone: without a script there is nothing to be moved. */
export function ChartCursor(props: CursorProps) {
  return useHydrated() ? <LiveCursor {...props} /> : null
}

/** Stands below what a finger read, where another tap opens it. */
const AGAIN = { name: 'Tap again to open', text: '', tone: null }

function LiveCursor(props: CursorProps) {
  const { chart, tops, height, head, zone } = props
  const { x, plots, marks = [], label } = chart
  const id = useId()
  const cursor = useCursor()
  const [row, setRow] = useState<number | null>(null)
  const [selected, setSelected] = useState<Selected | null>(null)
  const [isTouched, setTouched] = useState(false)
  useEffect(() => () => leaveCursor(id), [id])
  const slot = cursor === null || cursor.kind !== x.kind ? null : slotAt(x, cursor.value)
  const isOwn = cursor?.owner === id
  const ownRow = isOwn ? row : null
  const keys = useKeys(props, { id, slot, isOwn, row: ownRow, setRow, selected, setSelected, setTouched })
  const readings = slot === null ? [] : plots.flatMap((plot) => readingsOf(plot, { x, slot, row: ownRow }))
  const title = slot === null ? '' : slotText(x, slot, zone)
  const flags = slot === null ? [] : flagsIn(marks, { x, slot, zone })
  const isOpened = isTouched && isOwn && slot !== null && rowsOfSpot(chart, { slot, row: ownRow }) !== null
  return (
    <>
      {selected === null ? null : <Selection {...{ x, plots, selected, tops, head, height }} />}
      {slot === null ? null : <CursorMarks {...{ x, plots, tops, slot, row: ownRow, head, height }} />}
      <div
        {...keys}
        role="slider"
        tabIndex={0}
        aria-label={`${label}: values`}
        aria-valuemin={1}
        aria-valuemax={x.count}
        aria-valuenow={(slot ?? x.count - 1) + 1}
        aria-valuetext={
          slot === null
            ? 'Arrow keys read the values'
            : `${title}: ${[...readings.map(({ name, text }) => `${name} ${text}`), ...flags].join(', ')}`
        }
        className="chart-keys"
      />
      {slot === null ? null : (
        <Readout
          head={title}
          readings={[
            ...readings,
            ...flags.map((name) => ({ name, text: '', tone: null })),
            ...(isOpened ? [AGAIN] : []),
          ]}
          share={(slot + 0.5) / x.count}
          release={x.kind === 'time' ? releaseAt(marks, slotBounds(x, slot)[1]) : null}
        />
      )}
    </>
  )
}

interface CursorState {
  readonly id: string
  readonly slot: number | null
  readonly row: number | null
  readonly setRow: (row: number | null) => void
  readonly selected: Selected | null
  readonly setSelected: (selected: Selected | null) => void
  readonly setTouched: (isTouched: boolean) => void
  /** Whether the cursor was moved on this chart. */
  readonly isOwn: boolean
}

/** Returns the handlers of keys; the pointer does the same with the box around them. */
function useKeys({ chart, tops, head }: CursorProps, state: CursorState) {
  const ref = useRef<HTMLDivElement>(null)
  const { id, setRow, setSelected, setTouched } = state
  const goTo = (to: string | null) => {
    if (to !== null) chart.go(to)
  }
  const pointer: PointerOf = {
    ...{ id, chart, setRow, setSelected, setTouched, top: tops[0] ?? head },
    isAt: ({ slot, row }) =>
      state.isOwn && state.slot === slot && (chart.plots[0]?.cells === undefined || state.row === row),
    openRange: (selected) => goTo(chart.rangeTo?.(cursorRange(chart, selected)) ?? null),
    openSpot: (spot) => goTo(rowsOfSpot(chart, spot)),
  }
  const now = useRef(pointer)
  // An effect, so that the pointer's listeners know what was drawn last.
  useEffect(() => {
    now.current = pointer
  })
  useEffect(() => {
    const box = ref.current?.parentElement
    return box ? listenToPointer(box, () => now.current) : undefined
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const spot = spotByKey(event.key, chart, state)
    if (spot !== null) {
      const from = state.selected?.from ?? { slot: state.slot ?? spot.slot, row: state.row }
      setSelected(event.shiftKey && chart.rangeTo !== undefined ? { from, to: spot } : null)
      setRow(spot.row)
      moveCursor({ kind: chart.x.kind, value: middleOf(chart.x, spot.slot), owner: id })
    } else if (event.key === 'Escape' && state.slot !== null) {
      setSelected(null)
      moveCursor(null)
    } else if (event.key === 'Enter' && state.slot !== null) {
      if (state.selected !== null) pointer.openRange(state.selected)
      else pointer.openSpot({ slot: state.slot, row: state.row })
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onBlur = () => {
    setSelected(null)
    leaveCursor(id)
  }
  return { ref, onKeyDown, onBlur }
}

/** Returns the path of what a slot counts; in a heat map, of one cell. */
function rowsOfSpot(chart: ChartProps, spot: ChartSpot): string | null {
  const isCell = spot.row !== null && chart.plots[0]?.cells !== undefined
  if (isCell) return chart.rangeTo?.(cursorRange(chart, { from: spot, to: spot })) ?? null
  const isAny = chart.plots.some((plot) => hasAny(plot, chart.x, spot.slot))
  return (isAny ? chart.rowsOf?.(spot.slot) : null) ?? null
}

/** `null`: the key moves nothing. */
function spotByKey(
  key: string,
  { x, plots }: ChartProps,
  { slot, row }: Pick<CursorState, 'slot' | 'row'>,
): ChartSpot | null {
  const last = x.count - 1
  const here = slot ?? last
  const sideways = new Map([
    ['ArrowLeft', slot === null ? last : here - 1],
    ['ArrowRight', here + 1],
    ['Home', 0],
    ['End', last],
  ]).get(key)
  const rows = plots[0]?.cells?.rows.length ?? 0
  const step = rows === 0 ? 0 : key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0
  if (sideways === undefined && step === 0) return null
  const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value))
  return {
    slot: clamp(sideways ?? here, last),
    row: step === 0 ? row : clamp(row === null ? 0 : row + step, rows - 1),
  }
}
