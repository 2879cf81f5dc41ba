import type { ReactNode } from 'react'

/** A part of a page: heading, a note in faint ink, controls at its end. Sections are divided by a hairline, not boxed. */
export function Section(props: {
  readonly title: string
  readonly note?: ReactNode
  readonly end?: ReactNode
  readonly id?: string
  readonly children: ReactNode
}) {
  return (
    <section aria-label={props.title} id={props.id} className="border-t py-5">
      <div className="mb-3 flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="text-13 font-strong">{props.title}</h2>
        {props.note === undefined ? null : <span className="text-12 text-ink-3">{props.note}</span>}
        {props.end === undefined ? null : <div className="ms-auto flex flex-wrap gap-2">{props.end}</div>}
      </div>
      {props.children}
    </section>
  )
}

/** A section of the right column. */
export function SideSection(props: {
  readonly title: string
  readonly note?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section aria-label={props.title} className="border-b py-4 last:border-b-0">
      <div className="mb-2 flex items-baseline justify-between gap-2">
        <h2 className="text-12 font-strong">{props.title}</h2>
        {props.note === undefined ? null : <span className="text-12 text-ink-3">{props.note}</span>}
      </div>
      {props.children}
    </section>
  )
}
