import { visibleText } from './visible-text.ts'

export interface CodeLine {
  /** `null` where the number is unknown. */
  readonly number: number | null
  readonly text: string
  readonly marked?: boolean
}

/** Characters of a line that are drawn; the rest of a minified line is said in words. */
const LINE_CHARS_MAX = 400

/** Source lines with their numbers; the marked one stands out, with a wavy mark from `column` on. Scrolls in its own box. */
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
            {line.marked === true ? (
              <MarkedText text={line.text} column={props.column} />
            ) : (
              cut(visibleText(line.text))
            )}
          </code>
        </div>
      ))}
    </section>
  )
}

function MarkedText({ text, column }: { readonly text: string; readonly column: number | undefined }) {
  const at = column === undefined ? -1 : column - 1
  if (at < 0 || at >= text.length) return <>{cut(visibleText(text))}</>
  const start = at > LINE_CHARS_MAX / 2 ? at - LINE_CHARS_MAX / 2 : 0
  const word = /^[\p{L}\p{N}_$]+|^./u.exec(text.slice(at, at + 80))?.[0] ?? ''
  return (
    <>
      {start > 0 ? '…' : ''}
      {visibleText(text.slice(start, at))}
      <span className="code-mark">{word}</span>
      {cut(visibleText(text.slice(at + word.length)), LINE_CHARS_MAX / 2)}
    </>
  )
}

function cut(text: string, charsMax = LINE_CHARS_MAX): string {
  return text.length <= charsMax
    ? text
    : `${text.slice(0, charsMax)} … ${(text.length - charsMax).toLocaleString('en-US')} characters more`
}
