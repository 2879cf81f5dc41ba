/**
 * Actions that wait for their sender, in memory and for minutes: until somebody has confirmed who they are, then they run
 * as they were sent; or until somebody has signed in again, then they are shown as they were typed.
 */
import { randomBytes } from 'node:crypto'
import type { PersonViewer } from '@errata/server/access'
import { max } from '@errata/server/limits'

/** Action that was sent, and the page it came from. */
export interface HeldAction {
  /** Path of the page with its query: where it runs or is shown. */
  readonly path: string
  readonly action: string
  readonly input: unknown
  /** Key of the form. */
  readonly form: string
  /** Address in the browser that sent it. */
  readonly usedOrigin: string | null
}

/** By its id. */
type Session = PersonViewer['session']['id']

interface Held extends HeldAction {
  readonly untilMs: number
  isReleased: boolean
}

export class HeldActions {
  /** By session; the oldest first. */
  readonly #held = new Map<string, Held>()
  /** By ids, of what nobody was signed in for: whoever sends many of them takes no place of those above. */
  readonly #typed = new Map<string, Held>()

  /** Until `release`: of a session the last one alone, so that nobody confirms what they have forgotten. */
  hold(session: Session, action: HeldAction, nowMs: number): void {
    putHeld(this.#held, String(session), {
      ...action,
      untilMs: nowMs + max('heldActionMs'),
      isReleased: false,
    })
  }

  /** Its sender has confirmed who they are: it runs when `path` is opened next. True where there is one. */
  release(session: Session, path: string, nowMs: number): boolean {
    const held = of(this.#held, String(session), nowMs)
    if (held?.path !== path) return false
    held.isReleased = true
    return true
  }

  /** Takes the action to run now that `path` is opened, once. */
  take(session: Session, path: string, nowMs: number): HeldAction | null {
    const held = of(this.#held, String(session), nowMs)
    if (held === null || !held.isReleased || held.path !== path) return null
    this.#held.delete(String(session))
    return held
  }

  /** Keeps what was typed after the session ended; returns the id that finds it. */
  keep(action: HeldAction, nowMs: number): string {
    const id = randomBytes(16).toString('hex')
    putHeld(this.#typed, id, { ...action, untilMs: nowMs + max('heldActionMs'), isReleased: false })
    return id
  }

  /** Once: who reloads the page has it in the browser. */
  typed(id: string, nowMs: number): HeldAction | null {
    const held = /^[0-9a-f]{32}$/.test(id) ? of(this.#typed, id, nowMs) : null
    if (held !== null) this.#typed.delete(id)
    return held
  }
}

function putHeld(all: Map<string, Held>, key: string, held: Held): void {
  all.delete(key)
  all.set(key, held)
  for (const oldest of all.keys()) {
    if (all.size <= max('heldActionsMax')) break
    all.delete(oldest)
  }
}

function of(all: Map<string, Held>, key: string, nowMs: number): Held | null {
  const held = all.get(key)
  if (held === undefined) return null
  if (held.untilMs > nowMs) return held
  all.delete(key)
  return null
}
