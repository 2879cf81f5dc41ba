import type { ReactNode } from 'react'

/** A list without rows: why, and the next step. */
export function Empty(props: {
  readonly title: string
  readonly children: ReactNode
  /** Buttons or links of the next step. */
  readonly next?: ReactNode
}) {
  return (
    <div className="empty">
      <h2 className="text-15 font-strong">{props.title}</h2>
      <div className="mt-1 text-13 text-ink-2">{props.children}</div>
      {props.next === undefined ? null : <div className="mt-4 flex flex-wrap gap-2">{props.next}</div>}
    </div>
  )
}
