/** What is wrong with a search: below the field in words, in it as an underline. */
import { useEffect, useRef } from 'react'
import type { SearchProblem, SearchToken, UnknownTag } from '#parts/issue-types.ts'
import type { ListAddress } from '#parts/list-address.ts'
import { Icon } from '#ui/icons.tsx'
import { UnknownTags } from './unknown-tags.tsx'

/** What was not understood, or names nothing that is known. */
export function SearchNotes(props: {
  readonly id: string
  readonly org: string
  readonly address: ListAddress
  readonly tokens: readonly SearchToken[]
  readonly isPlain: boolean
  readonly problems: readonly SearchProblem[]
  readonly unknownTags: readonly UnknownTag[]
}) {
  return (
    <>
      {props.problems.length === 0 ? null : (
        <div id={props.id} role="alert" className="mt-1 space-y-0.5 text-12 text-bad">
          {props.problems.map(({ message, start }) => (
            <p key={`${start} ${message}`} className="flex gap-1">
              <Icon name="exclamation" size={14} className="mt-px shrink-0" />
              <span className="foreign min-w-0">{message}</span>
            </p>
          ))}
        </div>
      )}
      <UnknownTags {...props} />
    </>
  )
}

/** The typed text again behind the input, unseen but for a wavy line below what is wrong. */
export function WrongParts(props: {
  readonly text: string
  readonly problems: readonly SearchProblem[]
  readonly inputId: string
}) {
  const { text, problems, inputId } = props
  const words = useRef<HTMLSpanElement>(null)
  // An effect, because an input that is too narrow for its text scrolls on its own. By script: the policy allows no style
  // attribute in what the server renders.
  useEffect(() => {
    const input = document.getElementById(inputId)
    if (input === null) return
    const follow = () => words.current?.style.setProperty('inset-inline-start', `${-input.scrollLeft}px`)
    follow()
    input.addEventListener('scroll', follow)
    return () => input.removeEventListener('scroll', follow)
  }, [inputId])
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 overflow-hidden px-1 text-13 leading-6 whitespace-pre text-transparent"
    >
      <span ref={words} className="relative">
        {partsOf(text, problems).map(({ start, part, isWrong }) =>
          isWrong ? (
            <u key={start} className="decoration-bad decoration-wavy decoration-from-font">
              {part}
            </u>
          ) : (
            part
          ),
        )}
      </span>
    </span>
  )
}

interface Part {
  readonly start: number
  readonly part: string
  readonly isWrong: boolean
}

/** The text in parts, none of which overlaps another. */
function partsOf(text: string, problems: readonly SearchProblem[]): readonly Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { start, end } of problems.toSorted((one, other) => one.start - other.start)) {
    const from = Math.max(at, start)
    if (end <= from) continue
    parts.push({ start: at, part: text.slice(at, from), isWrong: false })
    parts.push({ start: from, part: text.slice(from, end), isWrong: true })
    at = end
  }
  return [...parts, { start: at, part: text.slice(at), isWrong: false }]
}
