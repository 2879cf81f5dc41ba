import { type ReactNode, useEffect, useRef } from 'react'
import { numberText } from './number-text.ts'

/** Views of one thing, as links. Each child is a link with `className={tab}`; the chosen one has `aria-current="page"`. */
export function Tabs(props: {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}) {
  const place = useRef<HTMLElement>(null)
  const shown = useRef<Element | null>(null)
  // An effect after each render, because only a laid-out row knows whether the chosen tab lies beyond its edge.
  useEffect(() => {
    const row = place.current
    const chosen = row?.querySelector('[aria-current="page"]') ?? null
    // Once for each choice: afterwards the row is where the reader moved it.
    if (row === null || chosen === null || chosen === shown.current) return
    shown.current = chosen
    bringIntoRow(row, chosen)
  })
  return (
    <nav ref={place} aria-label={props.label} className={`tabs ${props.className ?? ''}`}>
      {props.children}
    </nav>
  )
}

/** Pixels of the next tab that show, so that the row looks as if it went on. */
const PEEK = 32

/** Moves the row alone, never the page. */
function bringIntoRow(row: HTMLElement, chosen: Element) {
  const box = row.getBoundingClientRect()
  const { left, right } = chosen.getBoundingClientRect()
  if (right > box.right) row.scrollLeft += right - box.right + PEEK
  else if (left < box.left) row.scrollLeft += left - box.left - PEEK
}

export const tab = 'tab'

/** Label of a tab: its name and number. */
export function TabLabel({ label, count }: { readonly label: ReactNode; readonly count?: number }) {
  return (
    <>
      {label}
      {count === undefined ? null : <span className="tab-count">{numberText(count)}</span>}
    </>
  )
}
