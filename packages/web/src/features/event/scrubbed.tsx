/** Text of an event, with what was removed before storing marked and named by its rule, and what was cut said. */
import { createContext, type ReactNode, useContext } from 'react'
import { visibleText } from '#ui/visible-text.ts'
import { cutRuleText, type Problem, rulesAt, type ScrubbedPath, scrubbedPieces } from './rules.ts'

interface Kept {
  readonly paths: readonly ScrubbedPath[]
  readonly problems: readonly Problem[]
}

const KeptContext = createContext<Kept>({ paths: [], problems: [] })

export function ScrubbedProvider({ paths, problems, children }: Kept & { readonly children: ReactNode }) {
  return <KeptContext value={{ paths, problems }}>{children}</KeptContext>
}

/** Says what of the value at `path`, or in it, was too large to be kept; nothing where it is whole. */
function CutNote({ path }: { readonly path: string }) {
  const text = cutRuleText(useContext(KeptContext).problems, path)
  return text === null ? null : <span className="ms-1 font-sans text-11 text-ink-3">{text}</span>
}

/** `path` is the value's place in the event, which names the rule that took something out. */
export function Scrubbed({ text, path }: { readonly text: string; readonly path: string }) {
  return (
    <>
      <Pieces text={text} path={path} />
      <CutNote path={path} />
    </>
  )
}

/** Says that some variables of a frame were left out, beside those that were kept. */
export function LeftOut({ path }: { readonly path: string }) {
  const { problems } = useContext(KeptContext)
  const found = problems.find((one) => one.rule === 'too_many' && one.path === path)?.found
  if (found === undefined) return null
  return <dd className="col-span-2 font-sans text-ink-3">Some were left out: {found} were sent</dd>
}

function Pieces({ text, path }: { readonly text: string; readonly path: string }) {
  const { paths } = useContext(KeptContext)
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
