import type { ReactNode } from 'react'

/**
 * Choice of one of a few. Each child is a link, the chosen one with `aria-current="true"`, or a button with
 * `aria-pressed`.
 */
export function Segmented({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, these are links
    <div role="group" aria-label={label} className="segmented touch">
      {children}
    </div>
  )
}
