import type { ReactNode } from 'react'
import { byWord } from './by-word.ts'

/**
 * A plain table; wider than its place it scrolls inside its own box. `edge` runs to the edges of the page. With `stacks`
 * its rows become lines where it is narrow, `early` and `earliest` those of a table with many columns, `late` those of one with a
 * few beside something else: cells say their names by
 * `data-label` above them; with `columns` the headings stay, and rows are a name and numbers below these; `stack-lead` is a
 * line between. A cell with the class `stack-line` takes a line, with `stack-first` the first, and `stack-end` stands at the
 * end of the first.
 * `row-link` opens a row from anywhere in it, and with `stack-quiet` links of a cell are not in its way. What has the width
 * of a column loses it with `stack-fit`; `wide-only` is left out of columns that are close to that.
 */
export function Table(props: {
  readonly caption: string
  readonly edge?: boolean
  readonly stacks?: true | 'early' | 'earliest' | 'late' | 'columns' | 'columns early'
  readonly className?: string
  readonly children: ReactNode
}) {
  const box = props.stacks === undefined ? 'table-scroll' : 'table-scroll table-stacks'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={box} aria-label={props.caption} tabIndex={0}>
      <table
        className={`table ${props.edge === true ? 'table-edge' : ''} ${STACKS[String(props.stacks)] ?? ''} ${props.className ?? ''}`}
      >
        <caption className="visually-hidden">{props.caption}</caption>
        {props.children}
      </table>
    </section>
  )
}

const STACKS: Readonly<Record<string, string>> = byWord({
  true: 'stacks',
  columns: 'stacks-columns',
  'columns early': 'stacks-columns-early',
  early: 'stacks-early',
  earliest: 'stacks-earliest',
  late: 'stacks-late',
})

/** Class of cells that hold numbers, heading and body alike. */
export const tableNum = 'table-num'
