/** The cursor on a person's axis: goes from entry to entry by pointer or arrow keys, says each, and leads to its row. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useHydrated } from '#ui/time.tsx'
import { clockText, dateText, type Zone } from '#ui/time-text.ts'
import { nearestPlace } from './axis-places.ts'
import { itemText, laneOf } from './person-marks.tsx'
import type { Placed } from './sessions.ts'

interface CursorProps {
  /** Newest first. */
  readonly placed: readonly Placed[]
  /** Place of each in percent. */
  readonly places: readonly number[]
  readonly zone: Zone
}

/** There in the browser alone: without a script there is nothing to be moved, and marks are links. */
export function AxisCursor(props: CursorProps) {
  return useHydrated() ? <LiveCursor {...props} /> : <p className="min-h-5" />
}

function LiveCursor({ placed, places, zone }: CursorProps) {
  const [at, setAt] = useState<number | null>(null)
  const one = at === null ? undefined : placed[at]
  const text = one === undefined ? null : cursorText(one, zone)
  // A finger reads first; the next tap there opens what it has read.
  const isReading = useRef(false)
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const to = nearestPlace(places, ((event.clientX - left) / width) * 100)
    if (event.type === 'pointerdown') isReading.current = event.pointerType === 'touch' && to !== at
    setAt(to)
  }
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const to = entryByKey(event.key, at, placed.length)
    if (to !== null) setAt(to)
    else if (event.key === 'Enter' && one !== undefined) openRow(one.id)
    else if (event.key === 'Escape' && at !== null) setAt(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Entries on the time axis"
        aria-valuemin={1}
        aria-valuemax={placed.length}
        aria-valuenow={placed.length - (at ?? 0)}
        aria-valuetext={text ?? 'Arrow keys read the entries, Enter goes to the row'}
        className="absolute start-[5.75rem] end-0 top-0 bottom-10 cursor-pointer touch-pan-y"
        onKeyDown={press}
        onBlur={() => setAt(null)}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setAt(null)}
        onClick={() => one !== undefined && !isReading.current && openRow(one.id)}
      >
        {at === null ? null : (
          <span
            className="absolute inset-y-0 w-[1.5px] -translate-x-1/2 bg-accent"
            style={{ left: `${places[at] ?? 0}%` }}
          />
        )}
      </div>
      <p className="min-h-5 ps-[5.75rem] text-12 text-ink-2 max-phone:ps-0" aria-hidden="true">
        <span className="foreign block truncate">{text}</span>
      </p>
    </>
  )
}

function cursorText({ item }: Placed, zone: Zone): string {
  const time = `${dateText(item.atMs, zone)}, ${clockText(item.atMs, zone)}`
  return `${time} · ${laneOf(item.kind)?.verb ?? ''} ${itemText(item)}`
}

/** Returns the entry that a key goes to: to the right is later, earlier in the list. `null`: the key moves nothing. */
function entryByKey(key: string, at: number | null, count: number): number | null {
  if (key === 'Home') return count - 1
  if (key === 'End') return 0
  if (key === 'ArrowLeft') return at === null ? 0 : Math.min(count - 1, at + 1)
  return key === 'ArrowRight' ? Math.max(0, (at ?? count) - 1) : null
}

/** Shows the row, which may be folded with its repeats, and goes on from there. */
function openRow(id: string): void {
  const row = document.getElementById(id)
  const fold = row?.closest('details')
  if (fold) fold.open = true
  row?.scrollIntoView({ block: 'center' })
  row?.querySelector<HTMLElement>('a.row-link')?.focus({ preventScroll: true })
}
