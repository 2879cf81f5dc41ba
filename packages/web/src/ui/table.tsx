import type { ReactNode } from 'react'

/** A plain table; wider than its place it scrolls inside its own box. `edge` runs to the edges of the page. */
export function Table(props: {
  readonly caption: string
  readonly edge?: boolean
  /** On a phone each row becomes two or three lines; `data-label` names a cell there. */
  readonly stacks?: boolean
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="table-scroll" aria-label={props.caption} tabIndex={0}>
      <table
        className={`table ${props.edge === true ? 'table-edge' : ''} ${props.stacks === true ? 'table-stack' : ''} ${props.className ?? ''}`}
      >
        <caption className="visually-hidden">{props.caption}</caption>
        {props.children}
      </table>
    </section>
  )
}

/** Class of cells that hold numbers, heading and body alike. */
export const tableNum = 'table-num'
