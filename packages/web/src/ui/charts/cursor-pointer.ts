/** The pointer on a chart. It listens on the box around the drawing, so that links in it stay links. */

import type { ChartProps } from './chart-types.ts'
import { type ChartSpot, rowAt, type Selected } from './cursor-range.ts'
import { leaveCursor, moveCursor } from './cursor-store.ts'
import { middleOf } from './readings.ts'

/** Facts for the pointer, read anew at each event. */
export interface PointerOf {
  readonly id: string
  readonly chart: ChartProps
  /** Top of the first plot, below the top of the box. */
  readonly top: number
  readonly setRow: (row: number | null) => void
  readonly setSelected: (selected: Selected | null) => void
  readonly openRange: (selected: Selected) => void
  readonly openSpot: (spot: ChartSpot) => void
}

/** Less is a click with a hand that is not still. */
const DRAG_PX_MIN = 5
/** Without so much of a move up or down it is time alone that is chosen. */
const RISE_PX_MIN = 12

interface Start extends ChartSpot {
  readonly px: number
  readonly py: number
}

/** Until the function that it returns is called. */
export function listenToPointer(box: HTMLElement, now: () => PointerOf): () => void {
  const drag = new Drag(box, now)
  const ending = new AbortController()
  const { signal } = ending
  box.addEventListener('pointermove', (event) => drag.move(event), { signal })
  box.addEventListener('pointerdown', (event) => drag.down(event), { signal })
  box.addEventListener('pointerleave', () => drag.leave(), { signal })
  box.addEventListener('pointercancel', () => drag.cancel(), { signal })
  box.addEventListener('click', (event) => drag.click(event), { signal, capture: true })
  // A link under the pointer would be dragged instead.
  box.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
  const moveOutside = (event: PointerEvent) => {
    if (drag.isOn && !(event.target instanceof Node && box.contains(event.target))) drag.move(event)
  }
  document.addEventListener('pointermove', moveOutside, { signal })
  document.addEventListener('pointerup', () => drag.up(), { signal })
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && drag.isOn && drag.cancel(), {
    signal,
  })
  return () => ending.abort()
}

class Drag {
  readonly #box: HTMLElement
  readonly #now: () => PointerOf
  #start: Start | null = null
  #selected: Selected | null = null

  constructor(box: HTMLElement, now: () => PointerOf) {
    this.#box = box
    this.#now = now
  }

  get isOn(): boolean {
    return this.#start !== null
  }

  #spotOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): ChartSpot {
    const { chart, top } = this.#now()
    const box = this.#box.getBoundingClientRect()
    const share = Math.min(0.999_999, Math.max(0, (clientX - box.left) / box.width))
    return { slot: Math.floor(share * chart.x.count), row: rowAt(chart, clientY - box.top - top) }
  }

  down(event: PointerEvent): void {
    this.#selected = null
    const isDrag = event.pointerType !== 'touch' && event.button === 0
    if (!isDrag || this.#now().chart.rangeTo === undefined) return
    this.#start = { ...this.#spotOf(event), px: event.clientX, py: event.clientY }
  }

  move(event: PointerEvent): void {
    const { chart, id, setRow, setSelected } = this.#now()
    const spot = this.#spotOf(event)
    setRow(spot.row)
    moveCursor({ kind: chart.x.kind, value: middleOf(chart.x, spot.slot), owner: id })
    const start = this.#start
    if (start === null) return
    const rise = Math.abs(event.clientY - start.py)
    if (this.#selected === null && Math.max(rise, Math.abs(event.clientX - start.px)) < DRAG_PX_MIN) return
    const ends = (of: ChartSpot): ChartSpot => ({ slot: of.slot, row: rise < RISE_PX_MIN ? null : of.row })
    this.#selected = { from: ends(start), to: ends(spot) }
    setSelected(this.#selected)
  }

  up(): void {
    if (this.#start === null) return
    this.#start = null
    const { setSelected, openRange } = this.#now()
    if (this.#selected === null) return
    setSelected(null)
    openRange(this.#selected)
  }

  leave(): void {
    if (!this.isOn) leaveCursor(this.#now().id)
  }

  cancel(): void {
    this.#start = null
    this.#selected = null
    this.#now().setSelected(null)
    leaveCursor(this.#now().id)
  }

  click(event: MouseEvent): void {
    if (this.#selected !== null) {
      // The end of a drag is no click on what lies below.
      this.#selected = null
      event.preventDefault()
      event.stopPropagation()
    } else if (this.#now().chart.plots[0]?.cells !== undefined) this.#now().openSpot(this.#spotOf(event))
  }
}
