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
  /** Whether the cursor was put there by a finger. */
  readonly setTouched: (isTouched: boolean) => void
  /** Whether the cursor of this chart stands there. */
  readonly isAt: (spot: ChartSpot) => boolean
  readonly openRange: (selected: Selected) => void
  readonly openSpot: (spot: ChartSpot) => void
}

/** Less is a click with a hand that is not still. */
const DRAG_PX_MIN = 5
/** A finger is wider, and rolls while it presses. */
const SWIPE_PX_MIN = 16
/** Without so much of a move up or down it is time alone that is chosen. */
const RISE_PX_MIN = 12

interface Start extends ChartSpot {
  readonly px: number
  readonly py: number
  readonly leastPx: number
}

/** Until the function that it returns is called. */
export function listenToPointer(box: HTMLElement, now: () => PointerOf): () => void {
  const drag = new Drag(box, now)
  const ending = new AbortController()
  const { signal } = ending
  box.addEventListener('pointermove', (event) => drag.move(event), { signal })
  box.addEventListener('pointerdown', (event) => drag.down(event), { signal })
  box.addEventListener('pointerleave', (event) => drag.leave(event), { signal })
  box.addEventListener('pointercancel', () => drag.cancel(), { signal })
  box.addEventListener('click', (event) => drag.click(event), { signal, capture: true })
  // A link under the pointer would be dragged instead.
  box.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
  const moveOutside = (event: PointerEvent) => {
    if (drag.isOn && !(event.target instanceof Node && box.contains(event.target))) drag.move(event)
  }
  const pressOutside = ({ target }: PointerEvent) => {
    if (!(target instanceof Node && box.contains(target))) leaveCursor(now().id)
  }
  document.addEventListener('pointermove', moveOutside, { signal })
  document.addEventListener('pointerdown', pressOutside, { signal })
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
  /** Whether the finger that is down only reads. */
  #isReading = false

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

  /** Begins a drag; a finger reads first, and opens what it has read with the next tap. */
  down(event: PointerEvent): void {
    this.#selected = null
    const { chart, isAt } = this.#now()
    const spot = this.#spotOf(event)
    const isTouch = event.pointerType === 'touch'
    this.#isReading = isTouch && !isAt(spot)
    if (isTouch) this.#show(spot, event)
    if (event.button !== 0 || chart.rangeTo === undefined) return
    const leastPx = isTouch ? SWIPE_PX_MIN : DRAG_PX_MIN
    this.#start = { ...spot, px: event.clientX, py: event.clientY, leastPx }
  }

  move(event: PointerEvent): void {
    const spot = this.#spotOf(event)
    this.#show(spot, event)
    const start = this.#start
    if (start === null) return
    const rise = Math.abs(event.clientY - start.py)
    if (this.#selected === null && Math.max(rise, Math.abs(event.clientX - start.px)) < start.leastPx) return
    const ends = (of: ChartSpot): ChartSpot => ({ slot: of.slot, row: rise < RISE_PX_MIN ? null : of.row })
    this.#selected = { from: ends(start), to: ends(spot) }
    this.#now().setSelected(this.#selected)
  }

  #show(spot: ChartSpot, { pointerType }: PointerEvent): void {
    const { chart, id, setRow, setTouched } = this.#now()
    setTouched(pointerType === 'touch')
    setRow(spot.row)
    moveCursor({ kind: chart.x.kind, value: middleOf(chart.x, spot.slot), owner: id })
  }

  up(): void {
    if (this.#start === null) return
    this.#start = null
    const { setSelected, openRange } = this.#now()
    if (this.#selected === null) return
    setSelected(null)
    openRange(this.#selected)
  }

  /** Leaves the cursor where a finger put it: it stays when that is lifted. */
  leave(event: PointerEvent): void {
    if (!this.isOn && event.pointerType !== 'touch') leaveCursor(this.#now().id)
  }

  cancel(): void {
    this.#start = null
    this.#selected = null
    this.#now().setSelected(null)
    leaveCursor(this.#now().id)
  }

  click(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isOfSlot = link === null || link.classList.contains('chart-slot')
    if (this.#selected !== null || (this.#isReading && isOfSlot)) {
      // The end of a drag is no click on what lies below.
      this.#selected = null
      event.preventDefault()
      event.stopPropagation()
    } else if (link === null) this.#now().openSpot(this.#spotOf(event))
  }
}
