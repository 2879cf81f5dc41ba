import { cropLine } from './crop-line.ts'
import { visibleText } from './visible-text.ts'

export interface CodeLine {
  /** `null` where the number is unknown. */
  readonly number: number | null
  readonly text: string
  readonly marked?: boolean
}

/** Source lines with their numbers; the marked one stands out, with a wavy mark at `column`. Scrolls in its own box. */
export function CodeBlock(props: {
  readonly label: string
  readonly lines: readonly CodeLine[]
  /** From 1, in the marked line. */
  readonly column?: number | undefined
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="code py-1" aria-label={props.label} tabIndex={0}>
      {props.lines.map((line, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          key={index}
          className={line.marked === true ? 'code-line code-line-marked' : 'code-line'}
        >
          <span className="num">{line.number ?? ''}</span>
          <code className="foreign-line pe-4">
            <LineText line={line} column={props.column} />
          </code>
        </div>
      ))}
    </section>
  )
}

function LineText({ line, column }: { readonly line: CodeLine; readonly column: number | undefined }) {
  const isMarked = line.marked === true
  const { before, mark, after, cutStart, cutEnd } = cropLine(line.text, isMarked ? column : undefined)
  return (
    <>
      {cutStart ? <Cut /> : null}
      {visibleText(before)}
      {mark === '' ? null : <span className="code-mark">{visibleText(mark)}</span>}
      {visibleText(after)}
      {cutEnd ? <Cut /> : null}
    </>
  )
}

/** Where a long line goes on. */
function Cut() {
  return <span className="text-ink-3">…</span>
}
