/** Which folded facts stand open: remembered by the browser, so that the next issue shows the same. */
import { useState } from 'react'
import { useHydrated } from '#ui/time.tsx'

const KEY = 'errata.open-facts'
const NONE: ReadonlySet<string> = new Set()
const NAMES_MAX = 40

export interface OpenFacts {
  readonly names: ReadonlySet<string>
  set(names: readonly string[], isOpen: boolean): void
}

export function useOpenFacts(): OpenFacts {
  const hydrated = useHydrated()
  const [changed, setChanged] = useState<ReadonlySet<string> | null>(null)
  // The server knows nothing of it, and the browser's first render repeats the server's.
  const names = changed ?? (hydrated ? readOpenFacts() : NONE)
  return {
    names,
    set(some, isOpen) {
      const next = new Set(names)
      for (const name of some)
        if (isOpen) next.add(name)
        else next.delete(name)
      setChanged(next)
      remember(next)
    },
  }
}

function readOpenFacts(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return new Set(
      Array.isArray(kept) ? kept.filter((name) => typeof name === 'string').slice(0, NAMES_MAX) : [],
    )
  } catch {
    // Storage is turned off, or somebody else wrote there: everything is folded.
    return NONE
  }
}

function remember(names: ReadonlySet<string>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...names]))
  } catch {
    // Turned off or full: it holds for this page alone.
  }
}
