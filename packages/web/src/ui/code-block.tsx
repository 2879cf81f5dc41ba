import { cropLine } from './crop-line.ts'
import { Highlighted } from './highlighted.tsx'
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
  /** The lines are JavaScript or TypeScript. */
  readonly highlights?: boolean
}) {
  const highlights = props.highlights === true
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
            <LineText line={line} column={props.column} highlights={highlights} />
          </code>
        </div>
      ))}
    </section>
  )
}

function LineText(props: {
  readonly line: CodeLine
  readonly column: number | undefined
  readonly highlights: boolean
}) {
  const { line, column, highlights } = props
  const isMarked = line.marked === true
  const { before, mark, after, cutStart, cutEnd } = cropLine(line.text, isMarked ? column : undefined)
  const [first, marked] = [visibleText(before), visibleText(mark)]
  return (
    <>
      {cutStart ? <Cut /> : null}
      <Piece text={first} highlights={highlights} />
      {mark === '' ? null : <span className="code-mark">{marked}</span>}
      <Piece text={visibleText(after)} behind={first + marked} highlights={highlights} />
      {cutEnd ? <Cut /> : null}
    </>
  )
}

/** Mark where a long line goes on. */
function Cut() {
  return <span className="text-ink-3">…</span>
}

function Piece(props: { readonly text: string; readonly behind?: string; readonly highlights: boolean }) {
  const { highlights, ...piece } = props
  return highlights ? <Highlighted {...piece} /> : piece.text
}
