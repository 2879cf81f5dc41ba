/** A sparkline with the cursor of the page: it says what stands under the pointer, and follows the other charts. */
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { leaveCursor, moveCursor, useCursor } from './cursor-store.ts'
import { Readout } from './readout.tsx'
import { barPitch, Sparkline, type SparklineProps } from './sparkline.tsx'

interface LiveSparklineProps extends Omit<SparklineProps, 'marks'> {
  readonly startMs: number
  readonly stepMs: number
  readonly textOf: (slot: number) => { readonly head: string; readonly name: string; readonly text: string }
  readonly releaseAt?: (slot: number) => string | null
  /** Beginnings of releases. */
  readonly marksMs?: readonly number[]
}

export function LiveSparkline(props: LiveSparklineProps) {
  const { startMs, stepMs, textOf, releaseAt, marksMs = [], ...chart } = props
  const marks = marksMs.map((ms) => (ms - startMs) / (stepMs * chart.values.length))
  const box = useRef<HTMLSpanElement>(null)
  return (
    <span ref={box} className="relative block w-fit">
      <Sparkline {...chart} marks={marks.filter((mark) => mark >= 0 && mark <= 1)} />
      <SparkCursor {...props} box={box} />
    </span>
  )
}

/** Alone knows of the cursor: a list draws none of its hundred sparklines anew while the pointer moves. */
function SparkCursor(props: LiveSparklineProps & { readonly box: RefObject<HTMLSpanElement | null> }) {
  const { startMs, stepMs, textOf, releaseAt, box } = props
  const { values, height } = props
  const id = useId()
  const cursor = useCursor()
  const { offset, pitch } = slotsOf(props)
  const at = cursor === null || cursor.kind !== 'time' ? -1 : (cursor.value - startMs) / stepMs
  const slot = at >= 0 && at < values.length ? Math.floor(at) : null
  const isByKey = useRowCursor(box, { ...{ id, startMs, stepMs, slot, offset, pitch }, count: values.length })
  const said = slot === null ? null : textOf(slot)
  // Before it has a text: what comes with its text is not read out.
  const status =
    isByKey === null ? null : (
      <span className="visually-hidden" role="status">
        {isByKey && said !== null && cursor?.owner === id ? `${said.head}: ${said.text}` : ''}
      </span>
    )
  if (slot === null || said === null) return status
  const share = offset + (slot + 0.5) * pitch
  const { head, name, text } = said
  return (
    <>
      {status}
      <svg width="100%" height={height} aria-hidden="true" className="pointer-events-none absolute inset-0">
        <line x1={`${share * 100}%`} x2={`${share * 100}%`} y1="0" y2={height} className="stroke-accent" />
      </svg>
      {cursor?.owner === id ? (
        <Readout
          head={head}
          readings={[{ name, text, tone: null }]}
          share={share}
          release={releaseAt?.(slot) ?? null}
        />
      ) : null}
    </>
  )
}

interface Slots {
  readonly id: string
  readonly startMs: number
  readonly stepMs: number
  readonly count: number
  /** Slot of the cursor. */
  readonly slot: number | null
  readonly offset: number
  readonly pitch: number
}

/**
 * Moves the cursor with the pointer over the sparkline, and with the arrow keys while its row has the focus. Listens to
 * the row, because its link lies over everything in it. Returns whether the keys moved it last; `null` while the row has
 * no focus.
 */
function useRowCursor(box: RefObject<HTMLSpanElement | null>, slots: Slots): boolean | null {
  const [isByKey, setIsByKey] = useState<boolean | null>(null)
  const latest = useRef(slots)
  useEffect(() => {
    latest.current = slots
  })
  const { id } = slots
  useEffect(() => {
    const row = box.current?.closest('tr')
    if (row === null || row === undefined) return
    const move = (hit: number) => {
      const { startMs, stepMs, count } = latest.current
      const value = startMs + (Math.min(count - 1, Math.max(0, hit)) + 0.5) * stepMs
      moveCursor({ kind: 'time', value, owner: id })
    }
    const point = (event: PointerEvent) => {
      const { left, right, width } = (box.current ?? row).getBoundingClientRect()
      const { offset, pitch } = latest.current
      setIsByKey((now) => now && false)
      if (event.clientX < left || event.clientX > right) leaveCursor(id)
      else move(Math.floor(((event.clientX - left) / width - offset) / pitch))
    }
    const press = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
      const isTyped =
        event.target instanceof Element && event.target.matches('input, select, textarea, [contenteditable]')
      if (step === 0 || isTyped || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      // Without a width the column is hidden, and the keys scroll.
      if (event.defaultPrevented || !box.current?.offsetWidth) return
      event.preventDefault()
      setIsByKey(true)
      const { slot, count } = latest.current
      move(slot === null ? count - 1 : slot + step)
    }
    const leave = () => leaveCursor(id)
    const blur = () => {
      setIsByKey(null)
      leave()
    }
    const control = new AbortController()
    const { signal } = control
    row.addEventListener('pointermove', point, { signal })
    row.addEventListener('pointerleave', leave, { signal })
    row.addEventListener('keydown', press, { signal })
    row.addEventListener('focusin', () => setIsByKey((now) => now ?? false), { signal })
    row.addEventListener('focusout', blur, { signal })
    return () => {
      leave()
      control.abort()
    }
  }, [id, box])
  return isByKey
}

/** Returns where the slots lie, as shares of the width: bars end at its end and may not fill it. */
function slotsOf({ values, width, shape }: SparklineProps) {
  if (shape !== undefined) return { offset: 0, pitch: 1 / values.length }
  const pitch = barPitch(values.length, width) / width
  return { offset: 1 - values.length * pitch, pitch }
}
