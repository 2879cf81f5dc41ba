/** Keyboard shortcuts: each screen says which it has, one listener runs them, `?` shows them all. */
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { endEarlyClicks, replayEarlyInput } from '#wire/early-input.ts'

export interface Shortcut {
  /** Keys such as `j`, `g i` (one after the other), `mod+k` (⌘ or Ctrl), `Escape`. */
  readonly keys: string
  /** Description for the list that `?` shows. */
  readonly label: string
  /** It holds on every page, as those of the frame do. */
  readonly isEverywhere?: true
  readonly run: (event: KeyboardEvent) => void
}

interface Registry {
  add(list: { readonly current: readonly Shortcut[] }): () => void
  all(): readonly Shortcut[]
}

const RegistryContext = createContext<Registry | null>(null)

/** An open dialog or menu has the keys for itself; Escape, above all, closes it. */
const OVER_THE_PAGE = 'dialog[open], :popover-open'

/** The second key of a pair counts this long after the first. */
const PAIR_MS = 1_200

export function ShortcutProvider({ children }: { readonly children: ReactNode }) {
  const registry = useMemo(() => createRegistry(), [])
  // A layout one: React answers clicks from here on, and they would be answered twice.
  useLayoutEffect(endEarlyClicks, [])
  // An effect, because keys are pressed outside of React; what the page below offers is there by then.
  useEffect(() => {
    const listen = listener(registry)
    window.addEventListener('keydown', listen)
    void replayEarlyInput()
    return () => window.removeEventListener('keydown', listen)
  }, [registry])
  return <RegistryContext value={registry}>{children}</RegistryContext>
}

/** Offers shortcuts as long as the component is there. A later one wins over an earlier one with the same keys. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const registry = useContext(RegistryContext)
  const current = useRef(shortcuts)
  // Effects, because the registry is read by the listener: the newest functions after every render, one entry a component.
  useEffect(() => {
    current.current = shortcuts
  })
  useEffect(() => registry?.add(current), [registry])
}

/** Reads all shortcuts that hold at this moment. */
export function useShortcutList(): () => readonly Shortcut[] {
  const registry = useContext(RegistryContext)
  return () => registry?.all() ?? []
}

function createRegistry(): Registry {
  const lists = new Set<{ readonly current: readonly Shortcut[] }>()
  return {
    add(list) {
      lists.add(list)
      return () => void lists.delete(list)
    },
    all() {
      const byKeys = new Map<string, Shortcut>()
      for (const list of lists) for (const one of list.current) byKeys.set(one.keys, one)
      return [...byKeys.values()]
    },
  }
}

function listener(registry: Registry): (event: KeyboardEvent) => void {
  let first: { readonly key: string; readonly atMs: number } | null = null
  return (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const isMod = event.metaKey || event.ctrlKey
    if (!isMod && (isTyping(event.target) || document.querySelector(OVER_THE_PAGE) !== null)) return
    const key = isMod ? `mod+${event.key.toLowerCase()}` : event.key
    const pair = first !== null && event.timeStamp - first.atMs < PAIR_MS ? `${first.key} ${key}` : null
    first = isMod ? null : { key, atMs: event.timeStamp }
    const all = registry.all()
    const found = all.find((one) => one.keys === pair) ?? all.find((one) => one.keys === key)
    showWaiting(found === undefined && all.some(({ keys }) => keys.startsWith(`${key} `)) ? key : null)
    if (found === undefined) return
    first = null
    event.preventDefault()
    found.run(event)
  }
}

let waiting: ReturnType<typeof setTimeout> | undefined

/** While the first key of a pair waits for the second, the page may show which there are: `data-keys` of the document. */
function showWaiting(key: string | null): void {
  clearTimeout(waiting)
  if (key === null) delete document.documentElement.dataset.keys
  else {
    document.documentElement.dataset.keys = key
    waiting = setTimeout(() => showWaiting(null), PAIR_MS)
  }
}

function isTyping(target: EventTarget | null): boolean {
  // A field keeps the focus for a moment when its dialog closes over a page without focus.
  if (!(target instanceof HTMLElement) || target.closest('dialog:not([open])') !== null) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  if (target instanceof HTMLSelectElement) return true
  return (
    target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  )
}
