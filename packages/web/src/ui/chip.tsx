import type { ReactNode } from 'react'

export type ChipTone = 'new' | 'bad' | 'warn' | 'good' | 'outline'

/** A state in one word. The normal case has none. */
export function Chip({ tone, children }: { readonly tone: ChipTone; readonly children: ReactNode }) {
  return <span className={tone === 'outline' ? 'chip' : `chip chip-${tone}`}>{children}</span>
}
