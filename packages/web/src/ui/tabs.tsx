import type { ReactNode } from 'react'
import { numberText } from './number-text.ts'

/** Views of one thing, as links. Each child is a link with `className={tab}`; the chosen one has `aria-current="page"`. */
export function Tabs(props: {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <nav aria-label={props.label} className={`tabs ${props.className ?? ''}`}>
      {props.children}
    </nav>
  )
}

export const tab = 'tab'

/** What stands in a tab: its name and how many. */
export function TabLabel({ label, count }: { readonly label: ReactNode; readonly count?: number }) {
  return (
    <>
      {label}
      {count === undefined ? null : <span className="tab-count">{numberText(count)}</span>}
    </>
  )
}
