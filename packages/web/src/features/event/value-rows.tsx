import { cutText } from '#ui/cut-text.ts'
import { Scrubbed } from './scrubbed.tsx'
import { blockText, isPlain, lineText } from './value-text.ts'

const PLAIN_CHARS_MAX = 400
const LINE_CHARS_MAX = 160

/** Names and values of a part of the event; what is long or nested opens by hand. `path` is the part's place. */
export function ValueRows(props: {
  readonly title?: string
  readonly path: string
  readonly rows: readonly (readonly [string, unknown])[]
}) {
  const { title, path, rows } = props
  if (rows.length === 0) return null
  return (
    <div>
      {title === undefined ? null : <h3 className="foreign mb-1 text-12 font-normal text-ink-3">{title}</h3>}
      <dl className="border-t font-mono text-12 leading-5">
        {rows.map(([name, value], index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: names of headers may repeat
            key={`${index} ${name}`}
            className="grid grid-cols-[minmax(96px,176px)_minmax(0,1fr)] gap-x-4 border-b px-1 py-1.5 max-phone:grid-cols-1"
          >
            <dt className="foreign text-ink-3">{name}</dt>
            <dd className="foreign min-w-0">
              <Value value={value} path={`${path}.${name}`} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Blocks are no `pre`: the document loses a line break right behind that tag, and the browser's first render has it. */
function Value({ value, path }: { readonly value: unknown; readonly path: string }) {
  const text = blockText(value)
  if (text === '') return <span className="text-ink-3">(empty)</span>
  if (isPlain(value) && text.length <= PLAIN_CHARS_MAX && !text.includes('\n')) {
    return <Scrubbed text={text} path={path} />
  }
  if (!isPlain(value)) {
    const line = lineText(value, LINE_CHARS_MAX)
    if (line.length < LINE_CHARS_MAX) return <Scrubbed text={line} path={path} />
  }
  if (isPlain(value) && text.length <= PLAIN_CHARS_MAX) {
    return (
      <div className="whitespace-pre-wrap">
        <Scrubbed text={text} path={path} />
      </div>
    )
  }
  return (
    <details className="group/value">
      <summary className="truncate group-open/value:hidden max-phone:py-3">
        <span className="link me-2 font-sans">Show</span>
        {isPlain(value)
          ? cutText(text, LINE_CHARS_MAX).replace(/\s+/g, ' ')
          : lineText(value, LINE_CHARS_MAX)}
        …
      </summary>
      <div className="max-h-120 overflow-auto whitespace-pre-wrap">
        <Scrubbed text={text} path={path} />
      </div>
    </details>
  )
}
