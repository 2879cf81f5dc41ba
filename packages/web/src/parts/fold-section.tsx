/** A part of settings that is folded to one line: what it is, its state, and what opening it is for. */
import type { ReactNode } from 'react'
import { useWire } from '#wire/wire-context.ts'

export function FoldSection(props: {
  readonly title: string
  /** State in a word or two: `off`, `not required`, `Viewer`. */
  readonly state: ReactNode
  /** Verb of the button that opens it. */
  readonly verb: string
  /** Action of a form inside: opened where that form came back without script. */
  readonly action?: string
  readonly open?: boolean
  readonly children: ReactNode
}) {
  const { form } = useWire()
  const cameBack = props.action !== undefined && form?.form.startsWith(props.action) === true
  return (
    <section aria-label={props.title} className="border-t">
      <details className="fold" open={props.open === true || cameBack}>
        <summary>
          <h2 className="text-13 font-strong">{props.title}</h2>
          <span className="fold-state">{props.state}</span>
          <span className="fold-verb">{props.verb}</span>
        </summary>
        <div className="pt-2 pb-6">{props.children}</div>
      </details>
    </section>
  )
}
