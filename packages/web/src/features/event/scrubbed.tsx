/** Text of an event, with what was removed before storing marked and named by its rule. */
import { createContext, type ReactNode, useContext } from 'react'
import { visibleText } from '#ui/visible-text.ts'
import { rulesAt, type ScrubbedPath, scrubbedPieces } from './rules.ts'

const PathsContext = createContext<readonly ScrubbedPath[]>([])

export function ScrubbedProvider(props: {
  readonly paths: readonly ScrubbedPath[]
  readonly children: ReactNode
}) {
  return <PathsContext value={props.paths}>{props.children}</PathsContext>
}

/** `path` is the value's place in the event, which names the rule that took something out. */
export function Scrubbed({ text, path }: { readonly text: string; readonly path: string }) {
  const paths = useContext(PathsContext)
  const pieces = scrubbedPieces(visibleText(text))
  if (pieces.length === 1 && pieces[0]?.isRemoved === false) return <>{pieces[0].text}</>
  const rules = rulesAt(paths, path)
  const why =
    rules.length === 0
      ? 'removed by the SDK or by Errata before storing'
      : `removed before storing (rule: ${rules.join(', ')})`
  return (
    <>
      {pieces.map((piece, index) =>
        piece.isRemoved ? (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text
            key={index}
            title={why}
            className="relative rounded-mark border border-line-2 px-1 font-sans text-11 whitespace-nowrap text-ink-3"
          >
            {piece.text}
            <span className="visually-hidden"> {why}</span>
          </span>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <span key={index}>{piece.text}</span>
        ),
      )}
      {rules.length === 0 ? null : (
        <span aria-hidden="true" className="ms-1 font-sans text-11 text-ink-3">
          rule: {rules.join(', ')}
        </span>
      )}
    </>
  )
}
