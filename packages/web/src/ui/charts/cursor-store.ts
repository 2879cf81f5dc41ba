/** The one cursor of a page: whichever chart the pointer or the keys are on, all that share its axis show the same moment. */
import { useSyncExternalStore } from 'react'

export interface CursorAt {
  readonly kind: 'time' | 'log' | 'linear'
  /** Milliseconds, of time or of duration. */
  readonly value: number
  /** Id of the chart that it is on. */
  readonly owner: string
}

let current: CursorAt | null = null
const listeners = new Set<() => void>()

export function moveCursor(at: CursorAt | null): void {
  if (at?.value === current?.value && at?.owner === current?.owner && at?.kind === current?.kind) return
  current = at
  for (const listener of listeners) listener()
}

/** Takes the cursor away, unless it went on to another chart. */
export function leaveCursor(owner: string): void {
  if (current?.owner === owner) moveCursor(null)
}

function subscribeToCursor(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns where the pointer is on the charts of the page. `null` on the server, and while nothing is pointed at. */
export function useCursor(): CursorAt | null {
  return useSyncExternalStore(
    subscribeToCursor,
    () => current,
    () => null,
  )
}
