import type { ReactNode } from 'react'

/** The cap of a key. Beside a control it repeats `aria-keyshortcuts`, so it is not read aloud. */
export function Key({ children }: { readonly children: ReactNode }) {
  return (
    <span className="key" aria-hidden="true">
      {children}
    </span>
  )
}
