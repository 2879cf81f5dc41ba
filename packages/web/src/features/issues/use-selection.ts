import { useState } from 'react'

export interface Selection {
  readonly refs: ReadonlySet<string>
  set(ref: string, selected: boolean): void
  toggle(ref: string): void
  setAll(refs: readonly string[]): void
  clear(): void
}

/** Which rows are ticked. Rows that are no longer shown do not count as selected. */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const refs = new Set(shown.filter((ref) => chosen.has(ref)))
  const set = (ref: string, selected: boolean) => {
    const next = new Set(refs)
    if (selected) next.add(ref)
    else next.delete(ref)
    setChosen(next)
  }
  return {
    refs,
    set,
    toggle: (ref) => set(ref, !refs.has(ref)),
    setAll: (all) => setChosen(new Set(all)),
    clear: () => setChosen(new Set()),
  }
}
