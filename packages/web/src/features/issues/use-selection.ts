import { useState } from 'react'

export interface RowSelection {
  readonly refs: ReadonlySet<string>
  set(ref: string, selected: boolean): void
  toggle(ref: string): void
  setAll(refs: readonly string[]): void
  clear(): void
  /** Everything that the list finds, beyond this page too. */
  readonly isAll: boolean
  setIsAll(): void
}

/** Which rows are ticked. Rows that are no longer shown do not count as selected. */
export function useSelection(shown: readonly string[]): RowSelection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  const refs = new Set(shown.filter((ref) => chosen.has(ref)))
  const set = (ref: string, selected: boolean) => {
    const next = new Set(refs)
    if (selected) next.add(ref)
    else next.delete(ref)
    setChosen(next)
    setAll(false)
  }
  return {
    refs,
    set,
    toggle: (ref) => set(ref, !refs.has(ref)),
    setAll: (refsOfPage) => setChosen(new Set(refsOfPage)),
    clear: () => {
      setChosen(new Set())
      setAll(false)
    },
    // Only while the whole page is ticked does it stand for what lies beyond it.
    isAll: all && refs.size === shown.length,
    setIsAll: () => setAll(true),
  }
}
